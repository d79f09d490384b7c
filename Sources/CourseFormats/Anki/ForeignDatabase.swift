import CSQLiteDefence
import Foundation
import GRDBSQLite
import LearningModel

/// A SQLite file from an untrusted source, opened read-only.
///
/// An authorizer permits only reading columns of the tables that the caller names, so that views, triggers and virtual
/// tables are refused. The schema may use only functions without side effects. Queries are limited in the size of a value, the
/// number of rows and their steps.
///
/// Source: SQLite, "Defense Against The Dark Arts", "Run-Time Limits" and `sqlite3_set_authorizer`.
final class ForeignDatabase {
  private var connection: OpaquePointer?
  /// The name of the file in errors.
  let name: String
  /// The size of the file in bytes.
  let size: Int
  private let maximumRows: Int
  private let access: Access

  /// The tables that may be read.
  private final class Access {
    var tables: Set<String> = ["sqlite_master", "sqlite_schema"]
    /// The steps until a query is interrupted, in units of ``stepsPerCheck``.
    var remainingChecks = 0
  }

  private static let stepsPerCheck: CInt = 10_000

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the file. Journal files next to it are ignored.
  ///   - name: The name of the file in errors.
  ///   - size: The size of the file in bytes, from which the maximum number of rows is derived.
  ///   - limits: The limits. ``SourceLimits/nodes`` limits the number of rows.
  /// - Throws: ``CourseFormatError`` if the file is not a SQLite database.
  init(path: String, name: String, size: Int, limits: SourceLimits) throws {
    self.name = name
    self.size = size
    // A row takes at least eight bytes. A damaged file could otherwise return rows endlessly.
    maximumRows = min(limits.nodes, size / 8)
    access = Access()
    let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
    let address = "file:\(escaped)?immutable=1"
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
    guard sqlite3_open_v2(address, &connection, flags, nil) == SQLITE_OK, let connection else {
      throw fault("it cannot be opened")
    }
    guard waymark_sqlite_defend(UnsafeMutableRawPointer(connection)) == SQLITE_OK else {
      throw fault("this SQLite cannot open files safely")
    }
    for (limit, value) in [
      (SQLITE_LIMIT_LENGTH, 32 << 20), (SQLITE_LIMIT_SQL_LENGTH, 100_000), (SQLITE_LIMIT_COLUMN, 200),
      (SQLITE_LIMIT_EXPR_DEPTH, 50), (SQLITE_LIMIT_COMPOUND_SELECT, 2), (SQLITE_LIMIT_VDBE_OP, 25_000),
      (SQLITE_LIMIT_FUNCTION_ARG, 8), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
      (SQLITE_LIMIT_WORKER_THREADS, 0),
    ] as [(CInt, Int)] { sqlite3_limit(connection, limit, CInt(value)) }
    for pragma in ["cell_size_check = ON", "mmap_size = 0", "query_only = ON"] {
      sqlite3_exec(connection, "PRAGMA \(pragma)", nil, nil, nil)
    }
    // Anki's collation, by which no query here sorts or searches.
    sqlite3_create_collation_v2(
      connection, "unicase", SQLITE_UTF8, nil,
      { _, leftCount, left, rightCount, right in
        let one = String(decoding: UnsafeRawBufferPointer(start: left, count: Int(leftCount)), as: UTF8.self)
        let other = String(decoding: UnsafeRawBufferPointer(start: right, count: Int(rightCount)), as: UTF8.self)
        let (first, second) = (one.lowercased(), other.lowercased())
        return first == second ? 0 : first < second ? -1 : 1
      }, nil)
    let context = Unmanaged.passUnretained(access).toOpaque()
    sqlite3_set_authorizer(
      connection,
      { context, action, first, _, _, trigger in
        guard action != SQLITE_SELECT else { return SQLITE_OK }
        guard action == SQLITE_READ, trigger == nil, let context, let first else { return SQLITE_DENY }
        let access = Unmanaged<Access>.fromOpaque(context).takeUnretainedValue()
        return access.tables.contains(String(cString: first)) ? SQLITE_OK : SQLITE_DENY
      }, context)
    sqlite3_progress_handler(
      connection, Self.stepsPerCheck,
      { context in
        guard let context else { return 1 }
        let access = Unmanaged<Access>.fromOpaque(context).takeUnretainedValue()
        access.remainingChecks -= 1
        return access.remainingChecks < 0 ? 1 : 0
      }, context)
    var isDatabase = false
    try rows("SELECT name FROM sqlite_master LIMIT 1", of: nil) { _ in isDatabase = true }
    guard isDatabase else { throw fault("it contains no tables") }
  }

  deinit { sqlite3_close_v2(connection) }

  /// Returns whether the file contains an ordinary table with that name.
  func hasTable(_ table: String) throws -> Bool {
    var found = false
    try rows("SELECT type, name, sql FROM sqlite_master", of: nil) { row in
      guard case .text("table")? = row.value(0), case .text(table)? = row.value(1),
        case .text(let sql)? = row.value(2)
      else { return }
      found = !sql.prefix(64).uppercased().hasPrefix("CREATE VIRTUAL")
    }
    return found
  }

  /// Reads the rows of a table.
  ///
  /// - Parameters:
  ///   - sql: A query without functions.
  ///   - table: The table, which must be an ordinary one.
  ///   - visit: Called with each row.
  /// - Throws: ``CourseFormatError`` if the table or a column is missing or damaged, and the errors of `visit`.
  func rows(_ sql: String, of table: String, _ visit: (ForeignRow) throws -> Void) throws {
    guard try hasTable(table) else { throw fault("it has no table \(quoted: table)") }
    try rows(sql, of: .some(table), visit)
  }

  private func rows(_ sql: String, of table: String?, _ visit: (ForeignRow) throws -> Void) throws {
    if let table { access.tables.insert(table) }
    // A row of a sensible table needs fewer than 100 steps.
    access.remainingChecks = 100 + maximumRows * 100 / Int(Self.stepsPerCheck)
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw fault("SQLite reports \(quoted: message)")
    }
    defer { sqlite3_finalize(statement) }
    var count = 0
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        count += 1
        guard count <= maximumRows else { throw fault("a table has more rows than the file can contain") }
        try visit(ForeignRow(statement: statement, database: name, table: table ?? "sqlite_master", number: count))
      case SQLITE_DONE: return
      default: throw fault("SQLite reports \(quoted: message)")
      }
    }
  }

  private var message: String { sqlite3_errmsg(connection).map { String(cString: $0).onOneLine } ?? "an error" }

  func fault(_ problem: String) -> CourseFormatError {
    .malformed(file: name, line: nil, problem: problem, advice: AnkiPackage.advice)
  }
}

/// A row of a query. Each value is checked when it is read. Valid until the next row is read.
struct ForeignRow {
  enum Value: Equatable {
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
  }

  fileprivate let statement: OpaquePointer
  fileprivate let database: String
  fileprivate let table: String
  /// The number of the row in the result, from 1.
  let number: Int

  /// Returns the value in a column, or `nil` if it is null, a fraction or a text that is not UTF-8.
  func value(_ column: Int) -> Value? {
    let column = CInt(column)
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_TEXT:
      guard let text = sqlite3_column_text(statement, column) else { return nil }
      let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column)))
      return String(validating: bytes, as: UTF8.self).map(Value.text)
    case SQLITE_BLOB:
      let count = Int(sqlite3_column_bytes(statement, column))
      guard count > 0, let blob = sqlite3_column_blob(statement, column) else { return .bytes([]) }
      return .bytes(Array(UnsafeRawBufferPointer(start: blob, count: count)))
    default: return nil
    }
  }

  /// Returns the integer in a column.
  ///
  /// - Throws: ``CourseFormatError`` if the value is not an integer.
  func integer(_ column: Int) throws -> Int64 {
    guard case .integer(let number)? = value(column) else { throw wrong(column, "a whole number") }
    return number
  }

  /// Returns the text in a column. An integer is returned as its digits, because SQLite converts numbers to the type
  /// of their column.
  ///
  /// - Throws: ``CourseFormatError`` if the value is not UTF-8 text.
  func text(_ column: Int) throws -> String {
    switch value(column) {
    case .text(let text): return text
    case .integer(let number): return String(number)
    default: throw wrong(column, "a text in UTF-8")
    }
  }

  /// Returns the bytes in a column.
  ///
  /// - Throws: ``CourseFormatError`` if the value is not a blob.
  func bytes(_ column: Int) throws -> [UInt8] {
    guard case .bytes(let bytes)? = value(column) else { throw wrong(column, "binary data") }
    return bytes
  }

  /// Returns the error about a value that is not as expected.
  func wrong(_ column: Int, _ expected: String) -> CourseFormatError {
    let value = sqlite3_column_text(statement, CInt(column)).map { String(cString: $0).onOneLine } ?? "NULL"
    let name = sqlite3_column_name(statement, CInt(column)).map { String(cString: $0) } ?? "?"
    return .malformed(
      file: database, line: nil,
      problem: "\(quoted: name) in row \(number) of its table \(quoted: table) is not \(expected) but \(quoted: value)",
      advice: AnkiPackage.advice)
  }
}
