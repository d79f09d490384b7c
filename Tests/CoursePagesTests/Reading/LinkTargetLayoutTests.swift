import LearningModel
import Testing
import TextCanvas

@testable import CoursePages

struct LinkTargetLayoutTests {
  private func text(_ blocks: [Block]) -> ReadingText {
    ReadingLayout(width: 40, theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .unicode).text(blocks)
  }

  @Test func `targets are on the first lines of their blocks, and are invisible`() {
    let text = text([
      .heading(level: 2, text: [.text("One"), .target("section")], anchor: "one"),
      .paragraph([.text("Two."), .target("two")]),
      .bulletList(items: [
        ListItem(blocks: [.paragraph([.text("a")])]), ListItem(blocks: [.paragraph([.text("b"), .target("item")])]),
      ]),
      .definitions([Definition(term: [.text("Term"), .target("term")], blocks: [.paragraph([.text("Meaning.")])])]),
    ])

    #expect(
      text.lines.map(\.text) == ["One", "", "Two.", "", "•  a", "•  b", "", "Term", "    Meaning."])
    #expect(text.line(ofAnchor: "one") == 0)
    #expect(text.targets.map { "\($0.name) \($0.line)" } == ["section 0", "two 2", "item 5", "term 7"])
    #expect(text.line(ofAnchor: "item") == 5)
    #expect(text.line(ofAnchor: "none") == nil)
    #expect(text.description(ofAnchor: "one") == "One")
    #expect(text.description(ofAnchor: "two") == "Two.")
  }

  @Test func `a paragraph that contains only targets takes no line, and they lead to the next block`() {
    let text = text([
      .paragraph([.text("One.")]), .paragraph([.target("code"), .target("listing")]),
      .code(language: nil, text: "x"), .paragraph([.target("end")]),
    ])

    #expect(text.lines.count == 3)
    #expect(text.targets.map { "\($0.name) \($0.line)" } == ["code 2", "listing 2", "end 2"])
    #expect(text.blockLines == [0, 1, 2, 3])
  }

  @Test func `items have their own numbers`() {
    let text = text([
      .orderedList(
        start: 3,
        items: [
          ListItem(number: "iii", blocks: [.paragraph([.text("x")])]), ListItem(blocks: [.paragraph([.text("y")])]),
        ])
    ])

    #expect(text.lines.map(\.text) == ["iii.  x", "  4.  y"])
  }

  @Test func `HTML and Markdown contain the targets`() {
    let blocks: [Block] = [
      .paragraph([.text("Two."), .target("a \"b\"")]), .paragraph([.target("code")]), .code(language: nil, text: "x"),
    ]

    #expect(
      HTMLWriter().text(blocks)
        == "<p>Two.<a id=\"a &quot;b&quot;\"></a></p>\n<a id=\"code\"></a>\n<pre><code>x\n</code></pre>")
    #expect(
      MarkdownWriter().text(blocks)
        == "Two.<a id=\"a &quot;b&quot;\"></a>\n\n<a id=\"code\"></a>\n\n```\nx\n```\n")
  }
}
