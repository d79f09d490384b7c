package import LearningModel
import NavigationKit

/// Tells courses apart that have one title, such as two editions of a book, where both are listed: by their paths.
package struct CourseNames: Hashable {
  /// The titles that several courses of the list have.
  private let shared: Set<String>

  /// Looks for titles that several courses have.
  ///
  /// - Parameter courses: The path and the title of each course that is listed, as often as it is.
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

  /// What stands behind a course's title: ` (rust-book-2)`, or nothing where no other course has that title.
  ///
  /// - Parameter path: The path of the course, or of a place in it.
  package func suffix(of title: String, at path: PlacePath) -> String {
    guard let slug = path.slugs.first, shared.contains(title) else { return "" }
    return " (\(slug))"
  }
}

extension [NamedPlace] {
  /// How the courses among them are told apart.
  package var courseNames: CourseNames {
    CourseNames(lazy.filter { $0.kind == .course }.map { (path: $0.path, title: $0.title) })
  }
}
