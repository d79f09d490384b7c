import LearningModel
import TestSupport
import Testing

@testable import CourseFormats

struct MarkdownTextTests {
  private func blocks(_ markdown: String) throws -> [Block] {
    try MarkdownText.parse(markdown, file: "a.md", limits: .standard).blocks.map(\.block)
  }

  @Test func `paragraphs keep their inline markup and lose their line breaks`() throws {
    #expect(
      try blocks("One *two\nthree* **four** `five`\nsix ~~seven~~.") == [
        .paragraph([
          .text("One "), .emphasis([.text("two three")]), .text(" "), .strong([.text("four")]), .text(" "),
          .code("five"), .text(" six "), .strikethrough([.text("seven")]), .text("."),
        ])
      ])
  }

  @Test func `formulas in dollar signs and fences are kept verbatim`() throws {
    #expect(
      try blocks(
        "Let $a_1 * b_1$ be.\n\n$$\nx < \\frac{1}{2}\n$$\n\n```math\ny\n```\n\nSee \\(e^x\\), and\n\\[ z^2 \\]\nhere.")
        == [
          .paragraph([.text("Let "), .math("a_1 * b_1"), .text(" be.")]),
          .math("x < \\frac{1}{2}"), .math("y"),
          .paragraph([.text("See "), .math("e^x"), .text(", and")]), .math("z^2"), .paragraph([.text("here.")]),
        ])
  }

  @Test func `single letters joined by operators are a formula`() throws {
    #expect(
      try blocks("With $f(t, y(t))$, $a / b$ and $n - 1$.") == [
        .paragraph([
          .text("With "), .math("f(t, y(t))"), .text(", "), .math("a / b"), .text(" and "), .math("n - 1"), .text("."),
        ])
      ])
  }

  @Test func `MathML formulas are converted to LaTeX`() throws {
    #expect(
      try blocks("So <math><mfrac><mi>m</mi><msup><mi>v</mi><mn>2</mn></msup></mfrac></math> it is.") == [
        .paragraph([.text("So "), .math("\\frac{m}{v^{2}}"), .text(" it is.")])
      ])
  }

  @Test(arguments: [
    "It costs $5, or $6 with a cup.", "From $5 to $10.", "Set $HOME and $PATH first.", "`$a$ $b$`", "It is 5$ and 6$.",
    "The prices $5 and 6$ differ.", "\\$x\\$", "I owe $5 (A$).", "It is $5/kg or C$6.", "In $i/$j and A$.",
  ])
  func `amounts of money and names of variables are not formulas`(text: String) throws {
    guard case .paragraph(let line) = try #require(try blocks(text).first) else {
      Issue.record("no paragraph")
      return
    }
    #expect(line.allSatisfy { if case .math = $0 { false } else { true } })
    #expect(line.plainText == text.replacing("`", with: "").replacing("\\", with: ""))
  }

  @Test func `a backslash or two spaces at the end of a line break it`() throws {
    #expect(
      try blocks("one\\\ntwo  \nthree") == [
        .paragraph([.text("one"), .lineBreak, .text("two"), .lineBreak, .text("three")])
      ])
  }

  @Test func `headings get anchors that are unique in the text`() throws {
    #expect(
      try blocks("# Try *it*\n\n## Try it\n\nTry it\n------\n") == [
        .heading(level: 1, text: [.text("Try "), .emphasis([.text("it")])], anchor: "try-it"),
        .heading(level: 2, text: [.text("Try it")], anchor: "try-it-1"),
        .heading(level: 2, text: [.text("Try it")], anchor: "try-it-2"),
      ])
  }

  @Test func `lists are nested, begin with their first number, and may have check boxes`() throws {
    #expect(
      try blocks("3. three\n   - inner\n4. four\n\n- [ ] open\n- [x] *done*\n") == [
        .orderedList(
          start: 3,
          items: [
            ListItem(blocks: [
              .paragraph([.text("three")]), .bulletList(items: [ListItem(blocks: [.paragraph([.text("inner")])])]),
            ]),
            ListItem(blocks: [.paragraph([.text("four")])]),
          ]),
        .bulletList(items: [
          ListItem(isTicked: false, blocks: [.paragraph([.text("open")])]),
          ListItem(isTicked: true, blocks: [.paragraph([.emphasis([.text("done")])])]),
        ]),
      ])
  }

  @Test func `quotations, horizontal rules and code are separate blocks`() throws {
    #expect(
      try blocks("> a\n>\n> b\n\n---\n\n```swift hidden\nlet a = \"<b>\"\n\n```\n\n    indented\n") == [
        .quote([.paragraph([.text("a")]), .paragraph([.text("b")])]), .rule,
        .code(language: "swift", text: "let a = \"<b>\"\n"), .code(language: nil, text: "indented"),
      ])
  }

  @Test func `a table has alignments, and its rows are padded to the header`() throws {
    #expect(
      try blocks("| a | b | c |\n|---|:-:|--:|\n| 1 | *2* |\n| 1 | 2 | 3 | 4 |\n") == [
        .table(
          alignments: [.left, .centre, .right], header: [[.text("a")], [.text("b")], [.text("c")]],
          rows: [
            [[.text("1")], [.emphasis([.text("2")])], []], [[.text("1")], [.text("2")], [.text("3")]],
          ])
      ])
  }

  @Test func `links and images keep their destinations, and bare addresses become links`() throws {
    #expect(
      try blocks("[*a*](b.md#c \"title\") ![alt *text*](d.png) <https://e.org> www.f.org") == [
        .paragraph([
          .link(destination: "b.md#c", text: [.emphasis([.text("a")])]), .text(" "),
          .image(source: "d.png", alternative: "alt text"), .text(" "),
          .link(destination: "https://e.org", text: [.text("https://e.org")]), .text(" "),
          .link(destination: "http://www.f.org", text: [.text("www.f.org")]),
        ])
      ])
  }

  @Test func `footnotes are placed below the section that refers to them`() throws {
    var parsed = try MarkdownText.parse(
      "one[^a] two[^b]\n\n[^a]: The *first*.\n[^b]: The second.\n[^c]: Nobody's.\n", file: "a", limits: .standard)

    #expect(
      try parsed.footnotes.attached(to: parsed.blocks.map(\.block), file: "a", limits: .standard) == [
        .paragraph([.text("one[1] two[2]")]), .rule,
        .paragraph([.text("[1] The "), .emphasis([.text("first")]), .text(".")]),
        .paragraph([.text("[2] The second.")]),
      ])
    #expect(try parsed.footnotes.attached(to: [.rule], file: "a", limits: .standard) == [.rule])
  }

  @Test func `footnotes to which footnotes refer are also placed there, each only once`() throws {
    var parsed = try MarkdownText.parse(
      "one[^a]\n\n[^a]: See[^b].\n\n[^b]: See[^c] and[^a].\n\n[^c]: The last.\n", file: "a", limits: .standard)

    #expect(
      try parsed.footnotes.attached(to: parsed.blocks.map(\.block), file: "a", limits: .standard) == [
        .paragraph([.text("one[1]")]), .rule, .paragraph([.text("[1] See[2].")]),
        .paragraph([.text("[2] See[3] and[1].")]), .paragraph([.text("[3] The last.")]),
      ])
  }

  @Test func `the size of footnotes that are repeated below many sections is limited`() throws {
    var limits = SourceLimits()
    limits.expandedSize = 100
    var parsed = try MarkdownText.parse(
      "one[^a]\n\n[^a]: Thirty letters are in this one.", file: "a", limits: .standard)
    let part = parsed.blocks.map(\.block)

    for _ in 1...2 { _ = try parsed.footnotes.attached(to: part, file: "a", limits: limits) }
    #expect(throws: CourseFormatError.limit(.expandedSize(100), file: "a", line: nil)) {
      try parsed.footnotes.attached(to: part, file: "a", limits: limits)
    }
  }

  @Test(arguments: [
    HostileText("a heading", String(repeating: "|a", count: 300) + "|\n" + String(repeating: "|-", count: 300) + "|"),
    HostileText("a long heading over few columns", String(repeating: "|", count: 300) + "\n|-|-|"),
    HostileText("a long rule below few words", "a\n" + String(repeating: "-|", count: 300)),
    HostileText("in a quotation", "> a\n> " + String(repeating: "-|", count: 300)),
  ])
  func `a table with too many columns is rejected before parsing`(_ hostile: HostileText) {
    #expect(throws: CourseFormatError.limit(.tableColumns(256), file: "a.md", line: 7)) {
      try MarkdownText.parse("one\n\n" + hostile.text, file: "a.md", firstLine: 4, limits: .standard)
    }
  }

  @Test func `a row with too many cells is rejected, and so are too many missing cells`() throws {
    #expect(throws: CourseFormatError.limit(.tableColumns(256), file: "a.md", line: 3)) {
      try MarkdownText.parse("|a|\n|-|\n" + String(repeating: "|", count: 300), file: "a.md", limits: .standard)
    }
    var limits = SourceLimits()
    limits.tableGaps = 10
    let heading = "|a|b|c|d|\n|-|-|-|-|\n"
    #expect(
      try MarkdownText.parse(heading + "|e|\n|f|\n|g|\n\n|h|\n|h|", file: "a.md", limits: limits).blocks.count == 2)
    #expect(throws: CourseFormatError.limit(.tableGaps(10), file: "a.md", line: 6)) {
      try MarkdownText.parse(heading + "|e|\n|f|\n|g|\n|h|", file: "a.md", limits: limits)
    }
  }

  @Test(arguments: [
    HostileText("rows of a table", "|a|b|\n|-|-|\n" + String(repeating: "|a|b|\n", count: 300_000)),
    HostileText("items of a list", String(repeating: "- a\n", count: 500_000)),
    HostileText("emphasis", String(repeating: "*a* ", count: 500_000)),
    HostileText("addresses of mail", String(repeating: "a@b.org ", count: 30_000)),
    HostileText("markers of lists on one line", String(repeating: "- ", count: 1_000_000)),
    HostileText("quotations on one line", String(repeating: ">", count: 1_000_000)),
    HostileText("rows of HTML", "<table>" + String(repeating: "<tr><td>a", count: 500_000)),
  ])
  func `a text with too many elements is rejected before parsing`(_ hostile: HostileText) throws {
    let time = processorSeconds {
      #expect(throws: CourseFormatError.limit(.elements(800_000), file: "a.md", line: nil)) {
        try MarkdownText.parse(hostile.text, file: "a.md", limits: .standard)
      }
    }

    #expect(time < 10)
  }

  @Test func `a line number in HTML that is too large is ignored`() throws {
    let text = "a\n\n<p data-sourcepos='9223372036854775807:1-2'>b</p>\n\nc\n"

    #expect(try MarkdownText.parse(text, file: "a", firstLine: 5, limits: .standard).blocks.map(\.line) == [5, 5, 9])
  }

  @Test func `a table may have 256 columns, and pipes outside tables are text`() throws {
    let wide = String(repeating: "|a", count: 256) + "|\n" + String(repeating: "|-", count: 256) + "|"
    guard case .table(let alignments, _, _) = try blocks(wide).first else {
      Issue.record("no table")
      return
    }

    #expect(alignments.count == 256)
    let pipes = String(repeating: "|", count: 1_000)
    #expect(try blocks(pipes) == [.paragraph([.text(pipes)])])
    #expect(try blocks("```\n\(pipes)\n```") == [.code(language: nil, text: pipes)])
  }

  @Test func `HTML in Markdown has the same meaning as in a browser`() throws {
    #expect(
      try blocks("<div>\n\n**a** <kbd>Ctrl</kbd>\n\n</div>\n\n<details><summary>b</summary>\n\nc\n\n</details>") == [
        .paragraph([.strong([.text("a")]), .text(" "), .key("Ctrl")]),
        .details(summary: [.text("b")], blocks: [.paragraph([.text("c")])]),
      ])
  }

  @Test func `each block has the number of the line on which it begins`() throws {
    let parsed = try MarkdownText.parse(
      "a\nb\n\n## c\n\n- d\n\n| e |\n|---|\n", file: "a", firstLine: 5, limits: .standard)

    #expect(parsed.blocks.map(\.line) == [5, 8, 10, 12])
  }

  @Test(arguments: [
    ("> [!WARNING]\n> Hot.\n", ["! warning", "  Hot."]),
    ("> [!tip] *Very* hot\n> Hot.\n", ["! tip *Very* hot", "  Hot."]),
    ("> [!NOTE]\n>\n> Hot.\n> - a\n", ["! note", "  Hot.", "  - a"]),
    ("> [!EDITION-2018]\n> Old.\n", ["! box Edition 2018", "  Old."]),
    ("> [!danger] Fire\n", ["! caution Danger: Fire"]),
    ("> [!faq]- Why?\n> So.\n", ["? Question: Why?", "  So."]),
    ("> [!NOTE]\n> > [!TIP]\n> > Hot.\n", ["! note", "  ! tip", "    Hot."]),
    ("- > [!NOTE]\n  > Hot.\n", ["- ! note", "    Hot."]),
    ("> Words.\n> [!NOTE]\n", ["> Words. [!NOTE]"]),
    ("> [!NOTE](a.md)\n", ["> [!NOTE](a.md)"]),
    ("```\n> [!NOTE]\n```\n[!NOTE]\n", ["```", "> [!NOTE]", "```", "[!NOTE]"]),
  ])
  func `alerts in all syntax variants become frames`(_ markdown: String, _ expected: [String]) throws {
    #expect(try sketch(blocks(markdown)) == expected)
  }

  @Test func `an alert does not change the line numbers of later blocks`() throws {
    let parsed = try MarkdownText.parse("> [!NOTE] Title\n> Hot.\n\n## c\n", file: "a", limits: .standard)

    #expect(parsed.blocks.map(\.line) == [1, 4])
  }

  @Test func `control characters are removed from text and code`() throws {
    #expect(
      try blocks("a\u{1B}[31mb\u{9B}c\u{7}\n\n```\nd\u{1B}e\tf\n```\n\n`g\u{8}h`") == [
        .paragraph([.text("a[31mbc")]), .code(language: nil, text: "de\tf"), .paragraph([.code("gh")]),
      ])
  }

  @Test(arguments: [
    HostileText("quotes", String(repeating: "> ", count: 70) + "x"),
    HostileText("lists", String(repeating: "- ", count: 70) + "x"),
    HostileText("stress", String(repeating: "*a **b ", count: 70) + String(repeating: "c** d*", count: 70)),
  ])
  func `Markdown that is nested too deeply is rejected with its line`(_ hostile: HostileText) {
    #expect(throws: CourseFormatError.limit(.nestingDepth(64), file: "a.md", line: 3)) {
      try MarkdownText.parse("fine\n\n" + hostile.text, file: "a.md", limits: .standard)
    }
  }

  @Test(arguments: [
    HostileText("containers", String(repeating: "<div>", count: 70)),
    HostileText("stress", "<b>" + String(repeating: "<i><b>", count: 35) + "x"),
    HostileText("links around paragraphs", String(repeating: "<ins><div>", count: 40)),
    HostileText("lists", String(repeating: "<ul><li>", count: 70)),
    HostileText("tables", String(repeating: "<table><tr><td>", count: 70)),
  ])
  func `HTML that is nested too deeply is rejected`(_ hostile: HostileText) {
    #expect(throws: CourseFormatError.self) {
      try MarkdownText.parse("fine\n\n" + hostile.text, file: "a.md", limits: .standard)
    }
  }

  @Test(arguments: [
    HostileText("notes", String(repeating: "<div class=\"note\">", count: 70)),
    HostileText("quotes", String(repeating: "<blockquote>", count: 70)),
  ])
  func `frames of a dialect that are nested too deeply are rejected`(_ hostile: HostileText) {
    var dialect = TextDialect.plain
    dialect.frameClasses = ["note"]

    #expect(throws: CourseFormatError.limit(.nestingDepth(64), file: "a.md", line: nil)) {
      try MarkdownText.parse(hostile.text + "x", file: "a.md", limits: .standard, dialect: dialect)
    }
  }

  @Test(arguments: [
    HostileText("quotes", String(repeating: "> ", count: 50_000)),
    HostileText("brackets", String(repeating: "[", count: 50_000)),
    HostileText("stress", String(repeating: "*a_ ", count: 20_000)),
    HostileText("containers", String(repeating: "<div>", count: 20_000)),
    HostileText("unknown elements", String(repeating: "<x>", count: 20_000)),
    HostileText("images", String(repeating: "![", count: 20_000)),
    HostileText("columns", String(repeating: "|a", count: 5_000) + "\n" + String(repeating: "|-", count: 5_000)),
    HostileText("backticks", String(repeating: "`", count: 50_000)),
    HostileText("entities", String(repeating: "&", count: 100_000)),
    HostileText("comments", String(repeating: "<!--", count: 20_000)),
    HostileText("footnotes", String(repeating: "[^a]", count: 10_000) + "\n\n[^a]: x"),
    HostileText("alerts", String(repeating: "> [!NOTE]\n\n", count: 10_000)),
    HostileText("definitions", String(repeating: "<dl><dt>a<dd>b</dl>", count: 10_000)),
    HostileText("tabs", String(repeating: "<tabitem>a</tabitem>", count: 10_000)),
    HostileText("formulas", "x" + String(repeating: "<sup>2</sup>", count: 5_000)),
    HostileText("formulas without an end", String(repeating: "<waymark-formula>\\", count: 20_000)),
    HostileText("items", String(repeating: "- x\n", count: 20_000)),
    HostileText("equal headings", String(repeating: "# a\n\n", count: 10_000)),
    HostileText("words of many elements", String(repeating: "words<i></i>", count: 20_000)),
  ])
  func `hostile texts are parsed in linear time`(_ hostile: HostileText) {
    let time = processorSeconds {
      _ = try? MarkdownText.parse(hostile.text, file: "a.md", limits: .standard)
    }

    #expect(time < 10)
  }
}
