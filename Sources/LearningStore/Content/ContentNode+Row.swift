import GRDB
import LearningModel

extension ContentNode {
  /// The columns that a node is read from, in the order in which ``init(row:)`` wants them.
  static let columns = """
    node.id, node.course, node.parent, node.key, node.kind, node.position, node.slug, node.title, node.summary, \
    node.minutes, node.removedInRevision
    """

  /// Reads a node from the first columns of a row.
  init(row: ResultRow) throws {
    guard let kind = ContentKind(rawValue: row[4]) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a node of kind '\(row[4] as String)'")
    }
    self.init(
      id: row[0], course: row[1], parent: row[2], key: row[3], kind: kind, position: row[5], slug: row[6],
      title: row[7], summary: row[8], minutes: row[9], removedInRevision: row[10])
  }
}

extension StoreSnapshot {
  /// The nodes of a statement that selects ``ContentNode/columns``.
  func nodes(_ text: StatementText, _ values: any ColumnValue...) throws -> [ContentNode] {
    var nodes: [ContentNode] = []
    try statements.run(text, values) { row in
      nodes.append(try ContentNode(row: row))
      return true
    }
    return nodes
  }

  /// The first of them.
  func firstNode(_ text: StatementText, _ values: any ColumnValue...) throws -> ContentNode? {
    var node: ContentNode?
    try statements.run(text, values) { row in
      node = try ContentNode(row: row)
      return false
    }
    return node
  }
}
