import Answers
import TextCanvas

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
