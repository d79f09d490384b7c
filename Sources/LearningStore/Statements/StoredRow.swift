import LearningModel

/// A value that is read from a row. Its initialiser is the only list of its columns: it names them for the list after
/// `SELECT`, and reads them.
protocol StoredRow {
  /// The columns, separated by commas: ``RowReader/columns(of:)``.
  static var columns: String { get }
  /// Reads the value. Must read the same columns in the same order for every row.
  init(_ column: inout RowReader) throws
}

extension StoredRow {
  /// Reads the value from the first columns of a row that was selected with ``columns``.
  init(row: ResultRow) throws {
    var reader = RowReader(row: row)
    try self.init(&reader)
  }
}

/// Reads the columns of a row one after the other, by their numbers. Without a row, collects the SQL of the columns.
struct RowReader {
  private let row: ResultRow?
  private var number = 0
  private var names: [String] = []

  init(row: ResultRow?) {
    self.row = row
  }

  /// Returns the columns that a type reads.
  static func columns<Row: StoredRow>(of type: Row.Type) -> String {
    var reader = RowReader(row: nil)
    _ = try? Row(&reader)
    return reader.names.joined(separator: ", ")
  }

  /// Reads the next column.
  ///
  /// - Parameter sql: The SQL of the column, which is evaluated only for the list of the columns.
  mutating func callAsFunction<Value: ColumnValue>(_ sql: @autoclosure () -> String) -> Value {
    guard let row else {
      names.append(sql())
      return .placeholder
    }
    defer { number += 1 }
    return row[number]
  }

  /// Reads a value of an extensible enumeration from the next column, or `nil` if the column is null.
  mutating func word<Word: OpenVocabulary>(_ sql: @autoclosure () -> String) -> Word? {
    (self(sql()) as String?).map { Word(logged: $0) }
  }

  /// Reads a case of an enumeration from the next column, or `nil` if the column is null.
  ///
  /// - Throws: `SQLITE_CORRUPT` if the column contains another text.
  mutating func enumeration<Word: RawRepresentable>(_ sql: @autoclosure () -> String) throws -> Word?
  where Word.RawValue == String {
    let column = number
    let _: String? = self(sql())
    return try row?.word(Word.self, at: column)
  }
}

@available(*, unavailable)
extension RowReader: Sendable {}
