import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// Cancels a query whose result is no longer needed. Any thread can do this at any time.
///
/// ```swift
/// let interruption = Interruption()
/// let findings = try store.read(until: interruption) { try $0.search("anchor") }
/// ```
package final class Interruption: Sendable {
  /// The interruption that can end backups and waiting writes inside `$current.withValue(_:operation:)`. `nil` if they
  /// cannot be interrupted.
  @TaskLocal package static var current: Interruption?

  private let flag = Atomic(false)
  /// The address of the connection that runs the query, or `nil` before and after the query.
  private let connection = Mutex<UInt?>(nil)

  /// Creates an interruption for a query that has not been started.
  package init() {}

  package var isInterrupted: Bool { flag.load(ordering: .relaxed) }

  /// Cancels the query, even if it has not been started.
  package func interrupt() {
    flag.store(true, ordering: .relaxed)
    // While this lock is held, the connection cannot be returned to its pool.
    connection.withLock { connection in
      if let connection { sqlite3_interrupt(OpaquePointer(bitPattern: connection)) }
    }
  }

  /// Throws `CancellationError` if the query was cancelled.
  func check() throws {
    if isInterrupted { throw CancellationError() }
  }

  /// Waits until `attempt` succeeds or a deadline has passed. If ``current`` is set, waits in short intervals so that
  /// it can end the wait.
  ///
  /// - Parameter attempt: Waits until the given time and returns whether the wait succeeded.
  /// - Returns: `false` if the deadline has passed.
  /// - Throws: Errors that `attempt` throws, and `CancellationError`.
  static func waiting(until deadline: DispatchTime, _ attempt: (DispatchTime) throws -> Bool) throws -> Bool {
    guard let interruption = current else { return try attempt(deadline) }
    while true {
      try interruption.check()
      let end = min(deadline, .now() + .milliseconds(waitingInterval))
      if try attempt(end) { return true }
      if end == deadline { return false }
    }
  }

  /// The interval in milliseconds at which a wait checks whether it was interrupted.
  private static let waitingInterval = 10

  /// Runs queries on a connection so that this object can cancel them.
  ///
  /// Uses two mechanisms. `sqlite3_interrupt` also stops the work of the full-text index, but has no effect between two
  /// statements. SQLite calls the progress handler regularly while a statement runs, so it also ends the next
  /// statement.
  ///
  /// Source: SQLite, "Interrupt A Long-Running Query", "Query Progress Callbacks".
  func watching<Answer>(_ database: Database, _ body: () throws -> Answer) throws -> Answer {
    let handle = database.sqliteConnection
    connection.withLock { $0 = handle.map { UInt(bitPattern: $0) } }
    sqlite3_progress_handler(
      handle, 1_000, { Unmanaged<Interruption>.fromOpaque($0!).takeUnretainedValue().isInterrupted ? 1 : 0 },
      Unmanaged.passUnretained(self).toOpaque())
    defer {
      sqlite3_progress_handler(handle, 0, nil, nil)
      connection.withLock { $0 = nil }
    }
    do {
      try check()
      return try body()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT && isInterrupted {
      throw CancellationError()
    }
  }
}
