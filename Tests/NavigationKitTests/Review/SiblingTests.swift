import CourseKit
import Foundation
import LearningModel
import NavigationKit
import Testing

struct SiblingTests {
  private let fixture: ReviewFixture

  /// Two flashcards in both directions, and one with three gaps.
  init() throws {
    fixture = try ReviewFixture([
      .init(
        key: "notes",
        cards: [
          ("front a", "back a"), ("front b", "back b"), ("{{c1::Rhine}}, {{c2::Oder}} and {{c3::Elbe}}", "Germany"),
        ],
        isReversed: true)
    ])
    try fixture.begin("notes")
  }

  private let gaps = ["[…], Oder and Elbe", "Rhine, […] and Elbe", "Rhine, Oder and […]"]

  /// Answers cards until none is left, and returns their questions.
  private func answerAll(_ rating: CardRating = .easy) throws -> [String] {
    var questions: [String] = []
    while questions.count < 20, let (question, _) = try fixture.answerNext(rating) { questions.append(question) }
    return questions
  }

  @Test func `only one new card of a note is shown on a day, and the number of new cards says so`() throws {
    let counts = try fixture.service.reviews.overview().total
    #expect(([counts.new, counts.notMet] as [Int]) == [3, 7])

    #expect(try answerAll() == ["front a", "front b", gaps[0]])
    #expect(try fixture.service.reviews.overview().total.new == 0)
    fixture.advance(days: 1)
    #expect(try answerAll() == ["back a", "back b", gaps[1]])
    fixture.advance(days: 1)
    #expect(try answerAll() == [gaps[2]])
  }

  @Test func `without waiting, all first sides come first, and no card follows its sibling while another waits`() throws
  {
    _ = try fixture.service.reviews.set(ReviewSettingsChange(waitingSiblings: ReviewSettings.WaitingSiblings.none))

    #expect(try fixture.service.reviews.overview().total.new == 7)
    #expect(try answerAll() == ["front a", "front b", gaps[0], "back a", "back b", gaps[1], gaps[2]])
  }

  @Test func `an undone answer lets the siblings be shown`() throws {
    try fixture.answerNext(.easy)
    _ = try fixture.service.changes.undo()
    #expect(try answerAll() == ["front a", "front b", gaps[0]])
  }

  @Test func `due siblings follow each other only if no other card is left, or wait until tomorrow`() throws {
    _ = try fixture.service.reviews.set(ReviewSettingsChange(waitingSiblings: ReviewSettings.WaitingSiblings.none))
    _ = try answerAll()
    fixture.advance(days: 100)
    let notes = try answerAll().map {
      ["front a", "back a"].contains($0) ? "a" : ["front b", "back b"].contains($0) ? "b" : "c"
    }
    #expect(notes.count == 7)
    // Seven cards of notes with two, two and three cards can alternate to the end.
    #expect(zip(notes, notes.dropFirst()).filter(==).count <= 1)

    _ = try fixture.service.reviews.set(ReviewSettingsChange(waitingSiblings: .all))
    fixture.advance(days: 1_000)
    #expect(try answerAll().count == 3)
  }

  @Test func `siblings that wait until tomorrow are not counted as due`() throws {
    _ = try fixture.service.reviews.set(ReviewSettingsChange(waitingSiblings: ReviewSettings.WaitingSiblings.none))
    _ = try answerAll()
    _ = try fixture.service.reviews.set(ReviewSettingsChange(waitingSiblings: .all), of: .text("cards"))
    fixture.advance(days: 1_000)
    func counts() throws -> [Int] {
      let overview = try fixture.service.reviews.overview()
      return [overview.total.reviews, overview.total.due, try #require(overview.courses.first).today]
    }
    #expect(try counts() == [7, 7, 7])

    #expect(try answerAll().count == 3)

    #expect(try counts() == [0, 0, 0])
    #expect(try fixture.service.reviews.forecast(days: 1).map(\.cards) == [0])
    fixture.advance(days: 1)
    #expect(try counts() == [4, 4, 4])
  }

  @Test func `the new cards of a day are the first ones of the course, and their first sides are shown first`() throws {
    _ = try fixture.service.reviews.set(
      ReviewSettingsChange(newCards: 3, waitingSiblings: ReviewSettings.WaitingSiblings.none))
    #expect(try answerAll() == ["front a", "front b", "back a"])

    fixture.advance(days: 1)
    _ = try fixture.service.reviews.set(ReviewSettingsChange(waitingSiblings: .new))
    #expect(try answerAll().filter { !$0.hasPrefix("front") && $0 != "back a" } == [gaps[0], "back b"])
  }

  @Test func `the cards of a note from Anki are siblings, and cards with numbered keys of an author are not`() {
    #expect(CardKeys.note(of: "Kx/0", isFromAnki: true) == CardKeys.note(of: "Kx/12", isFromAnki: true))
    #expect(CardKeys.note(of: "Kx/0", isFromAnki: true) != CardKeys.note(of: "Ky/0", isFromAnki: true))
    for key in ["Kx", "Kx/", "Kx/123", "Kx/a", "/"] { #expect(CardKeys.note(of: key, isFromAnki: true) == key) }
    #expect(CardKeys.note(of: "verbs/1", isFromAnki: false) == "verbs/1")
  }

  // MARK: - Limits

  @Test func `new cards wait for due reviews and count as reviews, unless they ignore the limit`() throws {
    let fixture = try ReviewFixture()
    try fixture.begin("words")
    for _ in 0..<3 { try fixture.answerNext(.easy) }
    fixture.advance(days: 30)
    func counts() throws -> [Int] {
      let total = try fixture.service.reviews.overview().total
      return [total.reviews, total.new]
    }
    #expect(try counts() == [3, 3])
    _ = try fixture.service.reviews.set(ReviewSettingsChange(reviews: 4))
    #expect(try counts() == [3, 1])
    _ = try fixture.service.reviews.set(ReviewSettingsChange(reviews: 2))
    #expect(try counts() == [2, 0])
    for _ in 0..<2 { #expect(try fixture.answerNext(.easy)?.answer.state.answers == 2) }
    #expect(try fixture.next() == nil)

    _ = try fixture.service.reviews.set(ReviewSettingsChange(newIgnoreLimit: true))
    #expect(try counts() == [0, 3])
    #expect(try fixture.answerNext(.easy)?.question == "front 3")
    _ = try fixture.service.reviews.set(ReviewSettingsChange(reviews: 3, newIgnoreLimit: false))
    // Two reviews and a new card are three.
    #expect(try counts() == [0, 0])
  }

  @Test func `a card that was answered in another program is not answered again`() throws {
    let card = try #require(try fixture.service.reviews.nextCard())
    try fixture.service.reviews.answer(card.id, .easy, shown: card.state)

    #expect(throws: NavigationError.cardChanged) {
      try fixture.service.reviews.answer(card.id, .good, shown: card.state)
    }
    #expect(try fixture.service.reviews.log().count == 1)
    try fixture.service.reviews.answer(card.id, .good)
  }

  @Test func `answers of a clock that was ahead are found`() throws {
    let fixture = try ReviewFixture()
    try fixture.begin("words")
    fixture.advance(days: 100)
    try fixture.answerNext(.easy)

    fixture.advance(days: -98.5)
    #expect(try fixture.service.cards.all(answeredInFuture: true).map(\.question) == ["front 0"])
    fixture.advance(days: 98)
    #expect(try fixture.service.cards.all(answeredInFuture: true).isEmpty)
  }
}
