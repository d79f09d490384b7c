import LearningModel
import Testing

struct AdmonitionTests {
  @Test func `an admonition's heading contains its kind exactly once`() {
    func heading(_ kind: Admonition.Kind, _ title: String) -> String {
      Admonition(kind: kind, title: title.isEmpty ? [] : [.text(title)], blocks: []).heading.plainText
    }

    #expect(heading(.note, "") == "Note")
    #expect(heading(.warning, "Hot") == "Warning: Hot")
    #expect(heading(.note, "Info: more") == "Info: more")
    #expect(heading(.caution, "Dangerous") == "Caution: Dangerous")
    #expect(heading(.tip, "Tip for winter") == "Tip for winter")
    #expect(heading(.tip, "Tips for winter") == "Tip: Tips for winter")
    #expect(heading(.box, "Exercise 3") == "Exercise 3")
    #expect(heading(.box, "") == "")
  }

  @Test func `a block's children are its lines of text and its nested blocks in reading order`() {
    let (line, text): ([Inline], [Block]) = ([.text("line")], [.paragraph([.text("text")])])
    let blocks: [Block] = [
      .admonition(Admonition(kind: .note, title: line, blocks: text)),
      .definitions([Definition(term: line, blocks: text), Definition(term: line, blocks: [])]),
      .tabs([ContentTab(label: line, blocks: text)]), .details(summary: line, blocks: text), .quote(text),
      .bulletList(items: [ListItem(isTicked: true, blocks: text)]), .orderedList(start: 2, items: []),
      .table(alignments: [.left], header: [line], rows: [[line]]), .heading(level: 1, text: line, anchor: "a"),
      .paragraph(line), .code(language: nil, text: ""), .math("x"), .rule,
    ]

    #expect(
      blocks.map { $0.children.map { if case .line = $0 { "l" } else { "b" } }.joined() } == [
        "lb", "lblb", "lb", "lb", "b", "b", "", "ll", "l", "l", "", "", "",
      ])
    #expect(blocks.map { $0.mapChildren(line: { $0 }, blocks: { $0 }) } == blocks)
  }
}
