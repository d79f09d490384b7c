import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// Stops a question whose answer is not awaited any more. Any thread may do that at any time.
///
/// ```swift
/// let interruption = Interruption()
/// let findings = try store.read(until: interruption) { try $0.search("anchor") }
/// ```
package final class Interruption: Sendable {
  /// Ends the waits of writes inside `withValue`, and a backup.
  @TaskLocal package static var current: Interruption?

  private let flag = Atomic(false)
  /// The connection that the question is asked on; `nil` before and after.
  private let connection = Mutex<UInt?>(nil)

  /// Makes one for a question that is still to be asked.
  package init() {}

  /// Whether the question was stopped.
  package var isInterrupted: Bool { flag.load(ordering: .relaxed) }

  /// Stops the question, also one that is not asked yet.
  package func interrupt() {
    flag.store(true, ordering: .relaxed)
    // Inside the lock: the connection has not been given back.
    connection.withLock { connection in
      if let connection { sqlite3_interrupt(OpaquePointer(bitPattern: connection)) }
    }
  }

  /// Throws `CancellationError` if the query was stopped.
  func check() throws {
    if isInterrupted { throw CancellationError() }
  }

  /// Waits for something, in short intervals if ``current`` can end the wait.
  ///
  /// - Parameter attempt: Waits until the given time, and returns whether the wait succeeded.
  /// - Returns: `false` if the deadline has passed.
  /// - Throws: What `attempt` throws, and `CancellationError`.
  static func waiting(until deadline: DispatchTime, _ attempt: (DispatchTime) throws -> Bool) throws -> Bool {
    guard let interruption = current else { return try attempt(deadline) }
    while true {
      try interruption.check()
      let end = min(deadline, .now() + .milliseconds(waitingInterval))
      if try attempt(end) { return true }
      if end == deadline { return false }
    }
  }

  /// How often a wait checks whether it was interrupted, in milliseconds.
  private static let waitingInterval = 10

  /// Asks on a connection.
  ///
  /// It is stopped in two ways. The connection's own interruption reaches into the work of the full-text index, and is
  /// lost between two statements; the other one is looked at by every statement, between two of its steps.
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
