import CourseBrowser
import LearningModel
import TerminalIO
import TextCanvas

/// Sets a text for standard output.
enum TextPrinting {
  /// Returns the text in lines of a pleasant length.
  ///
  /// - Parameters:
  ///   - width: The terminal's; `nil` where there is none.
  ///   - depth: How many colours there are to write it in; with none, there is no escape sequence in it.
  ///   - signs: Those that bullets and rules are drawn with.
  static func text(_ blocks: [Block], width: Int?, depth: ColourDepth, signs: TextSigns) -> String {
    // What page the terminal has is not asked: the colours are those that can be read on any.
    let theme = Theme(depth: depth == .none ? .none : .ansi, tone: .unknown)
    let layout = ReadingLayout(
      width: width ?? ReadingLayout.longestMeasure, theme: theme, symbols: signs.isAscii ? .ascii : .unicode,
      isPlain: depth == .none)
    let lines = layout.text(blocks).lines
    var surface = Surface(columns: lines.map { $0.displayWidth }.max() ?? 0, rows: lines.count)
    for (row, line) in lines.enumerated() { surface.draw(line, at: CellPoint(column: 0, row: row)) }
    return depth == .none ? PlainTextDrawing().text(of: surface) : AnsiDrawing(depth: depth).text(of: surface)
  }
}
