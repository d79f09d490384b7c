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

  /// The revision in which a row that is called `node` was removed, as it counts now; 0 where it has not come yet. See
  /// `0009_leaving.sql` and `0012_coming.sql`.
  static let removedNow = """
    CASE WHEN node.goesIn IS NOT NULL AND \(isPublished) THEN node.goesIn \
    WHEN node.goneSince IS NOT NULL AND \(isPublished) IS NOT 1 THEN node.goneSince ELSE node.removedInRevision END
    """

  /// Whether a row that is called `node` is in its course now. Who walks down from a place that is there meets nobody else,
  /// and asks for `living` alone; this is for who comes from elsewhere.
  static let livesNow = "node.living = 1 AND \(staysNow) AND \(hasComeNow)"

  /// Whether it is none of those that have gone and are still to be written so.
  static let staysNow = "(node.goesIn IS NULL OR \(isPublished) IS NOT 1)"

  /// Whether it is none of those that are written already and come only when their edition is published.
  static let hasComeNow = "(node.goneSince IS NULL OR \(isPublished) IS 1)"

  /// Whether it is in its course or was once: none of those that are to be new.
  static let isKnownNow = "(node.goneSince IS NOT 0 OR \(isPublished) IS 1)"

  /// Whether the node of an id is none of those of which something is written already, and that do not count yet.
  static func isNotComing(_ id: String) -> String {
    "NOT EXISTS (SELECT 1 FROM comingNode WHERE comingNode.id = \(id))"
  }

  /// Whether what is worked out of the node of an id is of what it is now: it has neither gone nor still to come.
  static func isAddedUp(_ id: String) -> String {
    "\(isNotComing(id)) AND NOT EXISTS (SELECT 1 FROM leavingNode WHERE leavingNode.id = \(id))"
  }

  /// Whether the edition of its course counts; null where there is none.
  private static let isPublished = "(SELECT isPublished FROM edition WHERE edition.course = node.course)"

  /// One of two columns: the second where that is there and is published.
  static func current(_ kept: String, _ next: String, where isThere: String = "node.nextTitle") -> String {
    "CASE WHEN \(isThere) IS NOT NULL AND \(isPublished) THEN \(next) ELSE \(kept) END"
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
