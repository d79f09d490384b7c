package import LearningModel

// The current state of open sessions: their stacks, and the visits through which *back* and *forward* move.

extension StoreTransaction {
  /// Replaces the stack of a session. Common entries at the beginning are left unchanged.
  func replaceStack(of session: SessionID, by nodes: [NodeID]) throws {
    let stored = try snapshot.stack(of: session)
    var shared = 0
    while shared < min(stored.count, nodes.count), stored[shared] == nodes[shared] { shared += 1 }
    if shared < stored.count {
      try run(Self.takeOffSQL, session, shared)
    }
    for (depth, node) in nodes.enumerated().dropFirst(shared) {
      try run(Self.putOnSQL, session, depth + 1, node)
    }
  }

  private static let takeOffSQL = StatementText("DELETE FROM stackEntry WHERE session = ? AND depth > ?")
  private static let putOnSQL = StatementText("INSERT INTO stackEntry (session, depth, node) VALUES (?, ?, ?)")

  /// Updates the visits of a session after an event. *Back* and *forward* change nothing. A repair replaces the current
  /// visit, whose place was removed. Every other event removes the visits after the current one and adds a new visit.
  ///
  /// - Parameter last: The previous operation of the session, or `nil` if unknown. If it has added a visit, there are
  ///   no later visits, so the new visit is appended without reading the current one.
  func moveVisits(
    of session: SessionID, operation: NavigationOperation, sequence: Int, after last: NavigationOperation? = nil
  ) throws {
    guard !operation.isTraversal else { return }
    if operation != .repair, let last, !last.isTraversal, last != .repair {
      try run(Self.followSQL, session, sequence)
      return
    }
    let current = try snapshot.currentVisit(of: session, before: sequence) ?? -1
    if operation == .repair {
      try run(Self.standInSQL, sequence, session, current)
      return
    }
    try run(Self.dropVisitsSQL, session, current)
    try run(Self.addVisitSQL, session, current + 1, sequence)
  }

  private static let followSQL = StatementText(
    """
    INSERT INTO visitEntry (session, position, sequence)
    VALUES (?1, 1 + ifnull((SELECT max(position) FROM visitEntry WHERE session = ?1), -1), ?2)
    """)
  private static let standInSQL = StatementText(
    "UPDATE visitEntry SET sequence = ? WHERE session = ? AND position = ?")
  private static let dropVisitsSQL = StatementText("DELETE FROM visitEntry WHERE session = ? AND position > ?")
  private static let addVisitSQL = StatementText(
    "INSERT INTO visitEntry (session, position, sequence) VALUES (?, ?, ?)")
}

/// A visit to which *back* or *forward* can return.
package struct VisitEntry: Hashable, Sendable {
  /// The position among the visits of the session, from 0.
  package let position: Int
  /// The sequence number of its event.
  package let sequence: Int
  package let place: Place
}

extension StoreSnapshot {
  /// Returns the stack of an open session: the nodes from the course to the current place.
  package func stack(of session: SessionID) throws -> [NodeID] {
    try all(Self.stackSQL, session) { $0[0] }
  }

  private static let stackSQL = StatementText("SELECT node FROM stackEntry WHERE session = ? ORDER BY depth")

  /// Returns the position of the current visit of a session, or `nil` if the session has no visits.
  ///
  /// - Parameter sequence: Only events with a lower sequence number are considered.
  func currentVisit(of session: SessionID, before sequence: Int = .max) throws -> Int? {
    try value(Self.currentVisitSQL, session, sequence)
  }

  private static let currentVisitSQL = StatementText(
    // Searches from the end, because the current visit is usually the last one.
    """
    SELECT position FROM visitEntry WHERE session = ?1 AND sequence = (
      SELECT ifnull(returnsTo, sequence) FROM navigationEvent
      WHERE session = ?1 AND sequence < ?2 ORDER BY sequence DESC LIMIT 1)
    ORDER BY position DESC LIMIT 1
    """)

  /// Returns the nearest visit before or after the current one whose place was not removed and is not `place`, or `nil`
  /// if no visit matches.
  package func nearestVisit(of session: SessionID, after: Bool, otherThan place: Place) throws -> VisitEntry? {
    guard let current = try currentVisit(of: session) else { return nil }
    return try first(after ? Self.visitAfterSQL : Self.visitBeforeSQL, session, current, place.node) {
      VisitEntry(position: $0[0], sequence: $0[1], place: Place($0[2]))
    }
  }

  private static let visitAfterSQL = nearestVisit("> ?2", order: "ASC")
  private static let visitBeforeSQL = nearestVisit("< ?2", order: "DESC")

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

// The subtrees that each visit belongs to. They are recorded with each event, and updated when an edit of the course
// moves places.

extension StoreTransaction {
  /// Records that a visit belongs to the subtrees of nodes.
  ///
  /// - Parameters:
  ///   - stack: The nodes in the format of a stack in the log.
  ///   - time: The time of a visit of another database, otherwise `nil`.
  func recordSubtreeVisits(_ stack: String, learner: LearnerID, event: Int64, at time: Timestamp? = nil) throws {
    try run(Self.noteUnderSQL, learner, stack, event, time)
  }

  private static let noteUnderSQL = StatementText(
    "INSERT INTO visitUnder (learner, node, event, at) SELECT ?1, value, ?3, ?4 FROM json_each(?2)")

  /// Records the time of the last visit in the subtrees of nodes, before a visit of another database gets a higher row
  /// ID although it may be earlier.
  ///
  /// - Parameter now: The current time. Later visits are ignored.
  func noteLastVisits(_ stack: String, learner: LearnerID, by now: Timestamp) throws {
    try run(Self.noteLastSQL, learner, stack, now)
  }

  private static let noteLastSQL = StatementText(
    """
    UPDATE visitUnder SET at = (SELECT at FROM navigationEvent WHERE id = visitUnder.event)
    WHERE (learner, node, event) IN (
      SELECT ?1, value, (
        SELECT visit.event FROM visitUnder AS visit CROSS JOIN navigationEvent AS event ON event.id = visit.event
        WHERE visit.learner = ?1 AND visit.node = value AND event.at <= ?3 ORDER BY visit.event DESC LIMIT 1)
      FROM json_each(?2)) AND at IS NULL
    """)

  /// Updates the subtrees of all visits to a node and its descendants after the node was moved.
  func moveVisitsUnder(_ node: NodeID) throws {
    let visited = try snapshot.all(
      """
      WITH RECURSIVE below (id) AS (
        VALUES (?)
        UNION
        SELECT node.id FROM below JOIN contentNode AS node ON node.parent = below.id
      )
      SELECT id FROM below WHERE EXISTS (SELECT 1 FROM navigationEvent WHERE toNode = below.id)
      """, node
    ) { $0[0] as NodeID }
    for id in visited {
      try run("DELETE FROM visitUnder WHERE event IN (SELECT id FROM navigationEvent WHERE toNode = ?)", id)
      try recordSubtreeVisits(visitsOf: id)
    }
  }

  /// Records the current subtrees of all visits to a node, or of those by one learner.
  func recordSubtreeVisits(visitsOf node: NodeID, by learner: LearnerID? = nil) throws {
    for ancestor in try snapshot.chain(to: node) {
      try statements.run(
        """
        INSERT INTO visitUnder (learner, node, event, at)
        SELECT learner, ?1, id, at FROM navigationEvent WHERE toNode = ?2\(learner == nil ? "" : " AND learner = ?3")
        """, [ancestor.id, node] + (learner.map { [$0] } ?? []))
    }
  }

  /// Updates the derived tables after the rows of a course were changed. Learners whose current place was removed are
  /// moved to its nearest remaining ancestor.
  ///
  /// - Parameters:
  ///   - moved: The nodes that got another parent or kind, including restored ones.
  ///   - time: The time of the change.
  func contentDidChange(moving moved: [NodeID], at time: Timestamp) throws {
    for node in moved { try moveVisitsUnder(node) }
    try repairStacks(at: time)
  }

  /// Repairs the stacks of open sessions that contain removed or moved places. Moves each session to the activity that
  /// now contains the text of its place, otherwise to the nearest remaining ancestor.
  private func repairStacks(at time: Timestamp) throws {
    for record in try snapshot.openSessions() {
      let session = record.session
      guard let last = try snapshot.lastNavigationEvent(of: session.id) else { continue }
      let chain = try snapshot.survivingChain(to: last.event.to).chain
      guard try chain.map(\.id) != snapshot.stack(of: session.id) else { continue }
      let draft = PendingEvent(
        uuid: RandomIdentifier.make(), session: session, operation: .repair,
        // The card that a transition would move does not exist any more.
        transition: .crossFade, isAnimated: false, cause: .system, stack: chain, at: time,
        courseRevision: try chain.first.flatMap { try snapshot.revision(of: $0.id) })
      _ = try append(draft, after: last, presence: record.presence)
    }
  }
}
