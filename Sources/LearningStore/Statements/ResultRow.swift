import GRDBSQLite
import LearningModel

/// The row that a statement is at. Its columns are read straight from the statement, by their numbers from 0, and only
/// until the statement's next row.
struct ResultRow {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) {
    self.statement = statement
  }

  /// The value of a column.
  subscript<Value: ColumnValue>(_ column: Int) -> Value { Value.read(from: statement, at: CInt(column)) }

  /// Reads a word of a closed list.
  ///
  /// - Throws: ``LearningStoreError/damaged(path:detail:)`` where the column holds another word.
  func word<Word: RawRepresentable>(_ type: Word.Type, at column: Int) throws -> Word? where Word.RawValue == String {
    guard let text = self[column] as String? else { return nil }
    guard let word = Word(rawValue: text) else {
      throw LearningStoreError.damaged(path: "navigationEvent", detail: "'\(text)' is no \(type)")
    }
    return word
  }

  /// A word of a log; `nil` where the column is.
  func word<Word: OpenVocabulary>(_ type: Word.Type, at column: Int) throws -> Word? {
    (self[column] as String?).map { Word(logged: $0) }
  }
}

@available(*, unavailable)
extension ResultRow: Sendable {}
