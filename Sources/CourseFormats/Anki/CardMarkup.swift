import LearningModel

/// The parts of a filled template that are not HTML: formulas, sounds, videos and spoken text.
///
/// Source: Anki manual, "Math & Symbols" and "Media"; MathJax's delimiters `\(…\)` and `\[…\]`.
enum CardMarkup {
  private static let formulas: [(begin: String, end: String, isDisplayed: Bool)] = [
    ("\\(", "\\)", false), ("\\[", "\\]", true), ("[latex]", "[/latex]", true), ("[$$]", "[/$$]", true),
    ("[$]", "[/$]", false),
  ]

  /// Returns the text with formulas, sounds and videos as elements that ``HTMLText`` reads, and without spoken text, which
  /// is counted. The time is linear in the length of the text.
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
      } else if let range = content("[sound:", "]") {
        result += text[start..<index] + element(ofMedia: String(text[range]), findings: &findings)
        start = text.index(after: range.upperBound)
      } else if let range = content("[anki:tts", "[/anki:tts]") {
        result += text[start..<index]
        findings.countLoss("text to be spoken", "left out")
        start = text.index(range.upperBound, offsetBy: "[/anki:tts]".count)
      } else {
        index = text.index(after: index)
        continue
      }
      index = start
    }
    return result + text[start...]
  }

  /// Returns an image element for a sound or video. The name is HTML. Such an element is not counted as a lost image.
  private static func element(ofMedia name: String, findings: inout Findings) -> String {
    guard Inline.image(source: name, alternative: "").soundName != nil else {
      findings.countLoss("sound or video", "left out")
      return ""
    }
    let name = name.replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    let path = name.replacing("%", with: "%25").replacing("?", with: "%3F").replacing(":", with: "%3A")
    return "<img src=\"\(path)\" alt=\"\(name)\">"
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
