public import LearningModel

// A place that holds ten thousand others is looked at through a window: what stands where, without counting them. The
// living children of a place stand right behind one another, so that a position says how many stand before; courses leave
// gaps, and are counted.

extension StoreSnapshot {
  /// Returns how many living children a place has; how many courses there are, for the root.
  public func childCount(of parent: NodeID?) throws -> Int {
    try parent.map { try value(Self.childCountText, $0) ?? 0 } ?? value(Self.courseCountText) ?? 0
  }

  // The last entry of an index.
  private static let childCountText = StatementText(
    "SELECT max(position) + 1 FROM contentNode WHERE parent = ? AND living = 1")
  private static let courseCountText = StatementText(
    "SELECT count(*) FROM contentNode WHERE parent IS NULL AND living = 1")

  /// Returns which of its living siblings a living node is, from 0; `nil` where it lives elsewhere or not at all.
  public func index(of child: NodeID, in parent: NodeID?) throws -> Int? {
    guard let node = try node(child), !node.isRemoved, node.parent == parent else { return nil }
    return try index(ofPosition: node.position, in: parent)
  }

  /// Returns how many living children of a place stand before a position.
  func index(ofPosition position: Int, in parent: NodeID?) throws -> Int {
    try parent == nil ? value(Self.courseIndexText, position) ?? 0 : position
  }

  private static let courseIndexText = StatementText(
    "SELECT count(*) FROM contentNode WHERE parent IS NULL AND living = 1 AND position < ?")

  /// Returns which child of a place there is to do for a learner, from 0: the first that they have begun and not done, or
  /// else the first that is not done; `nil` where all is done, or nothing is there.
  public func indexOfNextToDo(in parent: NodeID?, for learner: LearnerID?) throws -> Int? {
    // Of thousands in which nothing was begun, none needs to be looked at for that.
    let mayBeBegun = try parent.map { try progress(of: $0, for: learner).begun > 0 } ?? true
    let begun: Int? = try mayBeBegun ? value(Self.begunTexts[parent], parent, learner) : nil
    let position: Int? = try begun ?? value(Self.notDoneTexts[parent], parent, learner)
    return try position.map { try index(ofPosition: $0, in: parent) }
  }

  private static let begunTexts = first(
    where: "\(PlaceSums.begun) > 0 AND \(PlaceSums.done) < ifnull(total.activities, 0)")
  private static let notDoneTexts = first(
    where: "(ifnull(total.activities, 0) = 0 OR \(PlaceSums.done) < total.activities)")

  /// The position of the first child of which a condition holds.
  private static func first(where condition: String) -> ChildText {
    ChildText(
      """
      SELECT node.position FROM contentNode AS node
      \(PlaceSums.joined(ofLearner: "?2"))
      WHERE node.parent = ?1 AND node.living = 1 AND \(condition) ORDER BY node.position LIMIT 1
      """)
  }
}

/// A statement about the children of a place, and the same about courses, which have no parent.
private struct ChildText {
  private let ofPlaces: StatementText
  private let ofRoot: StatementText

  init(_ sql: String) {
    ofPlaces = StatementText(sql)
    ofRoot = StatementText(
      sql.replacing("parent = ?1", with: "parent IS NULL AND ?1 IS NULL"))
  }

  subscript(parent: NodeID?) -> StatementText { parent == nil ? ofRoot : ofPlaces }
}
