import LearningModel

/// Courses as their authors have published them, by the keys of their nodes: what a step must do is worked out from this
/// alone, and not from the database.
struct Atlas {
  private(set) var courses: [EditedCourse]
  /// Where each node stood when it was last published. A node that was taken out stays where it was.
  private var parents: [String: String] = [:]

  init(_ courses: [EditedCourse]) {
    self.courses = courses
    note()
  }

  /// Puts the next edition of a course in the place of the last one.
  mutating func publish(_ course: EditedCourse, at index: Int) {
    courses[index] = course
    note()
  }

  private mutating func note() {
    for course in courses {
      for key in course.keys {
        for child in course.children(of: key) { parents[child] = key }
      }
    }
  }

  // MARK: - The tree

  /// Every key that is in a course now, in reading order.
  var living: [String] { courses.flatMap(\.keys) }

  /// Every key that was taken out of its course.
  var removed: [String] { parents.keys.filter { kind(of: $0) == nil }.sorted() }

  /// The course that a key belongs to.
  private func course(of key: String) -> EditedCourse? {
    courses.first { key == $0.key || key.hasPrefix($0.key + "-") }
  }

  /// What a place is; `nil` where it was taken out. The root has no key.
  func kind(of key: String) -> ContentKind? { course(of: key)?.kind(of: key) }

  /// The place above; `nil` for a course.
  func parent(of key: String) -> String? { parents[key] }

  /// What stands in a place, in order.
  func children(of key: String?) -> [String] {
    guard let key else { return courses.map(\.key) }
    return course(of: key)?.children(of: key) ?? []
  }

  /// The keys from the course down to a place; none for the root.
  func chain(to key: String?) -> [String] {
    guard let key else { return [] }
    return chain(to: parent(of: key)) + [key]
  }

  /// The same as far as it is in the course still.
  func livingChain(to key: String?) -> [String] {
    Array(chain(to: key).prefix { kind(of: $0) != nil })
  }

  /// The place that `next` and `previous` lead to: the sibling beside it where that is of the same kind, else the nearest
  /// of the kind in reading order, apart from what the place holds and what holds it; courses follow one another.
  func beside(_ key: String, after: Bool) -> String? {
    let siblings = children(of: parent(of: key))
    let index = siblings.firstIndex(of: key)! + (after ? 1 : -1)
    let beside = siblings.indices.contains(index) ? siblings[index] : nil
    if let beside, kind(of: beside) == kind(of: key) { return beside }
    guard parent(of: key) != nil, let course = course(of: key) else { return nil }
    let order = course.keys
    let own = order.firstIndex(of: key)!
    let above = chain(to: key)
    let around = after ? Array(order[(own + 1)...]) : order[..<own].reversed()
    return around.first { candidate in
      kind(of: candidate) == kind(of: key) && !above.contains(candidate) && !chain(to: candidate).contains(key)
    }
  }
}
