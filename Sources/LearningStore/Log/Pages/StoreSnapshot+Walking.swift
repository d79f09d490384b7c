package import LearningModel

// The tree as somebody walks it who goes from place to place.

extension StoreSnapshot {
  /// Returns a node's number among its living siblings, from 1, and how many they are.
  package func siblingPosition(of node: ContentNode) throws -> (number: Int, count: Int) {
    (try index(ofPosition: node.position, in: node.parent) + 1, try childCount(of: node.parent))
  }

  /// Returns which revision a course is in.
  package func revision(of course: NodeID) throws -> Int? {
    try value(Self.revisionText, course)
  }

  private static let revisionText = StatementText("SELECT revision FROM course WHERE node = ?")

  /// Returns the place that follows in reading order, or precedes: the sibling beside it where that is of the same kind,
  /// else the nearest place of the same kind, whatever lesson or goal it is in; what the node holds and what holds the node
  /// are left out.
  ///
  /// So the activity after the last one before an inner lesson is the inner lesson's first: one key reads a course.
  ///
  /// - Returns: `nil` at the end, or the beginning, of the course. Courses follow one another.
  package func placeBeside(_ node: ContentNode, after: Bool) throws -> ContentNode? {
    var current = node
    while true {
      var beside = try sibling(of: current, after: after)
      if current.id == node.id, let beside, beside.kind == node.kind { return beside }
      if current.kind == .course { return nil }
      while let sibling = beside {
        if let found = try outermost(node.kind, in: sibling, fromTheStart: after) { return found }
        beside = try self.sibling(of: sibling, after: after)
      }
      guard let parent = try current.parent.flatMap(self.node) else { return nil }
      current = parent
    }
  }

  /// Returns what a place opens to: where it holds one thing alone, of its own title, that thing, and so on; else itself.
  package func innermost(of place: NodeID) throws -> NodeID {
    guard var node = try node(place) else { return place }
    while node.kind != .activity, try childCount(of: node.id) == 1,
      let only = try child(of: node.id, after: true), only.title == node.title
    {
      node = only
    }
    return node.id
  }

  /// The living sibling beside a node.
  private func sibling(of node: ContentNode, after: Bool) throws -> ContentNode? {
    try child(of: node.parent, beside: node.position, after: after)
  }

  /// The living child of a place that stands next to a position, or first or last of all; `nil` where none does.
  private func child(of parent: NodeID?, beside position: Int? = nil, after: Bool) throws -> ContentNode? {
    let texts = parent == nil ? Self.courseBesideTexts : Self.siblingTexts
    return try firstNode(after ? texts.after : texts.before, parent, position ?? (after ? -1 : Int.max))
  }

  private static let siblingTexts = beside(where: "parent = ?1")
  private static let courseBesideTexts = beside(where: "parent IS NULL AND ?1 IS NULL")

  private static func beside(where condition: String) -> (before: StatementText, after: StatementText) {
    let start = "SELECT \(ContentNode.columns) FROM contentNode AS node WHERE \(condition) AND living = 1 AND position "
    return (
      StatementText(start + "< ?2 ORDER BY position DESC LIMIT 1"),
      StatementText(start + "> ?2 ORDER BY position LIMIT 1")
    )
  }

  /// The first, or the last, node of a kind in a subtree, in reading order.
  private func outermost(_ kind: ContentKind, in node: ContentNode, fromTheStart: Bool) throws -> ContentNode? {
    if fromTheStart, node.kind == kind { return node }
    if node.kind != .activity {
      var next = try child(of: node.id, after: fromTheStart)
      while let child = next {
        if let found = try outermost(kind, in: child, fromTheStart: fromTheStart) { return found }
        next = try sibling(of: child, after: fromTheStart)
      }
    }
    return node.kind == kind ? node : nil
  }
}

// MARK: - What is left to do

extension StoreSnapshot {
  /// Returns the first living activity from a place on, in reading order, that a learner has not done: in the place, then
  /// after it in its course.
  ///
  /// - Parameter learner: Whose progress; everything is to do where `nil`.
  package func firstToDo(from node: ContentNode, for learner: LearnerID?) throws -> ContentNode? {
    if let inside = try firstToDo(in: node, for: learner) { return inside }
    var current = node
    while let parent = try current.parent.flatMap(self.node) {
      if let sibling = try childToDo(of: parent.id, after: current.position, for: learner) {
        return try firstToDo(in: sibling, for: learner)
      }
      current = parent
    }
    return nil
  }

  /// Returns the first activity in a subtree that a learner has not done.
  package func firstToDo(in node: ContentNode, for learner: LearnerID?) throws -> ContentNode? {
    let sums = try progress(of: node.id, for: learner)
    guard sums.done < sums.total, !node.isRemoved else { return nil }
    var current = node
    while current.kind != .activity {
      guard let child = try childToDo(of: current.id, for: learner) else { return nil }
      current = child
    }
    return current
  }

  /// The first living child, after a position, in which something is not done.
  private func childToDo(of parent: NodeID, after position: Int = -1, for learner: LearnerID?) throws -> ContentNode? {
    try firstNode(Self.childToDoText, parent, position, learner)
  }

  // In the order of the children, until one is found: they are many, and the first is seldom far.
  private static let childToDoText = StatementText(
    """
    SELECT \(ContentNode.columns) FROM contentNode AS node
    \(PlaceSums.joined(ofLearner: "?3"))
    WHERE node.parent = ?1 AND node.living = 1 AND node.position > ?2 AND \(PlaceSums.done) < total.activities
    ORDER BY node.position LIMIT 1
    """)
}
