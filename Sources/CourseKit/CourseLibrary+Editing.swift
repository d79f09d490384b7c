public import LearningModel
import LearningStore

extension CourseLibrary {
  /// Characters of the longest name that a person can give.
  public static let longestTitle = 200

  /// Gives a place a name, in place of its author's. Its path stays, and so do its history, progress and notes. An import
  /// brings the author's name up to date and leaves the given one alone; it goes when it is taken back.
  ///
  /// - Parameters:
  ///   - path: The place's path.
  ///   - title: What it is called from now on, for all learners of this database; blanks around it do not count.
  ///     `nil` for what its author calls it.
  /// - Returns: What it was called before, and what it is called now.
  /// - Throws: ``CourseLibraryError`` where there is no such place, or the name cannot be one. Nothing is changed then.
  @discardableResult
  public func rename(_ path: PlacePath, to title: String?) throws(CourseLibraryError) -> (before: String, now: String) {
    let title: String? = if let title { try Self.checked(title, for: path) } else { nil }
    return try Self.typed(in: store) {
      try store.checkWritable()
      let place = try read { try $0.livingPlace(at: path) }
      guard case .node(let id) = place else { throw CourseLibraryError.cannotRename(path: path, reason: .root) }
      guard let before = try store.rename(id, to: title), let node = try read({ try $0.node(id) }) else {
        // Another process removed it; the error describes its present state.
        _ = try read { try $0.livingPlace(at: path) }
        throw CourseLibraryError.unknownPlace(path: path, suggestions: [])
      }
      store.announceCourses()
      try store.indexSearch()
      return (before, node.title)
    }
  }

  /// What its author calls a place that a person gave a name; `nil` where nobody did.
  public func authorTitle(of node: NodeID) throws(CourseLibraryError) -> String? {
    try read { try $0.authorTitle(of: node) }
  }

  private static func checked(_ title: String, for path: PlacePath) throws(CourseLibraryError) -> String {
    let title = title.trimmingBlanks
    guard !title.isEmpty else { throw CourseLibraryError.cannotRename(path: path, reason: .blank) }
    guard title.count <= longestTitle else {
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

/// Why a place cannot have a name.
public enum RenamingObstacle: Hashable, Sendable {
  /// It is the list of all courses.
  case root
  /// The name has no letters.
  case blank
  /// The name has more characters than ``CourseLibrary/longestTitle``.
  case tooLong(characters: Int)
  /// The name has line breaks or characters that steer a terminal.
  case severalLines

  func description(for path: PlacePath) -> String {
    switch self {
    case .root:
      "Could not rename '\(path)': the list of all courses has no name of its own. Name a course or a place in one."
    case .blank: "Could not rename '\(path)': the name is empty. Write at least one letter."
    case .tooLong(let characters):
      "Could not rename '\(path)': the name has \(characters) characters. "
        + "Write one of at most \(CourseLibrary.longestTitle)."
    case .severalLines:
      "Could not rename '\(path)': the name has line breaks or control characters. Write it on one line."
    }
  }
}

extension CourseLibrary {
  /// Removes a course. Its places are kept as removed, with titles and paths, so that history still reads; imported
  /// again, they come back as themselves.
  ///
  /// It goes in one transaction, for which other writers wait.
  ///
  /// - Parameter path: The course's path.
  /// - Returns: How many places were removed.
  /// - Throws: ``CourseLibraryError`` where there is no such course.
  @discardableResult
  public func remove(_ path: PlacePath) throws(CourseLibraryError) -> Int {
    try Self.typed(in: store) {
      let course = try read { try $0.livingCourse(at: path) }
      try store.checkWritable()
      let removed = try store.removeCourse(course.id, at: now())
      // If another process removed it, the error describes its present state.
      if removed == 0 { _ = try read { try $0.livingCourse(at: path) } }
      store.announceCourses()
      try store.indexSearch()
      return removed
    }
  }
}
