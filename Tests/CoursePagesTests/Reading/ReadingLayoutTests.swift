import Foundation
import LearningModel
import Snapshots
import Testing
import TextCanvas

@testable import CoursePages

private func lines(_ blocks: [Block], width: Int = 40) -> [String] {
  ReadingLayout(width: width, theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .unicode).text(blocks)
    .lines
    .map { String(repeating: " ", count: $0.indent) + $0.text }
}

@Test func `headings, paragraphs and lists are separated by blank lines`() {
  let text = lines([
    .heading(level: 2, text: [.text("Before you begin")], anchor: "before-you-begin"),
    .paragraph([.text("Say what you want, "), .strong([.text("once")]), .text(", and stop talking until they answer.")]
    ),
    .bulletList(items: [
      ListItem(blocks: [.paragraph([.text("a short reason")])]),
      ListItem(blocks: [
        .paragraph([.text("a long reason that needs more than a single line")]),
        .bulletList(items: [ListItem(blocks: [.paragraph([.text("inside")])])]),
      ]),
    ]),
    .orderedList(
      start: 9,
      items: [
        ListItem(blocks: [.paragraph([.text("nine")])]), ListItem(blocks: [.paragraph([.text("ten")])]),
      ]),
  ])

  expectSnapshot(text)
}

@Test func `an admonition has a frame with its heading`() {
  let text = lines(
    [
      .admonition(
        Admonition(
          kind: .warning, title: [.text("Hot")],
          blocks: [
            .paragraph([.text("Press "), .key("Ctrl"), .text("+"), .key("C"), .text(" to stop it.")]),
            .bulletList(items: [
              ListItem(blocks: [.admonition(Admonition(kind: .box, blocks: [.code(language: nil, text: "stop")]))])
            ]),
          ])),
      .admonition(Admonition(kind: .note, blocks: [])),
    ], width: 30)

  expectSnapshot(text)
}

@Test func `frames are drawn in ASCII and in plain output too`() {
  let box = [Block.admonition(Admonition(kind: .tip, blocks: [.paragraph([.key("F1"), .text(" helps.")])]))]
  let theme = Theme(colourDepth: .none, pageAppearance: .dark)
  let ascii = ReadingLayout(width: 20, theme: theme, symbols: .ascii).text(box).lines.map(\.text)
  let pipe = ReadingLayout(width: 20, theme: theme, symbols: .unicode, isPlain: true).text(box).lines.map(\.text)

  #expect(ascii == ["+- Tip -------------", "| <F1> helps.", "+-------------------"])
  #expect(pipe == ["│ Tip", "│ ‹F1› helps."])
}

@Test func `a definition is indented below its terms`() {
  let text = lines(
    [
      .definitions([
        Definition(term: [.text("bee")], blocks: []),
        Definition(term: [.text("honeybee")], blocks: [.paragraph([.text("It makes honey, and much of it too.")])]),
        Definition(term: [.text("wasp")], blocks: [.paragraph([.text("It does not.")])]),
      ])
    ], width: 30)

  #expect(
    text == [
      "bee", "honeybee", "    It makes honey, and much", "    of it too.", "", "wasp", "    It does not.",
    ])
}

@Test func `tabs without links are shown one below the other`() {
  let text = lines([
    .tabs([
      ContentTab(label: [.text("Shell")], blocks: [.paragraph([.text("Type it.")])]),
      ContentTab(label: [.text("Python")], blocks: [.paragraph([.text("Call it.")])]),
    ])
  ])

  #expect(text == ["Shell", "▎ Type it.", "", "Python", "▎ Call it."])
}

@Test func `an open footnote is shown below the block with its reference`() {
  let note = Inline.link(destination: FootnoteLink.destination(1), text: [.text("[1]")])
  let blocks: [Block] = [
    .bulletList(items: [ListItem(blocks: [.paragraph([.text("Bees"), note])])]), .rule,
    .paragraph([
      .link(destination: FootnoteLink.backlinkDestination(1), text: [.text("[1]")]), .text(" They make honey."),
    ]),
    .paragraph([.text("Much of it.")]),
  ]
  let layout = ReadingLayout(width: 30, theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .unicode)
  var opened = ExpandedSections()
  opened.notes = [1]
  let text = layout.text(blocks, expanded: opened)

  expectSnapshot(text.lines.map(\.text))
  #expect(text.blockLines == [0, 7, 9, 11])
}

@Test func `a quotation has a bar on every line, and code keeps its lines`() {
  let text = lines(
    [
      .quote([.paragraph([.text("We had in mind forty.")]), .paragraph([.text("And you?")])]),
      .code(language: "swift", text: "if offer {\n  wait()\n}\n\nlet answer = listen(to: them, for: .aLongTime)"),
      .rule,
    ], width: 30)

  expectSnapshot(text)
}

@Test func `output below a program has a dotted line in the column of the program's line`() {
  let text = lines(
    [
      .code(language: "python", text: "A"),
      .quote([.code(language: nil, text: "array([[10, 20],\n\n       [40, 50, 60, 70]])")]),
      .paragraph([.text("Then")]),
      .quote([.code(language: nil, text: "a"), .code(language: nil, text: "b")]),
    ], width: 24)

  #expect(
    text == [
      "│ A               Python", "",
      "┊ array([[10, 20],", "┊", "┊        [40, 50, 60,", "┊        ↪ 70]])", "", "Then", "",
      "▎ │ a", "▎", "▎ │ b",
    ])
}

@Test func `a table without headings has no line below them, and empty rows are omitted`() {
  let empty: [[Inline]] = [[], []]
  let row: [[Inline]] = [[.text("clustering")], [.text("k means")]]

  #expect(
    lines([.table(alignments: [], header: empty, rows: [empty, row, empty])], width: 40) == ["clustering   k means"])
  #expect(lines([.table(alignments: [], header: empty, rows: [empty])], width: 40) == [])
}

@Test func `if a table is too wide, its widest column is narrowed`() {
  let text = lines(
    [
      .table(
        alignments: [.left, .right],
        header: [[.text("Word")], [.text("Meaning")]],
        rows: [
          [[.text("anchor")], [.text("the first figure, from which all others are measured")]],
          [[.text("range")], [.text("two figures")]],
        ])
    ], width: 34)

  expectSnapshot(text)
}

@Test func `if the words of a table do not fit next to each other, its cells are listed`() {
  let text = lines(
    [
      .table(
        alignments: [.left, .left, .left],
        header: [[.text("Tone")], [.text("Sentence")], [.text("Risk")]],
        rows: [
          [[.text("light")], [.text("What budget did you have in mind?")], [.text("none")]],
          [[.text("direct")], [.text("What are you paying?")], [.text("silence")]],
        ])
    ], width: 18)

  #expect(
    text == [
      "Tone", "  light", "Sentence", "  What budget did", "  you have in", "  mind?", "Risk", "  none",
      "",
      "Tone", "  direct", "Sentence", "  What are you", "  paying?", "Risk", "  silence",
    ])
}

@Test func `short headings precede the cells of a stacked table`() {
  let text = lines(
    [
      .table(
        alignments: [],
        header: [[.text("No.")], [.text("言葉")], []],
        rows: [
          [[.text("1")], [.text("Donaudampfschifffahrt and more")], [.text("pneumonoultramicroscopic")]],
          [[.text("2")], [], [.text("none")]],
        ])
    ], width: 24)

  #expect(
    text == [
      "No.    1", "言葉   Donaudampfschifff", "       ahrt and more", "       pneumonoultramicr", "       oscopic",
      "",
      "No.    2", "言葉", "       none",
    ])
}

@Test func `a table whose columns would have one word per line is stacked instead`() {
  func table(width: Int) -> [String] {
    lines(
      [
        .table(
          alignments: [], header: [[.text("Said")], [.text("Meant")], [.text("Answer")]],
          rows: [
            [
              [.text("We had in mind about forty")], [.text("There is room for less")],
              [.text("What does it include?")],
            ]
          ])
      ], width: width)
  }

  expectSnapshot(table(width: 42))
  #expect(
    table(width: 36) == [
      "Said     We had in mind about forty", "Meant    There is room for less", "Answer   What does it include?",
    ])
}

@Test func `list items show their checkboxes`() {
  func item(_ text: String, _ isTicked: Bool?) -> ListItem {
    ListItem(isTicked: isTicked, blocks: [.paragraph([.text(text)])])
  }

  #expect(
    lines([.bulletList(items: [item("done", true), item("to do", false), item("plain", nil)])], width: 20) == [
      "[✓] done", "[ ] to do", "• plain",
    ])
}

@Test func `a placeholder for missing program text has the warning colour`() {
  let theme = Theme(colourDepth: .truecolor, pageAppearance: .dark)
  let lines = ReadingLayout(width: 60, theme: theme, symbols: .unicode).text([
    .code(language: "rust", text: "[missing include: ../a/listing-21-11/main.rs]\nlet a = [1, 2];\n[missing]")
  ]).lines

  let styles = lines.map { line in line.runs.first { $0.text.contains { $0.isLetter } }?.style }
  #expect(styles[0] == theme[.warn])
  #expect(lines[0].runs.count { $0.style == theme[.warn] } == 1)
  #expect(styles[1] != theme[.warn] && styles[2] != theme[.warn])
}

@Test func `text lines stay short in a wide terminal, but code uses the full width`() {
  let word = "word "
  let long = String(repeating: "x", count: 90)
  let text = lines(
    [.paragraph([.text(String(repeating: word, count: 30))]), .code(language: nil, text: long)], width: 120)

  #expect(text.map(\.count) == [74, 74, 0, 92])
}

@Test func `an address that is longer than a line is broken`() {
  let text = lines(
    [
      .paragraph([
        .link(destination: "https://example.org/a/very/long/way", text: [.text("https://example.org/a/very/long/way")])
      ])
    ],
    width: 20)

  #expect(text.joined() == "https://example.org/a/very/long/way")
  #expect(text.allSatisfy { $0.count <= 20 })
}

@Test func `a link that continues on the next line is one link`() {
  let text = ReadingLayout(width: 24, theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .unicode).text([
    .quote([
      .paragraph([
        .text("Before "), .link(destination: "waymark:größe", text: [.text("the words of a link")]), .text(" and "),
        .link(destination: "#near", text: [.strong([.text("here")])]),
      ])
    ])
  ])

  #expect(text.lines.map(\.text) == ["▎ Before the words of a", "▎ link and here"])
  #expect(
    text.links == [
      ReadingText.Link(
        destination: "waymark:größe",
        cells: [CellRect(column: 9, row: 0, columns: 14, rows: 1), CellRect(column: 2, row: 1, columns: 4, rows: 1)]),
      ReadingText.Link(destination: "#near", cells: [CellRect(column: 11, row: 1, columns: 4, rows: 1)]),
    ])
}

@Test func `nested lists keep enough width for text in a narrow column`() {
  let inner = Block.bulletList(items: [ListItem(blocks: [.paragraph([.text("deep inside")])])])
  let text = lines(
    [.bulletList(items: [ListItem(blocks: [.paragraph([.text("one")]), inner])])], width: 16)

  #expect(text == ["• one", "  ◦ deep inside"])
}

@Test func `a position is preserved when the width changes`() {
  let blocks: [Block] = (1...20).map { .paragraph([.text("Paragraph \($0) with some words, and some more of them.")]) }
  let theme = Theme(colourDepth: .none, pageAppearance: .dark)
  let wide = ReadingLayout(width: 70, theme: theme, symbols: .unicode).text(blocks)
  let narrow = ReadingLayout(width: 20, theme: theme, symbols: .unicode).text(blocks)

  for block in 0..<20 {
    let line = wide.line(ofBlock: block)!
    #expect(narrow.line(of: wide.point(at: line)) == narrow.line(ofBlock: block))
    #expect(wide.line(of: narrow.point(at: narrow.line(of: wide.point(at: line)))) == line)
  }
  for text in [wide, narrow] {
    for line in text.lines.indices { #expect(text.line(of: text.point(at: line)) == line) }
  }
  #expect(wide.line(of: ReadingText.Point(block: 20)) == 0)
}

@Test func `a formula is shown in its line, or in rows of its own`() {
  let text = lines([
    .paragraph([.text("With "), .math("x^2"), .text(" and "), .math("\\frac{a}{b}"), .text(":")]),
    .math("y = \\frac{a + b}{2}"),
    .quote([.math("z")]),
  ])

  expectSnapshot(text)
}

@Test func `a paragraph that contains only a matrix is shown in rows`() {
  let text = lines([
    .paragraph([.math("F = \\begin{bmatrix} a & b \\\\ c & d \\end{bmatrix}")]),
    .paragraph([.math("x^2")]),
  ])

  #expect(
    text == [
      "    F = ⎡a  b⎤",
      "        ⎣c  d⎦",
      "",
      "x²",
    ])
}

@Test func `a formula that is too wide is wrapped like text`() {
  let text = lines([.math("a = \\frac{b + c}{d} + e + f + g + h")], width: 20)

  #expect(text == ["a = (b + c)/d + e +", "f + g + h"])
}

@Test func `formulas are written in ASCII for terminals without Unicode`() {
  let layout = ReadingLayout(width: 40, theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .ascii)

  let text = layout.text([.paragraph([.math("\\alpha \\le x^2")]), .math("\\sqrt{2}")]).lines.map(\.text)

  #expect(text == ["alpha <= x^2", "", "    sqrt(2)"])
}

@Test(arguments: [ColourDepth.truecolor, .ansi, .none])
func `headings of levels 2, 3 and 4 and text differ in every number of colours`(depth: ColourDepth) {
  let theme = Theme(colourDepth: depth, pageAppearance: .dark)
  let layout = ReadingLayout(width: 60, theme: theme, symbols: .unicode)
  let headings = (2...4).map { Block.heading(level: $0, text: [.text("One")], anchor: "") }

  let text = layout.text(headings + [.paragraph([.text("One")])])

  let attributes = text.lines.flatMap(\.runs).filter { $0.text == "One" }.map(\.style.attributes)
  #expect(attributes == [.bold, [.bold, .italic], .italic, []])
}

@Test func `code is coloured if the background is known, otherwise bold and faint`() {
  func styles(_ depth: ColourDepth, _ pageAppearance: PageAppearance) -> [String: Style] {
    let theme = Theme(colourDepth: depth, pageAppearance: pageAppearance)
    let layout = ReadingLayout(width: 60, theme: theme, symbols: .unicode)
    let text = layout.text([.code(language: "rust", text: "let x = 12; // \"a\"\nf(\"b\")")])
    return Dictionary(
      text.lines.flatMap(\.runs).map { ($0.text.trimmingCharacters(in: .whitespaces), $0.style) }
    ) { first, _ in first }
  }
  let dark = Theme(colourDepth: .truecolor, pageAppearance: .dark)

  let coloured = styles(.truecolor, .dark)
  let plain = styles(.none, .dark)

  #expect(coloured["let"] == dark[.goal])
  #expect(coloured["12"] == dark[.course])
  #expect(coloured["\"b\""] == dark[.activity])
  #expect(coloured["// \"a\""] == dark[.quiet].with(.italic))
  #expect(coloured["Rust"] == dark[.quiet])
  #expect(plain["let"] == Style(attributes: .bold))
  #expect(plain["// \"a\""] == Style(attributes: .faint))
  #expect(plain["12"] == .plain || plain["x = 12;"] == .plain)
  #expect(styles(.truecolor, .unknown)["let"] == Style(attributes: .bold))
}

@Test func `selectable blocks have the right lines, copied text and overflow`() {
  let layout = ReadingLayout(width: 20, theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .unicode)
  let text = layout.text([
    .heading(level: 2, text: [.text("One")], anchor: "one"),
    .bulletList(items: [ListItem(blocks: [.paragraph([.text("a")]), .math("x^2")])]),
    .code(language: "c", text: "let answer = forty + two"),
    .table(alignments: [.left, .left], header: [[.text("a")], [.text("b")]], rows: [[[.text("1")], [.text("2")]]]),
  ])

  #expect(text.selectableBlocks.map(\.name) == ["the paragraph", "the formula", "the code", "the table"])
  #expect(text.selectableBlocks.map(\.copyText) == ["a", "x^2", "let answer = forty + two", "a\tb\n1\t2"])
  #expect(text.selectableBlocks.map(\.overflow) == [0, 0, 6, 0])
  #expect(text.selectableBlocks.map(\.lines) == [2..<3, 4..<5, 6..<8, 9..<12])
}

@Test func `unwrapped code shows the columns that were scrolled to`() {
  let layout = ReadingLayout(width: 20, theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .unicode)
  let code = [Block.code(language: nil, text: "if it {\n    let answer = forty + 二十\n}")]
  func lines(from column: Int) -> [String] {
    var opened = ExpandedSections()
    opened.unwrapped = [0: column]
    return layout.text(code, expanded: opened).lines.map { String(repeating: " ", count: $0.indent) + $0.text }
  }

  #expect(lines(from: 0) == ["│ if it {", "│     let answer =…", "│ }"])
  #expect(lines(from: 8) == ["│", "│ answer = forty +…", "│"])
  #expect(lines(from: 11) == ["│", "│ wer = forty + 二十", "│"])
}

@Test func `an unwrapped table keeps its first column and scrolls the others`() {
  let layout = ReadingLayout(width: 24, theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .unicode)
  let table = [
    Block.table(
      alignments: [.left, .left, .right], header: [[.text("Dough")], [.text("What it needs")], [.text("Hours")]],
      rows: [[[.text("Rye")], [.text("water and patience")], [.text("16")]]])
  ]
  func lines(from column: Int) -> [String] {
    var opened = ExpandedSections()
    opened.unwrapped = [0: column]
    return layout.text(table, expanded: opened).lines.map(\.text)
  }

  #expect(lines(from: 0) == ["Dough   What it needs…", "───────────────────────…", "Rye     water and patie…"])
  #expect(lines(from: 10) == ["Dough   eds        Hours", "────────────────────────", "Rye     patience      16"])
}
