public import LearningModel
import LearningStore

extension CourseLibrary {
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
