public import LearningModel

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
public struct VisitEntry: Hashable, Sendable {
  /// Its number among the visits, from 0.
  public let position: Int
  /// The sequence of its event.
  public let sequence: Int
  /// The place.
  public let place: Place
}

extension StoreSnapshot {
  /// Returns the stack of an open session: the nodes from the course down.
  public func stack(of session: SessionID) throws -> [NodeID] {
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
  public func nearestVisit(of session: SessionID, after: Bool, otherThan place: Place) throws -> VisitEntry? {
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
