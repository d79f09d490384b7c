/// Splits text at the formulas between delimiters of MathJax.
///
/// Source: MathJax 3, "TeX and LaTeX input", `inlineMath` and `displayMath`; Asciidoctor, "STEM" (`\$` for AsciiMath).
enum TeXText {
  /// A part of a text.
  enum Piece: Equatable {
    case words(String)
    /// A formula between words, in LaTeX.
    case inline(String)
    /// A displayed formula, in LaTeX.
    case displayed(String)
    /// A formula in AsciiMath.
    case asciiMath(String)
  }

  private static let delimiters: [(begin: String, end: String, piece: @Sendable (String) -> Piece)] = [
    ("\\(", "\\)", { .inline($0) }), ("\\[", "\\]", { .displayed($0) }), ("$$", "$$", { .displayed($0) }),
    ("\\$", "\\$", { .asciiMath($0) }),
  ]

  /// The parts of a text, in order. A delimiter without an end is text. Linear in the length of the text.
  static func pieces(of text: String) -> [Piece] {
    guard text.utf8.contains(UInt8(ascii: "\\")) || text.contains("$$") else { return [.words(text)] }
    var pieces: [Piece] = []
    var rest = text[...]
    var absent: Set<String> = []
    var words = rest.startIndex
    var index = rest.startIndex
    while index < rest.endIndex {
      guard rest[index] == "\\" || rest[index] == "$" else {
        index = rest.index(after: index)
        continue
      }
      guard
        let (begin, end, piece) = delimiters.first(where: {
          rest[index...].hasPrefix($0.begin) && !absent.contains($0.end)
        })
      else {
        index = rest.index(after: index)
        continue
      }
      let start = rest.index(index, offsetBy: begin.count)
      guard let close = rest[start...].firstRange(of: end) else {
        absent.insert(end)
        continue
      }
      let source = String(rest[start..<close.lowerBound]).withoutControls.onOneLine
      if words < index { pieces.append(.words(String(rest[words..<index]))) }
      if !source.isEmpty { pieces.append(piece(source)) }
      index = close.upperBound
      words = index
    }
    if words < rest.endIndex { pieces.append(.words(String(rest[words...]))) }
    rest = rest[rest.endIndex...]
    return pieces
  }
}
