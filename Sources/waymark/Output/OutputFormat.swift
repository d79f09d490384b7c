import Answers
import ArgumentParser

/// The four ways in which a list is printed.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case table, json, jsonl, csv
}

/// One column of a table for people.
struct Column<Row> {
  enum Alignment { case left, right }

  let title: String
  var alignment = Alignment.left
  /// Whether its cells may be cut with an ellipsis where a terminal is too narrow.
  var mayShrink = false
  let text: (Row) -> String

  init(
    _ title: String, alignment: Alignment = .left, mayShrink: Bool = false, text: @escaping (Row) -> String
  ) {
    self.title = title
    self.alignment = alignment
    self.mayShrink = mayShrink
    self.text = text
  }
}

extension OutputFormat {
  /// Writes a list: a table for people, or every member of every row for a script.
  ///
  /// - Parameter fields: The columns of the CSV form.
  func write<Row: Encodable & Sendable>(
    _ rows: [Row], fields: [String], columns: [Column<Row>], whenEmpty: String, to output: inout StandardOutput
  ) throws {
    let (width, signs) = (output.width, output.signs)
    try write(
      rows, fields: fields,
      table: rows.isEmpty
        ? whenEmpty + "\n" : TextTable.text(rows, columns: columns, width: width, signs: signs), to: &output)
  }

  /// Writes a list; `table` is the text for people.
  func write<Row: Encodable>(
    _ rows: [Row], fields: [String], table: @autoclosure () -> String, to output: inout StandardOutput
  ) throws {
    guard let form = stream(columns: fields) else { return output.say(table()) }
    var stream = RowStream(form)
    for row in rows { try stream.write(row) { output.write($0) } }
    try stream.finish { output.write($0) }
  }

  /// The form of a list for programs; `nil` for a table, which is for people.
  func stream(columns: [String]) -> RowStream.Form? {
    switch self {
    case .table: nil
    case .json: .json
    case .jsonl: .jsonLines
    case .csv: .csv(columns: columns)
    }
  }

  /// Writes one value; `table` is the text that says the same to a person.
  func write(_ value: some Encodable, fields: [String], table: String, to output: inout StandardOutput) throws {
    switch self {
    case .json: output.write(try AnswerText.json(value))
    case .table, .jsonl, .csv: try write([value], fields: fields, table: table, to: &output)
    }
  }
}
