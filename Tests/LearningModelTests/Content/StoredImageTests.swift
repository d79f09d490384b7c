import LearningModel
import Testing

struct StoredImageTests {
  private static func picture(_ digit: Character) -> StoredImage {
    StoredImage(digest: String(repeating: digit, count: 64), size: .init(width: 2, height: 1))!
  }

  private static func image(_ digit: Character) -> Inline {
    .image(source: "", alternative: "", stored: picture(digit))
  }

  @Test(arguments: ["", "0a", String(repeating: "A", count: 64), String(repeating: "g", count: 64)])
  func `a digest is 64 hexadecimal digits in lower case`(_ digest: String) {
    #expect(StoredImage(digest: digest, size: nil) == nil)
  }

  @Test func `a size has no side below one pixel`() {
    #expect(StoredImage.PixelSize(width: 0, height: 1) == nil)
    #expect(StoredImage.PixelSize(width: 1, height: -1) == nil)
  }

  @Test func `images are found at any position of a text, in reading order`() {
    let blocks: [Block] = [
      .heading(level: 1, text: [Self.image("0")], anchor: "a"),
      .paragraph([.text("x"), .link(destination: "b", text: [.strong([Self.image("1")])])]),
      .quote([.bulletList(items: [ListItem(blocks: [.paragraph([Self.image("2")])])])]),
      .table(alignments: [.left], header: [[Self.image("3")]], rows: [[[.emphasis([Self.image("4")])]]]),
      .details(summary: [.strikethrough([Self.image("5")])], blocks: [.paragraph([Self.image("6")])]),
      .paragraph([.image(source: "c.png", alternative: "not kept")]), .code(language: nil, text: "x"), .rule,
    ]

    #expect(ActivityContent.reading(blocks).storedImages == "0123456".map(Self.picture))
    #expect(ActivityContent.link(destination: "d", text: blocks).storedImages == "0123456".map(Self.picture))
  }

  @Test func `images in flashcards and quizzes are found`() {
    let cards = ActivityContent.flashcards(
      introduction: [.paragraph([Self.image("0")])],
      cards: [Flashcard(front: [Self.image("1")], back: [.paragraph([Self.image("2")])])])
    let quiz = ActivityContent.quiz(
      introduction: [.paragraph([Self.image("3")])],
      questions: [
        QuizQuestion(
          question: [Self.image("4")], details: [.paragraph([Self.image("5")])],
          choices: [.init(text: [Self.image("6")], isRight: true)], explanation: [.paragraph([Self.image("7")])])
      ])

    #expect(cards.storedImages == "012".map(Self.picture))
    #expect(quiz.storedImages == "34567".map(Self.picture))
  }
}
