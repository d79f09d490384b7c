/// A database of courses and learners.
///
/// One database serves a `CourseLibrary` and any number of `NavigationService`s, on any threads. Several programs can use
/// the same file at once.
///
/// ```swift
/// let database = try LearningDatabase(.file("learning.sqlite"))
/// let library = CourseLibrary(database)
/// let navigation = try NavigationService(database, learner: "ada")
/// ```
public final class LearningDatabase: Sendable {
  /// The storage of a database.
  public enum Location: Hashable, Sendable {
    /// The file at a path. `~/` at the beginning stands for the home folder. URIs and `:memory:` are refused.
    case file(String)
    /// The memory of this process. Each such database is separate, and it ends when the last object that uses it is
    /// deallocated.
    case memory
  }

  /// Whether the database was opened read-only. Writes then throw ``LearningDatabaseError/openedReadOnly(path:)``.
  public let isReadOnly: Bool

  package let store: LearningStore

  /// Opens a database. Creates the file and its missing folders, and updates its tables, if necessary.
  ///
  /// A database that is up to date is opened without its write lock, so it can be read while another program writes. All
  /// `LearningDatabase` objects of a process on the same file with the same options share their connections.
  ///
  /// - Parameters:
  ///   - location: A file or the memory.
  ///   - isReadOnly: Whether to only read. The file is then neither created nor written; older tables are updated in
  ///     memory. SQLite can create its log files next to the database, since other programs may write.
  ///   - busyTimeout: How long each write waits for other writers, unless it sets its own time, and how long this
  ///     initialiser waits before it creates or updates tables. Negative durations are 0.
  /// - Throws: ``LearningDatabaseError``. A file that is refused is unchanged.
  public init(
    _ location: Location, isReadOnly: Bool = false, busyTimeout: Duration = .seconds(10)
  ) throws(LearningDatabaseError) {
    self.isReadOnly = isReadOnly
    switch location {
    case .memory:
      // There is nothing to read in a new database.
      if isReadOnly { throw .empty(path: ":memory:") }
      store = try LearningStore.openInMemory(busyTimeout: busyTimeout)
    case .file(let path):
      var options = LearningStore.Options()
      (options.isReadOnly, options.busyTimeout) = (isReadOnly, busyTimeout)
      store = try LearningStore.open(at: path, options)
    }
  }

  /// The absolute path of the file, without symbolic links; `nil` for a database in memory.
  public var path: String? { store.isInMemory ? nil : store.path }

  /// How long a write waits for other writers if it sets no other time.
  public var busyTimeout: Duration { store.busyTimeout }

  /// Returns the path that ``Location/file(_:)`` means, for programs that use it before the database is opened.
  ///
  /// - Throws: ``LearningDatabaseError/notAPath(_:reason:)``.
  package static func path(named text: String) throws(LearningDatabaseError) -> String {
    try DatabaseFile.path(named: text)
  }
}
