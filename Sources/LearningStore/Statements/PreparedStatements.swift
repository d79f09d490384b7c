import GRDB
import GRDBSQLite
import Synchronization

/// The prepared statements of one connection. Each is prepared when it is run for the first time.
///
/// GRDB opens the connections and controls which thread uses which. The statements of the store call SQLite directly
/// here. This makes a navigation event a third faster, because no row has a dictionary of its columns.
///
/// `@unchecked Sendable` because the store hands out a connection and its statements together, to one thread at a time.
final class PreparedStatements: @unchecked Sendable {
  /// Retained, so that no later connection can have the same identity.
  let database: Database
  // Only one thread uses this object at a time, so exclusive access need not be checked at run time.
  @exclusivity(unchecked) private var statements: [OpaquePointer?] = []
  /// The statements that are found by their SQL text.
  @exclusivity(unchecked) private var statementsByText: [String: OpaquePointer] = [:]
  /// The texts that are bound to running statements. A statement that runs while the rows of another one are read uses
  /// the memory after the texts of that one.
  private let textBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
  /// The number of used bytes of ``textBuffer``.
  @exclusivity(unchecked) private var usedBytes = 0
  private let indexTokenizer: Result<IndexTokenizer, any Error>

  /// Creates the statements of a connection whose tables already exist. Registers the SQL functions `wordFit` and
  /// `folded`. The connection must not be interrupted during the call.
  ///
  /// GRDB sets an authorizer, which SQLite calls for every column that a statement reads, so that GRDB can observe the
  /// database. The store does not use that, and these calls took more than four fifths of the time to prepare a
  /// statement. Removing an authorizer expires no statement; only setting one does. Source: SQLite 3.40,
  /// `sqlite3_set_authorizer`.
  init(_ database: Database) {
    self.database = database
    sqlite3_set_authorizer(database.sqliteConnection, nil, nil)
    FoldedText.register(on: database)
    indexTokenizer = Result {
      let api = try IndexTokenizer.api(of: database)
      try WordFit.register(with: api)
      return try IndexTokenizer(api)
    }
  }

  /// The tokenizer of the search index.
  var tokenizer: IndexTokenizer { get throws { try indexTokenizer.get() } }

  deinit {
    for statement in statements + Array(statementsByText.values) { sqlite3_finalize(statement) }
    textBuffer.deallocate()
  }

  /// Runs a statement and calls a function with each of its rows, until the function returns `false`.
  ///
  /// - Parameter values: One value for each parameter, in the order of their numbers.
  func run(
    _ text: some SQLText, _ values: [any ColumnValue] = [], _ body: (ResultRow) throws -> Bool = { _ in true }
  ) throws {
    let cached = try text.statement(in: self)
    // A statement that is run while its own rows are read needs a second prepared statement.
    let isBusy = sqlite3_stmt_busy(cached) != 0
    let free = isBusy ? try prepare(text.sql) : cached
    defer { if isBusy { sqlite3_finalize(free) } }
    try run(free, values, body)
  }

  /// Runs a statement that returns no rows. The same statement must not be running already.
  ///
  /// - Parameter bind: Adds one value for each parameter, in the order of their numbers. Must not run a statement
  ///   itself.
  func run(_ text: some SQLText, bind: (inout StatementParameters) -> Void) throws {
    let statement = try text.statement(in: self)
    defer { sqlite3_reset(statement) }
    var parameters = StatementParameters(of: statement, textsIn: textBuffer[usedBytes...])
    bind(&parameters)
    assert(Int(sqlite3_bind_parameter_count(statement)) == parameters.count, "as many values as parameters")
    guard parameters.code == SQLITE_OK else { throw error(parameters.code, of: statement) }
    _ = try step(statement)
  }

  private func run(
    _ statement: OpaquePointer, _ values: [any ColumnValue], _ body: (ResultRow) throws -> Bool
  ) throws {
    let before = usedBytes
    defer {
      sqlite3_reset(statement)
      usedBytes = before
    }
    try add(values, to: statement)
    while try step(statement) { guard try body(ResultRow(statement)) else { return } }
  }

  /// Binds values to the parameters of a statement.
  private func add(_ values: [any ColumnValue], to statement: OpaquePointer) throws {
    assert(Int(sqlite3_bind_parameter_count(statement)) == values.count, "as many values as parameters")
    var parameters = StatementParameters(of: statement, textsIn: textBuffer[usedBytes...])
    for index in values.indices { values[index].add(to: &parameters) }
    usedBytes += parameters.byteCount
    guard parameters.code == SQLITE_OK else { throw error(parameters.code, of: statement) }
  }

  /// Advances to the next row. Returns `false` if there are no more rows.
  private func step(_ statement: OpaquePointer) throws -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: true
    case SQLITE_DONE: false
    case let code: throw error(code, of: statement)
    }
  }

  fileprivate func statement(of text: StatementText) throws -> OpaquePointer {
    if text.number < statements.count, let statement = statements[text.number] { return statement }
    let new = try prepare(text.sql)
    if text.number >= statements.count {
      statements.append(contentsOf: repeatElement(nil, count: text.number + 1 - statements.count))
    }
    statements[text.number] = new
    return new
  }

  fileprivate func statement(of sql: String) throws -> OpaquePointer {
    if let statement = statementsByText[sql] { return statement }
    let new = try prepare(sql)
    statementsByText[sql] = new
    return new
  }

  private func prepare(_ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database.sqliteConnection, sql, -1, CUnsignedInt(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else {
      let message = database.sqliteConnection.map { String(cString: sqlite3_errmsg($0)) }
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
    }
    return statement
  }

  private func error(_ code: CInt, of statement: OpaquePointer) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: code),
      message: database.sqliteConnection.map { String(cString: sqlite3_errmsg($0)) },
      sql: sqlite3_sql(statement).map { String(cString: $0) })
  }
}

/// The SQL text of a statement. Each connection prepares a text once.
///
/// A `String` is found by its text. A ``StatementText`` is found by its number, which is faster: it is used for the
/// statements of a navigation event, an answer and a screen. Scripts of several statements, pragmas, and connections to
/// other files than the store's database use GRDB instead.
protocol SQLText {
  var sql: String { get }
  /// Returns the prepared statement of a connection.
  func statement(in statements: PreparedStatements) throws -> OpaquePointer
}

extension String: SQLText {
  var sql: String { self }
  func statement(in statements: PreparedStatements) throws -> OpaquePointer { try statements.statement(of: self) }
}

/// The SQL text of a statement that runs hundreds of times. Must be stored in a `static let`, because every instance is
/// a different statement.
struct StatementText: Sendable, SQLText {
  let sql: String
  /// The index of the prepared statement in each connection.
  let number: Int

  private static let count = Atomic<Int>(0)

  init(_ sql: String) {
    self.sql = sql
    number = Self.count.add(1, ordering: .relaxed).oldValue
  }

  func statement(in statements: PreparedStatements) throws -> OpaquePointer { try statements.statement(of: self) }
}

/// A SQL text into which one of two fragments is spliced, so that each scope of a query has a statement with a plan of
/// its own. Must be stored in a `static let`.
struct ScopedText: Sendable {
  private let texts: [StatementText]

  /// Creates the statements of both scopes.
  ///
  /// - Parameter sql: Returns the text of the statement that contains a fragment.
  init(_ narrow: String, _ wide: String, in sql: (_ fragment: String) -> String) {
    texts = [narrow, wide].map { StatementText(sql($0)) }
  }

  subscript(isWide: Bool) -> StatementText { texts[isWide ? 1 : 0] }
}

/// The prepared statements of all connections of a store.
final class StatementCaches: Sendable {
  /// One object for each connection. There are only a few connections, so a linear search is fast.
  private let statementCaches = Mutex<[PreparedStatements]>([])

  /// Returns the statements of a connection, for the thread that currently uses the connection.
  func statements(of database: Database) -> PreparedStatements {
    statementCaches.withLock { caches in
      if let statements = caches.first(where: { $0.database === database }) { return statements }
      let statements = PreparedStatements(database)
      caches.append(statements)
      return statements
    }
  }

  /// Releases all statements. SQLite requires this before a connection can be closed.
  func removeAll() {
    statementCaches.withLock { $0 = [] }
  }
}
