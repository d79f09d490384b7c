import LearningModel

/// The published courses by the keys of their nodes. The expected result of each step is derived from these courses
/// alone, independently of the database.
struct CourseCatalogue: CourseMap {
  private(set) var courses: [EditedCourse]
  /// The parent of each node when it was last published. A removed node keeps its last parent.
  private var parents: [String: String] = [:]

  init(_ courses: [EditedCourse]) {
    self.courses = courses
    note()
  }

  /// Replaces a course by its next edition.
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

  /// The keys of all nodes in the courses, in reading order.
  var living: [String] { courses.flatMap(\.keys) }

  /// The keys of all removed nodes.
  var removed: [String] { parents.keys.filter { kind(of: $0) == nil }.sorted() }

  /// Returns the course that a key belongs to.
  private func course(of key: String) -> EditedCourse? {
    courses.first { key == $0.key || key.hasPrefix($0.key + "-") }
  }

  /// Returns the kind of a node, or `nil` if it was removed. The root has no key.
  func kind(of key: String) -> ContentKind? { course(of: key)?.kind(of: key) }

  /// Returns the parent of a node, or `nil` for a course.
  func parent(of key: String) -> String? { parents[key] }

  /// Returns the children of a node, in order.
  func children(of key: String?) -> [String] {
    guard let key else { return courses.map(\.key) }
    return course(of: key)?.children(of: key) ?? []
  }
}
