import GRDB
import LearningModel

// Where nodes stood: what a path leads to that somebody wrote down before the course was edited. The newest row of a spot
// says who left it last.

extension StoreTransaction {
  /// Keeps where living nodes stand that are about to be removed.
  ///
  /// - Parameter condition: What stands behind a node's id, to say which.
  func keepPaths(ofNodes condition: String) throws {
    try database.execute(
      sql: """
        INSERT INTO formerPath (parent, slug, node)
        SELECT node.parent, node.slug, node.id FROM contentNode AS node
        WHERE node.id \(condition) AND node.id IS NOT (
          SELECT former.node FROM formerPath AS former
          WHERE former.parent IS node.parent AND former.slug = node.slug ORDER BY former.id DESC LIMIT 1)
        ORDER BY node.id
        """)
  }

  /// Keeps where a node stood that is about to stand elsewhere.
  ///
  /// - Parameters:
  ///   - node: The node as it stood. One that was removed before left its place then, and that was kept: who has come and
  ///     gone there since was there after it.
  ///   - revision: The revision that moves it.
  func keepPath(of node: ContentNode, leavingIn revision: Int) throws {
    let isKept: Bool? =
      node.removedInRevision == revision
      ? false
      : try snapshot.value(
        "SELECT EXISTS (SELECT 1 FROM formerPath WHERE parent IS ? AND slug = ? AND node = ?)",
        [node.parent?.rawValue, node.slug, node.id.rawValue])
    guard isKept != true else { return }
    try database.cachedStatement(sql: "INSERT INTO formerPath (parent, slug, node) VALUES (?, ?, ?)").execute(
      arguments: [node.parent?.rawValue, node.slug, node.id.rawValue])
  }
}
