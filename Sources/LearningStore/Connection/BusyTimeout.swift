import Dispatch
import GRDB
import GRDBSQLite
import Synchronization
import WholeNumbers

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Makes a connection retry every millisecond while another connection holds a lock.
///
/// SQLite's own timeout increases its delays until it retries only ten times per second. With eight programs that wrote
/// continuously, one write in two thousand then waited for a second.
///
/// Source: SQLite, `sqlite3_busy_handler`, and `sqliteDefaultBusyCallback` in `main.c` for its delays.
enum BusyTimeout {
  /// The timeout if the caller sets none, which is long enough for a large import.
  static let standard = Duration.seconds(10)

  /// Returns the mode of a connection that waits for at most a duration.
  static func mode(_ timeout: Duration) -> Database.BusyMode {
    let limit = timeout.wholeMilliseconds
    return .callback { tries in
      guard tries < limit else { return false }
      LockWait.pause(afterAttempt: tries)
      return true
    }
  }

  /// Calls `body` on a connection that waits for locks until a deadline at most. Afterwards, sets the timeout to
  /// `defaultTimeout`.
  static func until<Answer>(
    _ deadline: DispatchTime, on database: Database, then defaultTimeout: Duration, _ body: () throws -> Answer
  ) rethrows -> Answer {
    waitForLock(deadline.remaining.wholeMilliseconds, on: database)
    defer { waitForLock(defaultTimeout.wholeMilliseconds, on: database) }
    return try body()
  }

  /// Repeats `body`, which takes a lock, until it succeeds or the deadline has passed. ``Interruption/current`` can end
  /// the wait.
  ///
  /// - Throws: Errors that `body` throws, `SQLITE_BUSY` after the deadline, and `CancellationError`.
  static func waiting(
    until deadline: DispatchTime, on database: Database, then defaultTimeout: Duration, _ body: () throws -> Void
  ) throws {
    let hasLock = try Interruption.waiting(until: deadline) { end in
      do {
        try until(end, on: database, then: defaultTimeout, body)
        return true
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        return false
      }
    }
    if !hasLock { throw DatabaseError(resultCode: .SQLITE_BUSY) }
  }

  /// Sets how long a connection waits for a lock.
  static func waitForLock(_ milliseconds: Int, on database: Database) {
    sqlite3_busy_handler(
      database.sqliteConnection,
      { limit, tries in
        guard Int(tries) < Int(bitPattern: limit) else { return 0 }
        LockWait.pause(afterAttempt: Int(tries))
        return 1
      }, UnsafeMutableRawPointer(bitPattern: milliseconds))
  }
}

/// Reports waits for locks of other programs.
package enum LockWait {
  private static let observer = Mutex<(@Sendable () -> Void)?>(nil)
  /// The delay in milliseconds after which a wait is reported.
  private static let reportDelay = 120

  /// Sets the function that is called once during each wait that is longer than ``reportDelay``, on the thread that
  /// waits. The function must not use a database.
  package static func observe(with body: @escaping @Sendable () -> Void) { observer.withLock { $0 = body } }

  /// Sleeps between two attempts to get a lock. The first attempt of a wait has the number 0.
  static func pause(afterAttempt number: Int, milliseconds: Int = 1) {
    if number * milliseconds == reportDelay { observer.withLock(\.self)?() }
    usleep(UInt32(milliseconds) * 1_000)
  }
}

extension Duration {
  /// The duration in milliseconds, rounded down and limited to the range from 0 to about 24 days.
  var wholeMilliseconds: Int { Int(clamping: min(max(self / .milliseconds(1), 0), Double(Int32.max))) }

  /// The duration for an error message, such as `10 s` or `250 ms`.
  var inWords: String {
    let milliseconds = wholeMilliseconds
    return milliseconds.isMultiple(of: 1_000) ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
  }
}

extension DispatchTime {
  /// The time until this point in time, or zero if it has passed.
  var remaining: Duration {
    let now = DispatchTime.now()
    return self > now ? .nanoseconds(Int64(uptimeNanoseconds - now.uptimeNanoseconds)) : .zero
  }

  /// Returns the current time plus a duration.
  static func after(_ duration: Duration) -> DispatchTime { .now() + .milliseconds(duration.wholeMilliseconds) }
}

func pause(milliseconds: UInt32) { usleep(milliseconds * 1_000) }
