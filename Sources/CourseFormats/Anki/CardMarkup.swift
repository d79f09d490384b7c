import LearningModel

/// The parts of a filled template that are not HTML: formulas, sounds and spoken text.
///
/// Source: Anki manual, "Math & Symbols" and "Media"; MathJax's delimiters `\(…\)` and `\[…\]`.
enum CardMarkup {
  private static let formulas: [(begin: String, end: String, isDisplayed: Bool)] = [
    ("\\(", "\\)", false), ("\\[", "\\]", true), ("[latex]", "[/latex]", true), ("[$$]", "[/$$]", true),
    ("[$]", "[/$]", false),
  ]
  private static let sounds: [(begin: String, end: String, what: String)] = [
    ("[sound:", "]", "sound or video"), ("[anki:tts", "[/anki:tts]", "text to be spoken"),
  ]

  /// Returns the text with formulas as elements that ``HTMLText`` reads, and without sounds, which are counted. The
  /// time is linear in the length of the text.
  static func html(of text: String, findings: inout Findings) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "[") }) else { return text }
    var result = ""
    var absent: Set<String> = []
    var start = text.startIndex
    var index = text.startIndex
    while index < text.endIndex {
      guard text[index] == "\\" || text[index] == "[" else {
        index = text.index(after: index)
        continue
      }
      let rest = text[index...]
      func content(_ begin: String, _ end: String) -> Range<String.Index>? {
        guard !absent.contains(end), rest.hasPrefix(begin) else { return nil }
        guard let close = rest.dropFirst(begin.count).firstRange(of: end) else {
          absent.insert(end)
          return nil
        }
        return rest.index(index, offsetBy: begin.count)..<close.lowerBound
      }
      if let (formula, range) = formulas.lazy.compactMap({ f in content(f.begin, f.end).map { (f, $0) } }).first {
        result += text[start..<index]
        result += "<span class=\"math \(formula.isDisplayed ? "display" : "inline")\">\(text[range])</span>"
        start = text.index(range.upperBound, offsetBy: formula.end.count)
      } else if let (sound, range) = sounds.lazy.compactMap({ s in content(s.begin, s.end).map { (s, $0) } }).first {
        result += text[start..<index]
        findings.countLoss(sound.what, "left out")
        start = text.index(range.upperBound, offsetBy: sound.end.count)
      } else {
        index = text.index(after: index)
        continue
      }
      index = start
    }
    return result + text[start...]
  }

  /// Returns the text of HTML without its tags, as HTML.
  static func plain(_ html: String) -> String {
    var result = ""
    var rest = html[...]
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
      result += rest[..<open]
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}

extension String {
  /// The text with the characters of markup escaped.
  var escapedInHTML: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
