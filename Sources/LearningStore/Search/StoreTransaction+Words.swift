import GRDB
import LearningModel

extension StoreTransaction {
  /// Marks that a node's words have changed; the index follows in ``LearningStore/indexSearch(for:progress:)``.
  ///
  /// - Parameters:
  ///   - id: The node, whose row is already written.
  ///   - number: Under which number its new content is staged, where there is any; else its text stays.
  func learnWords(of id: NodeID, staged number: Int) throws {
    let text: String? =
      try snapshot.value("SELECT plainText FROM temp.stagedContent WHERE number = ?", [number])
      ?? snapshot.value("SELECT text FROM searchText WHERE node = ? AND isCurrent = 1", [id.rawValue])
    try forgetWords(of: id)
    try database.cachedStatement(
      sql: """
        INSERT INTO searchText (node, title, summary, text, scope)
        SELECT id, title, summary, CASE kind WHEN 'activity' THEN ? ELSE '' END, 'course' || course || ' kind' || kind
        FROM contentNode WHERE id = ?
        """
    ).execute(arguments: [text ?? "", id.rawValue])
  }

  /// Marks that a node's words are no longer to be found.
  func forgetWords(of id: NodeID) throws {
    try database.cachedStatement(sql: "DELETE FROM searchText WHERE node = ? AND isCurrent = 1 AND isIndexed = 0")
      .execute(arguments: [id.rawValue])
    try database.cachedStatement(sql: "UPDATE searchText SET isCurrent = 0 WHERE node = ? AND isCurrent = 1")
      .execute(arguments: [id.rawValue])
  }
}
