import Testing
import TextCanvas

struct DisplayWidthTests {
  /// Lines of EastAsianWidth.txt of Unicode 15.0: a scalar or a range, and its class.
  @Test(arguments: [
    ("0020", "Na"), ("007E", "Na"), ("00A1", "A"), ("00E9", "A"), ("0100", "N"), ("1100..115E", "W"), ("20A9", "H"),
    ("231A..231B", "W"), ("23E9..23EC", "W"), ("2500..254B", "A"), ("2614..2615", "W"), ("2E80..2E99", "W"),
    ("3000", "F"), ("3001..3003", "W"), ("303F", "N"), ("3041..3096", "W"), ("3400..4DBF", "W"), ("AC00..D7A3", "W"),
    ("E000..E0FF", "A"), ("FF01..FF03", "F"), ("FF61", "H"), ("1F004", "W"), ("1F300..1F320", "W"),
    ("1F321..1F32C", "N"), ("1F6DC..1F6DF", "W"), ("1FAE0..1FAE8", "W"), ("20000..2A6DF", "W"), ("30000..3134A", "W"),
    ("31350..323AF", "W"),
  ])
  func `the width of a scalar follows its East Asian width`(_ range: String, _ class_: String) throws {
    let ends = range.split(separator: ".", omittingEmptySubsequences: true).compactMap { UInt32($0, radix: 16) }
    let first = try #require(ends.first)
    for value in first...(ends.last ?? first) {
      let scalar = try #require(Unicode.Scalar(value))
      #expect(scalar.displayWidth == (["W", "F"].contains(class_) ? 2 : 1))
      #expect(scalar.isAmbiguousWidth == (class_ == "A"))
    }
  }

  @Test(arguments: [
    ("plain", 5), ("naïve", 5), ("nai\u{308}ve", 5), ("日本語", 6), ("한국어", 6), ("ไทย", 3), ("नमस्ते", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("👩", 2), ("👩🏽", 2), ("👩🏽‍💻", 2), ("👨‍👩‍👧‍👦", 2), ("👩🏽‍❤️‍💋‍👨🏿", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2),
    ("🇬🇧", 2), ("🇬🇧🇫🇷", 4), ("🇬", 1), ("❤", 1), ("❤\u{FE0F}", 2), ("⌚", 2), ("⌚\u{FE0E}", 1), ("1\u{FE0F}\u{20E3}", 2),
    ("©", 1), ("©\u{FE0F}", 2), ("✓", 1), ("…", 1), ("╭─╮", 3), ("", 0), ("\u{200B}", 0), ("a\u{AD}b", 2),
    ("\u{301}", 1), ("\t", 1), ("\u{1B}[0m", 4), ("\r\n", 2),
  ])
  func `the width of a text equals the width of its drawing`(_ text: String, _ width: Int) {
    #expect(text.displayWidth == width)

    var surface = Surface(columns: 12, rows: 1)
    #expect(surface.draw(text, at: .zero) == width)
    #expect(surface.firstFlaw == nil)
  }

  @Test func `clusters of disputed width are recognised`() {
    let disputed = ["🇬🇧", "👩🏽", "👨‍👩‍👧‍👦", "❤\u{FE0F}", "⌚\u{FE0E}", "1\u{FE0F}\u{20E3}", "\u{E0B0}", "ा"]
    let agreed = ["a", "é", "e\u{301}", "日", "한", "\u{1112}\u{1161}", "👩", "─", "✓", "ที่"]

    #expect(disputed.filter { !Glyph($0).isDisputed } == [])
    #expect(agreed.filter { Glyph($0).isDisputed } == [])
  }

  @Test func `the table names its Unicode version`() {
    #expect(DisplayWidth.unicodeVersion == "15.0.0")
  }
}
