/// A database of courses and learners.
///
/// One database can serve a `CourseLibrary` and any number of `NavigationService`s, on any threads. Several programs
/// can use the same file at the same time.
///
/// ```swift
/// let database = try LearningDatabase(.file("learning.sqlite"))
/// let library = CourseLibrary(database)
/// let navigation = try NavigationService(database, learner: "ada")
/// ```
public final class LearningDatabase: Sendable {
  /// Where a database is stored.
  public enum Location: Hashable, Sendable {
    /// A file at a path. `~/` at the beginning is replaced by the home folder. URIs and `:memory:` are rejected.
    case file(String)
    /// The memory of this process. Each such database is separate. It is discarded when the last object that uses it is
    /// deallocated.
    case memory
  }

  /// Whether the database was opened read-only. Writes then throw ``LearningDatabaseError/openedReadOnly(path:)``.
  public let isReadOnly: Bool

  package let store: LearningStore

  /// Opens a database. Creates the file and its missing folders, and migrates older tables, if necessary.
  ///
  /// A database that is up to date is opened without taking its write lock, so it can be read while another program
  /// writes. All `LearningDatabase` objects of a process that open the same file with the same options share their
  /// connections.
  ///
  /// - Parameters:
  ///   - location: A file or the memory of this process.
  ///   - isReadOnly: Whether to open the database only for reading. The file is then neither created nor written; older
  ///     tables are migrated in a copy in memory. SQLite may still create its log files next to the database, because
  ///     other programs may write to it.
  ///   - busyTimeout: How long each write waits for other writers, unless the write sets its own timeout, and how long
  ///     this initialiser waits before it creates or migrates tables. Negative durations are treated as 0.
  /// - Throws: ``LearningDatabaseError``. If a file is rejected, it is left unchanged.
  public init(
    _ location: Location, isReadOnly: Bool = false, busyTimeout: Duration = .seconds(10)
  ) throws(LearningDatabaseError) {
    self.isReadOnly = isReadOnly
    switch location {
    case .memory:
      // A new database has nothing to read.
      if isReadOnly { throw .empty(path: ":memory:") }
      store = try LearningStore.openInMemory(busyTimeout: busyTimeout)
    case .file(let path):
      var options = LearningStore.Options()
      (options.isReadOnly, options.busyTimeout) = (isReadOnly, busyTimeout)
      store = try LearningStore.open(at: path, options)
    }
  }

  /// The absolute path of the file, without symbolic links, or `nil` for a database in memory.
  public var path: String? { store.isInMemory ? nil : store.path }

  /// How long a write waits for other writers if it does not set its own timeout.
  public var busyTimeout: Duration { store.busyTimeout }

  /// Returns the path that the text of a ``Location/file(_:)`` stands for: a `~` at the beginning is replaced by the
  /// home folder. For programs that need the path before they open the database.
  ///
  /// - Throws: ``LearningDatabaseError/notAPath(_:reason:)``.
  package static func path(named text: String) throws(LearningDatabaseError) -> String {
    try DatabaseFile.path(named: text)
  }
}
