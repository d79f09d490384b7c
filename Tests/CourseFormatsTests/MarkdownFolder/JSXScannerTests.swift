import Testing

@testable import CourseFormats

struct JSXScannerTests {
  private func tag(_ text: String) -> JSXScanner.Tag? {
    var scanner = JSXScanner(text)
    return scanner.tag(at: 0)
  }

  @Test func `the text attributes of a tag are read, and expressions are skipped`() {
    let text = "<Card title=\"A > b\" a={{b: '}'}} {...c} src={require('./x.png').default} wide={true} n={1} d />x"

    #expect(
      tag(text)
        == JSXScanner.Tag(
          name: "Card", isSelfClosing: true, hasExpression: true,
          attributes: ["title": "A > b", "src": "./x.png", "wide": "true", "d": "true"], end: text.utf8.count - 1))
  }

  @Test(arguments: ["<", "< a", "<1>", "<https://example.org>", "<a b={", "<a 'x'>", "<a b=\"c", "text"])
  func `other text is not parsed as a tag`(_ text: String) {
    #expect(tag(text) == nil)
  }

  @Test(arguments: [
    ("{1 + 2}", 7), ("{a => { return \"}\" }}", 21), ("{`${b} }`}x", 10), ("{/* } */}", 9), ("{don't}", 7), ("{", nil),
  ])
  func `an expression ends at its brace`(_ text: String, _ end: Int?) {
    var scanner = JSXScanner(text)
    #expect(scanner.expressionEnd(at: 0) == end)
  }

  @Test(arguments: [
    HostileText("open braces", String(repeating: "{", count: 200_000)),
    HostileText("open braces in lines", String(repeating: "{ a\n\n", count: 40_000)),
    HostileText("open tags", String(repeating: "<A b={1} ", count: 40_000)),
    HostileText("open components", String(repeating: "<A>\n", count: 20_000)),
    HostileText("closed components", String(repeating: "</A>\n", count: 20_000)),
    HostileText("exports", String(repeating: "export const a = (\n\n", count: 20_000)),
    HostileText("comments", String(repeating: "<!-- ", count: 40_000)),
  ])
  func `components without an end are read in linear time`(hostile: HostileText) {
    var markup = PageMarkup(PageMarkup.Context(file: "a.mdx"))
    _ = markup.withoutComponents(hostile.text)
  }
}
