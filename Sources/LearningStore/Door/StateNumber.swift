import GRDB
import GRDBSQLite

/// Numbers the states that a database has for one connection, so that what was worked out of one is known to hold still.
///
/// Source: SQLite, "SQLITE_FCNTL_DATA_VERSION": it changes with each change of the database, by any process, and may be
/// asked where a transaction has begun, or has just been committed.
struct StateNumber {
  /// The number of the state that was seen last.
  private(set) var current = 0
  /// What SQLite calls it; `nil` where it is not known.
  private var version: UInt32?

  /// Takes note of the state that a transaction finds.
  mutating func begin(_ database: Database) {
    let found = Self.version(of: database)
    if found == nil || found != version { current += 1 }
    version = found
  }

  /// Takes note of what the transaction made of it.
  mutating func commit(_ database: Database) {
    current += 1
    version = Self.version(of: database)
  }

  /// Takes note that a part of a transaction has ended.
  mutating func pass() { current += 1 }

  /// Takes note that a transaction is committed whose parts were counted.
  mutating func commitParts(_ database: Database) { version = Self.version(of: database) }

  /// Takes note that it is not known what has become of the transaction.
  mutating func fail() { version = nil }

  private static func version(of database: Database) -> UInt32? {
    var version: UInt32 = 0
    let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return code == SQLITE_OK ? version : nil
  }
}
