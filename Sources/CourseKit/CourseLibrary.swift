public import Foundation
public import LearningModel
public import LearningStore

/// The courses of a database: lists, searches, imports, edits and exports them.
///
/// A library may be used from any thread. Several may be open on one database, in one process or in many.
///
/// ```swift
/// let library = CourseLibrary(try LearningDatabase(.file("learning.sqlite")))
/// let report = try library.importCourse(from: "my-course")
/// for entry in try library.tree() { print(entry.path, entry.title) }
/// ```
public final class CourseLibrary: Sendable {
  /// The database.
  public let database: LearningDatabase

  let now: @Sendable () -> Timestamp

  /// Creates a library on a database.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - now: Returns the current time.
  public init(_ database: LearningDatabase, now: @escaping @Sendable () -> Timestamp = { Timestamp(date: Date()) }) {
    self.database = database
    self.now = now
  }

  /// Opens the database in a file with the default options, and creates a library on it.
  ///
  /// - Parameters:
  ///   - path: The path of the file. `~/` stands for the home folder.
  ///   - now: Returns the current time.
  /// - Throws: ``CourseLibraryError/database(_:)``.
  public convenience init(
    databaseAt path: String, now: @escaping @Sendable () -> Timestamp = { Timestamp(date: Date()) }
  ) throws(CourseLibraryError) {
    self.init(try Self.open(path), now: now)
  }

  private static func open(_ path: String) throws(CourseLibraryError) -> LearningDatabase {
    do throws(LearningDatabaseError) { return try LearningDatabase(.file(path)) } catch { throw .database(error) }
  }

  // MARK: - Access to the store

  /// The path of the database's file, without symbolic links; `:memory:` if there is no file.
  package var path: String { store.path }

  var store: LearningStore { database.store }

  /// Calls `body`, and converts every error to ``CourseLibraryError``. Errors that no call in `body` can throw become
  /// `LearningDatabaseError.unexpected`.
  static func typed<Answer>(
    in store: LearningStore, _ body: () throws -> Answer
  ) throws(CourseLibraryError) -> Answer {
    do {
      return try body()
    } catch let error as CourseLibraryError {
      throw error
    } catch let error as LearningDatabaseError {
      throw .database(error)
    } catch is CancellationError {
      throw .searchInterrupted
    } catch {
      throw .database(.unexpected(path: store.path, code: 0, detail: "\(error)"))
    }
  }

  /// Reads one state of the database.
  ///
  /// - Throws: ``CourseLibraryError``, to which every error of `body` is converted.
  func read<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws(CourseLibraryError) -> Answer {
    try Self.typed(in: store) { try store.read(body) }
  }
}

extension CourseLibrary {

  /// Returns whether others than this user, whose file the database is, may read or write it; `true` only once for each
  /// database, so that it is said once.
  package func isExposureNews() -> Bool { store.isExposureNews() }

  /// Looks for damage of the database file and for contradictions in the courses.
  ///
  /// - Returns: The problems; none if the database is in order.
  public func check() throws(CourseLibraryError) -> [DatabaseProblem] {
    try read { try ($0.fileProblems() + $0.contentProblems()).map { DatabaseProblem($0) } }
  }

  /// Makes the search index anew from the courses.
  public func rebuildSearch() throws(CourseLibraryError) {
    try Self.typed(in: store) {
      try store.write { try $0.rebuildSearch() }
      try store.indexSearch()
    }
  }

  /// Copies the whole database, with its history, while it is used. The copy is one consistent state.
  ///
  /// - Parameter path: The file to write, in an existing folder. An existing file of this name is kept.
  /// - Throws: ``CourseLibraryError/database(_:)``; then there is no copy.
  public func backUp(to path: String) throws(CourseLibraryError) {
    do {
      try store.backUp(to: path)
    } catch is CancellationError {
      throw .backupCancelled(path: path)
    } catch {
      try Self.typed(in: store) { throw error }
    }
  }

  /// Replaces a database by a copy of it that `backUp(to:)` made. The database before is kept next to it.
  ///
  /// No program may have the database open.
  ///
  /// - Parameters:
  ///   - copy: The copy; it is checked first.
  ///   - path: The database, which may be damaged or missing.
  /// - Throws: ``CourseLibraryError/database(_:)``; then the database is unchanged.
  public static func restore(from copy: String, to path: String) throws(CourseLibraryError) -> RestoredDatabase {
    do throws(LearningDatabaseError) {
      return try LearningStore.restore(from: copy, to: path)
    } catch {
      throw .database(error)
    }
  }
}
