import Testing

@testable import LearningModel

struct ContentWalkTests {
  private static func text(_ word: String) -> [Block] { [.paragraph([.text(word)])] }

  private static let contents: [ActivityContent] = [
    .reading(text("a") + [.details(summary: [.text("b")], blocks: text("c"))]),
    .flashcards(
      introduction: text("a"),
      cards: [Flashcard(key: "k", front: [.text("b")], back: text("c"), tags: ["t"], isReversed: true)]),
    .quiz(
      introduction: text("a"),
      questions: [
        QuizQuestion(
          question: [.text("b")], details: text("c"), choices: [.init(text: [.text("d")], isRight: true)],
          explanation: text("e"))
      ], pass: 0.8),
    .link(destination: "https://example.org", text: text("a")),
  ]

  @Test(arguments: contents)
  func `replacing each component by itself returns an equal content`(_ content: ActivityContent) {
    #expect(content.mapChildren(line: { $0 }, blocks: { $0 }) == content)

    let emptied = content.mapChildren(line: { _ in [] }, blocks: { _ in [] })
    #expect(emptied.children.count == content.children.count)
    #expect(emptied.children.allSatisfy { [.line([]), .blocks([])].contains($0) })
  }

  @Test func `the components of a content are listed in reading order`() {
    #expect(Self.contents[1].children == [.blocks(Self.text("a")), .line([.text("b")]), .blocks(Self.text("c"))])
    #expect(
      Self.contents[2].children == [
        .blocks(Self.text("a")), .line([.text("b")]), .blocks(Self.text("c")), .line([.text("d")]),
        .blocks(Self.text("e")),
      ])
  }

  @Test func `an element is visited before the line inside it, and a block before its components`() {
    let inner: [Inline] = [.strong([.strikethrough([.link(destination: "d", text: [.key("K")])])]), .lineBreak]
    let text: [Block] = [.quote([.heading(level: 1, text: [.emphasis(inner)], anchor: "")]), .rule]
    var visited: [String] = []

    text.visit {
      visited.append($0.plainText)
    } inline: {
      visited.append(String("\($0)".prefix { $0 != "(" }))
    }

    #expect(visited == ["K ", "K ", "emphasis", "strong", "strikethrough", "link", "key", "lineBreak", ""])
    #expect([Inline.emphasis(inner)].map { $0.mapChildren { $0 } } == [.emphasis(inner)])
    #expect(Inline.emphasis(inner).mapChildren { _ in [] } == .emphasis([]))
  }
}
