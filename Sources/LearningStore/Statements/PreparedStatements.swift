import GRDB
import GRDBSQLite

/// The statements of one connection, each prepared the first time that it is run.
///
/// GRDB opens the connections, and orders who has which; what is run hundreds of times for one screen or step goes
/// straight to SQLite here. A step and its event take a third less time so: no text is looked up, no argument boxed, no
/// row has a dictionary of its columns.
///
/// Unchecked: a connection belongs to one thread at a time, and its statements with it; the store hands out both together.
final class PreparedStatements: @unchecked Sendable {
  /// Kept, so that no other connection can be taken for this one.
  let database: Database
  private var statements: [OpaquePointer?] = []
  private var knowsWordFit = false

  /// Takes over a connection whose tables are made.
  ///
  /// GRDB sets an authorizer, which SQLite calls for every column that a statement reads, so that a database can be
  /// observed. This one is not, and the calls took more than four fifths of the time in which a statement is prepared.
  /// Removing an authorizer expires no statement; only setting one does. Source: SQLite 3.40, `sqlite3_set_authorizer`.
  init(_ database: Database) {
    self.database = database
    sqlite3_set_authorizer(database.sqliteConnection, nil, nil)
  }

  deinit { for statement in statements { sqlite3_finalize(statement) } }

  /// Runs a statement, and calls a function with each of its rows until it answers `false`.
  ///
  /// - Parameter values: One for each parameter, in the order of their numbers.
  func run(
    _ text: StatementText, _ values: [any ColumnValue] = [], _ body: (ResultRow) throws -> Bool = { _ in true }
  ) throws {
    let number = text.number
    if statements.count <= number {
      statements.append(contentsOf: repeatElement(nil, count: number + 1 - statements.count))
    }
    guard let known = statements[number] else {
      let new = try prepare(text.sql)
      statements[number] = new
      return try Self.run(new, values, in: database, body)
    }
    // What is run inside its own rows needs another one.
    guard sqlite3_stmt_busy(known) == 0 else {
      let second = try prepare(text.sql)
      defer { sqlite3_finalize(second) }
      return try Self.run(second, values, in: database, body)
    }
    try Self.run(known, values, in: database, body)
  }

  /// The same for a text that is put together, and comes again now and then.
  func run(
    _ text: String, _ values: [any ColumnValue], _ body: (ResultRow) throws -> Bool
  ) throws {
    let statement = try database.cachedStatement(sql: text)
    try withExtendedLifetime(statement) { try Self.run(statement.sqliteStatement, values, in: database, body) }
  }

  /// Makes the function known that says how well a text fits what was searched for.
  func knowWordFit() throws {
    guard !knowsWordFit else { return }
    try WordFit.register(on: database)
    knowsWordFit = true
  }

  /// Runs a statement that is prepared.
  static func run(
    _ statement: OpaquePointer, _ values: [any ColumnValue], in database: Database,
    _ body: (ResultRow) throws -> Bool
  ) throws {
    assert(Int(sqlite3_bind_parameter_count(statement)) == values.count, "as many values as parameters")
    defer { sqlite3_reset(statement) }
    for (index, value) in values.enumerated() {
      let code = value.bind(to: statement, at: CInt(index + 1))
      guard code == SQLITE_OK else { throw error(code, of: statement, in: database) }
    }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: guard try body(ResultRow(statement)) else { return }
      case SQLITE_DONE: return
      case let code: throw error(code, of: statement, in: database)
      }
    }
  }

  /// Runs a statement that is prepared and answers nothing, once for each of thousands of rows: its values are not put
  /// into an array first.
  ///
  /// - Parameter bind: Adds one value for each parameter, in the order of their numbers.
  static func run(
    _ statement: OpaquePointer, in database: Database, bind: (inout StatementParameters) -> Void
  ) throws {
    defer { sqlite3_reset(statement) }
    var parameters = StatementParameters(of: statement)
    bind(&parameters)
    assert(Int(sqlite3_bind_parameter_count(statement)) == parameters.count, "as many values as parameters")
    guard parameters.code == SQLITE_OK else { throw error(parameters.code, of: statement, in: database) }
    let code = sqlite3_step(statement)
    guard code == SQLITE_DONE else { throw error(code, of: statement, in: database) }
  }

  private func prepare(_ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database.sqliteConnection, sql, -1, CUnsignedInt(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else {
      let words = database.sqliteConnection.map { String(cString: sqlite3_errmsg($0)) }
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: words, sql: sql)
    }
    return statement
  }

  private static func error(_ code: CInt, of statement: OpaquePointer, in database: Database) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: code),
      message: database.sqliteConnection.map { String(cString: sqlite3_errmsg($0)) },
      sql: sqlite3_sql(statement).map { String(cString: $0) })
  }
}
