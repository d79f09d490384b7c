import LearningModel
import TestSupport
import Testing

@testable import CourseFormats

struct HTMLTextTests {
  private func parse(_ html: String, _ dialect: TextDialect = .plain) throws -> ParsedText {
    try HTMLText.parse(html, file: "a.html", limits: .standard, dialect: dialect)
  }

  private func blocks(_ html: String) throws -> [Block] { try parse(html).blocks.map(\.block) }

  @Test func `only the body of a document is read`() throws {
    #expect(
      try blocks(
        "<html><head><title>t</title></head><body><h3 id='x'>H</h3><p>a&nbsp;b &amp; c &eacute;</p></body></html>") == [
          .heading(level: 3, text: [.text("H")], anchor: "x"), .paragraph([.text("a\u{A0}b & c é")]),
        ])
  }

  @Test func `text next to blocks becomes separate paragraphs`() throws {
    #expect(
      try blocks("<div>a<p>b</p>c <em>d</em><ul><li>e</ul></div>") == [
        .paragraph([.text("a")]), .paragraph([.text("b")]), .paragraph([.text("c "), .emphasis([.text("d")])]),
        .bulletList(items: [ListItem(blocks: [.paragraph([.text("e")])])]),
      ])
  }

  @Test func `white space is collapsed and removed at both ends`() throws {
    #expect(
      try blocks("<p>\n  a <b> b </b>  c <i> </i><br>\n d <br></p>") == [
        .paragraph([
          .text("a "), .strong([.text("b ")]), .text("c"), .lineBreak, .text("d"),
        ])
      ])
  }

  @Test func `an unknown element keeps its text and its blocks`() throws {
    #expect(
      try blocks("<blink>a</blink> <marquee><p>b</p></marquee>") == [
        .paragraph([.text("a")]), .paragraph([.text("b")]),
      ])
  }

  @Test func `a link around blocks is a container`() throws {
    #expect(try blocks("<a href='x'><h2>a</h2><p>b</p></a>").count == 2)
  }

  @Test func `scripts and styles are removed and counted`() throws {
    let parsed = try parse("<p>a</p><script>alert('<p>b</p>')</script><style>p {}</style><script></script>")

    #expect(parsed.blocks.map(\.block) == [.paragraph([.text("a")])])
    #expect(
      parsed.findings.losses == [
        Loss(what: "script", count: 2, treatment: "left out"),
        Loss(what: "style sheet", count: 1, treatment: "left out"),
      ])
  }

  @Test func `embedded content becomes a link and is counted as a loss`() throws {
    let parsed = try parse(
      "<iframe src='https://a.org' title='A map'></iframe><video><source src='b.mp4'></video><canvas></canvas>")

    #expect(
      parsed.blocks.map(\.block) == [
        .paragraph([
          .link(destination: "https://a.org", text: [.text("A map")]),
          .link(destination: "b.mp4", text: [.text("Video")]),
        ])
      ])
    #expect(
      parsed.findings.losses == [
        Loss(what: "embedded page", count: 1, treatment: "shown as a link"),
        Loss(what: "video", count: 1, treatment: "shown as a link"),
        Loss(what: "drawing", count: 1, treatment: "left out"),
      ])
  }

  @Test func `images are counted as losses, and their alternative text is one line`() throws {
    let parsed = try parse("<p><img src='a.png' alt='two\n lines'><img src='b.png' title='c'></p>")

    #expect(
      parsed.blocks.map(\.block) == [
        .paragraph([.image(source: "a.png", alternative: "two lines"), .image(source: "b.png", alternative: "c")])
      ])
    #expect(parsed.findings.losses == [Loss(what: "image", count: 2, treatment: "shown as its description")])
  }

  @Test func `superscripts and subscripts of letters are formulas`() throws {
    #expect(
      try blocks("x<sup>2</sup> a<sup>n</sup> H<sub>2</sub>O a<sub>i</sub> <q>b</q>") == [
        .paragraph([
          .math("x^{2}"), .text(" "), .math("a^{n}"), .text(" "), .math("H_{2}"), .text("O "), .math("a_{i}"),
          .text(" “b”"),
        ])
      ])
  }

  @Test func `a superscript after an italic letter or a subscript extends the formula`() throws {
    #expect(
      try blocks("<i>x</i><sub>i</sub><sup>2</sup>, CO<sub>2</sub>, 1984<sup>3</sup>, 1<sup>er</sup>, M<sup>me</sup>")
        == [
          .paragraph([.math("x_{i}^{2}"), .text(", CO₂, 1984³, 1^(er), M^(me)")])
        ])
  }

  @Test(arguments: [
    ("2<sup>n − 1</sup>", "2^(n − 1)"), ("2<sup>n</sup> − 1", "2ⁿ − 1"), ("10<sup>−3</sup>", "10⁻³"),
    ("2<sup>10</sup>", "2¹⁰"), ("2<sup>(n-1)</sup>", "2^(n-1)"), ("2<sup>(a)(b)</sup>", "2^((a)(b))"),
    ("2<sup>n<sup>2</sup></sup>", "2^(n²)"), ("2<sup>2<sup>2</sup></sup>", "2^(2²)"),
    ("2<sup>a<sub>i + 1</sub></sup>", "2^(a_(i + 1))"), ("a<sub>n + 1</sub>", "a_(n + 1)"), ("a<sub>10</sub>", "a₁₀"),
    ("a<sub>b<sub>1</sub></sub>", "a_(b₁)"), ("the 19<sup>th</sup>", "the 19th"),
    ("2<sup> <em>xy</em> </sup>", "2^(xy)"), ("so.<sup>[1]</sup>", "so.[1]"), ("so.<sup><i>[</i>1]</sup>", "so.[1]"),
    ("x<sup></sup>", "x"),
  ])
  func `superscripts and subscripts of several characters are in parentheses`(_ html: String, _ words: String) throws {
    #expect(try blocks(html).plainText == words)
    #expect(try MarkdownText.parse(html, file: "a", limits: .standard).blocks.map(\.block) == blocks(html))
  }

  @Test func `a table that is too wide or lacks too many cells is rejected`() {
    var limits = SourceLimits()
    limits.tableColumns = 3
    limits.tableGaps = 4
    func parse(_ rows: [Int]) throws -> ParsedText {
      let rows = rows.map { "<tr>" + String(repeating: "<td>x</td>", count: $0) + "</tr>" }
      return try HTMLText.parse("<table>\(rows.joined())</table>", file: "a", limits: limits)
    }

    #expect(throws: Never.self) { try parse([3, 1, 1]) }
    #expect(throws: CourseFormatError.limit(.tableGaps(4), file: "a", line: nil)) { try parse([3, 1, 1, 2]) }
    #expect(throws: CourseFormatError.limit(.tableColumns(3), file: "a", line: nil)) { try parse([4]) }
  }

  @Test func `captions, row groups, styles and multi-block cells of tables are read`() throws {
    #expect(
      try blocks(
        "<table><caption>Signs</caption><thead><tr><th>a<th style='text-align: right'>b</thead>"
          + "<tbody><tr><td><p>c</p><ul><li>d<li>e</ul><td>f<tr><td>g</tbody></table>") == [
          .paragraph([.emphasis([.text("Signs")])]),
          .table(
            alignments: [.left, .right], header: [[.text("a")], [.text("b")]],
            rows: [
              [[.text("c"), .lineBreak, .text("• d"), .lineBreak, .text("• e")], [.text("f")]], [[.text("g")], []],
            ]),
        ])
    #expect(try blocks("<table></table>") == [])
  }

  @Test func `the alignment of a column is read from a style or an attribute`() throws {
    let cells = ["style='text-align:left'", "style='COLOR:red; Text-Align: Center'", "align=center", "align=RIGHT", ""]

    let table = try blocks("<table><tr>" + cells.map { "<td \($0)>x" }.joined() + "</table>")

    guard case .table(let alignments, _, _) = table.first else {
      Issue.record("\(table)")
      return
    }
    #expect(alignments == [.left, .centre, .centre, .right, .left])
  }

  @Test func `definitions follow their terms, and adjacent lists are joined`() throws {
    func definition(_ term: String, _ words: String...) -> Definition {
      Definition(term: [.text(term)], blocks: words.map { .paragraph([.text($0)]) })
    }

    #expect(
      try blocks(
        "<dl><dt>Cairn<dd>A heap.<dd>Of stones.</dl> <dl><div><dt>Fell</dt><dt>Hill</dt><dd>Up.</dd></div></dl><dl><dd>x</dl>"
      )
        == [
          .definitions([
            definition("Cairn", "A heap.", "Of stones."), definition("Fell"), definition("Hill", "Up."),
          ]), .paragraph([.text("x")]),
        ])
  }

  @Test(arguments: [
    (
      "<div class='admonition warning'><p class='admonition-title'>Warning</p><p>Hot.</p></div>",
      Admonition.Kind.warning, ""
    ),
    (
      "<div class='admonition danger'><p class='admonition-title'>Very <em>hot</em></p><p>Hot.</p></div>", .caution,
      "Danger: Very hot"
    ),
    (
      "<div class='markdown-alert markdown-alert-tip'><p class='markdown-alert-title'>Tip</p><p>Hot.</p></div>", .tip,
      ""
    ),
    ("<div class='admonition seealso'><p>Hot.</p></div>", .box, "See also"),
    ("<div class='admonition'><p class='admonition-title'>By the way</p><p>Hot.</p></div>", .box, "By the way"),
  ])
  func `admonitions written by other programs become frames`(_ html: String, _ kind: Admonition.Kind, _ title: String)
    throws
  {
    let blocks = try blocks(html)

    guard case .admonition(let box) = blocks.first else {
      Issue.record("\(blocks)")
      return
    }
    #expect(blocks.count == 1)
    #expect(box.kind == kind)
    #expect(box.title.plainText == title)
    #expect(box.blocks == [.paragraph([.text("Hot.")])])
  }

  @Test func `adjacent tabs are joined, and nested kbd elements become separate keys`() throws {
    let tab = { (label: String, words: String) in
      ContentTab(label: [.text(label)], blocks: [.paragraph([.text(words)])])
    }

    #expect(
      try blocks(
        "<tabs><tabitem label='a'>b</tabitem> <tabitem value='c'>d</tabitem></tabs><tabs><tabitem>e</tabitem></tabs>")
        == [
          .tabs([tab("a", "b"), tab("c", "d")]), .tabs([tab("Tab", "e")]),
        ])
    #expect(
      try blocks("<kbd><kbd>Ctrl</kbd>+<kbd>C</kbd></kbd> <kbd> F1 </kbd><kbd></kbd>") == [
        .paragraph([.key("Ctrl"), .text("+"), .key("C"), .text(" "), .key("F1")])
      ])
  }

  @Test func `every anchor is recorded with the index of its block`() throws {
    let parsed = try parse("<a id='x'></a><h2>a</h2><p>b <a name='y'></a></p><ul><li id='z'>c</ul>")

    #expect(parsed.anchors == ["x": 0, "a": 0, "y": 1, "z": 2])
  }

  @Test func `a text dialect defines captions, classes and the syntax of heading attributes`() throws {
    var dialect = TextDialect()
    dialect.caption = { $0 == "listing" ? [.text($1["number"] ?? "")] : nil }
    dialect.stressedClasses = ["file"]
    dialect.frameClasses = ["note"]
    dialect.hasHeadingAttributes = true

    let parsed = try parse(
      "<Listing number='1-1'><pre><code class='language-c'>x\n</code></pre></Listing><p><span class='file'>f</span></p>"
        + "<div class='note'>n</div><h2>a {#b .c}</h2><h2>d {e}</h2>", dialect)

    #expect(
      parsed.blocks.map(\.block) == [
        .paragraph([.text("1-1")]), .code(language: "c", text: "x"), .paragraph([.emphasis([.text("f")])]),
        .admonition(Admonition(kind: .note, blocks: [.paragraph([.text("n")])])),
        .heading(level: 2, text: [.text("a")], anchor: "b"),
        .heading(level: 2, text: [.text("d {e}")], anchor: "d-e"),
      ])
  }

  @Test func `a tag with too many attributes is rejected, and texts with as many words are not`() throws {
    let attributes = (0..<5_000).map { "a\($0)='>' " }.joined()
    let words = String(repeating: "word = 'a' ", count: 5_000)

    #expect(throws: CourseFormatError.limit(.attributes(4_000), file: "a.html", line: nil)) {
      try parse("<p>a</p><p \(attributes)>b</p>")
    }
    #expect(try parse("<p title='\(words.replacing("'", with: ""))'>\(words)</p> 1 < 2 \(words)").blocks.count == 2)
  }

  @Test(arguments: 0..<200) func `random markup is parsed without an error`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let pieces = [
      "<p>", "</p>", "<ul>", "<li>", "<table>", "<tr>", "<td>", "<a href='x'>", "</a>", "<b>", "text ", "&amp;", "&#0;",
      "<", ">", "<!--", "-->", "<![CDATA[", "<pre>", "<h1 id=''>", "\u{0}", "\u{1B}", "é",
      "<input type=checkbox checked>",
      "<script>", "</script>", "\n\n", "- [ ] ", "```", "| a |\n|---|\n", "[^1]", "[^1]: x\n", "<img src=>", "</html>",
    ]
    let text = (0..<60).map { _ in pieces.randomElement(using: &random)! }.joined()

    #expect(throws: Never.self) { try MarkdownText.parse(text, file: "a", limits: .standard) }
    #expect(throws: Never.self) { try parse(text) }
  }
}
