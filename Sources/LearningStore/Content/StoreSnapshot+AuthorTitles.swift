public import LearningModel

extension StoreSnapshot {
  /// What its author calls a node that a person gave another name; `nil` where nobody did.
  public func authorTitle(of node: NodeID) throws -> String? {
    try value(Self.authorTitleText, node)
  }

  private static let authorTitleText = StatementText("SELECT title FROM authorTitle WHERE node = ?")

  /// The same of all nodes of a course that a person gave a name.
  public func authorTitles(in course: NodeID) throws -> [NodeID: String] {
    let titles = try all(Self.authorTitlesText, course) { (NodeID(rawValue: $0[0]), $0[1] as String) }
    return Dictionary(uniqueKeysWithValues: titles)
  }

  private static let authorTitlesText = StatementText(
    """
    SELECT authorTitle.node, authorTitle.title FROM authorTitle CROSS JOIN contentNode ON contentNode.id = authorTitle.node
    WHERE contentNode.course = ?
    """)
}
