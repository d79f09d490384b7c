import GRDB
import GRDBSQLite

/// One state of the database, to ask questions of. It is valid inside the closure that it was given to.
package struct StoreSnapshot {
  let database: Database
  /// What is run often on that connection.
  let statements: PreparedStatements
  /// What may stop the questions that take long.
  var interruption: Interruption?
}

@available(*, unavailable)
extension StoreSnapshot: Sendable {}

/// One change of the database, all or nothing. It is valid inside the closure that it was given to.
package struct StoreTransaction {
  let database: Database
  /// What is run often on that connection.
  let statements: PreparedStatements
  /// Which state of the database it changes, as a number that no other state has in this process. Where it is committed,
  /// the state after it has the next number, until the database is changed again.
  package let state: Int

  /// The database as this change has made it so far.
  package var snapshot: StoreSnapshot { StoreSnapshot(database: database, statements: statements) }
}

@available(*, unavailable)
extension StoreTransaction: Sendable {}

// The ways of asking: all rows, the first one, or its first value.

extension StoreSnapshot {
  /// What every row of a statement is read as.
  func all<Answer>(
    _ text: StatementText, _ values: any ColumnValue..., as read: (ResultRow) throws -> Answer
  ) throws -> [Answer] {
    try all(text, values, as: read)
  }

  /// The same, where the values are in an array.
  func all<Answer>(
    _ text: StatementText, _ values: [any ColumnValue], as read: (ResultRow) throws -> Answer
  ) throws -> [Answer] {
    var answers: [Answer] = []
    try statements.run(text, values) { row in
      answers.append(try read(row))
      return true
    }
    return answers
  }

  /// What the first row of a statement is read as; `nil` where there is none.
  func first<Answer>(
    _ text: StatementText, _ values: any ColumnValue..., as read: (ResultRow) throws -> Answer
  ) throws -> Answer? {
    var answer: Answer?
    try statements.run(text, values) { row in
      answer = try read(row)
      return false
    }
    return answer
  }

  /// The first value of the first row; `nil` where there is none, or it is null.
  func value<Value: ColumnValue>(_ text: StatementText, _ values: any ColumnValue...) throws -> Value? {
    var value: Value?
    try statements.run(text, values) { row in
      value = row[0]
      return false
    }
    return value
  }

  /// The same of a statement that is asked now and then.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ sql: String, _ arguments: StatementArguments = []
  ) throws -> Value? {
    try Value.fetchOne(try database.cachedStatement(sql: sql), arguments: arguments)
  }
}

extension StoreTransaction {
  /// A change on a connection that is not the store's own.
  init(database: Database) {
    self.init(database: database, statements: PreparedStatements(database), state: 0)
  }

  /// The row that was added last.
  var lastRow: Int64 { sqlite3_last_insert_rowid(database.sqliteConnection) }

  /// Runs a statement that answers nothing.
  func run(_ text: StatementText, _ values: any ColumnValue...) throws {
    try statements.run(text, values) { _ in true }
  }

  /// Runs a statement that answers nothing, of many values: they are not put into an array first.
  ///
  /// - Parameter bind: Adds one value for each parameter, in the order of their numbers.
  func run(_ text: StatementText, bind: (inout StatementParameters) -> Void) throws {
    try statements.run(text, bind: bind)
  }
}
