import GRDB

/// The write lock of a database, held by a separate connection as if by another program.
final class HeldLock {
  private let queue: DatabaseQueue

  /// Takes the lock.
  ///
  /// - Parameter statement: `BEGIN IMMEDIATE` or `BEGIN EXCLUSIVE`.
  init(on path: String, by statement: String = "BEGIN IMMEDIATE") throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.inDatabase { try $0.execute(sql: statement) }
  }

  /// Runs `sql`, commits and releases the lock.
  func release(_ sql: String = "") throws {
    try queue.inDatabase { try $0.execute(sql: sql + ";COMMIT") }
    try queue.close()
  }
}
