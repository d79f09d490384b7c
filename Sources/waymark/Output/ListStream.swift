import Answers
import TextCanvas

/// Prints a list row by row. The memory use does not depend on the length of the list, and the work ends when the
/// reader closes the pipe.
struct ListStream<Row: Encodable> {
  /// The number of rows from which the column widths of a table are computed.
  private static var fittedRows: Int { 500 }

  private let columns: [Column<Row>]
  private let whenEmpty: String
  private var output = StandardOutput()
  private var stream: RowStream?
  /// The first rows of a table. They are held back until the column widths have been computed from them.
  private var rows: [Row] = []
  private var table: TextTable<Row>?

  /// - Parameter fields: The columns of the CSV format.
  init(fields: [String], columns: [Column<Row>], as format: OutputFormat, whenEmpty: String) {
    self.columns = columns
    self.whenEmpty = whenEmpty
    stream = format.stream(columns: fields).map { RowStream($0) }
  }

  mutating func write(_ row: Row) throws {
    if var rows = stream.take() {
      try rows.write(row) { output.write($0) }
      stream = rows
    } else if let table {
      output.printText(table.line(row))
    } else {
      rows.append(row)
      if rows.count == Self.fittedRows { beginTable() }
    }
  }

  mutating func finish() throws {
    if var rows = stream.take() {
      try rows.finish { output.write($0) }
    } else if table == nil {
      if rows.isEmpty { output.printText(whenEmpty + "\n") } else { beginTable() }
    }
    output.flush()
  }

  private mutating func beginTable() {
    let table = TextTable(fitting: rows, columns: columns, width: output.width, signs: output.signs)
    output.printText(table.header)
    for row in rows { output.printText(table.line(row)) }
    rows = []
    self.table = table
  }
}

/// Prints a single list, value or line.
enum Printing {
  /// Prints a list.
  ///
  /// - Parameter fields: The columns of the CSV format.
  static func list<Row: Encodable & Sendable>(
    _ rows: [Row], fields: [String], columns: [Column<Row>], as format: OutputFormat, whenEmpty: String
  ) throws {
    var output = StandardOutput()
    try format.write(rows, fields: fields, columns: columns, whenEmpty: whenEmpty, to: &output)
    output.flush()
  }

  /// Prints a list. `table` is the text of the table format.
  static func list(_ rows: [some Encodable], fields: [String], table: String, as format: OutputFormat) throws {
    var output = StandardOutput()
    try format.write(rows, fields: fields, table: table, to: &output)
    output.flush()
  }

  /// Prints one value. `table` is the text of the table format.
  static func value(
    _ value: some Encodable, fields: [String], table: String, as format: OutputFormat
  ) throws {
    var output = StandardOutput()
    try format.write(value, fields: fields, table: table, to: &output)
    output.flush()
  }

  /// Prints a line. Control characters are replaced by visible symbols.
  static func line(_ text: String) {
    var output = StandardOutput()
    output.printText(text.harmlessLines + "\n")
    output.flush()
  }
}
