import GRDB
import GRDBSQLite

/// How long a write waits while another one has the database; SQLite's own busy handler does the waiting.
///
/// Source: SQLite, `sqlite3_busy_timeout`.
enum BusyTimeout {
  /// What is waited where the caller sets no limit of its own, in milliseconds: long enough for a large import.
  static let usual = 10_000

  /// Lets a connection wait until a moment, while it begins a transaction; afterwards it waits for the usual time.
  static func until<Answer>(
    _ deadline: ContinuousClock.Instant, on database: Database, _ body: () throws -> Answer
  ) rethrows -> Answer {
    let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
    sqlite3_busy_timeout(database.sqliteConnection, CInt(max(0, left)))
    defer { sqlite3_busy_timeout(database.sqliteConnection, CInt(usual)) }
    return try body()
  }
}
