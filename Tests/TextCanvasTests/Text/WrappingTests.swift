import TestSupport
import Testing
import TextCanvas

struct WrappingTests {
  @Test(arguments: [
    ("", 10, [""]),
    ("one two three", 7, ["one two", "three"]),
    ("one two three", 6, ["one", "two", "three"]),
    ("one  two   three", 8, ["one  two", "three"]),
    ("trailing   ", 8, ["trailing"]),
    ("  two before", 7, ["  two", "before"]),
    ("one\n\ntwo", 9, ["one", "", "two"]),
    ("one\r\ntwo\u{2028}three", 9, ["one", "two", "three"]),
    ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
    ("go abcdefghij", 4, ["go", "abcd", "efgh", "ij"]),
    ("      abcdef", 8, ["      ab", "cdef"]),
    ("10\u{A0}000 books", 8, ["10\u{A0}000", "books"]),
    ("see page\u{A0}12", 10, ["see", "page\u{A0}12"]),
    ("a\u{2060}日本", 3, ["a日", "本"]),
    ("well-known", 7, ["well-", "known"]),
    ("set -linear on", 6, ["set", "-linea", "r on"]),
    ("from 1-2 to", 7, ["from", "1-2 to"]),
    ("either/or", 8, ["either/", "or"]),
    ("hyphen\u{AD}ation", 8, ["hyphen-", "ation"]),
    ("hyphen\u{AD}ation", 12, ["hyphenation"]),
    ("long\u{200B}word", 6, ["long", "word"]),
    ("say “no way” now", 10, ["say “no", "way” now"]),
    ("ah oui !", 7, ["ah", "oui !"]),
    ("日本語のテキスト", 7, ["日本語", "のテキ", "スト"]),
    ("これは。それは「あれ」", 7, ["これ", "は。そ", "れは", "「あ", "れ」"]),
    ("mixed 日本 text", 8, ["mixed 日", "本 text"]),
    ("👩🏽‍💻👩🏽‍💻👩🏽‍💻", 5, ["👩🏽‍💻👩🏽‍💻", "👩🏽‍💻"]),
    ("tab\there", 20, ["tab here"]),
    ("bell\u{7}\u{1B}[31m", 20, ["bell␇␛[31m"]),
  ])
  func `lines are broken at the expected positions`(_ text: String, _ width: Int, _ lines: [String]) {
    #expect(text.wrapped(to: width) == lines)
  }

  @Test func `with overflow allowed, a long word stays whole on its own line`() {
    let text = StyledText("an incomprehensibility is 漢字漢字")

    #expect(
      text.wrapped(to: 6, hangingIndent: 1, overflowing: true).map { "\($0.indent) \($0.text)" }
        == ["0 an", "1 incomprehensibility", "1 is 漢", "1 字漢", "1 字"])
  }

  @Test func `styles stay with their words, and later lines have a hanging indent`() {
    var text = StyledText("take ", style: Style(foreground: .indexed(1)))
    text.append("very bold", style: Style(attributes: .bold))
    text.append(" steps")

    #expect(
      text.wrapped(to: 14, indent: 2, hangingIndent: 4) == [
        StyledLine(
          indent: 2,
          [
            StyledRun("take ", style: Style(foreground: .indexed(1))),
            StyledRun("very", style: Style(attributes: .bold)),
          ]),
        StyledLine(indent: 4, [StyledRun("bold", style: Style(attributes: .bold)), StyledRun(" steps")]),
      ])
  }

  @Test func `no line is wider than the limit, and no visible character is lost`() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<2_000 {
      let text = random.text(pieces: 30)
      let width = Int.random(in: -1...16, using: &random)
      let lines = StyledText(text).wrapped(to: width, indent: Int.random(in: 0...20, using: &random))

      #expect(lines.allSatisfy { $0.displayWidth <= max(2, width) })
      #expect(lines.map(\.text).joined().visible == text.harmless.visible)
      #expect(lines.allSatisfy { $0.text.unicodeScalars.allSatisfy { !$0.isCommand } })
    }
  }
}

extension String {
  /// The scalars without spaces, because spaces may be omitted at line breaks.
  fileprivate var visible: [Unicode.Scalar] { unicodeScalars.filter { $0 != " " } }
}
