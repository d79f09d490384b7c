import CoursePages
import LearningModel
import TerminalIO
import TextCanvas

/// Formats a text for standard output.
enum TextPrinting {
  /// Returns the lines of a text. Code and addresses are never broken, so that they can be copied.
  ///
  /// - Parameters:
  ///   - terminal: The width of the terminal, or `nil` if the output is not a terminal. If `nil`, paragraphs are not
  ///     wrapped.
  ///   - width: The line length that the user specified.
  ///   - depth: The colour depth. With ``ColourDepth/none``, the text contains no escape sequences.
  ///   - signs: The symbols for bullets and rules.
  static func text(
    _ blocks: [Block], terminal: Int?, width: Int?, depth: ColourDepth, signs: TextSymbols
  ) -> String {
    // The terminal's background is not queried, so the theme has only colours that are readable on any background.
    let theme = Theme(colourDepth: depth == .none ? .none : .ansi, pageAppearance: .unknown)
    let longest = terminal == nil ? ReadingLayout.unlimited : ReadingLayout.maximumLineLength
    let layout = ReadingLayout(
      width: width ?? terminal ?? longest, measure: width ?? longest, theme: theme,
      symbols: signs.isAscii ? .ascii : .unicode, isPlain: depth == .none, overflows: true)
    // Each line is drawn on its own surface, because a line can be as long as a chapter.
    return layout.text(blocks).lines.map { line in
      var row = Surface(columns: line.displayWidth, rows: 1)
      row.draw(line, at: .zero)
      return depth == .none ? PlainTextDrawing().text(of: row) : AnsiDrawing(colourDepth: depth).text(of: row)
    }.joined()
  }
}

/// The symbols in text output. On ASCII terminals, symbols are replaced by ASCII characters. Letters are never
/// replaced, because this could change the meaning.
struct TextSymbols: Hashable, Sendable {
  /// Whether only ASCII symbols are used.
  let isAscii: Bool

  static let unicode = TextSymbols(isAscii: false)
  static let ascii = TextSymbols(isAscii: true)

  /// The symbol for truncated text.
  var ellipsis: String { isAscii ? "..." : "…" }

  /// Returns a text with its symbols replaced if necessary. To support another symbol, add a row.
  func replacingUnsupported(_ text: String) -> String {
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
