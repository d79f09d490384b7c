import LearningModel

/// The published courses from the authors' point of view. The root has no key.
protocol CourseMap {
  /// Returns the kind of a node, or `nil` if it was removed.
  func kind(of key: String) -> ContentKind?
  /// Returns the parent of a node, or `nil` for a course. For a removed node, returns its last parent.
  func parent(of key: String) -> String?
  /// Returns the children of a node, in order.
  func children(of key: String?) -> [String]
}

extension CourseMap {
  /// Returns the keys from the course down to a node. Empty for the root.
  func chain(to key: String?) -> [String] {
    guard let key else { return [] }
    return chain(to: parent(of: key)) + [key]
  }

  /// Returns the keys from the course down to a node, up to the first removed one.
  func currentAncestors(to key: String?) -> [String] {
    Array(chain(to: key).prefix { kind(of: $0) != nil })
  }

  /// Returns a node and its descendants in reading order.
  func order(from key: String) -> [String] {
    [key] + children(of: key).flatMap(order)
  }

  /// Returns the node that `next` or `previous` leads to: the adjacent sibling if it has the same kind, otherwise the
  /// nearest node of that kind in reading order. Ancestors and descendants are skipped. A course leads to the adjacent
  /// course.
  func beside(_ key: String, after: Bool) -> String? {
    let siblings = children(of: parent(of: key))
    let index = siblings.firstIndex(of: key)! + (after ? 1 : -1)
    let sibling = siblings.indices.contains(index) ? siblings[index] : nil
    if let sibling, kind(of: sibling) == kind(of: key) { return sibling }
    let above = chain(to: key)
    guard parent(of: key) != nil, let course = above.first else { return nil }
    let order = order(from: course)
    let position = order.firstIndex(of: key)!
    let around = after ? Array(order[(position + 1)...]) : order[..<position].reversed()
    return around.first { candidate in
      kind(of: candidate) == kind(of: key) && !above.contains(candidate) && !chain(to: candidate).contains(key)
    }
  }
}
