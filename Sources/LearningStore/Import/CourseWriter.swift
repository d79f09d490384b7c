import GRDB
public import LearningModel

/// Writes one course, on a connection of its own: everything is staged beside the database, where it is in nobody's way,
/// and one transaction that survives a power cut then makes the course of it, in few statements.
///
/// Source: SQLite, "Temporary Files Used By SQLite", of the temporary database that stages the contents.
public final class CourseWriter {
  private let connection: DatabaseQueue
  private let path: String

  init(at path: String) throws {
    self.path = path
    var configuration = Configuration()
    configuration.label = "waymark.import"
    let patience = Patience()
    configuration.busyMode = .callback { patience.tryAgain(after: $0) }
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      // A database without a name is a file that goes with the connection. It is attached before temporary things are
      // put in memory, so that the contents are not; what then is in memory are the notes by which SQLite would take a
      // single statement back, a quarter of the time of each.
      try database.execute(
        sql: """
          ATTACH '' AS staging;
          PRAGMA staging.journal_mode = OFF;
          \(CourseStaging.tables)
          PRAGMA temp_store = MEMORY;
          PRAGMA synchronous = FULL;
          PRAGMA cache_size = -16000;
          """)
    }
    connection = try DatabaseQueue(path: path, configuration: configuration)
  }

  deinit { connection.retire() }

  /// Keeps the content of the node of that index in the plan until ``commit(_:at:)``. Nothing is locked.
  public func stage(_ content: StoredContent, at index: Int) throws {
    do {
      try connection.inDatabase { database in
        if !database.isInsideTransaction { try database.execute(sql: "BEGIN") }
        let statement = try database.cachedStatement(
          sql: "INSERT OR REPLACE INTO staging.stagedContent VALUES (?, ?, ?, ?)")
        try statement.execute(arguments: [index, content.type.rawValue, content.json, content.letters])
      }
    } catch {
      throw LearningStoreError.explaining(error, at: path)
    }
  }

  /// Makes the course what the plan says: all of it, or nothing.
  ///
  /// The search index knows of it, and follows with ``LearningStore/indexSearch(for:progress:)``.
  ///
  /// - Throws: ``LearningStoreError/changedMeanwhile(path:course:)`` where somebody changed the course after the plan
  ///   was made, and ``LearningStoreError``.
  public func commit(_ plan: CoursePlan, at time: Timestamp) throws -> (course: NodeID, revision: Int) {
    do {
      return try connection.inDatabase { database in
        if !database.isInsideTransaction { try database.execute(sql: "BEGIN") }
        let staging = CourseStaging(plan)
        try staging.write(to: database)
        try database.execute(sql: "COMMIT")
        var made: (course: NodeID, revision: Int)?
        try database.inTransaction(.immediate) {
          var commit = CourseCommit(plan, staging, at: time, path: path, in: StoreTransaction(database: database))
          made = try commit.run()
          return .commit
        }
        return made!
      }
    } catch {
      throw LearningStoreError.explaining(error, at: path)
    }
  }
}

@available(*, unavailable)
extension CourseWriter: Sendable {}

extension LearningStore {
  /// Opens a connection for one import, for as long as `body` runs.
  public func importing<Answer>(_ body: (CourseWriter) throws -> Answer) throws -> Answer {
    do {
      return try body(try CourseWriter(at: path))
    } catch {
      throw LearningStoreError.explaining(error, at: path)
    }
  }
}
