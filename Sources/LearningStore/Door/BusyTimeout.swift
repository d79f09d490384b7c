import Dispatch
import GRDB
import GRDBSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How long a write waits while another one has the database.
///
/// It is tried again each millisecond. SQLite's own timeout tries ten times in a second in the end: beside eight programs
/// that write all the time, one step in two thousand then waited for a second.
///
/// Source: SQLite, `sqlite3_busy_handler`, and `sqliteDefaultBusyCallback` in `main.c` for its delays.
enum BusyTimeout {
  /// What is waited where the caller sets no limit of its own, in milliseconds: long enough for a large import.
  static let usual = 10_000

  /// What connections do that set nothing else.
  static let mode = Database.BusyMode.callback { tries in
    pause(milliseconds: 1)
    return tries < usual
  }

  /// Lets a connection wait until a moment, while it begins a transaction; afterwards it waits for the usual time.
  static func until<Answer>(
    _ deadline: DispatchTime, on database: Database, _ body: () throws -> Answer
  ) rethrows -> Answer {
    let now = DispatchTime.now()
    let left = deadline > now ? (deadline.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000 : 0
    wait(Int(left), on: database)
    defer { wait(usual, on: database) }
    return try body()
  }

  /// - Parameter milliseconds: How long to try.
  private static func wait(_ milliseconds: Int, on database: Database) {
    sqlite3_busy_handler(
      database.sqliteConnection,
      { most, tries in
        guard Int(tries) < Int(bitPattern: most) else { return 0 }
        pause(milliseconds: 1)
        return 1
      }, UnsafeMutableRawPointer(bitPattern: milliseconds))
  }
}

/// Lets this thread sleep.
func pause(milliseconds: UInt32) { usleep(milliseconds * 1_000) }
