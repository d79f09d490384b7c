import BundledCourse
public import LearningModel

extension CourseLibrary {
  /// What a report calls the source of the bundled course.
  public static let bundledSourceName = "english-for-business.json"
  /// Where the bundled course stands among the others.
  public static let bundledPath = PlacePath("english-for-business")

  /// Imports the course that comes with the program.
  ///
  /// - Parameters:
  ///   - options: As for any other import; the format and the key are the course's own unless they are given.
  ///   - cancellation: Stops the import when it is asked to.
  ///   - progress: Is told now and then how far the import has come.
  /// - Throws: As ``importCourse(from:options:cancellation:progress:)``.
  @discardableResult
  public func importBundled(
    options: ImportOptions = ImportOptions(), cancellation: ImportCancellation? = nil,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) throws -> ImportReport {
    let bytes = Array(UnsafeBufferPointer(start: bundled_course(), count: bundled_course_size()))
    return try importCourse(
      named: Self.bundledSourceName, bytes: bytes, options: options, cancellation: cancellation, progress: progress)
  }
}
