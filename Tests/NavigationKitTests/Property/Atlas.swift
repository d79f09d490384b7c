import LearningModel

/// Courses as their authors have published them, by the keys of their nodes: what a step must do is worked out from this
/// alone, and not from the database.
struct Atlas: CourseMap {
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
}
