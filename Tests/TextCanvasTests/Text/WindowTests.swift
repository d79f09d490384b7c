import Testing

@testable import TextCanvas

struct WindowTests {
  /// Returns the part of a text that a window of the given width shows around a word.
  private func window(_ text: String, _ width: Int, around word: String, ellipsis: String = "…") -> String {
    let start = text.range(of: word)!
    let column = String(text[..<start.lowerBound]).displayWidth
    return StyledLine(text).window(width, around: column..<column + word.displayWidth, ellipsis: ellipsis).text
  }

  private let text = "one two three four five six seven eight nine ten eleven twelve"

  @Test(arguments: [
    (99, "seven", "one two three four five six seven eight nine ten eleven twelve"),
    (62, "twelve", "one two three four five six seven eight nine ten eleven twelve"),
    (30, "two", "one two three four five six s…"),
    (30, "seven", "…five six seven eight nine te…"),
    (30, "twelve", "…eight nine ten eleven twelve"),
    (12, "seven", "…seven eigh…"),
    (8, "seven", "…seven…"),
    (6, "seven", "…seve…"),
    (3, "seven", "…s…"),
    (1, "seven", "…"),
    (0, "seven", ""),
  ])
  func `a window shows a line around one of its words`(width: Int, word: String, expected: String) {
    #expect(window(text, width, around: word) == expected)
  }

  @Test func `an ellipsis can have any width, and is omitted if it does not fit`() {
    #expect(window(text, 20, around: "seven", ellipsis: "...") == "...six seven eigh...")
    #expect(window(text, 20, around: "seven", ellipsis: "~") == "~six seven eight ni~")
    #expect(window(text, 2, around: "seven", ellipsis: "...") == "se")
  }

  @Test(arguments: 1...40)
  func `a window splits no character and shows the whole word`(width: Int) {
    for text in [
      "交渉では最初の数字が錨になりますから先に言いましょうか", "e\u{301}te\u{301} a\u{300} la plage 👩‍👩‍👧 très 👍🏽 bien e\u{301}toile filante",
    ] {
      let characters = Array(text)
      for middle in stride(from: 0, to: characters.count - 1, by: 3) {
        let word = String(characters[middle...middle + 1])
        let column = String(characters[..<middle]).displayWidth
        let result = StyledLine(text).window(width, around: column..<column + word.displayWidth)
        let content = result.text.filter { $0 != "…" }

        #expect(result.displayWidth <= width)
        #expect(text.contains(content), "\(result.text)")
        let letters = word.filter { $0 != " " }
        if width >= word.displayWidth + 2 { #expect(result.text.contains(letters), "\(word) in \(result.text)") }
      }
    }
  }

  @Test func `text in a window keeps its styles`() {
    let quiet = Style(foreground: .indexed(3))
    let line = StyledLine([
      StyledRun("one two three ", style: quiet), StyledRun("four", style: .plain), StyledRun(" five six", style: quiet),
    ])

    #expect(
      line.window(14, around: 14..<18).runs == [
        StyledRun("…", style: quiet), StyledRun("four", style: .plain), StyledRun(" five six", style: quiet),
      ])
  }
}

extension String {
  fileprivate func range(of word: String) -> Range<String.Index>? {
    indices.lazy.compactMap { start in
      self[start...].hasPrefix(word) ? start..<index(start, offsetBy: word.count) : nil
    }.first
  }
}
