import Answers
import ArgumentParser
import LearningModel
import NavigationKit
import TextCanvas

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

extension Column {
  /// The columns that every list of places begins with: the title, and the path that opens it.
  static func places(_ place: @escaping (Row) -> NamedPlace) -> [Column] {
    [
      Column("title", mayShrink: true) { place($0).title },
      Column("kind") { place($0).kind.rawValue },
      Column("path") { place($0).path.description },
    ]
  }
}

/// Rows in columns for people: a header, two spaces between columns, text cut with an ellipsis where a terminal ends.
struct TextTable<Row> {
  private let columns: [Column<Row>]
  private let widths: [Int]
  /// Whether the table has the width of a terminal, which no row may exceed.
  private let isCut: Bool
  private let signs: TextSigns

  /// Chooses the widths of the columns so that some rows fit.
  ///
  /// - Parameter width: The width of the terminal, or `nil` for a pipe or a file.
  init(fitting rows: [Row], columns: [Column<Row>], width: Int?, signs: TextSigns = .unicode) {
    self.columns = columns
    self.signs = signs
    isCut = width != nil
    var widths = columns.map { column in
      max(
        column.title.displayWidth, rows.map { signs.fitting(column.text($0).harmless).displayWidth }.max() ?? 0)
    }
    if let width { Self.shrink(&widths, columns.map(\.mayShrink), to: width - 2 * (columns.count - 1)) }
    self.widths = widths
  }

  /// Returns the whole table of some rows.
  static func text(_ rows: [Row], columns: [Column<Row>], width: Int?, signs: TextSigns = .unicode) -> String {
    let table = TextTable(fitting: rows, columns: columns, width: width, signs: signs)
    return table.header + rows.map(table.line).joined()
  }

  /// The line of the titles.
  var header: String { line(of: columns.map(\.title)) }

  /// Returns the line of a row. Without a terminal, a cell that is wider than its column is not cut.
  func line(_ row: Row) -> String { line(of: columns.map { signs.fitting($0.text(row).harmless) }) }

  private func line(of cells: [String]) -> String {
    let padded = cells.indices.map { index in
      let cell = isCut ? cells[index].truncated(to: widths[index], ellipsis: signs.ellipsis) : cells[index]
      let space = String(repeating: " ", count: max(0, widths[index] - cell.displayWidth))
      return columns[index].alignment == .right ? space + cell : cell + space
    }
    return padded.joined(separator: "  ").trimmingEnd() + "\n"
  }

  private static func shrink(_ widths: inout [Int], _ mayShrink: [Bool], to width: Int) {
    while widths.reduce(0, +) > width {
      let candidates = widths.indices.filter { mayShrink[$0] && widths[$0] > 8 }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return }
      widths[widest] -= 1
    }
  }
}

extension String {
  /// This text without the spaces at its end.
  func trimmingEnd() -> String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

/// A share as a person reads it.
enum Percent {
  /// `62 %`. Begun is at least 1 %, and 100 % is only what is done.
  static func text(_ share: Double) -> String {
    let percent = Int((share * 100).rounded())
    if share > 0 && percent == 0 { return "1 %" }
    if share < 1 && percent == 100 { return "99 %" }
    return "\(percent) %"
  }
}
