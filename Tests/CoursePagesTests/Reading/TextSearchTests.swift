import Foundation
import TestSupport
import Testing
import TextCanvas

@testable import CoursePages

@Suite struct TextSearchTests {
  /// Returns the matches in order, with the current one in brackets. A match that continues on the next line is in two
  /// parts.
  private func marked(_ search: TextSearch, in lines: [StyledLine]) -> [String] {
    search.cells(in: 0..<lines.count).map { cells, isChosen in
      let before = lines[cells.row].indent
      let text = lines[cells.row].text.reduce(into: (column: before, words: "")) { result, letter in
        if cells.column..<cells.endColumn ~= result.column { result.words.append(letter) }
        result.column += String(letter).displayWidth
      }
      return isChosen ? "[\(text.words)]" : text.words
    }
  }

  private func matches(_ query: String, from line: Int = 0, in lines: [StyledLine]) -> [String] {
    var search = TextSearch(in: lines)
    search.search(for: query, from: line)
    return marked(search, in: lines)
  }

  @Test(arguments: [
    ("cafe", ["[café]", "CAFÉ", "cafe\u{301}"]), ("CAFÉ", ["[café]", "CAFÉ", "cafe\u{301}"]),
    ("fé", ["[fé]", "FÉ", "fe\u{301}"]),
    ("abc", ["[ＡＢＣ]"]), ("合", ["[合]"]), ("straße", ["[Straße]"]), ("strasse", []), ("  ", []), ("", []), ("zzz", []),
  ])
  func `a search ignores case, diacritics and character width`(query: String, expected: [String]) {
    let lines: [StyledLine] = ["A café, a CAFÉ,", "", "a cafe\u{301}. ＡＢＣ 合意 Straße"]

    #expect(matches(query, in: lines) == expected)
  }

  @Test(arguments: [
    ("f(u) = 2", ["[f(𝐮) = 2]"]), ("F(𝐔)", ["[f(𝐮)]"]), ("x2", ["[x²]"]), ("x²", ["[x²]"]), ("first", ["[ﬁrst]"]),
    ("in R", ["[in ℝ]"]), ("1 2", []),
  ])
  func `plain letters match bold letters, raised letters and ligatures`(query: String, expected: [String]) {
    #expect(matches(query, in: ["The ﬁrst, f(𝐮) = 2x² in ℝ; 1½ ¨2"]) == expected)
  }

  @Test func `a search finds words across line breaks and ignores margins`() {
    let lines = [
      StyledLine(indent: 2, [StyledRun("▎ the price is al"), StyledRun("ready", style: Style(attributes: .bold))]),
      StyledLine(indent: 2, [StyledRun("▎ lower than")]), StyledLine(), StyledLine("  before"),
    ]

    #expect(matches("already lower", in: lines) == ["[already]", "[lower]"])
    #expect(matches("than before", in: lines) == ["[than]", "[before]"])
    #expect(matches("READY", in: lines) == ["[ready]"])
  }

  @Test func `a search starts at a line and continues from the other end`() {
    let lines: [StyledLine] = ["one", "two one", "one"]
    var search = TextSearch(in: lines)

    search.search(for: "one", from: 1)
    #expect([search.count, search.current, search.line] == [3, 1, 1])
    search.move(by: 2)
    #expect([search.current, search.line] == [0, 0])
    search.move(by: -1)
    #expect([search.current, search.line] == [2, 2])
    search.search(for: "two", from: 2)
    #expect([search.count, search.current, search.line] == [1, 0, 1])
  }

  @Test func `the current match stays current when the text is laid out again`() {
    var search = TextSearch(in: ["a b a b", "a"])
    search.search(for: "a", from: 1)

    search.update(["a b", "a b", "a"])

    #expect([search.count, search.current, search.line] == [3, 2, 2])
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `a search finds all matches and nothing else`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let letters = Array("abAB é\u{301}合 ▎")
    let lines = (0..<20).map { _ in
      StyledLine(
        String((0..<Int.random(in: 0...12, using: &random)).map { _ in letters.randomElement(using: &random)! }))
    }
    let query = String((0..<Int.random(in: 1...3, using: &random)).map { _ in "abé合".randomElement(using: &random)! })
    let fold = { (text: String) in String(decoding: FoldedText([StyledLine(text)]).bytes, as: UTF8.self) }

    var search = TextSearch(in: lines)
    search.search(for: query, from: 0)

    let foldedQuery = fold(query)
    // Counts the matches in single lines. Queries contain no blank, so no match extends over a line break.
    var count = 0
    for line in lines {
      var remaining = Substring(fold(line.text))
      while let range = remaining.range(of: foldedQuery) {
        count += 1
        remaining = remaining[range.upperBound...]
      }
    }
    #expect(search.count == count)
    for match in marked(search, in: lines) { #expect(fold(match.filter { !"[]".contains($0) }) == foldedQuery) }
  }
}
