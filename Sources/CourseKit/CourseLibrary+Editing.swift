public import LearningModel
import LearningStore

extension CourseLibrary {
  /// The maximum number of characters of a title that a user gives.
  public static let maximumTitleLength = 200

  /// Replaces the author's title of a place for all learners of this database. The path, history, progress and notes of
  /// the place are kept.
  ///
  /// Imports update the author's title, but keep the given title until it is removed.
  ///
  /// - Parameters:
  ///   - path: The place's path.
  ///   - title: The new title. White space at its ends is ignored. `nil` restores the author's title.
  /// - Returns: The titles before and after the change.
  /// - Throws: ``CourseLibraryError`` if there is no such place, or if the title is not valid. In both cases nothing is
  ///   changed.
  @discardableResult
  public func rename(_ path: PlacePath, to title: String?) throws(CourseLibraryError) -> (before: String, now: String) {
    let title: String? = if let title { try Self.checked(title, for: path) } else { nil }
    return try Self.typed(in: store) {
      try store.checkWritable()
      let place = try read { try $0.existingPlace(at: path) }
      guard case .node(let id) = place else { throw CourseLibraryError.cannotRename(path: path, reason: .root) }
      guard let before = try store.rename(id, to: title), let node = try read({ try $0.node(id) }) else {
        // If another process has removed the place, this throws the error for its current state.
        _ = try read { try $0.existingPlace(at: path) }
        throw CourseLibraryError.unknownPlace(path: path, suggestions: [])
      }
      store.announceCourses()
      try store.indexSearch()
      return (before, node.title)
    }
  }

  /// Returns the author's title of a place that a user has renamed, or `nil` if the place was not renamed.
  ///
  /// - Throws: ``CourseLibraryError/database(_:)``.
  public func authorTitle(of node: NodeID) throws(CourseLibraryError) -> String? {
    try read { try $0.authorTitle(of: node) }
  }

  private static func checked(_ title: String, for path: PlacePath) throws(CourseLibraryError) -> String {
    let title = title.trimmingBlanks
    guard !title.isEmpty else { throw CourseLibraryError.cannotRename(path: path, reason: .blank) }
    guard title.count <= maximumTitleLength else {
      throw CourseLibraryError.cannotRename(path: path, reason: .tooLong(characters: title.count))
    }
    let hasControls = title.unicodeScalars.contains { scalar in
      [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }
    guard !hasControls else { throw CourseLibraryError.cannotRename(path: path, reason: .severalLines) }
    return title
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    let start = drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}

/// The reason why a place cannot be renamed.
public enum RenamingObstacle: Hashable, Sendable {
  /// The list of courses has no title of its own.
  case root
  /// The title is empty or consists of white space.
  case blank
  /// The title has more characters than ``CourseLibrary/maximumTitleLength``.
  case tooLong(characters: Int)
  /// The title contains line breaks or control characters.
  case severalLines

  func description(for path: PlacePath) -> String {
    switch self {
    case .root:
      "Could not rename \(quoted: path): the list of courses cannot be renamed. Name a course or a place in a course."
    case .blank: "Could not rename \(quoted: path): the name is empty. Write at least one letter."
    case .tooLong(let characters):
      "Could not rename \(quoted: path): the name has \(characters) characters. "
        + "Write one of at most \(CourseLibrary.maximumTitleLength)."
    case .severalLines:
      "Could not rename \(quoted: path): the name has line breaks or control characters. Write it on one line."
    }
  }
}

extension CourseLibrary {
  /// Removes a course in one transaction. Its places are kept as removed places with their titles and paths, so that
  /// the history remains readable. Importing the course again restores them with their history and progress.
  ///
  /// - Parameter path: The course's path.
  /// - Returns: The number of removed places.
  /// - Throws: ``CourseLibraryError`` if there is no such course.
  @discardableResult
  public func remove(_ path: PlacePath) throws(CourseLibraryError) -> Int {
    try Self.typed(in: store) {
      let course = try read { try $0.existingCourse(at: path) }
      try store.checkWritable()
      let removed = try store.removeCourse(course.id, at: now())
      // If another process has removed the course, this throws the error for its current state.
      if removed == 0 { _ = try read { try $0.existingCourse(at: path) } }
      store.announceCourses()
      try store.indexSearch()
      return removed
    }
  }
}
