import GRDB
import GRDBSQLite
import Synchronization

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
  // It is used by one thread at a time, so overlapping accesses need not be looked for at each one.
  @exclusivity(unchecked) private var statements: [OpaquePointer?] = []
  /// Where the texts stand that a running statement has as its values. One that runs inside the rows of another has the
  /// room behind those of that one.
  private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
  /// How many bytes of the room are taken.
  @exclusivity(unchecked) private var taken = 0
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

  deinit {
    for statement in statements { sqlite3_finalize(statement) }
    room.deallocate()
  }

  /// Runs a statement, and calls a function with each of its rows until it answers `false`.
  ///
  /// - Parameter values: One for each parameter, in the order of their numbers.
  func run(
    _ text: StatementText, _ values: [any ColumnValue] = [], _ body: (ResultRow) throws -> Bool = { _ in true }
  ) throws {
    let known = try statement(of: text)
    // What is run inside its own rows needs another one.
    let isBusy = sqlite3_stmt_busy(known) != 0
    let free = isBusy ? try prepare(text.sql) : known
    defer { if isBusy { sqlite3_finalize(free) } }
    try run(free, values, body)
  }

  /// Runs a statement that answers nothing, and is run nowhere inside itself.
  ///
  /// - Parameter bind: Adds one value for each parameter, in the order of their numbers; it runs no statement itself.
  func run(_ text: StatementText, bind: (inout StatementParameters) -> Void) throws {
    try Self.run(try statement(of: text), in: database, textsIn: room[taken...], bind: bind)
  }

  /// Runs a statement whose text is put together, and comes again now and then, and calls a function with each of its rows
  /// until it answers `false`.
  func run(
    _ text: String, _ values: [any ColumnValue], _ body: (ResultRow) throws -> Bool
  ) throws {
    let statement = try database.cachedStatement(sql: text)
    try withExtendedLifetime(statement) { try run(statement.sqliteStatement, values, body) }
  }

  /// Makes the function known that says how well a text fits what was searched for.
  func knowWordFit() throws {
    guard !knowsWordFit else { return }
    try WordFit.register(on: database)
    knowsWordFit = true
  }

  /// Runs a statement that is prepared.
  private func run(
    _ statement: OpaquePointer, _ values: [any ColumnValue], _ body: (ResultRow) throws -> Bool
  ) throws {
    let before = taken
    defer {
      sqlite3_reset(statement)
      taken = before
    }
    try add(values, to: statement)
    while try step(statement) { guard try body(ResultRow(statement)) else { return } }
  }

  /// Puts values into the places of a statement.
  private func add(_ values: [any ColumnValue], to statement: OpaquePointer) throws {
    assert(Int(sqlite3_bind_parameter_count(statement)) == values.count, "as many values as parameters")
    var parameters = StatementParameters(of: statement, textsIn: room[taken...])
    for index in values.indices { values[index].add(to: &parameters) }
    taken += parameters.byteCount
    guard parameters.code == SQLITE_OK else { throw Self.error(parameters.code, of: statement, in: database) }
  }

  /// Goes on to the next row; `false` where there is none.
  private func step(_ statement: OpaquePointer) throws -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: true
    case SQLITE_DONE: false
    case let code: throw Self.error(code, of: statement, in: database)
    }
  }

  /// Runs a statement that is prepared and answers nothing, as for each of thousands of rows: its values are not put into
  /// an array first.
  ///
  /// - Parameters:
  ///   - room: Where its texts are kept meanwhile; where there is none, SQLite copies them.
  ///   - bind: Adds one value for each parameter, in the order of their numbers.
  static func run(
    _ statement: OpaquePointer, in database: Database,
    textsIn room: UnsafeMutableRawBufferPointer.SubSequence = UnsafeMutableRawBufferPointer(start: nil, count: 0)[...],
    bind: (inout StatementParameters) -> Void
  ) throws {
    defer { sqlite3_reset(statement) }
    var parameters = StatementParameters(of: statement, textsIn: room)
    bind(&parameters)
    assert(Int(sqlite3_bind_parameter_count(statement)) == parameters.count, "as many values as parameters")
    guard parameters.code == SQLITE_OK else { throw error(parameters.code, of: statement, in: database) }
    let code = sqlite3_step(statement)
    guard code == SQLITE_DONE else { throw error(code, of: statement, in: database) }
  }

  private func statement(of text: StatementText) throws -> OpaquePointer {
    if text.number < statements.count, let known = statements[text.number] { return known }
    let new = try prepare(text.sql)
    if text.number >= statements.count {
      statements.append(contentsOf: repeatElement(nil, count: text.number + 1 - statements.count))
    }
    statements[text.number] = new
    return new
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

/// The text of a statement that is run again and again: each connection prepares it once, and finds it by its number.
///
/// It is kept in a `static let`, since every value is another statement. What is asked once, or in many forms, goes
/// through GRDB instead.
struct StatementText: Sendable {
  /// The SQL.
  let sql: String
  /// Its place among the statements of each connection.
  let number: Int

  private static let count = Atomic<Int>(0)

  init(_ sql: String) {
    self.sql = sql
    number = Self.count.add(1, ordering: .relaxed).oldValue
  }
}

/// The statements of every connection of a store.
final class Connections: Sendable {
  /// One for each connection, which are a handful.
  private let known = Mutex<[PreparedStatements]>([])

  /// The statements of a connection, to be used by the thread that has the connection now.
  func statements(of database: Database) -> PreparedStatements {
    known.withLock { known in
      if let statements = known.first(where: { $0.database === database }) { return statements }
      let statements = PreparedStatements(database)
      known.append(statements)
      return statements
    }
  }

  /// Gives up every statement, as a connection wants it that is to be closed.
  func forget() {
    known.withLock { $0 = [] }
  }
}
