public import LearningModel
import LearningStore

/// The door to courses: what there is, what is in it, and how more of it comes in and goes out.
///
/// A library may be used from any thread. Several may be open on one database, in one process or in many.
///
/// ```swift
/// let library = try CourseLibrary(databaseAt: "waymark.sqlite")
/// let report = try library.importCourse(from: "my-course")
/// for entry in try library.tree() { print(entry.path, entry.title) }
/// ```
public final class CourseLibrary: Sendable {
  let store: LearningStore
  let now: @Sendable () -> Timestamp

  /// Opens the database, and makes it and brings it up to date where that is needed.
  ///
  /// - Parameters:
  ///   - path: Where the database is or shall be. Folders that are missing are made.
  ///   - now: What time it is; the system's clock by default.
  /// - Throws: An `ExplainedError` that says what is wrong with the file, its folder or its disk.
  public init(
    databaseAt path: String, now: @escaping @Sendable () -> Timestamp = CourseLibrary.systemTime
  ) throws {
    store = try LearningStore.open(at: path)
    self.now = now
  }

  /// Where the database is, without symbolic links.
  public var path: String { store.path }
}
