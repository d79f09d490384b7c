import LearningModel

/// Replaces `---` by an em dash and `--` by an en dash, as pandoc and Sphinx do.
///
/// Options such as `--help`, arrows such as `-->` and longer rows of hyphens are unchanged.
///
/// Sources: Pandoc, "User's Guide", extension `smart`; Sphinx, "Configuration", `smartquotes_action`.
enum TypographicDashes {
  static func replaced(in blocks: [Block]) -> [Block] { blocks.mapLines { replaced(in: $0) } }

  private static func replaced(in line: [Inline]) -> [Inline] {
    line.map { piece in
      switch piece {
      case .text(let words): .text(replaced(in: words))
      // The text of a link may be its address.
      case .link(_, let text) where text.plainText.contains("://"): piece
      default: piece.mapChildren { replaced(in: $0) }
      }
    }
  }

  static func replaced(in text: String) -> String {
    guard text.contains("--") else { return text }
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      word.contains("--") && !word.contains("://") ? replaced(inWord: word) : String(word)
    }.joined(separator: " ")
  }

  private static func replaced(inWord word: Substring) -> String {
    var result = ""
    var rest = word
    while let start = rest.firstIndex(of: "-") {
      result += rest[..<start]
      let hyphens = rest[start...].prefix { $0 == "-" }
      rest = rest[hyphens.endIndex...]
      let isArrow = rest.first == ">" || result.last == "<" || result.last == "!"
      let isAtStart = result.last.map { "([{/|=,".contains($0) } ?? true
      let isOption = hyphens.count == 2 && isAtStart && rest.first?.isLetter == true
      switch hyphens.count {
      case 3 where !isArrow: result += "—"
      case 2 where !isArrow && !isOption: result += "–"
      default: result += hyphens
      }
    }
    return result + rest
  }
}
