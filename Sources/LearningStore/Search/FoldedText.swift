import Foundation
import GRDB
import GRDBSQLite

/// The SQL function `folded(text)`, which returns ``Swift/String/foldedForSearch``. Titles are compared in this form.
enum FoldedText {
  /// Registers the function on a connection. If that fails, statements with the function fail.
  static func register(on database: Database) {
    sqlite3_create_function_v2(
      database.sqliteConnection, "folded", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, values in
        guard let value = values?.pointee, let text = sqlite3_value_text(value) else { return }
        // The value of `SQLITE_TRANSIENT`: SQLite copies the text.
        let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_result_text(context, String(cString: text).foldedForSearch, -1, copying)
      }, nil, nil, nil)
  }
}

extension String {
  /// The text in the form that the index uses: lower case, without accents. Marks that are not accents, such as those
  /// of `が`, are kept. Equal for all Unicode forms of a text.
  var foldedForSearch: String {
    // Most titles are ASCII. Foundation's folding takes ten times as long.
    if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
    guard LetterPairs.areNeeded(for: self) else { return folded }
    return LetterPairs.runs(of: self).map { $0.isPaired ? $0.text : LetterPairs.plain($0.text).folded }.joined()
  }

  private var folded: String { folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }
}
