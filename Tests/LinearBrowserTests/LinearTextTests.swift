import LearningModel
import Testing

@testable import LinearBrowser

private func linearLines(_ blocks: [Block]) -> [String] { LinearText(blocks).lines.map(\.text) }

struct SpokenTextTests {
  @Test func `formulas are converted to words`() {
    #expect(
      linearLines([.paragraph([.text("So "), .math("2^{n-1}"), .text(".")]), .math("\\frac{a}{b}")]) == [
        "So 2 to the power n minus 1.", "Formula: the fraction a over b.",
      ])
  }

  @Test func `words replace symbols and layout`() {
    let lines = linearLines([
      .heading(level: 2, text: [.text("Who speaks "), .emphasis([.text("first")]), .text("?")], anchor: "a"),
      .heading(level: 3, text: [.text("Reasons")], anchor: "b"),
      .paragraph([.text("One\nline"), .lineBreak, .code("two"), .text(" "), .strikethrough([.text("three")])]),
      .bulletList(items: [
        ListItem(isTicked: true, blocks: [.paragraph([.text("done")])]),
        ListItem(isTicked: false, blocks: [.paragraph([.text("to do")])]),
        ListItem(blocks: [.paragraph([.text("plain")]), .orderedList(start: 3, items: [ListItem(blocks: [])])]),
      ]),
      .quote([.paragraph([.text("We had forty in mind.")]), .paragraph([.text("And you?")])]),
      .code(language: "swift", text: "if offer {\n\twait()\n}\n"),
      .paragraph([.image(source: "a.png", alternative: "a boat"), .image(source: "b.png", alternative: "")]),
      .rule, .details(summary: [.text("Solution")], blocks: [.paragraph([.text("Six.")])]),
    ])

    #expect(
      lines == [
        "Heading: Who speaks first?", "Heading: Reasons.", "One line", "two (struck out: three)", "- Ticked: done",
        "- Not ticked: to do", "- plain", "3)", "Quote: We had forty in mind.", "And you?", "End of the quote.",
        "Code, swift:", "if offer {", "    wait()", "}", "End of the code.", "(image: a boat)(image)", "Separator.",
        "Solution", "Six.", "End of: Solution.",
      ])
  }

  @Test func `targets are silent, and each is on the line of its block`() {
    let lines = LinearText([
      .paragraph([.text("One."), .target("one")]), .paragraph([.target("code")]), .code(language: nil, text: "x"),
      .orderedList(start: 1, items: [ListItem(number: "b", blocks: [.paragraph([.text("Two."), .target("two")])])]),
    ]).lines

    #expect(lines.map(\.text) == ["One.", "Code:", "x", "End of the code.", "b) Two."])
    #expect(lines.map(\.targets) == [["one"], ["code"], [], [], ["two"]])
  }

  @Test func `the beginnings and ends of frames, definitions and tabs are written in words`() {
    let tabs = Block.tabs([
      ContentTab(label: [.text("Shell")], blocks: [.paragraph([.text("Type it.")])]),
      ContentTab(label: [.text("Python")], blocks: [.paragraph([.text("Call it.")])]),
    ])
    let blocks: [Block] = [
      .admonition(Admonition(kind: .tip, blocks: [.paragraph([.text("Press "), .key("Ctrl"), .text(".")])])),
      .admonition(
        Admonition(
          kind: .box, title: [.text("Exercise")],
          blocks: [.paragraph([.text("Try.")]), .paragraph([.text("Again.")])])),
      .definitions([
        Definition(term: [.text("bee")], blocks: []),
        Definition(term: [.text("wasp")], blocks: [.paragraph([.text("an insect")])]),
      ]),
      tabs,
    ]
    let closed = LinearText([tabs], closed: [])

    #expect(
      linearLines(blocks) == [
        "Tip. Press Ctrl.", "Exercise. Try.", "Again.", "End of the box.", "bee", "wasp: an insect",
        "Tab: Shell. Type it.", "Tab: Python. Call it.", "End of the tabs.",
      ])
    #expect(
      closed.lines.map(\.text) == [
        "Tab: Shell. Type it.", "Tab: Python. It is closed: link 1 opens it.", "End of the tabs.",
      ])
    #expect(closed.closed == [[.paragraph([.text("Call it.")])]])
  }

  @Test func `a collapsed section is a link that opens it`() {
    let inner = Block.details(summary: [.text("Why?")], blocks: [.paragraph([.text("Glands.")])])
    let text = LinearText(
      [.details(summary: [.text("Solution")], blocks: [.paragraph([.text("Six.")]), inner]), inner], closed: [])

    #expect(
      text.lines.map(\.text) == [
        "Solution. It is closed: link 1 opens it.", "Why? It is closed: link 2 opens it.",
      ])
    #expect(text.links.map(\.destination) == ["#details:0", "#details:1"])
    #expect(text.closed == [[.paragraph([.text("Six.")]), inner], [.paragraph([.text("Glands.")])]])
  }

  @Test func `every cell of a table follows the heading of its column`() {
    let lines = linearLines([
      .table(
        alignments: [.left, .left], header: [[.text("Word")], []],
        rows: [[[.text("anchor")], [.text("the first figure.")]], [[], [.text("“why?”")]]])
    ])

    #expect(
      lines == [
        "Table, 2 rows: Word.", "Row 1. Word: anchor. the first figure.", "Row 2. Word: empty. “why?”",
        "End of the table.",
      ])
  }

  @Test func `links are numbered, and equal links have equal numbers`() {
    let link = Inline.link(destination: "waymark:x", text: [.text("X")])
    let other = Inline.link(destination: "https://example.org", text: [])
    let text = LinearText([.paragraph([link, .text(" and "), other]), .paragraph([link])])

    #expect(
      text.lines.map(\.text) == [
        "X (link 1) and https://example.org (link 2)", "X (link 1)",
      ])
    #expect(text.links.map(\.destination) == ["waymark:x", "https://example.org"])
  }

  @Test(arguments: [
    ("A title", "A title."), ("Who?", "Who?"), ("“Never!”", "“Never!”"), ("“Never”", "“Never”."), ("", ""),
    ("(a)", "(a)."),
  ])
  func `a title becomes a sentence`(_ title: String, _ sentence: String) {
    #expect(LinearFormat.ended(title) == sentence)
  }

  @Test(arguments: [
    (900, "0 seconds"), (1000, "1 second"), (60_000, "1 minute"), (2_880_000, "48 minutes"), (3_600_000, "1 hour"),
    (4_020_000, "1 hour 7 minutes"),
  ])
  func `durations are written without abbreviations`(_ milliseconds: Int64, _ text: String) {
    #expect(LinearFormat.duration(milliseconds: milliseconds) == text)
  }
}
