import CoursePages
import LearningModel
import TerminalIO
import TextCanvas

/// Sets a text for standard output.
enum TextPrinting {
  /// Returns the text in lines of a pleasant length. What is copied from there, code and addresses, is never broken.
  ///
  /// - Parameters:
  ///   - terminal: The terminal's width; `nil` where there is none, and lines end where their text does.
  ///   - width: The length of lines that was asked for.
  ///   - depth: How many colours there are to write it in; with none, there is no escape sequence in it.
  ///   - signs: Those that bullets and rules are drawn with.
  static func text(
    _ blocks: [Block], terminal: Int?, width: Int?, depth: ColourDepth, signs: TextSigns
  ) -> String {
    // What page the terminal has is not asked: the colours are those that can be read on any.
    let theme = Theme(depth: depth == .none ? .none : .ansi, tone: .unknown)
    let longest = terminal == nil ? ReadingLayout.unlimited : ReadingLayout.longestMeasure
    let layout = ReadingLayout(
      width: width ?? terminal ?? longest, measure: width ?? longest, theme: theme,
      symbols: signs.isAscii ? .ascii : .unicode, isPlain: depth == .none, overflows: true)
    // Each line by itself: one may be as long as a chapter.
    return layout.text(blocks).lines.map { line in
      var row = Surface(columns: line.displayWidth, rows: 1)
      row.draw(line, at: .zero)
      return depth == .none ? PlainTextDrawing().text(of: row) : AnsiDrawing(depth: depth).text(of: row)
    }.joined()
  }
}

/// The signs of texts for people: where a terminal has only those of ASCII, ours are written with these. Letters stay as
/// they are; what else they would mean is not known.
struct TextSigns: Hashable, Sendable {
  /// Whether there are only those of ASCII.
  let isAscii: Bool

  static let unicode = TextSigns(isAscii: false)
  static let ascii = TextSigns(isAscii: true)

  /// For what was cut.
  var ellipsis: String { isAscii ? "..." : "…" }

  /// Returns a text in these signs. To add one, add a row.
  func fitting(_ text: String) -> String {
    guard isAscii, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return text.reduce(into: "") { fitted, sign in
      switch sign {
      case "›", "▎": fitted += sign == "›" ? ">" : "|"
      case "→": fitted += "->"
      case "←": fitted += "<-"
      case "…": fitted += ellipsis
      case "“", "”", "„": fitted += "\""
      case "‘", "’": fitted += "'"
      case "–", "—", "─": fitted += "-"
      case "━": fitted += "="
      case "×", "✓": fitted += "x"
      case "•", "·": fitted += "*"
      case "\u{A0}": fitted += " "
      default: fitted.append(sign)
      }
    }
  }
}
