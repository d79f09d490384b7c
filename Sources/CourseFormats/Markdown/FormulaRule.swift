/// The rule that determines whether the text between two dollar signs is a formula.
///
/// Dollar signs also mark amounts of money and the names of variables. Every rule except ``every`` therefore rejects
/// text that contains words but no sign of mathematics.
enum FormulaRule: Sendable {
  /// Every text is a formula, as in notebooks.
  case every
  /// As in MyST and Quarto: spaces may follow the first dollar sign and precede the second.
  case spaced
  /// As in pandoc: no space follows the first dollar sign, none precedes the second, and no digit follows the second.
  /// Spaces are accepted if the text contains a LaTeX command, a superscript or a subscript.
  case tight
  /// As ``tight``, but spaces are never accepted, and numbers and words of more than three letters are not formulas.
  /// For programs that do not read dollar signs as formulas by default, such as mdBook.
  case cautious

  /// Returns whether a text is a formula.
  ///
  /// Source: Pandoc, "User's Guide", `tex_math_dollars`; markdown-it-dollarmath, `allow_space`.
  ///
  /// - Parameters:
  ///   - text: The text between the dollar signs.
  ///   - next: The byte after the second dollar sign, or `nil` at the end of the text.
  func accepts(_ text: String, before next: UInt8?) -> Bool {
    if self == .every { return true }
    guard let first = text.first, let last = text.last else { return false }
    let isDigitNext = next.map { (0x30...0x39).contains($0) } ?? false
    let isLetterNext = next.map { (0x61...0x7A).contains($0 | 0x20) } ?? false
    let isSpaced = first.isWhitespace || last.isWhitespace
    switch self {
    case .cautious:
      guard !isDigitNext, !isLetterNext, !isSpaced else { return false }
      return text.count <= 3 && !text.contains(" ") && !text.allSatisfy(\.isNumber)
        || Self.hasSigns(text) || Self.isOfLetters(text)
    case .tight:
      if isDigitNext || isSpaced && !Self.hasLaTeX(text) { return false }
    default:
      if isDigitNext, text.first(where: { !$0.isWhitespace })?.isNumber == true { return false }
    }
    // A letter directly after a formula is an ending, as in "the nth".
    if isLetterNext, !Self.isOfLetters(text), !text.contains("\\"), !Self.hasLaTeX(text) || Self.hasNames(text) {
      return false
    }
    return !Self.isProse(text)
  }

  /// Returns whether a text looks like words, an amount of money or a path.
  private static func isProse(_ text: String) -> Bool {
    if text.contains("</") || text.contains("](") { return true }
    let opening = text.count { $0 == "(" || $0 == "[" }
    if opening > text.count(where: { $0 == ")" || $0 == "]" }), !text.contains("\\") { return true }
    return !hasSigns(text) && text.contains(" ") && hasNames(text)
  }

  /// Returns whether a text contains a word of two or more letters.
  private static func hasNames(_ text: String) -> Bool { text.split { !$0.isLetter }.contains { $0.count > 1 } }

  private static func hasLaTeX(_ text: String) -> Bool { text.contains { "\\^_".contains($0) } }

  static func hasSigns(_ text: String) -> Bool { text.contains { "\\^_=+<>{".contains($0) } }

  /// Returns whether a text consists of single letters, numbers and operators, such as `f(t, y(t))` or `n`.
  private static func isOfLetters(_ text: String) -> Bool {
    let letters = text.split { !$0.isLetter }
    guard letters.allSatisfy({ $0.count == 1 }), let last = text.last, !"+-*/,:".contains(last) else { return false }
    return !letters.isEmpty && (text.count == 1 || text.contains { "()/+-*,!".contains($0) })
      && text.count { $0 == "(" } == text.count { $0 == ")" }
  }
}
