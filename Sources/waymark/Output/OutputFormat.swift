import Answers
import ArgumentParser
import LearningModel
import NavigationKit
import TextCanvas
import WholeNumbers

/// The formats of printed lists.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case table, json, jsonl, csv
}

/// A column of a table.
struct Column<Row> {
  enum Alignment { case left, right }

  let title: String
  var alignment = Alignment.left
  /// Whether the cells of the column may be truncated if the terminal is too narrow.
  var mayShrink = false
  /// Whether a cell that is too wide continues on the next line instead. Also in a pipe, where such a column has at most
  /// ``TextTable/widestText`` columns.
  var wraps = false
  /// If the terminal is still too narrow when cells are truncated, columns with a rank are omitted, those with a higher
  /// rank first. A column without a rank is never omitted.
  var omissionRank: Int?
  /// Whether the column is omitted if all its cells are empty.
  var mayBeMissing = false
  let text: (Row) -> String

  init(
    _ title: String, alignment: Alignment = .left, mayShrink: Bool = false, wraps: Bool = false,
    omissionRank: Int? = nil, text: @escaping (Row) -> String
  ) {
    self.title = title
    self.alignment = alignment
    self.mayShrink = mayShrink
    self.wraps = wraps
    self.omissionRank = omissionRank
    self.text = text
  }

  /// Returns the column with the passed exercises, which is omitted if there are no exercises.
  static func passed(_ exercises: @escaping (Row) -> LearningProgress) -> Column {
    var column = Column("passed", alignment: .right) { row in
      exercises(row).total == 0 ? "" : "\(exercises(row).done) of \(exercises(row).total)"
    }
    column.mayBeMissing = true
    return column
  }
}

extension OutputFormat {
  /// Writes a list: as a table, or in a format for programs, which contains every member of every row.
  ///
  /// - Parameter fields: The columns of the CSV format.
  func write<Row: Encodable & Sendable>(
    _ rows: [Row], fields: [String], columns: [Column<Row>], whenEmpty: String, to output: inout StandardOutput
  ) throws {
    let (width, signs) = (output.width, output.signs)
    let columns = columns.filter { column in !column.mayBeMissing || rows.contains { !column.text($0).isEmpty } }
    try write(
      rows, fields: fields,
      table: rows.isEmpty
        ? whenEmpty + "\n" : TextTable.text(rows, columns: columns, width: width, signs: signs), to: &output)
  }

  /// Writes a list. `table` is the text of the table format.
  func write<Row: Encodable>(
    _ rows: [Row], fields: [String], table: @autoclosure () -> String, to output: inout StandardOutput
  ) throws {
    guard let programFormat = stream(columns: fields) else { return output.printText(table()) }
    var stream = RowStream(programFormat)
    for row in rows { try stream.write(row) { output.write($0) } }
    try stream.finish { output.write($0) }
  }

  /// Returns the format for programs, or `nil` if the format is a table.
  func stream(columns: [String]) -> RowStream.Format? {
    switch self {
    case .table: nil
    case .json: .json
    case .jsonl: .jsonLines
    case .csv: .csv(columns: columns)
    }
  }

  /// Writes one value. `table` is the text of the table format.
  func write(_ value: some Encodable, fields: [String], table: String, to output: inout StandardOutput) throws {
    switch self {
    case .json: output.write(try AnswerText.json(value))
    case .table, .jsonl, .csv: try write([value], fields: fields, table: table, to: &output)
    }
  }
}

extension Column {
  /// Returns the first columns of lists of places: title, kind and path.
  static func places(_ place: @escaping (Row) -> NamedPlace) -> [Column] {
    [
      Column("title", mayShrink: true) { place($0).title },
      Column("kind") { place($0).noun.singular },
      Column("path", mayShrink: true, omissionRank: 1) { place($0).path.description },
    ]
  }
}

/// A table with a header and two spaces between columns. On a terminal, cells are truncated with an ellipsis or continue
/// on the next line, and columns are omitted if the cells still do not fit.
struct TextTable<Row> {
  private let columns: [Column<Row>]
  private let widths: [Int]
  /// Whether the table is written to a terminal. If `true`, no row is wider than the terminal.
  private let isTruncated: Bool
  private let signs: TextSymbols

  /// Creates a table whose column widths are computed from some rows.
  ///
  /// - Parameter width: The width of the terminal, or `nil` if the output is a pipe or a file.
  init(fitting rows: [Row], columns: [Column<Row>], width: Int?, signs: TextSymbols = .unicode) {
    self.signs = signs
    isTruncated = width != nil
    var columns = columns
    let naturalWidths = columns.map { column in
      let text = rows.map { signs.replacingUnsupported(column.text($0).harmless).displayWidth }.max() ?? 0
      return max(column.title.displayWidth, column.wraps && width == nil ? min(text, Self.widestText) : text)
    }
    var widths = naturalWidths
    if let width {
      let available = { (count: Int) in width - Self.gap * (count - 1) }
      // A title of a few letters is not recognisable, so other columns are omitted before.
      var fullWidths = naturalWidths
      Self.shrink(&widths, columns, to: available(columns.count), minimum: Self.narrowestText)
      while widths.reduce(0, +) > available(columns.count),
        let index = columns.indices.filter({ columns[$0].omissionRank != nil })
          .max(by: { columns[$0].omissionRank ?? 0 < columns[$1].omissionRank ?? 0 })
      {
        columns.remove(at: index)
        fullWidths.remove(at: index)
        widths = fullWidths
        Self.shrink(&widths, columns, to: available(columns.count), minimum: Self.narrowestText)
      }
      Self.shrink(&widths, columns, to: available(columns.count), minimum: 4)
    }
    self.columns = columns
    self.widths = widths
  }

  /// Returns the complete table of some rows.
  static func text(_ rows: [Row], columns: [Column<Row>], width: Int?, signs: TextSymbols = .unicode) -> String {
    let table = TextTable(fitting: rows, columns: columns, width: width, signs: signs)
    return table.header + rows.map(table.line).joined()
  }

  /// The line with the titles.
  var header: String { line(of: columns.map(\.title)) }

  /// Returns the line of a row. If the output is not a terminal, no cell is truncated, even if it is wider than its
  /// column.
  func line(_ row: Row) -> String { line(of: columns.map { signs.replacingUnsupported($0.text(row).harmless) }) }

  private func line(of cells: [String]) -> String {
    let parts = cells.indices.map { index in
      if columns[index].wraps { return cells[index].wrapped(to: widths[index]) }
      return [isTruncated ? cells[index].truncated(to: widths[index], ellipsis: signs.ellipsis) : cells[index]]
    }
    let lines = (0..<(parts.map(\.count).max() ?? 0)).map { number in
      let padded = parts.indices.map { index in
        let cell = number < parts[index].count ? parts[index][number] : ""
        let space = String(repeating: " ", count: max(0, widths[index] - cell.displayWidth))
        return columns[index].alignment == .right ? space + cell : cell + space
      }
      return padded.joined(separator: String(repeating: " ", count: Self.gap)).trimmingEnd() + "\n"
    }
    return lines.joined()
  }

  /// The width of a column that wraps, if the output is not a terminal.
  static var widestText: Int { 60 }
  /// The least width of a title and of a column that wraps, until other columns are omitted.
  private static var narrowestText: Int { 24 }

  /// The number of spaces between two columns.
  private static var gap: Int { 2 }

  private static func shrink(_ widths: inout [Int], _ columns: [Column<Row>], to width: Int, minimum: Int) {
    while widths.reduce(0, +) > width {
      // Columns that wrap become narrower than the least width of a title before titles do.
      let wrapping = widths.indices.filter { columns[$0].wraps && widths[$0] > (minimum > 4 ? narrowestText : 8) }
      let shrinking = widths.indices.filter { !columns[$0].wraps && columns[$0].mayShrink && widths[$0] > minimum }
      let candidates = minimum > 4 ? wrapping + shrinking : wrapping.isEmpty ? shrinking : wrapping
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return }
      widths[widest] -= 1
    }
  }
}

extension String {
  /// Returns the text with each line that is wider than a width broken at spaces. Continued lines have the indent of the
  /// line. Longer words, such as paths, are not broken, so that they can be copied.
  func brokenAtSpaces(to width: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.displayWidth > width else { return String(line) }
      let indent = line.prefix { $0 == " " }
      var lines: [String] = []
      for word in line.dropFirst(indent.count).split(separator: " ") {
        if let last = lines.last, last.displayWidth + 1 + word.displayWidth <= width {
          lines[lines.count - 1] = "\(last) \(word)"
        } else {
          lines.append("\(indent)\(word)")
        }
      }
      return lines.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// Returns the text without the spaces at its end.
  func trimmingEnd() -> String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
