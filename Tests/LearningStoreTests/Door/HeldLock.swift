import GRDB

/// The write lock of a database, held by a connection of its own as another program holds it.
final class HeldLock {
  private let queue: DatabaseQueue

  /// - Parameter statement: `BEGIN IMMEDIATE` or `BEGIN EXCLUSIVE`.
  init(on path: String, by statement: String = "BEGIN IMMEDIATE") throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.inDatabase { try $0.execute(sql: statement) }
  }

  /// Commits what `sql` changes, and releases the lock.
  func release(_ sql: String = "") throws {
    try queue.inDatabase { try $0.execute(sql: sql + ";COMMIT") }
    try queue.close()
  }
}
