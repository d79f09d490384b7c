package import LearningModel

extension LearningStore {
  /// Gives a living node a name, in place of its author's. The search index follows with
  /// ``indexSearch(for:until:progress:)``.
  ///
  /// - Parameters:
  ///   - id: The node.
  ///   - title: What it is called from now on; `nil` for what its author calls it.
  /// - Returns: What it was called; `nil` where it is not there.
  package func rename(_ id: NodeID, to title: String?) throws -> String? {
    try write(surviving: .powerCut) { try $0.rename(id, to: title) }
  }
}

extension StoreTransaction {
  fileprivate func rename(_ id: NodeID, to given: String?) throws -> String? {
    guard let node = try snapshot.node(id), !node.isRemoved else { return nil }
    let authorTitle = try snapshot.authorTitle(of: id) ?? node.title
    let title = given ?? authorTitle
    guard title != node.title else { return node.title }
    if title == authorTitle {
      try run(Self.forgetText, id)
    } else {
      try run(Self.keepText, id, authorTitle)
    }
    try run(Self.renameText, id, title)
    try run(Self.queueText, id)
    return node.title
  }

  private static let forgetText = StatementText("DELETE FROM authorTitle WHERE node = ?")
  private static let keepText = StatementText("INSERT OR IGNORE INTO authorTitle (node, title) VALUES (?1, ?2)")
  private static let renameText = StatementText("UPDATE contentNode SET title = ?2 WHERE id = ?1")
  private static let queueText = StatementText(
    """
    INSERT OR REPLACE INTO searchQueue (node, revision)
    SELECT node.id, course.revision FROM contentNode AS node CROSS JOIN course ON course.node = node.course
    WHERE node.id = ?
    """)
}

extension StoreSnapshot {
  /// What its author calls a node that a person gave another name; `nil` where nobody did.
  package func authorTitle(of node: NodeID) throws -> String? {
    try value(Self.authorTitleText, node)
  }

  private static let authorTitleText = StatementText("SELECT title FROM authorTitle WHERE node = ?")

  /// The same of all nodes of a course that a person gave a name.
  package func authorTitles(in course: NodeID) throws -> [NodeID: String] {
    let titles = try all(Self.authorTitlesText, course) { (NodeID(rawValue: $0[0]), $0[1] as String) }
    return Dictionary(uniqueKeysWithValues: titles)
  }

  private static let authorTitlesText = StatementText(
    """
    SELECT authorTitle.node, authorTitle.title FROM authorTitle CROSS JOIN contentNode ON contentNode.id = authorTitle.node
    WHERE contentNode.course = ?
    """)
}
