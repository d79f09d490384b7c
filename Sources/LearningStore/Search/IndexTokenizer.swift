import GRDB
import GRDBSQLite

/// The tokenizer of the search index, as its definition in `0003_search.sql` specifies it.
///
/// GRDB's `Database.makeTokenizer` ends the program if its statement is interrupted. This type throws an error instead.
/// ``PreparedStatements`` creates it once for each connection, while nothing can interrupt the connection.
///
/// Source: SQLite, "Extending FTS5" and "Custom Tokenizers".
final class IndexTokenizer {
  private let functions: fts5_tokenizer
  private let tokenizer: OpaquePointer

  init(_ api: UnsafeMutablePointer<fts5_api>) throws {
    var functions = fts5_tokenizer()
    var (context, tokenizer): (UnsafeMutableRawPointer?, OpaquePointer?)
    var code = api.pointee.xFindTokenizer?(api, "unicode61", &context, &functions) ?? SQLITE_ERROR
    if code == SQLITE_OK {
      code = "remove_diacritics".withCString { option in
        "2".withCString { value in
          var arguments: [UnsafePointer<CChar>?] = [option, value]
          return functions.xCreate?(context, &arguments, CInt(arguments.count), &tokenizer) ?? SQLITE_ERROR
        }
      }
    }
    guard code == SQLITE_OK, let tokenizer else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: "no tokenizer")
    }
    (self.functions, self.tokenizer) = (functions, tokenizer)
  }

  deinit { functions.xDelete?(tokenizer) }

  /// Calls `receive` with `context` and each word of a text, until it returns a value other than 0.
  func tokenize(
    _ text: UnsafeBufferPointer<CChar>, context: UnsafeMutableRawPointer,
    receive: @convention(c) (UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, CInt, CInt, CInt) -> CInt
  ) {
    _ = functions.xTokenize?(
      tokenizer, context, FTS5_TOKENIZE_DOCUMENT, text.baseAddress, CInt(text.count), receive)
  }

  /// Returns FTS5's functions for the extensions of a connection.
  ///
  /// - Throws: `DatabaseError` if SQLite does not support FTS5, or the connection is interrupted.
  static func api(of database: Database) throws -> UnsafeMutablePointer<fts5_api> {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    var api: UnsafeMutablePointer<fts5_api>?
    let code = withUnsafeMutablePointer(to: &api) { place in
      var code = sqlite3_prepare_v2(database.sqliteConnection, "SELECT fts5(?)", -1, &statement, nil)
      if code == SQLITE_OK { code = sqlite3_bind_pointer(statement, 1, place, "fts5_api_ptr", nil) }
      return code == SQLITE_OK ? sqlite3_step(statement) : code
    }
    guard code == SQLITE_ROW, let api else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: "no FTS5")
    }
    return api
  }
}
