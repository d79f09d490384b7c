import LearningModel

/// What is in the courses now, as whoever publishes them knows it; the root has no key.
protocol CourseMap {
  /// What a place is; `nil` where it was taken out.
  func kind(of key: String) -> ContentKind?
  /// The place above, the last one where it was taken out; `nil` for a course.
  func parent(of key: String) -> String?
  /// What stands in a place, in order.
  func children(of key: String?) -> [String]
}

extension CourseMap {
  /// The keys from the course down to a place; none for the root.
  func chain(to key: String?) -> [String] {
    guard let key else { return [] }
    return chain(to: parent(of: key)) + [key]
  }

  /// The same as far as it is in the course still.
  func livingChain(to key: String?) -> [String] {
    Array(chain(to: key).prefix { kind(of: $0) != nil })
  }

  /// A place and all that it holds, in reading order.
  func order(from key: String) -> [String] {
    [key] + children(of: key).flatMap(order)
  }

  /// The place that `next` and `previous` lead to: the sibling beside it where that is of the same kind, else the nearest
  /// of the kind in reading order, apart from what the place holds and what holds it; courses follow one another.
  func beside(_ key: String, after: Bool) -> String? {
    let siblings = children(of: parent(of: key))
    let index = siblings.firstIndex(of: key)! + (after ? 1 : -1)
    let beside = siblings.indices.contains(index) ? siblings[index] : nil
    if let beside, kind(of: beside) == kind(of: key) { return beside }
    let above = chain(to: key)
    guard parent(of: key) != nil, let course = above.first else { return nil }
    let order = order(from: course)
    let own = order.firstIndex(of: key)!
    let around = after ? Array(order[(own + 1)...]) : order[..<own].reversed()
    return around.first { candidate in
      kind(of: candidate) == kind(of: key) && !above.contains(candidate) && !chain(to: candidate).contains(key)
    }
  }
}
