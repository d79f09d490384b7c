import Answers

/// Prints a list of any length a row at a time, so that memory does not grow with it, and a reader that takes only the
/// first rows ends the work.
struct ListStream<Row: Encodable> {
  /// The number of rows that the columns of a table are fitted to.
  private static var fittedRows: Int { 500 }

  private let columns: [Column<Row>]
  private let whenEmpty: String
  private var output = StandardOutput()
  private var stream: RowStream?
  /// The first rows of a table, until its columns are fitted to them.
  private var rows: [Row] = []
  private var table: TextTable<Row>?

  /// - Parameter fields: The columns of the CSV form.
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
      output.say(table.line(row))
    } else {
      rows.append(row)
      if rows.count == Self.fittedRows { beginTable() }
    }
  }

  mutating func finish() throws {
    if var rows = stream.take() {
      try rows.finish { output.write($0) }
    } else if table == nil {
      if rows.isEmpty { output.say(whenEmpty + "\n") } else { beginTable() }
    }
    output.flush()
  }

  private mutating func beginTable() {
    let table = TextTable(fitting: rows, columns: columns, width: output.width, signs: output.signs)
    output.say(table.header)
    for row in rows { output.say(table.line(row)) }
    rows = []
    self.table = table
  }
}
