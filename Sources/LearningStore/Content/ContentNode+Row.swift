import GRDB
import LearningModel

extension ContentNode {
  /// The columns that a node is read from, in the order in which ``init(row:)`` wants them.
  static let columns =
    "node.id, node.course, node.parent, node.key, node.kind, node.position, node.slug, \(titleNow), "
    + current("node.summary", "node.nextSummary") + ", \(minutesNow), "
    + removedNow

  /// The title and the estimate of a row that is called `node`, as they count now. See `0006_edition.sql`.
  static let titleNow = current("node.title", "node.nextTitle")
  static let minutesNow = current("node.minutes", "node.nextMinutes")

  /// The revision in which a row that is called `node` was removed, as it counts now. See `0009_leaving.sql`.
  static let removedNow = current("node.removedInRevision", "node.goesIn", where: "node.goesIn")

  /// Whether a row that is called `node` is in its course now. Who walks down from a place that is there meets nobody else,
  /// and asks for `living` alone; this is for who comes from elsewhere.
  static let livesNow = "node.living = 1 AND \(staysNow)"

  /// Whether it is none of those that have gone and are still to be written so.
  static let staysNow =
    "(node.goesIn IS NULL OR (SELECT isPublished FROM edition WHERE edition.course = node.course) IS NOT 1)"

  /// One of two columns: the second where that is there and is published.
  static func current(_ kept: String, _ next: String, where isThere: String = "node.nextTitle") -> String {
    """
    CASE WHEN \(isThere) IS NOT NULL AND (SELECT isPublished FROM edition WHERE edition.course = node.course) \
    THEN \(next) ELSE \(kept) END
    """
  }

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
