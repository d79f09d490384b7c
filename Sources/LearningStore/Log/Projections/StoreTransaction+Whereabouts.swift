import GRDB
package import LearningModel

// Where sessions are: their stacks, and the visits that back and forward move along.

extension StoreTransaction {
  /// Makes the stack of a session that one: what both share stays.
  func replaceStack(of session: SessionID, by nodes: [NodeID]) throws {
    let kept = try snapshot.stack(of: session)
    var shared = 0
    while shared < min(kept.count, nodes.count), kept[shared] == nodes[shared] { shared += 1 }
    if shared < kept.count {
      try run(Self.takeOffText, session, shared)
    }
    for (depth, node) in nodes.enumerated().dropFirst(shared) {
      try run(Self.putOnText, session, depth + 1, node)
    }
  }

  private static let takeOffText = StatementText("DELETE FROM stackEntry WHERE session = ? AND depth > ?")
  private static let putOnText = StatementText("INSERT INTO stackEntry (session, depth, node) VALUES (?, ?, ?)")

  /// Lets a step move along the visits of its session, or put a fresh one behind the current one. A repair stands in for
  /// the visit of the place that went, and leaves what is before and after it.
  ///
  /// - Parameter last: What was done before it in the session, where that is known: where it led to a fresh visit, nothing
  ///   is in front of that.
  func moveVisits(
    of session: SessionID, operation: NavigationOperation, sequence: Int, after last: NavigationOperation? = nil
  ) throws {
    guard !operation.isTraversal else { return }
    if operation != .repair, let last, !last.isTraversal, last != .repair {
      try run(Self.followText, session, sequence)
      return
    }
    let current = try snapshot.currentVisit(of: session, before: sequence) ?? -1
    if operation == .repair {
      try run(Self.standInText, sequence, session, current)
      return
    }
    try run(Self.dropVisitsText, session, current)
    try run(Self.addVisitText, session, current + 1, sequence)
  }

  private static let followText = StatementText(
    """
    INSERT INTO visitEntry (session, position, sequence)
    VALUES (?1, 1 + ifnull((SELECT max(position) FROM visitEntry WHERE session = ?1), -1), ?2)
    """)
  private static let standInText = StatementText(
    "UPDATE visitEntry SET sequence = ? WHERE session = ? AND position = ?")
  private static let dropVisitsText = StatementText("DELETE FROM visitEntry WHERE session = ? AND position > ?")
  private static let addVisitText = StatementText(
    "INSERT INTO visitEntry (session, position, sequence) VALUES (?, ?, ?)")
}

/// A visit that back or forward can return to.
package struct VisitEntry: Hashable, Sendable {
  /// Its number among the visits, from 0.
  package let position: Int
  /// The sequence of its event.
  package let sequence: Int
  /// The place.
  package let place: Place
}

extension StoreSnapshot {
  /// Returns the stack of an open session: the nodes from the course down.
  package func stack(of session: SessionID) throws -> [NodeID] {
    try all(Self.stackText, session) { $0[0] }
  }

  private static let stackText = StatementText("SELECT node FROM stackEntry WHERE session = ? ORDER BY depth")

  /// Returns the position of the visit that a session is at.
  ///
  /// - Parameter sequence: Steps from this one on do not count.
  func currentVisit(of session: SessionID, before sequence: Int = .max) throws -> Int? {
    try value(Self.currentVisitText, session, sequence)
  }

  private static let currentVisitText = StatementText(
    // From the last one on, which it mostly is.
    """
    SELECT position FROM visitEntry WHERE session = ?1 AND sequence = (
      SELECT ifnull(returnsTo, sequence) FROM navigationEvent
      WHERE session = ?1 AND sequence < ?2 ORDER BY sequence DESC LIMIT 1)
    ORDER BY position DESC LIMIT 1
    """)

  /// Returns the nearest visit before or after the current one whose place is still in its course and is not `place`.
  package func nearestVisit(of session: SessionID, after: Bool, otherThan place: Place) throws -> VisitEntry? {
    guard let current = try currentVisit(of: session) else { return nil }
    return try first(after ? Self.visitAfterText : Self.visitBeforeText, session, current, place.node) {
      VisitEntry(position: $0[0], sequence: $0[1], place: Place($0[2]))
    }
  }

  private static let visitAfterText = nearestVisit("> ?2", order: "ASC")
  private static let visitBeforeText = nearestVisit("< ?2", order: "DESC")

  private static func nearestVisit(_ side: String, order: String) -> StatementText {
    StatementText(
      """
      SELECT entry.position, entry.sequence, event.toNode
      FROM visitEntry AS entry
      JOIN navigationEvent AS event ON event.session = entry.session AND event.sequence = entry.sequence
      LEFT JOIN contentNode AS node ON node.id = event.toNode
      WHERE entry.session = ?1 AND entry.position \(side)
        AND node.removedInRevision IS NULL AND event.toNode IS NOT ?3
      ORDER BY entry.position \(order) LIMIT 1
      """)
  }
}

// Which visits were in which subtree: noted with each step, and anew for the places that an edit of the course moves.

extension StoreTransaction {
  /// Notes that a visit was in the subtree of each of those nodes.
  ///
  /// - Parameter stack: The nodes, as the log writes a stack.
  func noteUnder(_ stack: String, learner: LearnerID, event: Int64) throws {
    try run(Self.noteUnderText, learner, stack, event)
  }

  private static let noteUnderText = StatementText(
    "INSERT INTO visitUnder (learner, node, event) SELECT ?1, value, ?3 FROM json_each(?2)")

  /// Notes the visits to a node, and to those below it, anew under the places where it stands now.
  func moveVisitsUnder(_ node: NodeID) throws {
    let visited = try Int64.fetchAll(
      database.cachedStatement(
        sql: """
          WITH RECURSIVE below (id) AS (
            VALUES (?)
            UNION
            SELECT node.id FROM below JOIN contentNode AS node ON node.parent = below.id
          )
          SELECT id FROM below WHERE EXISTS (SELECT 1 FROM navigationEvent WHERE toNode = below.id)
          """), arguments: [node.rawValue])
    for id in visited {
      try database.execute(
        sql: "DELETE FROM visitUnder WHERE event IN (SELECT id FROM navigationEvent WHERE toNode = ?)", arguments: [id])
      try noteUnder(visitsOf: NodeID(rawValue: id))
    }
  }

  /// Notes every visit to a node, or those of one learner, under the places where it stands now.
  func noteUnder(visitsOf node: NodeID, by learner: LearnerID? = nil) throws {
    for above in try snapshot.chain(to: node) {
      try database.cachedStatement(
        sql: """
          INSERT INTO visitUnder (learner, node, event)
          SELECT learner, ?1, id FROM navigationEvent WHERE toNode = ?2\(learner == nil ? "" : " AND learner = ?3")
          """
      ).execute(
        arguments: StatementArguments([above.id.rawValue, node.rawValue] + (learner.map { [$0.rawValue] } ?? [])))
    }
  }

  /// Brings what follows from the logs in line with a course's new tree, after its rows are written, and takes the learners
  /// who are in a place that went to the nearest one that is left.
  ///
  /// - Parameters:
  ///   - moved: The nodes that were put under another parent or given another kind, those that return among them.
  ///   - time: When it happens.
  func contentDidChange(moving moved: [NodeID], at time: Timestamp) throws {
    for node in moved { try moveVisitsUnder(node) }
    try repairStacks(at: time)
  }

  /// Takes every open session whose stack is no longer a chain of living places to what holds its place's text now, or
  /// else to the nearest place that is left.
  private func repairStacks(at moment: Timestamp) throws {
    for record in try snapshot.openSessions() {
      let session = record.session
      guard let last = try snapshot.lastStep(of: session.id) else { continue }
      let chain = try snapshot.survivingChain(to: last.event.to).chain
      guard try chain.map(\.id) != snapshot.stack(of: session.id) else { continue }
      let draft = StepDraft(
        uuid: RandomIdentifier.make(), session: session, operation: .repair,
        // The card that would move is not on the page any more.
        transition: .crossFade, isAnimated: false, cause: .system, stack: chain, at: moment,
        courseRevision: try chain.first.flatMap { try snapshot.revision(of: $0.id) })
      _ = try append(draft, after: last, presence: record.presence)
    }
  }
}
