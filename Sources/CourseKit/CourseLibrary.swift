public import Foundation
public import LearningModel
public import LearningStore

/// The courses of a database. Lists, searches, imports, edits and exports courses.
///
/// A library can be used from any thread. Several libraries can use one database, in one process or in several.
///
/// ```swift
/// let library = CourseLibrary(try LearningDatabase(.file("learning.sqlite")))
/// let report = try library.importCourse(from: "my-course")
/// for entry in try library.tree() { print(entry.path, entry.title) }
/// ```
public final class CourseLibrary: Sendable {
  /// The database that contains the courses.
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
  ///   - path: The path of the file. A leading `~/` is replaced by the home folder.
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

  /// Calls a function and converts every error to ``CourseLibraryError``. Errors of other modules, such as those of a
  /// source, keep their description, and errors of unexpected types become `LearningDatabaseError.unexpected`.
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
    } catch let error as any ExplainedError {
      throw .unreadableSource(kind: error.kind, description: error.description, remedy: error.remedy)
    } catch {
      throw .database(.unexpected(path: store.path, code: 0, detail: "\(error)"))
    }
  }

  /// Calls a function with a consistent snapshot of the database.
  ///
  /// - Throws: ``CourseLibraryError``, to which every error of `body` is converted.
  func read<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws(CourseLibraryError) -> Answer {
    try Self.typed(in: store) { try store.read(body) }
  }
}

extension CourseLibrary {

  /// Returns whether to warn that other users can read or write the database's file. Returns `true` at most once per
  /// database, so that the warning is not repeated.
  package func shouldWarnAboutPermissions() -> Bool { store.shouldWarnAboutPermissions() }

  /// Checks the database file for damage, and the courses for contradictions.
  ///
  /// - Returns: The problems, or an empty array if there are none.
  /// - Throws: ``CourseLibraryError/database(_:)``.
  public func check() throws(CourseLibraryError) -> [DatabaseProblem] {
    try read { try ($0.fileProblems() + $0.contentProblems()).map { DatabaseProblem($0) } }
  }

  /// Deletes the search index and creates it again from the courses.
  ///
  /// - Throws: ``CourseLibraryError/database(_:)``.
  public func rebuildSearch() throws(CourseLibraryError) {
    try Self.typed(in: store) {
      try store.write { try $0.rebuildSearch() }
      try store.indexSearch()
    }
  }

  /// Copies the whole database, including the history, while other programs use it. The copy is a consistent state.
  ///
  /// - Parameter path: The file to create, in an existing folder. An existing file is not overwritten.
  /// - Throws: ``CourseLibraryError/database(_:)``. In this case there is no copy.
  public func backUp(to path: String) throws(CourseLibraryError) {
    do {
      try store.backUp(to: path)
    } catch is CancellationError {
      throw .backupCancelled(path: path)
    } catch {
      try Self.typed(in: store) { throw error }
    }
  }

  /// Replaces a database with a copy that `backUp(to:)` has made. The previous database is kept next to it.
  ///
  /// No program may have the database open.
  ///
  /// - Parameters:
  ///   - copy: The copy, which is checked first.
  ///   - path: The database, which may be damaged or missing.
  /// - Returns: The restored database and the path of the previous one.
  /// - Throws: ``CourseLibraryError/database(_:)``. In this case the database is unchanged.
  public static func restore(from copy: String, to path: String) throws(CourseLibraryError) -> RestoredDatabase {
    do throws(LearningDatabaseError) {
      return try LearningStore.restore(from: copy, to: path)
    } catch {
      throw .database(error)
    }
  }
}
