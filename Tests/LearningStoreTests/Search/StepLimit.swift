import GRDB
import GRDBSQLite

@testable import LearningStore

/// Interrupts the statements of a connection after a number of steps of SQLite's virtual machine.
final class StepLimit {
  private var remaining: Int
  private let interrupt: () -> Void
  /// Whether a statement was interrupted.
  var isReached: Bool { remaining <= 0 }

  /// - Parameters:
  ///   - steps: The number of steps, at least 1. All steps of the connection count, until ``remove(from:)``.
  ///   - interrupt: Called at the last step. Afterwards the statement of that step is ended too.
  init(_ steps: Int, interrupt: @escaping () -> Void = {}) { (remaining, self.interrupt) = (steps, interrupt) }

  func install(on database: Database) {
    sqlite3_progress_handler(
      database.sqliteConnection, 1,
      { context in
        let limit = Unmanaged<StepLimit>.fromOpaque(context!).takeUnretainedValue()
        limit.remaining -= 1
        guard limit.remaining == 0 else { return 0 }
        limit.interrupt()
        return 1
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  static func remove(from database: Database) { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) }
}
