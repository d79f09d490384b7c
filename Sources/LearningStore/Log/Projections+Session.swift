import GRDB
public import LearningModel

// Where sessions are: their stacks, and the visits that back and forward move along.

extension StoreTransaction {
  /// Makes the stack of a session that one: what both share stays.
  func replaceStack(of session: SessionID, by nodes: [NodeID]) throws {
    let kept = try snapshot.stack(of: session)
    let shared = zip(kept, nodes).prefix { $0 == $1 }.count
    if shared < kept.count {
      try database.cachedStatement(sql: "DELETE FROM stackEntry WHERE session = ? AND depth > ?")
        .execute(arguments: [session.rawValue, shared])
    }
    for (depth, node) in nodes.enumerated().dropFirst(shared) {
      try database.cachedStatement(sql: "INSERT INTO stackEntry (session, depth, node) VALUES (?, ?, ?)")
        .execute(arguments: [session.rawValue, depth + 1, node.rawValue])
    }
  }

  /// Lets a step move along the visits of its session, or put a fresh one behind the current one. A repair stands in for
  /// the visit of the place that went, and leaves what is before and after it.
  func moveVisits(of session: SessionID, operation: NavigationOperation, sequence: Int) throws {
    guard !operation.isTraversal else { return }
    let current = try snapshot.currentVisit(of: session, before: sequence) ?? -1
    if operation == .repair {
      try database.cachedStatement(sql: "UPDATE visitEntry SET sequence = ? WHERE session = ? AND position = ?")
        .execute(arguments: [sequence, session.rawValue, current])
      return
    }
    try database.cachedStatement(sql: "DELETE FROM visitEntry WHERE session = ? AND position > ?")
      .execute(arguments: [session.rawValue, current])
    try database.cachedStatement(sql: "INSERT INTO visitEntry (session, position, sequence) VALUES (?, ?, ?)")
      .execute(arguments: [session.rawValue, current + 1, sequence])
  }
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
    let sql = "SELECT node FROM stackEntry WHERE session = ? ORDER BY depth"
    return try Int64.fetchAll(database.cachedStatement(sql: sql), arguments: [session.rawValue])
      .map(NodeID.init(rawValue:))
  }

  /// Returns the position of the visit that a session is at.
  ///
  /// - Parameter sequence: Steps from this one on do not count.
  func currentVisit(of session: SessionID, before sequence: Int = .max) throws -> Int? {
    let sql = """
      SELECT position FROM visitEntry WHERE session = ?1 AND sequence = (
        SELECT ifnull(returnsTo, sequence) FROM navigationEvent
        WHERE session = ?1 AND sequence < ?2 ORDER BY sequence DESC LIMIT 1)
      """
    return try Int.fetchOne(database.cachedStatement(sql: sql), arguments: [session.rawValue, sequence])
  }

  /// Returns the nearest visit before or after the current one whose place is still in its course and is not `place`.
  public func nearestVisit(of session: SessionID, after: Bool, otherThan place: Place) throws -> VisitEntry? {
    guard let current = try currentVisit(of: session) else { return nil }
    let sql = """
      SELECT entry.position, entry.sequence, event.toNode
      FROM visitEntry AS entry
      JOIN navigationEvent AS event ON event.session = entry.session AND event.sequence = entry.sequence
      LEFT JOIN contentNode AS node ON node.id = event.toNode
      WHERE entry.session = ? AND entry.position \(after ? ">" : "<") ?
        AND node.removedInRevision IS NULL AND event.toNode IS NOT ?
      ORDER BY entry.position \(after ? "ASC" : "DESC") LIMIT 1
      """
    return try Row.fetchOne(
      database.cachedStatement(sql: sql), arguments: [session.rawValue, current, place.node?.rawValue]
    )
    .map {
      VisitEntry(position: $0[0], sequence: $0[1], place: Place(($0[2] as Int64?).map(NodeID.init(rawValue:))))
    }
  }
}
