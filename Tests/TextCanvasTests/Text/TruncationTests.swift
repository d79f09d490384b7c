import Testing
import TextCanvas

struct TruncationTests {
  @Test(arguments: [
    ("short", 5, "short"), ("longer", 5, "long…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("one two", 5, "one…"),
    ("x", 0, ""), ("xy", 1, "…"), ("", 3, ""), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
  ])
  func `a text that is too long ends with an ellipsis`(_ text: String, _ width: Int, _ result: String) {
    #expect(text.truncated(to: width) == result)
    #expect(text.truncated(to: width, ellipsis: "~") == result.replacing("…", with: "~"))
  }

  @Test func `the ellipsis has the style of the cut text`() {
    let line = StyledLine(indent: 1, [StyledRun("ab "), StyledRun("cdef", style: Style(attributes: .bold))])

    #expect(line.truncated(to: 4) == StyledLine(indent: 1, [StyledRun("ab…")]))
    #expect(
      line.truncated(to: 6)
        == StyledLine(indent: 1, [StyledRun("ab "), StyledRun("c…", style: Style(attributes: .bold))]))
    #expect(line.truncated(to: 1) == StyledLine())
  }
}
