import GRDB
import GRDBSQLite

/// A read-only view of one state of the database. Valid only inside the closure that receives it.
package struct StoreSnapshot {
  let database: Database
  /// The prepared statements of this connection.
  let statements: PreparedStatements
  /// Interrupts long queries. `nil` if they cannot be interrupted.
  var interruption: Interruption?
}

@available(*, unavailable)
extension StoreSnapshot: Sendable {}

/// One atomic change of the database. Valid only inside the closure that receives it.
package struct StoreTransaction {
  let database: Database
  /// The prepared statements of this connection.
  let statements: PreparedStatements
  /// The number of the database state in which the transaction began, unique within this process and store. The state
  /// after the commit has the next number, until the database is changed again.
  package let state: Int

  /// The database including the changes that this transaction has made so far.
  package var snapshot: StoreSnapshot { StoreSnapshot(database: database, statements: statements) }
}

@available(*, unavailable)
extension StoreTransaction: Sendable {}

// Queries that return all rows, the first row, or the first value of the first row.

extension StoreSnapshot {
  /// Returns all rows of a statement, each converted by `read`.
  func all<Answer>(
    _ text: some SQLText, _ values: any ColumnValue..., as read: (ResultRow) throws -> Answer
  ) throws -> [Answer] {
    try all(text, values, as: read)
  }

  /// Returns all rows of a statement, with its parameters in an array.
  func all<Answer>(
    _ text: some SQLText, _ values: [any ColumnValue], as read: (ResultRow) throws -> Answer
  ) throws -> [Answer] {
    var answers: [Answer] = []
    try statements.run(text, values) { row in
      answers.append(try read(row))
      return true
    }
    return answers
  }

  /// Returns the first row of a statement, converted by `read`, or `nil` if there are no rows.
  func first<Answer>(
    _ text: some SQLText, _ values: any ColumnValue..., as read: (ResultRow) throws -> Answer
  ) throws -> Answer? {
    var answer: Answer?
    try statements.run(text, values) { row in
      answer = try read(row)
      return false
    }
    return answer
  }

  /// Returns the first value of the first row, or `nil` if there are no rows or the value is null.
  func value<Value: ColumnValue>(_ text: some SQLText, _ values: any ColumnValue...) throws -> Value? {
    var value: Value?
    try statements.run(text, values) { row in
      value = row[0]
      return false
    }
    return value
  }
}

extension StoreTransaction {
  /// Creates a transaction on a connection that the store does not own. The caller begins and commits it.
  init(database: Database) {
    self.init(database: database, statements: PreparedStatements(database), state: 0)
  }

  /// The row ID of the last inserted row.
  var lastRow: Int64 { sqlite3_last_insert_rowid(database.sqliteConnection) }

  /// Runs a statement and ignores its rows.
  ///
  /// - Returns: The number of rows that the statement has inserted, updated or deleted.
  @discardableResult
  func run(_ text: some SQLText, _ values: any ColumnValue...) throws -> Int {
    try statements.run(text, values)
    return database.changesCount
  }

  /// Runs a statement with many parameters, without putting them into an array first. Ignores its rows.
  ///
  /// - Parameter bind: Adds one value for each parameter, in the order of their numbers.
  func run(_ text: some SQLText, bind: (inout StatementParameters) -> Void) throws {
    try statements.run(text, bind: bind)
  }
}
