import Foundation
import LearningModel
import Testing

private let digest = String(repeating: "0a", count: 32)

struct ContentCodingTests {
  @Test(arguments: [
    (ActivityContent.reading([]), #"{"reading":[]}"#),
    (.reading([.paragraph([.text("Plain.")])]), #"{"reading":"Plain."}"#),
    (
      .reading([.paragraph([.text("With "), .emphasis([.text("stress")])]), .rule]),
      #"{"reading":[{"p":["With ",{"em":"stress"}]},{"hr":true}]}"#
    ),
    (
      .reading([.math("x^2"), .paragraph([.text("With "), .math("y")])]),
      #"{"reading":[{"math":"x^2"},{"p":["With ",{"math":"y"}]}]}"#
    ),
    (
      .reading([.heading(level: 2, text: [.text("Turn over")], anchor: "turn-over")]),
      #"{"reading":{"h2":"Turn over"}}"#
    ),
    (
      .reading([.heading(level: 3, text: [.text("Again")], anchor: "again-1")]),
      #"{"reading":{"h3":"Again","id":"again-1"}}"#
    ),
    (
      .reading([.orderedList(start: 3, items: [ListItem(isTicked: true, blocks: [.paragraph([.text("Done")])])])]),
      #"{"reading":{"ol":[{"done":true,"item":"Done"}],"start":3}}"#
    ),
    (
      .reading([
        .table(alignments: [.left, .right], header: [[.text("a")], []], rows: [[[.lineBreak], [.code("x")]]])
      ]),
      #"{"reading":{"align":["left","right"],"table":[["a",[]],[[{"br":true}],[{"code":"x"}]]]}}"#
    ),
    (
      .quiz(
        introduction: [],
        questions: [
          QuizQuestion(
            question: [.text("Who?")], details: [], choices: [.init(text: [.text("I")], isRight: false)],
            explanation: [.quote([])])
        ]),
      #"{"quiz":[{"choices":[{"wrong":"I"}],"explanation":{"quote":[]},"question":"Who?"}]}"#
    ),
    (
      .flashcards(introduction: [.rule], cards: [Flashcard(front: [.text("f")], back: [])]),
      #"{"flashcards":[{"front":"f"}],"introduction":{"hr":true}}"#
    ),
    (
      .link(destination: "https://example.org", text: [.code(language: "swift", text: "let a")]),
      #"{"link":"https://example.org","text":{"code":"let a","language":"swift"}}"#
    ),
    (
      .reading([
        .paragraph([
          .image(
            source: "a.png", alternative: "A boat",
            stored: StoredImage(digest: digest, size: .init(width: 600, height: 400))),
          .image(source: "", alternative: "", stored: StoredImage(digest: digest, size: nil)),
        ])
      ]),
      #"{"reading":{"p":[{"alt":"A boat","image":"a.png","picture":"\#(digest)","size":[600,400]},"#
        + #"{"image":"","picture":"\#(digest)"}]}}"#
    ),
    (
      .reading([.paragraph([.text("Nine."), .target("p9")]), .paragraph([.target("code")])]),
      #"{"reading":[{"p":["Nine.",{"target":"p9"}]},{"p":[{"target":"code"}]}]}"#
    ),
    (
      .reading([
        .orderedList(
          start: 3,
          items: [
            ListItem(number: "c", blocks: [.rule]), ListItem(isTicked: true, number: "g", blocks: []),
            ListItem(blocks: [.rule]),
          ])
      ]),
      #"{"reading":{"ol":[{"item":{"hr":true},"number":"c"},{"done":true,"number":"g"},{"hr":true}],"start":3}}"#
    ),
    (
      .reading([.details(summary: [.text("Solution")], blocks: [.rule])]),
      #"{"reading":{"details":{"hr":true},"summary":"Solution"}}"#
    ),
    (
      .reading([
        .admonition(Admonition(kind: .tip, blocks: [.paragraph([.key("Ctrl")])])),
        .admonition(Admonition(kind: .box, title: [.text("Exercise")], blocks: [.rule])),
      ]),
      #"{"reading":[{"admonition":{"p":[{"kbd":"Ctrl"}]},"kind":"tip"},{"admonition":{"hr":true},"kind":"box","#
        + #""title":"Exercise"}]}"#
    ),
    (
      .reading([.definitions([Definition(term: [.text("a")], blocks: []), Definition(term: [], blocks: [.rule])])]),
      #"{"reading":{"dl":[{"term":"a"},{"means":{"hr":true},"term":[]}]}}"#
    ),
    (
      .reading([.tabs([ContentTab(label: [.text("Shell")], blocks: [.rule])])]),
      #"{"reading":{"tabs":[{"tab":"Shell","text":{"hr":true}}]}}"#
    ),
  ])
  func `each content has one short JSON form and decodes from it`(_ content: ActivityContent, _ json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]

    #expect(String(decoding: try encoder.encode(content), as: UTF8.self) == json)
    #expect(try JSONDecoder().decode(ActivityContent.self, from: Data(json.utf8)) == content)
  }

  @Test(arguments: [
    #"{"video":"x"}"#, #"{"reading":{"h7":"x"}}"#, #"{"reading":[{"p":[{"blink":"x"}]}]}"#,
    #"{"reading":{"table":[["a"],["b","c"]]}}"#, #"{"reading":{"table":[["a"]],"align":[]}}"#, #"{"reading":3}"#,
    #"{"reading":{"details":"x"}}"#, #"{"reading":{"p":[{"image":"a.png","picture":"ABC"}]}}"#,
    #"{"reading":{"p":[{"image":"a.png","picture":"\#(digest)","size":[600]}]}}"#,
    #"{"reading":{"p":[{"image":"a.png","picture":"\#(digest)","size":[0,400]}]}}"#,
    #"{"reading":{"tabs":[]}}"#, #"{"reading":{"admonition":"x","kind":"shout"}}"#,
    #"{"quiz":[{"question":"Who?","choices":[{"maybe":"I"}]}]}"#,
  ])
  func `invalid JSON forms are refused`(_ json: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(ActivityContent.self, from: Data(json.utf8)) }
  }

  @Test func `a heading of level 7 cannot be encoded`() {
    #expect(throws: EncodingError.self) {
      try JSONEncoder().encode(Block.heading(level: 7, text: [], anchor: ""))
    }
  }
}

struct AnchorTests {
  @Test(arguments: [
    ("Turn the page over", "turn-the-page-over"), ("1. Do not repeat it!", "1-do-not-repeat-it"),
    ("The `match` Construct", "the-match-construct"), ("snake_case-kept", "snake_case-kept"), ("Größe", "größe"),
    ("?!", ""),
  ])
  func `an anchor is the heading's letters and digits in lower case`(_ text: String, _ anchor: String) {
    #expect(Anchor.make(from: text) == anchor)
  }

  @Test func `an anchor that is already used gets a number`() {
    var usedNames = Anchor.names

    let anchors = ["try-it", "try-it", "try-it-1", "", ""].map { Anchor.unique($0, among: &usedNames) }

    #expect(anchors == ["try-it", "try-it-1", "try-it-1-1", "section", "section-1"])
  }
}
