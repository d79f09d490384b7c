import Foundation
import LearningModel
import NavigationKit
import Synchronization
import Testing

struct ReviewTests {
  private let fixture: ReviewFixture
  private var service: NavigationService { fixture.service }

  init() throws { fixture = try ReviewFixture() }

  // MARK: - The queue

  @Test func `cards of lessons that were not begun are not shown`() throws {
    #expect(try fixture.next() == nil)
    #expect(try service.reviews.overview().total.today == 0)

    try fixture.begin("words")

    #expect(try fixture.next() == "front 0")
    let total = try service.reviews.overview().total
    #expect(([total.new, total.notMet, total.reviews, total.steps] as [Int]) == [6, 6, 0, 0])
  }

  @Test func `learn these too adds the cards of a lesson that was not begun`() throws {
    #expect(try service.cards.include(from: ReviewFixture.path("more")) == 4)
    #expect(try service.cards.include(from: ReviewFixture.path("more")) == 0)

    #expect(try fixture.next() == "more 0")
    #expect(try service.check() == [])
  }

  @Test func `an answer shows the interval that was previewed, and the card returns after it`() throws {
    try fixture.begin("words")
    let card = try #require(try service.reviews.nextCard())
    #expect(card.place.title == "words")
    #expect(card.ancestorTitles == ["cards", "Goal", "Lesson of words"])
    #expect(card.faces.answer.plainText == "back 0")
    let seconds = CardRating.allCases.compactMap { card.intervals[$0]?.seconds }
    #expect(Array(seconds.prefix(3)) == [60, 330, 600])

    let answer = try service.reviews.answer(card.id, .again, after: .seconds(3))

    #expect(answer.interval == .seconds(60))
    #expect(try fixture.next() == "front 1")
    fixture.navigation.advance(seconds: 61)
    #expect(try fixture.next() == "front 0")
    #expect(try service.check() == [])
  }

  @Test func `a card that was known twice returns after days`() throws {
    try fixture.begin("words")
    for _ in 0..<6 { try fixture.answerNext(.good) }
    fixture.navigation.advance(seconds: 700)
    for _ in 0..<6 { try fixture.answerNext(.good) }
    #expect(try fixture.next() == nil)
    #expect(try service.reviews.forecast(days: 5).map(\.cards).reduce(0, +) == 6)

    fixture.advance(days: 4)

    #expect(try service.reviews.overview().total.reviews == 6)
    let card = try #require(try service.reviews.nextCard())
    #expect(card.state.phase == .review)
    #expect(card.retrievability.map { $0 < 0.9 } == true)
  }

  @Test func `the card that is most likely to be forgotten is shown first`() throws {
    try fixture.begin("words")
    let ratings: [CardRating] = [.easy, .hard, .easy, .again, .easy, .good]
    for rating in ratings { try fixture.answerNext(rating) }
    while try fixture.next() != nil { try fixture.answerNext(.good) }
    fixture.navigation.advance(seconds: 1_200)
    while try fixture.next() != nil { try fixture.answerNext(.good) }
    fixture.advance(days: 60)
    _ = try service.reviews.set(ReviewSettingsChange(newCards: 0))

    var retrievabilities: [Double] = []
    while let card = try service.reviews.nextCard(), card.state.phase == .review {
      retrievabilities.append(try #require(card.retrievability))
      try service.reviews.answer(card.id, .good)
    }

    #expect(retrievabilities.count == 6)
    #expect(retrievabilities == retrievabilities.sorted())
  }

  @Test func `the daily limits end a day, and reviewing ahead ignores them`() throws {
    try fixture.begin("words")
    _ = try service.reviews.set(ReviewSettingsChange(newCards: 2))
    try fixture.answerNext(.easy)
    try fixture.answerNext(.easy)

    #expect(try fixture.next() == nil)
    let total = try service.reviews.overview().total
    #expect(([total.new, total.notMet] as [Int]) == [0, 4])
    #expect(try fixture.next(ahead: true).map(["front 0", "front 1"].contains) == true)

    fixture.advance(days: 1)
    #expect(try fixture.next() == "front 2")
  }

  @Test func `the limit of a course applies in addition to the limit of all courses`() throws {
    try fixture.begin("words")
    #expect(try service.reviews.set(ReviewSettingsChange(retention: 0.95, newCards: 1), of: "cards").newCards == 1)

    #expect(try service.reviews.overview().total.new == 1)
    try fixture.answerNext(.easy)

    #expect(try fixture.next() == nil)
    #expect(try service.reviews.settings().newCards == 20)
    #expect(try service.reviews.settings(of: "cards").retention == 0.95)
  }

  @Test func `a review of one place asks its cards only`() throws {
    try fixture.begin("words")
    try fixture.begin("more")

    let card = try service.reviews.nextCard(in: ReviewFixture.path("more"))

    #expect(card?.faces.question.plainText == "more 0")
    #expect(try service.reviews.overview(of: ReviewFixture.path("more")).total.new == 4)
    #expect(try service.reviews.overview(of: "cards").total.new == 10)
  }

  @Test func `an overdue pile of 2,000 cards is shown within the daily limit, the most forgotten first`() throws {
    let deck = ReviewFixture.Deck(key: "pile", cards: (0..<2_000).map { ("pile \($0)", "back \($0)") })
    let fixture = try ReviewFixture([deck])
    try fixture.begin("pile")
    _ = try fixture.service.reviews.set(ReviewSettingsChange(newCards: 2_000))
    try fixture.answerAll(.easy, in: "pile", varyingBySeconds: 400)
    fixture.advance(days: 300)

    let total = try fixture.service.reviews.overview().total
    var last = 0.0
    for _ in 0..<50 {
      let card = try #require(try fixture.service.reviews.nextCard())
      let retrievability = try #require(card.retrievability)
      #expect(retrievability >= last)
      last = retrievability
      try fixture.service.reviews.answer(card.id, .good)
    }

    #expect(([total.reviews, total.due] as [Int]) == [200, 2_000])
    #expect(try fixture.service.reviews.overview().total.reviews == 150)
  }

  // MARK: - Taking back, suspending, burying

  @Test func `an undone answer has no effect, and the card is shown again as before`() throws {
    try fixture.begin("words")
    let before = try #require(try service.reviews.nextCard())
    try service.reviews.answer(before.id, .again)
    fixture.navigation.advance(seconds: 5)

    let undone = try service.changes.undo()

    #expect(undone?.cards == [before.id] && undone?.rating == .again && undone?.question == "front 0")
    #expect(try service.reviews.nextCard() == before)
    #expect(try service.reviews.overview().done.answers == 0)
    #expect(try service.reviews.log().map(\.isUndone) == [true])
    #expect(try service.changes.undo() == nil)
    #expect(try service.check() == [])
  }

  @Test func `a buried card returns on the next day, a suspended one when it is resumed`() throws {
    try fixture.begin("words")
    let first = try #require(try service.reviews.nextCard()).id
    try service.cards.bury(first)
    let second = try #require(try service.reviews.nextCard()).id
    #expect(try service.cards.setSuspended(true, second))
    #expect(try service.cards.setSuspended(true, second) == false)

    #expect(try fixture.next() == "front 2")
    #expect(try service.reviews.overview().total.new == 4)

    fixture.advance(days: 1)
    #expect(try fixture.next() == "front 0")
    #expect(try service.cards.setSuspended(false, in: "cards") == 1)
    #expect(try service.reviews.overview().total.new == 6)
    #expect(try service.check() == [])
  }

  @Test func `the cards of a place are suspended and resumed together`() throws {
    try fixture.begin("words")

    #expect(try service.cards.setSuspended(true, in: ReviewFixture.path("words")) == 6)
    #expect(try fixture.next() == nil)
    let suspended = try service.cards.all(in: "cards").filter(\.isSuspended)
    #expect(suspended.map(\.place.title) == Array(repeating: "words", count: 6))
    #expect(try service.cards.setSuspended(false, in: "cards") == 6)
    #expect(try fixture.next() == "front 0")
    #expect(try service.check() == [])
  }

  // MARK: - Cards

  @Test func `a card that was edited keeps its memory`() throws {
    try fixture.begin("words")
    for _ in 0..<6 { try fixture.answerNext(.easy) }
    var decks = ReviewFixture.decks
    decks[0].cards[0].front = "edited front"
    decks[0].cards[1].back = "edited back"
    decks[0].cards.swapAt(2, 5)
    decks[0].cards.insert(("inserted", "new"), at: 0)

    try fixture.publish(decks)

    let rows = try service.cards.all(in: ReviewFixture.path("words"))
    #expect(
      rows.map { "\($0.question): \($0.state.answers)" } == [
        "inserted: 0", "edited front: 1", "front 1: 1", "front 5: 1", "front 3: 1", "front 4: 1", "front 2: 1",
      ])
    #expect(try fixture.next() == "inserted")
    #expect(try service.check() == [])
  }

  @Test func `the cards of a removed course return with the course`() throws {
    try fixture.begin("words")
    try fixture.answerNext(.easy)
    fixture.advance(days: 30)

    try fixture.remove()
    #expect(try fixture.next() == nil)
    #expect(try service.reviews.overview().total.today == 0)
    #expect(try service.check() == [])

    try fixture.publish(ReviewFixture.decks)
    #expect(try service.reviews.overview().total.reviews == 1)
    #expect(try service.check() == [])
  }

  @Test func `a card of a passage is shown as a new card, changed and removed`() throws {
    let deck = ReviewFixture.path("words")
    let id = try service.cards.make(front: "What is FSRS?", back: "A scheduler.\n\nIt is free.", in: deck)

    let card = try #require(try service.reviews.nextCard())
    #expect(card.id == id)
    #expect(card.faces.answer == [.paragraph([.text("A scheduler.")]), .paragraph([.text("It is free.")])])
    try service.reviews.answer(id, .good)
    try service.cards.make(front: "FSRS?", back: "A scheduler.", replacing: id, in: deck)
    let changed = try service.reviews.card(id)
    #expect(changed.faces.question.plainText == "FSRS?")
    #expect(changed.state.answers == 1)

    try service.cards.remove(id)
    #expect(throws: NavigationError.self) { try service.reviews.card(id) }
    #expect(try service.check() == [])
  }

  @Test func `each gap of a cloze text is a card`() throws {
    let fixture = try ReviewFixture([
      .init(key: "cloze", cards: [("{{c1::Paris}} is the capital of {{c2::France::country}}.", "Europe")])
    ])
    try fixture.begin("cloze")

    let cards = try fixture.service.cards.all(in: "cards")
    #expect(cards.map(\.question) == ["[…] is the capital of France.", "Paris is the capital of [country]."])
    let second = try fixture.service.reviews.card(cards[1].id)
    #expect(second.faces.answer.plainText == "Paris is the capital of France.\nEurope")
  }

  @Test func `progress of another program is recorded once, with its dates`() throws {
    let rows = try service.cards.all(in: ReviewFixture.path("words"))
    let answers = [
      CardProgress.Answer(
        at: Timestamp("2026-10-01T10:00:00Z")!, rating: .good, milliseconds: 4_000, interval: .days(3)),
      CardProgress.Answer(
        at: Timestamp("2026-10-04T10:00:00Z")!, rating: .again, milliseconds: 5_000, interval: .seconds(600)),
    ]
    let state = CardState(
      phase: .review, step: 0, memory: CardMemory(stability: 12, difficulty: 5), intervalDays: 12, answers: 7, lapses: 2
    )
    let cards = [
      CardProgress(
        activity: "words", card: rows[0].id.key, answers: answers, phase: state.phase,
        due: .day(5, after: Timestamp("2026-11-20T10:00:00Z")!), intervalDays: state.intervalDays, memory: state.memory,
        answerCount: state.answers, lapses: state.lapses, isSuspended: false, isBuried: false),
      CardProgress(
        activity: "words", card: rows[1].id.key, answers: [], phase: .new, due: nil, intervalDays: 0, memory: nil,
        answerCount: 0, lapses: 0, isSuspended: true, isBuried: false),
    ]

    #expect(try service.cards.record(cards, in: PlacePath("cards")).cards == 2)
    #expect(try service.cards.record(cards, in: PlacePath("cards")).cards == 0)

    let imported = try service.cards.all(in: ReviewFixture.path("words"))
    #expect(imported[0].state == state)
    #expect(imported[0].due == "2026-11-25")
    #expect(imported.map(\.isSuspended) == [false, true, false, false, false, false])
    #expect(try service.reviews.days(last: 60).filter { $0.answers > 0 }.map(\.date) == ["2026-10-01", "2026-10-04"])
    #expect(try service.check() == [])
  }

  // MARK: - Statistics

  @Test func `answers are counted by day and month`() throws {
    try fixture.begin("words")
    for _ in 0..<6 { try fixture.answerNext(.easy, seconds: 4) }
    fixture.advance(days: 40)
    try fixture.answerNext(.good, seconds: 10)
    try fixture.answerNext(.again, seconds: 10)

    let days = try service.reviews.days(last: 41).filter { $0.answers > 0 }
    let months = try service.reviews.retentionByMonth(last: 3)

    #expect(days.map(\.date) == ["2026-11-20", "2026-12-30"])
    #expect(days.map(\.new) == [6, 0])
    let numbers = days.map { "\($0.passed) of \($0.reviews), \($0.milliseconds) ms" }
    #expect(numbers == ["0 of 0, 24000 ms", "1 of 2, 20000 ms"])
    #expect(months.map(\.month) == ["2026-10", "2026-11", "2026-12"])
    #expect(months.map { $0.retention ?? -1 } == [-1, -1, 0.5])
  }

  @Test func `a review after midnight belongs to the day before`() throws {
    try fixture.begin("words")
    fixture.navigation.clock.withLock { $0 = Timestamp("2026-11-21T03:59:00Z")! }
    try fixture.answerNext(.easy)

    #expect(try service.reviews.days(last: 2).map(\.answers) == [0, 1])
    fixture.navigation.clock.withLock { $0 = Timestamp("2026-11-21T04:00:00Z")! }
    #expect(try service.reviews.days(last: 2).map(\.answers) == [1, 0])
  }

  // MARK: - Errors

  @Test func `errors of reviews name the card, the place and the remedy`() throws {
    let unknown = CardID(place: .node(try fixture.navigation.node("cards")), key: "nothing")
    let messages: [(String, () throws -> Void)] = [
      (
        "Could not find card 'nothing' in 'cards': no card there has this key, or several have keys that begin with it.",
        { _ = try service.reviews.answer(unknown, .good) }
      ),
      (
        "Could not use review settings of 'cards/goal': a setting applies to a course or to all courses. Use 'cards'.",
        { _ = try service.reviews.set(ReviewSettingsChange(newCards: 1), of: "cards/goal") }
      ),
      (
        "Could not set retention to 0.5: the value must be from 0.7 to 0.99. Choose a value in this range.",
        { _ = try service.reviews.set(ReviewSettingsChange(retention: 0.5)) }
      ),
      (
        "Could not make the card: the question is empty. Change the text and try again.",
        { _ = try service.cards.make(front: " ", back: "", in: ReviewFixture.path("words")) }
      ),
    ]
    for (message, action) in messages {
      let error = #expect(throws: NavigationError.self) { try action() }
      #expect(error?.description == message)
    }
  }
}
