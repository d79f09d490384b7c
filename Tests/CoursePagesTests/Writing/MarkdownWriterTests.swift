import LearningModel
import TestSupport
import Testing

@testable import CourseFormats
@testable import CoursePages

/// Tests that texts are unchanged after they are written as Markdown and read back.
struct MarkdownWriterTests {
  private func read(_ markdown: String) throws -> [Block] {
    try MarkdownText.parse(markdown, file: "a.md", limits: .standard).blocks.map(\.block)
  }

  private static let all: [Block] = [
    .heading(level: 2, text: [.text("The "), .code("match"), .text(" #")], anchor: "the-match-"),
    .paragraph([
      .text("One "), .emphasis([.text("two")]), .text(", "), .strong([.text("three "), .emphasis([.text("four")])]),
      .text("5*6 _7 [8] <9> a_b ~x~ $5 & {y} "), .strikethrough([.text("ten")]), .lineBreak, .key("Ctrl"), .text("+"),
      .key("C"), .text(" "), .math("x_i^2"), .text(" "),
      .link(destination: "https://example.org/a(b)", text: [.text("l")]),
      .image(source: "a.png", alternative: "p [q]"), .code("`a` | b"), .text(" https://x.org www.y.org"),
    ]),
    .paragraph([.text("# no heading")]), .paragraph([.text("3. no item")]), .paragraph([.text("- none either")]),
    .bulletList(items: [
      ListItem(isTicked: true, blocks: [.paragraph([.text("a")])]),
      ListItem(isTicked: false, blocks: [.paragraph([.text("b")]), .code(language: "c", text: "x\n\ny```")]),
    ]),
    .bulletList(items: [
      ListItem(blocks: [
        .paragraph([.text("c")]),
        .orderedList(
          start: 9,
          items: [
            ListItem(blocks: [.paragraph([.text("d")])]), ListItem(blocks: [.paragraph([.text("e")])]),
          ]),
      ])
    ]),
    .quote([.paragraph([.text("said")]), .quote([.paragraph([.text("inside")])])]),
    .admonition(Admonition(kind: .caution, title: [.text("Danger: "), .emphasis([.text("hot")])], blocks: [.rule])),
    .admonition(Admonition(kind: .box, title: [.text("Exercise")], blocks: [.paragraph([.text("Try.")])])),
    .admonition(
      Admonition(kind: .note, blocks: [.admonition(Admonition(kind: .tip, blocks: [.paragraph([.text("t")])]))])),
    .details(summary: [.text("Why "), .code("<x>")], blocks: [.paragraph([.text("So.")])]),
    .definitions([
      Definition(term: [.text("bee")], blocks: []),
      Definition(
        term: [.text("wasp")],
        blocks: [.paragraph([.text("an insect")]), .bulletList(items: [ListItem(blocks: [.rule])])]),
    ]),
    .tabs([
      ContentTab(label: [.text("Shell & more")], blocks: [.code(language: "sh", text: "ls")]),
      ContentTab(label: [.text("Python")], blocks: [.paragraph([.text("p")])]),
    ]),
    .math("\\frac{a}{b}"), .rule,
    .table(
      alignments: [.left, .centre, .right], header: [[.text("a|b")], [], [.code("c|d")]],
      rows: [[[.text("1"), .lineBreak, .text("2")], [.strong([.text("x")])], []]]),
  ]

  @Test func `written Markdown is read back as the same blocks`() throws {
    let markdown = MarkdownWriter().text(Self.all)
    let back = try read(markdown)

    for (index, block) in Self.all.enumerated() {
      #expect(index < back.count && back[index] == withoutAnchor(block, like: back[index]), "\(markdown)")
    }
    #expect(back.count == Self.all.count)
  }

  /// Returns the block with the anchor of another one, because Markdown cannot express anchors that are not derived
  /// from headings.
  private func withoutAnchor(_ block: Block, like other: Block) -> Block {
    guard case .heading(let level, let text, _) = block, case .heading(_, _, let anchor) = other else { return block }
    return .heading(level: level, text: text, anchor: anchor)
  }

  @Test func `writing Markdown twice produces the same text`() throws {
    let once = MarkdownWriter().text(Self.all)

    #expect(try MarkdownWriter().text(read(once)) == once)
  }

  @Test(arguments: 0..<40 as Range<UInt64>) func `plain words are not parsed as markup`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let signs = Array("ab c*_`[]()<>#+-=|~$\\&!:.{}1\"'?%@^/")
    let text = String((0..<30).map { _ in signs.randomElement(using: &random)! }).split(separator: " ").joined(
      separator: " ")
    let markdown = MarkdownWriter().text([.paragraph([.text(text)])])

    #expect(try read(markdown) == [.paragraph([.text(text)])], "\(markdown)")
  }
}
