import LearningModel

extension StoreTransaction {
  /// The derived tables (projections), which can be rebuilt from the logs and the courses.
  static let projections =
    [
      "stackEntry", "visitEntry", "visitUnder", "placeScore", "progress", "placeTotal", "placeProgress",
      "note", "cardTotal",
    ] + reviewProjections

  /// Rebuilds all derived tables from the logs and the courses.
  package func rebuildProjections() throws {
    try rebuild(Self.projections)
  }

  /// Rebuilds derived tables.
  ///
  /// - Parameter tables: The tables to rebuild: all of them, or all except `visitUnder`, each of whose rows depends on
  ///   a single event.
  func rebuild(_ tables: [String]) throws {
    for table in tables {
      try run("DELETE FROM \(table)")
    }
    try replayNavigation(notingSubtrees: tables.contains("visitUnder"))
    try replayActivity()
    try rebuildMemories()
    for course in try snapshot.all("SELECT id FROM contentNode WHERE parent IS NULL", as: { $0[0] as NodeID }) {
      try addUpTotals(of: course)
      try addUpProgress(in: course)
      try updatePresence(in: course)
    }
  }

  /// Rebuilds the rows of one learner in the derived tables.
  func rebuildProjections(of learner: LearnerID) throws {
    for table in ["stackEntry", "visitEntry"] {
      try run("DELETE FROM \(table) WHERE session IN (SELECT id FROM session WHERE learner = ?)", learner)
    }
    for table in ["visitUnder", "placeScore", "progress", "placeProgress", "note"] + Self.reviewProjections {
      try run("DELETE FROM \(table) WHERE learner = ?", learner)
    }
    // The totals of the places are still valid, so recording the progress of each activity also updates the sums of its
    // ancestors.
    try replayNavigation(of: learner)
    try replayActivity(of: learner)
    try rebuildMemories(of: learner)
  }

  private func replayNavigation(of learner: LearnerID? = nil, notingSubtrees: Bool = true) throws {
    let openSessionIDs = try Set(
      snapshot.openSessions().map(\.session).filter { learner == nil || $0.learner == learner }.map(\.id))
    let condition = learner.map { "WHERE learner = \($0.rawValue)" } ?? ""
    // Writing for each event took most of the time, so each row is written once at the end.
    var places: [VisitedPlace: VisitTotals] = [:]
    var lines: [SessionID: VisitLine] = [:]
    let sql = """
      SELECT session, sequence, operation, returnsTo, learner, toNode, toKind, at
      FROM navigationEvent \(condition) ORDER BY id
      """
    try statements.run(sql, []) { row in
      let operation = try row.word(NavigationOperation.self, at: 2) ?? .open
      if openSessionIDs.contains(row[0]) {
        lines[row[0], default: VisitLine()].move(by: operation, sequence: row[1], returnsTo: row[3])
      }
      guard let node: NodeID = row[5] else { return true }
      try places[VisitedPlace(learner: row[4], node: node), default: VisitTotals()].add(
        at: row[7], scores: operation.scores, opens: row.word(PlaceKind.self, at: 6) == .activity)
      return true
    }
    for (place, visits) in places {
      if let score = visits.score {
        try run(Self.addScoreSQL, place.learner, place.node, score, visits.lastScoredAt, visits.scoredCount)
      }
      if let openedAt = visits.openedAt { try recordOpening(of: place.node, by: place.learner, at: openedAt) }
    }
    for (session, line) in lines {
      for (position, sequence) in line.sequences.enumerated() {
        try run(Self.addEntrySQL, session, position, sequence)
      }
    }
    for session in openSessionIDs {
      let last = try snapshot.lastNavigationEvent(of: session)
      try replaceStack(of: session, by: last?.event.stack.compactMap(\.node) ?? [])
    }
    guard notingSubtrees else { return }
    for node in Set(places.keys.map(\.node)) { try recordSubtreeVisits(visitsOf: node, by: learner) }
  }

  private static let addScoreSQL = StatementText(
    "INSERT INTO placeScore (learner, node, score, lastVisitAt, visits) VALUES (?, ?, ?, ?, ?)")
  private static let addEntrySQL = StatementText(
    "INSERT INTO visitEntry (session, position, sequence) VALUES (?, ?, ?)")

  private func replayActivity(of learner: LearnerID? = nil) throws {
    let condition = learner.map { "WHERE learner = \($0.rawValue)" } ?? ""
    let firstEvents = "SELECT learner, node, min(at) FROM activityEvent \(condition) GROUP BY learner, node"
    var places: [(learner: LearnerID, node: NodeID, firstAt: Timestamp)] = []
    try statements.run(firstEvents, []) { row in
      places.append((learner: row[0], node: row[1], firstAt: row[2]))
      return true
    }
    for place in places {
      try recordOpening(of: place.node, by: place.learner, at: place.firstAt)
      try updateActivityProjections(in: place.node, by: place.learner)
    }
  }
}

private struct VisitedPlace: Hashable {
  let learner: LearnerID
  let node: NodeID
}

private struct VisitTotals {
  /// The score, or `nil` before the first visit that counts for it.
  private(set) var score: Double?
  private(set) var lastScoredAt = Timestamp(milliseconds: .min)
  private(set) var scoredCount = 0
  /// When the activity was first opened, or `nil` for other places.
  private(set) var openedAt: Timestamp?

  mutating func add(at time: Timestamp, scores: Bool, opens: Bool) {
    if scores {
      score = VisitScore.adding(visitAt: time, to: score)
      lastScoredAt = max(lastScoredAt, time)
      scoredCount += 1
    }
    if opens { openedAt = min(openedAt ?? time, time) }
  }
}

/// The visits of an open session through which *back* and *forward* move, computed like
/// ``StoreTransaction/moveVisits(of:operation:sequence:after:)``.
private struct VisitLine {
  private(set) var sequences: [Int] = []
  /// The sequence number of the visit that the last event reached.
  private var reached: Int?

  mutating func move(by operation: NavigationOperation, sequence: Int, returnsTo: Int?) {
    defer { reached = returnsTo ?? sequence }
    guard !operation.isTraversal else { return }
    let current = reached.flatMap { sequences.lastIndex(of: $0) } ?? -1
    if operation == .repair {
      if current >= 0 { sequences[current] = sequence }
    } else {
      sequences.removeSubrange((current + 1)...)
      sequences.append(sequence)
    }
  }
}
