import GRDB
public import LearningModel

/// Which way to go in reading order.
public enum ReadingDirection: Hashable, Sendable {
  /// Towards the end of the course.
  case forward
  /// Towards its beginning.
  case backward
}

extension StoreSnapshot {
  /// The living sibling beside a node; past the last one, the nearest living node of the same kind in reading order,
  /// the node's own ancestors and descendants left out.
  ///
  /// - Returns: `nil` at the end (the beginning) of the course, and of the list of courses.
  public func neighbour(of id: NodeID, _ direction: ReadingDirection) throws -> ContentNode? {
    guard let node = try node(id) else { return nil }
    if let sibling = try sibling(of: node, direction) { return sibling }

    var above = node
    while let parent = try above.parent.flatMap(self.node) {
      var uncle = try sibling(of: parent, direction)
      while let branch = uncle, branch.kind != .course {
        if let found = try nearest(node.kind, in: branch, direction) { return found }
        uncle = try sibling(of: branch, direction)
      }
      above = parent
    }
    return nil
  }

  /// The node of that kind in a tree that is met first, going that way through the tree.
  private func nearest(
    _ kind: ContentKind, in tree: ContentNode, _ direction: ReadingDirection
  ) throws -> ContentNode? {
    if direction == .forward, tree.kind == kind { return tree }
    if tree.kind != .activity {
      let children = try children(of: .node(tree.id))
      for child in direction == .forward ? children : children.reversed() {
        if let found = try nearest(kind, in: child, direction) { return found }
      }
    }
    return direction == .backward && tree.kind == kind ? tree : nil
  }

  private func sibling(of node: ContentNode, _ direction: ReadingDirection) throws -> ContentNode? {
    let beside = direction == .forward ? "position > ? ORDER BY position" : "position < ? ORDER BY position DESC"
    guard let parent = node.parent else {
      return try firstNode(
        "SELECT \(ContentNode.columns) FROM contentNode AS node WHERE parent IS NULL AND living = 1 AND \(beside) LIMIT 1",
        [node.position])
    }
    return try firstNode(
      "SELECT \(ContentNode.columns) FROM contentNode AS node WHERE parent = ? AND living = 1 AND \(beside) LIMIT 1",
      [parent.rawValue, node.position])
  }
}
