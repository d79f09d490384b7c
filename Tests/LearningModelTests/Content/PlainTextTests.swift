import LearningModel
import Snapshots
import Testing

struct PlainTextTests {
  @Test func `plain text has no markup and one line per paragraph, item and row`() {
    let blocks: [Block] = [
      .heading(level: 2, text: [.text("The "), .code("match")], anchor: "x"),
      .paragraph([
        .text("One "), .emphasis([.strong([.text("two")])]), .lineBreak, .strikethrough([.text("three")]), .text(" "),
        .link(destination: "https://example.org", text: [.text("four")]), .image(source: "a.png", alternative: " five"),
      ]),
      .bulletList(items: [
        ListItem(blocks: [.paragraph([.text("a")])]),
        ListItem(isTicked: true, blocks: [.paragraph([.text("b")]), .orderedList(start: 3, items: [])]),
      ]),
      .admonition(Admonition(kind: .tip, blocks: [.paragraph([.text("Press "), .key("Ctrl"), .text(".")])])),
      .admonition(Admonition(kind: .box, title: [.text("Exercise")], blocks: [.paragraph([.text("Try.")])])),
      .definitions([Definition(term: [.text("bee")], blocks: [.paragraph([.text("an insect")])])]),
      .tabs([ContentTab(label: [.text("Shell")], blocks: [.paragraph([.text("ls")])])]),
      .rule, .quote([.paragraph([.text("said")])]), .code(language: "swift", text: "let x = 1\n"),
      .details(summary: [.text("Solution")], blocks: [.paragraph([.text("Six.")])]),
      .table(
        alignments: [.left, .right], header: [[.text("h")], [.text("i")]],
        rows: [[[.text("j")], []], [[], [.text("k")]]]
      ),
    ]

    expectSnapshot(blocks.plainText)
  }

  @Test func `the plain text of an activity contains all of its texts`() {
    let paragraph = { (text: String) in [Block.paragraph([.text(text)])] }
    let contents: [ActivityContent] = [
      .reading(paragraph("a")), .link(destination: "https://example.org", text: paragraph("why")),
      .flashcards(
        introduction: paragraph("ten words"), cards: [Flashcard(front: [.text("apis")], back: paragraph("bee"))]),
      .quiz(
        introduction: [],
        questions: [
          QuizQuestion(
            question: [.text("Who?")], details: paragraph("of them"),
            choices: [.init(text: [.text("you")], isRight: true), .init(text: [.text("I")], isRight: false)],
            explanation: paragraph("because"))
        ]),
    ]

    #expect(contents.map(\.plainText) == ["a", "why", "ten words\napis\nbee", "Who?\nof them\nyou\nI\nbecause"])
  }

  @Test func `a formula's searchable text has its rendering and its source`() {
    let formula = [Block.paragraph([.text("So "), .strong([.math("\\sigma^2")]), .text(".")])]
    let contents: [ActivityContent] = [
      .reading([.quote(formula), .math("\\frac{a}{b}")]),
      .flashcards(introduction: [], cards: [Flashcard(front: [.math("\\pi")], back: formula)]),
      .reading([.paragraph([.text("None.")])]),
    ]

    #expect(
      contents.map(\.searchedText) == [
        "So σ².\na/b\n\\sigma^2\n\\frac{a}{b}", "π\nSo σ².\n\\pi\n\\sigma^2", "None.",
      ])
  }

  @Test func `a formula with bold letters can also be searched with plain letters`() {
    let content = ActivityContent.reading([.math("f(\\mathbf{u}) \\in \\mathbb{R}^2")])

    #expect(content.searchedText == "f(𝐮) ∈ ℝ²\nf(\\mathbf{u}) \\in \\mathbb{R}^2\nf(u) ∈ R²")
  }
}
