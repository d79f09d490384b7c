import GRDB
import LearningModel

extension StoreTransaction {
  /// The tables that hold nothing but what the logs and the content say.
  static let projections = [
    "stackEntry", "visitEntry", "visitUnder", "placeScore", "progress", "placeTotal", "placeProgress",
    "note",
  ]

  /// Works everything out anew that is worked out from the logs and the content.
  public func rebuildProjections() throws {
    for table in Self.projections {
      try database.execute(sql: "DELETE FROM \(table)")
    }
    try replayNavigation()
    try replayActivity()
    let courses = try Int64.fetchAll(database, sql: "SELECT id FROM contentNode WHERE parent IS NULL")
    for course in courses.map(NodeID.init(rawValue:)) {
      try addUpTotals(of: course)
      try addUpProgress(in: course)
    }
  }

  /// Works out anew what is worked out from the logs of one learner.
  func rebuildProjections(of learner: LearnerID) throws {
    for table in ["stackEntry", "visitEntry"] {
      try database.execute(
        sql: "DELETE FROM \(table) WHERE session IN (SELECT id FROM session WHERE learner = ?)",
        arguments: [learner.rawValue])
    }
    for table in ["visitUnder", "placeScore", "progress", "placeProgress", "note"] {
      try database.execute(sql: "DELETE FROM \(table) WHERE learner = ?", arguments: [learner.rawValue])
    }
    // The totals of the places stand, so the sums above each activity come with it.
    try replayNavigation(of: learner)
    try replayActivity(of: learner)
  }

  private func replayNavigation(of learner: LearnerID? = nil) throws {
    let open = try Set(
      snapshot.openSessions().map(\.session).filter { learner == nil || $0.learner == learner }.map(\.id))
    let whose = learner.map { "WHERE learner = \($0.rawValue)" } ?? ""
    let sql = "SELECT \(LoggedStep.columns) FROM navigationEvent AS event \(whose) ORDER BY id"
    try statements.run(sql, []) { row in
      let step = try LoggedStep(row: row)
      let event = step.event
      if open.contains(event.session) {
        try moveVisits(of: event.session, operation: event.operation, sequence: event.sequence)
      }
      guard let node = event.to.node else { return true }
      if event.operation.scores { try score(node, for: event.learner, visitedAt: event.at) }
      if step.toKind == .activity { try begin(node, for: event.learner, at: event.at) }
      return true
    }
    for session in open {
      let last = try snapshot.lastStep(of: session)
      try replaceStack(of: session, by: last?.event.stack.compactMap(\.node) ?? [])
    }
    let visited = try Int64.fetchAll(
      database,
      sql: "SELECT DISTINCT toNode FROM (SELECT toNode FROM navigationEvent \(whose)) WHERE toNode IS NOT NULL")
    for node in visited { try noteUnder(visitsOf: NodeID(rawValue: node), by: learner) }
  }

  private func replayActivity(of learner: LearnerID? = nil) throws {
    let whose = learner.map { "WHERE learner = \($0.rawValue)" } ?? ""
    let acts = "SELECT learner, node, min(at) FROM activityEvent \(whose) GROUP BY learner, node"
    var places: [(learner: LearnerID, node: NodeID, begunAt: Timestamp)] = []
    try statements.run(acts, []) { row in
      places.append((learner: row[0], node: row[1], begunAt: row[2]))
      return true
    }
    for place in places {
      try begin(place.node, for: place.learner, at: place.begunAt)
      try foldActs(in: place.node, by: place.learner)
    }
  }
}
