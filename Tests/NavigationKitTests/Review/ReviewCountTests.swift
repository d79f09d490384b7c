import LearningModel
import Testing

@testable import NavigationKit

/// The numbers of due cards, and the grades that count as answers.
struct ReviewCountTests {
  private let fixture: ReviewFixture
  private var service: NavigationService { fixture.service }

  init() throws { fixture = try ReviewFixture() }

  @Test func `each row is what a review of its place alone would ask`() throws {
    try fixture.begin("words")
    _ = try service.reviews.set(ReviewSettingsChange(newCards: 4))

    let all = try service.reviews.overview()
    let course = try service.reviews.overview(of: "cards").total
    let deck = try service.reviews.overview(of: ReviewFixture.path("words")).total

    #expect(([all.total.new, course.new, deck.new] as [Int]) == [4, 4, 4])
    #expect(all.courses.map(\.new) == [4])
    #expect(all.courses.map(\.notMet) == [6])
    var asked = 0
    while try fixture.answerNext(.easy) != nil { asked += 1 }
    #expect(asked == 4)
  }

  @Test func `a grade in a deck is the answer to its card`() throws {
    let deck = ReviewFixture.path("words")
    for (item, isKnown) in [(0, true), (1, false)] {
      try service.progress.record(.cardGraded(card: item, of: 6, isKnown: isKnown), in: deck)
    }

    let total = try service.reviews.overview().total
    #expect(([total.steps, total.later, total.new] as [Int]) == [0, 2, 4])
    #expect(try service.reviews.log().map(\.rating) == [.again, .good])
    #expect(try fixture.next() == "front 2")
    #expect(try service.progress.gradedCards(at: service.places.named(deck).place) == [0: true, 1: false])
    #expect(try service.check() == [])
  }

  @Test func `a deck whose cards were all graded is done, and its log can be rebuilt`() throws {
    let deck = ReviewFixture.path("words")
    for item in 0..<6 { try service.progress.record(.cardGraded(card: item, of: 6, isKnown: true), in: deck) }

    #expect(try service.places.summary(of: deck).state == .done)
    #expect(try service.check() == [])
  }

  @Test func `a grade that was undone leaves the card new, and the deck is no longer done`() throws {
    let deck = ReviewFixture.path("words")
    let place = try service.places.named(deck).place
    for item in 0..<6 { try service.progress.record(.cardGraded(card: item, of: 6, isKnown: true), in: deck) }
    try service.progress.record(.cardGraded(card: 2, of: 6, isKnown: false), in: deck)
    #expect(try service.reviews.overview().total.later == 6)

    let undone = try (0..<2).map { _ in try service.changes.undo()?.item }

    #expect(undone == [2, 5])
    #expect(try service.progress.gradedCards(at: place) == [0: true, 1: true, 2: true, 3: true, 4: true])
    #expect(try service.places.summary(of: deck).state == .begun)
    #expect(try service.reviews.overview().total.later == 5)
    #expect(try service.progress.attempts().count == 5)
    #expect(try service.check() == [])
  }

  @Test func `after a sync, answers and attempts are listed by time, also those of one moment`() throws {
    let replicas = [fixture, try ReviewFixture()]
    for replica in replicas { try replica.service.cards.include(from: ReviewFixture.path("words")) }
    for round in 0..<3 {
      for replica in replicas.dropFirst(round % 2) { try replica.answerNext(.good, seconds: 0) }
      for replica in replicas { replica.navigation.advance(seconds: 60) }
    }
    for replica in replicas { try replica.service.endSession() }

    try SyncPair(replicas[0].service, replicas[1].service).run()

    let logs = try replicas.map { try $0.service.reviews.log() }
    let attempts = try replicas.map { try $0.service.progress.attempts() }
    #expect(logs[0].map(\.at) == logs[0].map(\.at).sorted(by: >) && logs[0].count == 5)
    #expect(logs[0].map(\.card) == logs[1].map(\.card) && logs[0].map(\.at) == logs[1].map(\.at))
    #expect(attempts[0].map(\.at) == logs[0].map(\.at) && attempts[1].map(\.card) == logs[0].map(\.card))
    #expect(try service.progress.attempts(limit: 2).map(\.at) == Array(logs[0].map(\.at).prefix(2)))
  }

  @Test func `the grade of a flashcard with gaps is undone`() throws {
    let fixture = try ReviewFixture([.init(key: "cloze", cards: [("{{c1::Paris}} and {{c2::Rome}}", "towns")])])
    let deck = ReviewFixture.path("cloze")
    let place = try fixture.service.places.named(deck).place
    try fixture.service.progress.record(.cardGraded(card: 0, of: 1, isKnown: true), in: deck)
    #expect(try fixture.service.places.summary(of: deck).state == .done)

    let undone = try fixture.service.changes.undo()

    #expect(undone?.item == 0 && undone?.rating == .good && undone?.cards == [])

    #expect(try fixture.service.progress.gradedCards(at: place) == [:])
    #expect(try fixture.service.places.summary(of: deck).state == .notBegun)
    #expect(try fixture.service.progress.attempts().isEmpty)
  }

  @Test func `cards in a step come back today, and those of tomorrow are those of the forecast`() throws {
    try fixture.begin("words")
    for card in 0..<3 {
      try service.progress.record(.cardGraded(card: card, of: 6, isKnown: true), in: ReviewFixture.path("words"))
    }
    let id = try #require(try service.reviews.log().first.map { CardID(place: $0.place.place, key: $0.card) })
    try service.cards.bury(id)

    let all = try service.reviews.cardsComingBack()
    let deck = try service.reviews.cardsComingBack(in: ReviewFixture.path("words"))
    let other = try service.reviews.cardsComingBack(in: ReviewFixture.path("more"))

    #expect(all == (today: 2, tomorrow: 1) && deck == all && other == (today: 0, tomorrow: 0))
    let total = try service.reviews.overview().total
    #expect(try service.reviews.forecast(days: 2).map(\.cards) == [total.today + total.later, 1])
  }

  @Test func `the first day of the forecast counts the due cards of today, within the daily limits`() throws {
    try fixture.begin("words")
    _ = try service.reviews.set(ReviewSettingsChange(newCards: 4))
    try fixture.answerNext(.again)

    let total = try service.reviews.overview().total
    #expect(([total.today, total.later] as [Int]) == [3, 1])
    #expect(try service.reviews.forecast(days: 3).map(\.cards) == [4, 2, 0])
    #expect(try service.reviews.forecast(days: 1, in: ReviewFixture.path("more")).map(\.cards) == [0])
  }

  @Test func `the forecast of tomorrow is what is due tomorrow, with the new cards that the limits add`() throws {
    for deck in ["words", "more"] { try fixture.begin(deck) }
    _ = try service.reviews.set(ReviewSettingsChange(newCards: 3))
    while try service.reviews.nextCard() != nil { try fixture.answerNext(.easy) }
    let forecast = try service.reviews.forecast(days: 4)

    fixture.advance(days: 1)

    #expect(forecast.map(\.new) == [0, 3, 3, 1])
    #expect(try service.reviews.overview().total.today == forecast[1].cards)
    _ = try service.reviews.set(ReviewSettingsChange(newCards: 0))
    #expect(try service.reviews.forecast(days: 2).map(\.new) == [0, 0])
  }

  @Test func `a card in a step is not shown twice in a row while another card is due`() throws {
    try fixture.begin("words")
    let deck = ReviewFixture.path("words")
    for card in 0..<6 { try service.progress.record(.cardGraded(card: card, of: 6, isKnown: true), in: deck) }

    var asked: [String] = []
    for _ in 0..<6 { asked.append(try #require(try fixture.answerNext(.again, seconds: 1)).question) }

    #expect(zip(asked, asked.dropFirst()).allSatisfy { $0 != $1 })
    #expect(Set(asked.prefix(2)).count == 2)
    for card in try service.cards.all(in: deck).dropFirst() { try service.cards.setSuspended(true, card.id) }
    #expect(try fixture.answerNext(.again, seconds: 1)?.question == "front 0")
    #expect(try fixture.answerNext(.again, seconds: 1)?.question == "front 0")
  }

  @Test func `reviewing ahead asks cards of later days before new cards over the limit`() throws {
    try fixture.begin("words")
    _ = try service.reviews.set(ReviewSettingsChange(newCards: 1))
    try fixture.answerNext(.easy)

    #expect(try fixture.next() == nil)
    #expect(try fixture.next(ahead: true) == "front 0")
  }

  @Test func `a step that ends in more than twenty minutes waits, but cannot be shown yet`() throws {
    try fixture.begin("words")
    let card = try #require(try service.reviews.nextCard()).id
    let node = try service.places.named(ReviewFixture.path("words"))
    let end = fixture.navigation.now.advanced(byMilliseconds: 3_600_000)
    let progress = CardProgress(
      activity: "words", card: card.key, answers: [], phase: .learning, due: .time(end), intervalDays: 0,
      memory: nil, answerCount: 1, lapses: 0, isSuspended: false, isBuried: false)
    _ = try service.cards.record([progress], in: PlacePath("cards"))
    _ = try service.reviews.set(ReviewSettingsChange(newCards: 0))

    let total = try service.reviews.overview(of: .place(node.place)).total

    #expect(([total.today, total.later] as [Int]) == [0, 1] && !total.canBeAsked)
    #expect(try service.reviews.nextCard() == nil)
  }

  @Test func `the suspended cards of a place are found, resumed and suspended again`() throws {
    try fixture.begin("words")
    let cards = try service.cards.all(in: ReviewFixture.path("words")).map(\.id)
    for card in cards.prefix(2) { try service.cards.setSuspended(true, card) }

    let suspended = try service.cards.suspended()
    let resumed = try service.cards.setSuspended(false, suspended.map(\.card))

    #expect(Set(suspended.map(\.card)) == Set(cards.prefix(2)))
    let course = try service.places.named("cards").place
    #expect(suspended.map(\.course) == [course, course])
    #expect(try resumed == 2 && service.cards.suspended().isEmpty)
    #expect(try service.cards.setSuspended(true, suspended.map(\.card)) == 2)
    #expect(try service.cards.suspended(in: ReviewFixture.path("words")).count == 2)
    #expect(try service.cards.suspended(in: ReviewFixture.path("more")).isEmpty)
  }

  @Test func `the next lesson to learn has cards and was not begun`() throws {
    let first = try service.reviews.nextLesson()
    try fixture.begin("words")
    let second = try service.reviews.nextLesson(in: "cards")
    try service.cards.include(from: ReviewFixture.path("more"))

    #expect(first?.lesson.title == "Lesson of words" && first?.cards == 6)
    #expect(second?.lesson.title == "Lesson of more" && second?.cards == 4)
    #expect(try service.reviews.nextLesson() == nil)
  }
}
