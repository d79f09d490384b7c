import Answers
import TextCanvas

/// Rows in columns for people: a header, two spaces between columns, text cut with an ellipsis where a terminal ends.
enum TextTable {
  static func text<Row>(_ rows: [Row], columns: [Column<Row>], width: Int?, signs: TextSigns = .unicode) -> String {
    let cells = rows.map { row in columns.map { signs.fitting($0.text(row).harmless) } }
    var widths = columns.indices.map { index in
      max(columns[index].title.displayWidth, cells.map { $0[index].displayWidth }.max() ?? 0)
    }
    if let width { shrink(&widths, columns.map(\.mayShrink), to: width - 2 * (columns.count - 1)) }

    return ([columns.map(\.title)] + cells).map { line in
      let padded = line.indices.map { index in
        let cell = line[index].truncated(to: widths[index], ellipsis: signs.ellipsis)
        let space = String(repeating: " ", count: widths[index] - cell.displayWidth)
        return columns[index].alignment == .right ? space + cell : cell + space
      }
      return padded.joined(separator: "  ").trimmingEnd() + "\n"
    }.joined()
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
