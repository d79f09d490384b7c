package import LearningModel
import NavigationKit

/// Distinguishes courses with equal titles, such as two editions of a book, by their paths.
package struct CourseNames: Hashable {
  /// The titles that are shared by several courses.
  private let shared: Set<String>

  /// Finds the titles that several courses have.
  ///
  /// - Parameter courses: The path and the title of each listed course. A course may occur several times.
  package init(_ courses: some Sequence<(path: PlacePath, title: String)>) {
    var paths: [String: String] = [:]
    var shared: Set<String> = []
    for (path, title) in courses {
      guard let slug = path.slugs.first else { continue }
      if paths[title, default: slug] != slug { shared.insert(title) }
      paths[title] = slug
    }
    self.shared = shared
  }

  /// Returns the suffix of a course's title, such as ` (rust-book-2)`, or an empty string if no other course has the
  /// title.
  ///
  /// - Parameter path: The path of the course, or of a place in it.
  package func suffix(of title: String, at path: PlacePath) -> String {
    guard let slug = path.slugs.first, shared.contains(title) else { return "" }
    return " (\(slug))"
  }
}

extension [NamedPlace] {
  /// Distinguishes the courses of the list.
  package var courseNames: CourseNames {
    CourseNames(lazy.filter { $0.kind == .course }.map { (path: $0.path, title: $0.title) })
  }
}
