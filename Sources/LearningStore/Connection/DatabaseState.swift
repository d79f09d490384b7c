import GRDB
import GRDBSQLite
import Migrations

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The state of a database file, determined before the file is opened.
enum DatabaseState: Hashable {
  case empty
  /// The file has all migrations, and its `user_version` confirms this.
  case current
  /// The file has all migrations, but its `user_version` does not confirm this: the program was killed before it set
  /// that number.
  case withoutVersion
  /// The file lacks migrations. The associated value is the name of the first missing one.
  case older(firstMissing: String)

  /// The `application_id` of Waymark's databases: the letters WMRK.
  static let applicationID: Int32 = 0x574D_524B
  /// The version of the tables, which the first migration writes to `user_version`. It was incremented each time that
  /// migrations were squashed before the first release.
  static let version = 7

  /// Returns the `user_version` of a database with exactly the given migrations. The lowest byte is the version, the
  /// next 22 bits are a digest of the names of the migrations. The bit above these is ``LearningStore/exposureReportedBit``.
  ///
  /// Source: Fowler, Noll and Vo, FNV-1a with 32 bits.
  static func versionNumber(of migrations: [Migrations.Migration]) -> Int {
    let digest = migrations.map(\.name).joined(separator: "\n").utf8.reduce(UInt32(0x811C_9DC5)) { hash, byte in
      (hash ^ UInt32(byte)) &* 0x0100_0193
    }
    return version | Int(digest & 0x3F_FFFF) << 8
  }

  /// Examines a file through a connection that cannot write, so that a rejected file is not changed by a single byte.
  init(
    of file: DatabaseFile, waitingAtMost timeout: Duration = BusyTimeout.standard, migrations: [Migrations.Migration]
  ) throws(LearningDatabaseError) {
    let path = file.path
    let size = DatabaseFile.size(at: path)
    if size == 0 {
      self = .empty
      return
    }
    if Self.hasVersion(file, size: size, as: Self.versionNumber(of: migrations)) {
      self = .current
      return
    }
    do {
      let address = file.address
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = BusyTimeout.mode(timeout)
      configuration.label = "waymark.inspection"
      configuration.prepareDatabase { try file.prepare($0, at: address) }
      let queue = try DatabaseQueue(path: address, configuration: configuration)
      defer { queue.retire() }
      self = try queue.read { try Self(seenThrough: $0, at: path, size: size, migrations: migrations) }
    } catch {
      throw LearningDatabaseError(of: error, at: path)
    }
  }

  /// Returns whether the header of the file confirms that the file has the given migrations, and the size of the file
  /// is a multiple of its page size.
  ///
  /// SQLite reads the three required numbers from one page and creates no log. To read a table, it would first read the
  /// whole schema, which takes a tenth of the launch time of a program.
  private static func hasVersion(_ file: DatabaseFile, size: Int, as version: Int) -> Bool {
    var connection: OpaquePointer?
    defer { sqlite3_close_v2(connection) }
    guard sqlite3_open_v2(file.addressForReading, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil) == SQLITE_OK
    else {
      return false
    }
    guard number("PRAGMA application_id", connection) == Int(applicationID),
      number("PRAGMA user_version", connection).map({ $0 % LearningStore.exposureReportedBit }) == version,
      let pageSize = number("PRAGMA page_size", connection), pageSize > 0
    else { return false }
    return size.isMultiple(of: pageSize)
  }

  private static func number(_ pragma: String, _ connection: OpaquePointer?) -> Int? {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(connection, pragma, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW
    else { return nil }
    return Int(sqlite3_column_int64(statement, 0))
  }

  private init(
    seenThrough database: Database, at path: String, size: Int, migrations: [Migrations.Migration]
  ) throws {
    let tables = try Set(String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"))
    let pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
    if pageSize > 0, !size.isMultiple(of: pageSize) {
      throw LearningDatabaseError.damaged(path: path, detail: "its last page is incomplete")
    }
    guard !tables.isEmpty else {
      self = .empty
      return
    }

    let applicationID = try Int32.fetchOne(database, sql: "PRAGMA application_id")
    guard tables.contains("grdb_migrations"), applicationID == Self.applicationID else {
      throw LearningDatabaseError.anotherProgram(path: path)
    }
    let applied = try String.fetchSet(database, sql: "SELECT identifier FROM grdb_migrations")
    // Earlier versions of the tables had migrations with some of the same names.
    let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    if version % LearningStore.exposureReportedBit % 0x100 < Self.version, let last = applied.max() {
      throw LearningDatabaseError.tooOld(path: path, migration: last)
    }
    let migrationNames = migrations.map(\.name)
    if let newer = applied.subtracting(migrationNames).sorted().last {
      throw LearningDatabaseError.newer(path: path, migration: newer)
    }
    self = migrationNames.first { !applied.contains($0) }.map(Self.older) ?? .withoutVersion
  }
}

extension LearningStore {
  /// Returns whether users other than the file's owner can read or write the database, if this user is the owner and
  /// was not warned before.
  ///
  /// Returns `true` at most once for each database, because a database may be shared intentionally. The warning is
  /// recorded in the database.
  package func shouldWarnAboutPermissions() -> Bool {
    var status = stat()
    guard refusal == nil, !isInMemory, stat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 != 0
    else {
      return false
    }
    // If the warning cannot be recorded now, it is postponed.
    let isNews =
      try? read { try Self.isExposureUnreported($0.database) }
      && write(waitingAtMost: .milliseconds(50)) { transaction in
        guard try Self.isExposureUnreported(transaction.database) else { return false }
        let version = try Int.fetchOne(transaction.database, sql: "PRAGMA user_version") ?? 0
        try transaction.database.execute(sql: "PRAGMA user_version = \(version | Self.exposureReportedBit)")
        return true
      }
    return isNews ?? false
  }

  /// The bit of `user_version` that records that the user was warned. SQLite reserves `user_version` for programs.
  static let exposureReportedBit = 1 << 30

  private static func isExposureUnreported(_ database: Database) throws -> Bool {
    try Int.fetchOne(database, sql: "PRAGMA user_version").map { $0 & exposureReportedBit == 0 } ?? false
  }
}
