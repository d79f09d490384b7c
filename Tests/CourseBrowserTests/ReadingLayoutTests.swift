import LearningModel
import Testing
import TextCanvas

@testable import CourseBrowser

private func lines(_ blocks: [Block], width: Int = 40) -> [String] {
  ReadingLayout(width: width, theme: Theme(depth: .none, tone: .dark), symbols: .unicode).text(blocks).lines
    .map { String(repeating: " ", count: $0.indent) + $0.text }
}

@Test func `headings, paragraphs and lists are set with air between them`() {
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

  #expect(
    text == [
      "Before you begin",
      "",
      "Say what you want, once, and stop",
      "talking until they answer.",
      "",
      "•  a short reason",
      "•  a long reason that needs more than a",
      "   single line",
      "   ◦  inside",
      "",
      " 9.  nine",
      "10.  ten",
    ])
}

@Test func `a quotation has its bar on every line, and code keeps its own`() {
  let text = lines(
    [
      .quote([.paragraph([.text("We had in mind forty.")]), .paragraph([.text("And you?")])]),
      .code(language: "swift", text: "if offer {\n  wait()\n}\n\nlet answer = listen(to: them, for: .aLongTime)"),
      .rule,
    ], width: 30)

  #expect(
    text == [
      "▎ We had in mind forty.",
      "▎",
      "▎ And you?",
      "",
      "  if offer {",
      "    wait()",
      "  }",
      "",
      "  let answer = listen(to:",
      "    them, for: .aLongTime)",
      "",
      "────────────────────────",
    ])
}

@Test func `a table that is too wide narrows its widest column`() {
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

  #expect(
    text == [
      "Word                       Meaning",
      "──────────────────────────────────",
      "anchor      the first figure, from",
      "              which all others are",
      "                          measured",
      "",
      "range                  two figures",
    ])
}
