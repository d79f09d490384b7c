package import LearningModel

extension LearningStore {
  /// Sets the title of a node that was not removed, replacing the title from the course. The search index is updated by
  /// the next ``indexSearch(for:until:progress:)``.
  ///
  /// - Parameters:
  ///   - id: The node.
  ///   - title: The new title, or `nil` to restore the title from the course.
  /// - Returns: The previous title, or `nil` if there is no such node or it was removed.
  package func rename(_ id: NodeID, to title: String?) throws -> String? {
    try write(durability: .powerCut) { try $0.rename(id, to: title) }
  }
}

extension StoreTransaction {
  fileprivate func rename(_ id: NodeID, to newTitle: String?) throws -> String? {
    guard let node = try snapshot.node(id), !node.isRemoved else { return nil }
    let authorTitle = try snapshot.authorTitle(of: id) ?? node.title
    let title = newTitle ?? authorTitle
    guard title != node.title else { return node.title }
    if title == authorTitle {
      try run("DELETE FROM authorTitle WHERE node = ?", id)
    } else {
      try run("INSERT OR IGNORE INTO authorTitle (node, title) VALUES (?1, ?2)", id, authorTitle)
    }
    try run("UPDATE contentNode SET title = ?2 WHERE id = ?1", id, title)
    try run(
      """
      INSERT OR REPLACE INTO searchQueue (node, revision)
      SELECT node.id, course.revision FROM contentNode AS node CROSS JOIN course ON course.node = node.course
      WHERE node.id = ?
      """, id)
    return node.title
  }
}

extension StoreSnapshot {
  /// Returns the title that a renamed node has in its course, or `nil` if the node was not renamed.
  package func authorTitle(of node: NodeID) throws -> String? {
    try value("SELECT title FROM authorTitle WHERE node = ?", node)
  }

  /// Returns the titles that the renamed nodes of a course have in the course itself.
  package func authorTitles(in course: NodeID) throws -> [NodeID: String] {
    let titles = try all(
      """
      SELECT authorTitle.node, authorTitle.title FROM authorTitle CROSS JOIN contentNode ON contentNode.id = authorTitle.node
      WHERE contentNode.course = ?
      """, course
    ) { (NodeID(rawValue: $0[0]), $0[1] as String) }
    return Dictionary(uniqueKeysWithValues: titles)
  }
}
