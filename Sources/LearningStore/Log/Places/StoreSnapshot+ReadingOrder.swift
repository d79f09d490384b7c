package import LearningModel

// Queries for moving from place to place through the tree.

extension StoreSnapshot {
  /// Returns the position of a node among its current siblings, from 1, and their number.
  package func siblingPosition(of node: ContentNode) throws -> (number: Int, count: Int) {
    (try index(ofPosition: node.position, in: node.parent) + 1, try childCount(of: node.parent))
  }

  /// Returns the current revision of a course, or `nil` if there is no such course.
  package func revision(of course: NodeID) throws -> Int? {
    try value(Self.revisionSQL, course)
  }

  private static let revisionSQL = StatementText("SELECT revision FROM course WHERE node = ?")

  /// Returns the next or previous place of the same kind in reading order: the adjacent sibling if it is of the same
  /// kind, otherwise the nearest place of this kind in any lesson or goal of the course. Descendants and ancestors of
  /// the node are skipped.
  ///
  /// For example, if an activity is followed by an inner lesson, the next place is the first activity of that lesson. A
  /// single key therefore goes through a whole course.
  ///
  /// - Parameter after: `true` for the next place, `false` for the previous one.
  /// - Returns: `nil` at the end or beginning of the course. For a course, returns the next or previous course.
  package func neighbour(_ node: ContentNode, after: Bool) throws -> ContentNode? {
    var current = node
    while true {
      var adjacent = try sibling(of: current, after: after)
      if current.id == node.id, let adjacent, adjacent.kind == node.kind { return adjacent }
      if current.kind == .course { return nil }
      while let sibling = adjacent {
        if let match = try outermost(node.kind, in: sibling, fromTheStart: after) { return match }
        adjacent = try self.sibling(of: sibling, after: after)
      }
      guard let parent = try current.parent.flatMap(self.node) else { return nil }
      current = parent
    }
  }

  /// Returns the place that is shown when a place is opened: if the place has a single child, that child, and so on,
  /// otherwise the place itself.
  package func innermost(of place: NodeID) throws -> NodeID {
    var place = place
    while let onlyChild = try onlyChild(of: place) { place = onlyChild }
    return place
  }

  /// Returns the child of a place that has no other children, or `nil` if the place has none or several.
  package func onlyChild(of place: NodeID) throws -> NodeID? {
    let children = try all("SELECT id FROM contentNode WHERE parent = ? AND living = 1 LIMIT 2", place) {
      $0[0] as NodeID
    }
    return children.count == 1 ? children[0] : nil
  }

  /// Returns the next or previous current sibling of a node, or `nil` at the end or beginning.
  private func sibling(of node: ContentNode, after: Bool) throws -> ContentNode? {
    try child(of: node.parent, beside: node.position, after: after)
  }

  /// Returns the current child of a place after or before a position, or the first or last child if `position` is
  /// `nil`. Returns `nil` if no child matches.
  private func child(of parent: NodeID?, beside position: Int? = nil, after: Bool) throws -> ContentNode? {
    let texts = after ? Self.childAfterTexts : Self.childBeforeTexts
    return try first(texts[parent == nil], parent, position ?? (after ? -1 : Int.max), as: ContentNode.init)
  }

  private static let childBeforeTexts = childText("position < ?2 ORDER BY position DESC")
  private static let childAfterTexts = childText("position > ?2 ORDER BY position")

  private static func childText(_ condition: String) -> ScopedText {
    ScopedText("parent = ?1", "parent IS NULL AND ?1 IS NULL") {
      "SELECT \(ContentNode.columns) FROM contentNode AS node WHERE \($0) AND living = 1 AND \(condition) LIMIT 1"
    }
  }

  /// Returns the first or last node of the given kind in a subtree, in reading order, or `nil` if the subtree contains
  /// no node of this kind.
  private func outermost(_ kind: ContentKind, in node: ContentNode, fromTheStart: Bool) throws -> ContentNode? {
    if fromTheStart, node.kind == kind { return node }
    if node.kind != .activity {
      var next = try child(of: node.id, after: fromTheStart)
      while let child = next {
        if let match = try outermost(kind, in: child, fromTheStart: fromTheStart) { return match }
        next = try sibling(of: child, after: fromTheStart)
      }
    }
    return node.kind == kind ? node : nil
  }
}

// MARK: - Unfinished activities

extension StoreSnapshot {
  /// Returns the first activity that a learner has not done, in reading order: first in the place itself, then after it
  /// in its course. Returns `nil` if everything is done.
  ///
  /// - Parameter learner: The learner whose progress is used. If `nil`, nothing counts as done.
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

  /// Returns the first activity in a subtree that a learner has not done, or `nil` if everything is done.
  package func firstToDo(in node: ContentNode, for learner: LearnerID?) throws -> ContentNode? {
    let progress = try progress(of: node.id, for: learner)
    guard progress.done < progress.total, !node.isRemoved else { return nil }
    var current = node
    while current.kind != .activity {
      guard let child = try childToDo(of: current.id, for: learner) else { return nil }
      current = child
    }
    return current
  }

  /// Returns the first child after `position` with an unfinished activity, or `nil` if no child matches. Removed nodes
  /// are skipped.
  private func childToDo(of parent: NodeID, after position: Int = -1, for learner: LearnerID?) throws -> ContentNode? {
    try first(Self.childToDoSQL, parent, position, learner, as: ContentNode.init)
  }

  // Reads the children in their order until one matches. There can be many children, but usually one of the first ones
  // matches.
  private static let childToDoSQL = StatementText(
    """
    SELECT \(ContentNode.columns) FROM contentNode AS node
    \(PlaceProgressSQL.joined(ofLearner: "?3"))
    WHERE node.parent = ?1 AND node.living = 1 AND node.position > ?2 AND \(PlaceProgressSQL.done) < total.activities
    ORDER BY node.position LIMIT 1
    """)
}
