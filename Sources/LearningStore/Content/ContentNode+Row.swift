import GRDB
import LearningModel

extension ContentNode {
  /// The columns that a node is read from, in the order in which ``init(row:)`` wants them.
  static let columns =
    "node.id, node.course, node.parent, node.key, node.kind, node.position, node.slug, node.title, node.summary, "
    + "node.minutes, node.removedInRevision"

  /// Reads a node from the first columns of a row.
  init(row: Row) throws {
    guard let kind = ContentKind(rawValue: row[4]) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a node of kind '\(row[4] as String)'")
    }
    self.init(
      id: NodeID(rawValue: row[0]), course: NodeID(rawValue: row[1]),
      parent: (row[2] as Int64?).map(NodeID.init(rawValue:)), key: row[3], kind: kind, position: row[5], slug: row[6],
      title: row[7], summary: row[8], minutes: row[9], removedInRevision: row[10])
  }
}

extension StoreSnapshot {
  /// The nodes of a query that selects ``ContentNode/columns``, through a statement that is kept.
  func nodes(_ sql: String, _ arguments: StatementArguments = []) throws -> [ContentNode] {
    let statement = try database.cachedStatement(sql: sql)
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    var nodes: [ContentNode] = []
    while let row = try rows.next() { nodes.append(try ContentNode(row: row)) }
    return nodes
  }

  /// The first of them.
  func firstNode(_ sql: String, _ arguments: StatementArguments) throws -> ContentNode? {
    let statement = try database.cachedStatement(sql: sql)
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    return try rows.next().map { try ContentNode(row: $0) }
  }

  /// The first value of the first row.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ sql: String, _ arguments: StatementArguments = []
  ) throws -> Value? {
    try Value.fetchOne(try database.cachedStatement(sql: sql), arguments: arguments)
  }
}
