import Foundation
import LearningModel
import Snapshots
import Testing

@testable import CourseFormats
@testable import CoursePages

#if canImport(FoundationXML)
import FoundationXML
#endif

struct HTMLWriterTests {
  private static let blocks: [Block] = [
    .heading(level: 2, text: [.text("A & B")], anchor: "a-b"),
    .paragraph([
      .text("<script>"), .lineBreak, .key("Ctrl"), .text(" "), .math("a < b"),
      .link(destination: "javascript:alert(1)", text: [.text("no")]),
      .link(destination: "https://example.org/?a&b", text: [.text("yes")]),
      .image(source: "data:image/png;base64,x", alternative: "\"p\""), .image(source: "a.png", alternative: "q"),
    ]),
    .bulletList(items: [ListItem(isTicked: true, blocks: [.paragraph([.text("a")])])]),
    .orderedList(start: 3, items: [ListItem(blocks: [])]), .quote([.rule]), .code(language: "c d", text: "<\u{1B}>"),
    .table(alignments: [.right], header: [[.text("h")]], rows: [[[]]]), .math("x"),
    .details(summary: [.text("s")], blocks: [.paragraph([.text("d")])]),
    .admonition(Admonition(kind: .tip, title: [.text("t")], blocks: [.paragraph([.text("u")])])),
    .definitions([Definition(term: [.text("w")], blocks: [.paragraph([.text("m")])])]),
    .tabs([ContentTab(label: [.text("one")], blocks: [.paragraph([.text("v")])])]),
  ]

  @Test func `every block becomes an element, and the output has no active content`() {
    let html = HTMLWriter().text(Self.blocks)

    expectSnapshot(html)
  }

  @Test func `a page is well-formed XML and is read back as the same text`() throws {
    let page = HTMLWriter().page(Self.blocks, title: "A < B")
    let parser = XMLParser(data: Data(page.utf8))

    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    let back = try HTMLText.parse(page, file: "a", limits: .standard).blocks.map(\.block)
    #expect(back[0] == Self.blocks[0])
    #expect(back[2...5] == Self.blocks[2...5].map { $0 == Self.blocks[5] ? .code(language: "c", text: "<>") : $0 }[...])
    #expect(back[6...8] == Self.blocks[6...8])
    #expect(back[10] == Self.blocks[10])
  }
}
