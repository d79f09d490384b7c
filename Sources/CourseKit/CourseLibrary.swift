import Foundation
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

extension CourseLibrary {
  /// The system's clock, in whole milliseconds.
  @Sendable public static func systemTime() -> Timestamp {
    Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
  }

  /// Returns whether others than this user, whose file the database is, may read or write it; `true` only once for each
  /// database, so that it is said once.
  public func isExposureNews() -> Bool { store.isExposureNews() }

  /// What is wrong with the database file and the courses in it: nothing, as a rule. One sentence each.
  public func check() throws -> [String] {
    try store.read { try $0.fileProblems() + $0.contentProblems() }
  }

  /// Makes the search index anew from the courses.
  public func rebuildSearch() throws {
    try store.write { try $0.rebuildSearch() }
    try store.indexSearch()
  }

  /// Copies the whole database, with its history, while it is used. The copy is one consistent state.
  ///
  /// - Parameter path: The file to write, in an existing folder. A file that has the name already is kept.
  /// - Throws: An `ExplainedError`; then no copy is written.
  public func backUp(to path: String) throws {
    try store.backUp(to: path)
  }

  /// Replaces a database by a copy of it that ``backUp(to:)`` made. The database before is kept next to it.
  ///
  /// No program may have the database open.
  ///
  /// - Parameters:
  ///   - copy: The copy; it is checked first.
  ///   - path: The database, which may be damaged or missing.
  /// - Throws: An `ExplainedError`; then the database is unchanged.
  public static func restore(from copy: String, to path: String) throws -> RestoredDatabase {
    try LearningStore.restore(from: copy, to: path)
  }
}
