import Foundation
import LearningModel
import NavigationKit
import Testing

/// Cards that the learner has made, and the schedule that the learner sets.
struct OwnCardTests {
  private let fixture: ReviewFixture
  private let service: NavigationService
  private let deck = ReviewFixture.path("words")
  private let passage = NoteAnchor(heading: "fjord", digest: "d1", characters: 3..<9, quote: "Oslo, a city.")

  init() throws {
    fixture = try ReviewFixture()
    service = fixture.service
  }

  @Test func `a changed card keeps its passage and its memory, and an undo restores its text`() throws {
    let id = try service.cards.make(front: "Where is Osol?", back: "In Norway.", at: passage, in: deck)
    try service.reviews.answer(id, .easy)
    let state = try service.reviews.card(id).state
    fixture.navigation.advance(seconds: 60)

    try service.cards.change(id, front: "Where is Oslo?")

    let changed = try #require(try service.cards.own(in: id.place).first)
    #expect(
      [changed.note.id, changed.note.text, changed.note.answer] == [id.key, "Where is Oslo?", "In Norway."])
    #expect(changed.note.anchor == passage && changed.place.title == "words" && changed.note.isCard)
    #expect(changed.note.changedAt > changed.note.createdAt)
    #expect(try service.reviews.card(id).state == state)
    try service.changes.undo()
    #expect(try service.cards.own().map(\.note.text) == ["Where is Osol?"])
    #expect(try service.check() == [])
  }

  @Test func `a removed card is listed no more, and an undo restores it`() throws {
    let id = try service.cards.make(front: "own", back: "answer", at: passage, in: deck)

    try service.cards.remove(id)

    #expect(try service.cards.own().isEmpty)
    #expect(throws: NavigationError.unknownCard(key: id.key, place: PlacePath("cards/goal/lesson-of-words/words"))) {
      try service.cards.remove(id)
    }
    try service.changes.undo()
    #expect(try service.cards.own().map(\.note.anchor) == [passage])
    #expect(try service.check() == [])
  }

  @Test func `the passage of a card without one is its answer`() throws {
    try service.cards.make(front: "own", back: "the answer", in: deck)

    let anchor = try service.cards.own().first?.note.anchor

    #expect(anchor == NoteAnchor(heading: "", digest: "", characters: 0..<0, quote: "the answer"))
  }

  @Test func `a card of the course is neither changed nor removed`() throws {
    let id = try #require(try service.cards.all(in: deck).first).id
    let error = NavigationError.notOwnCard(key: id.key, place: PlacePath("cards/goal/lesson-of-words/words"))

    #expect(throws: error) { try service.cards.change(id, front: "x") }
    #expect(throws: error) { try service.cards.remove(id) }
    #expect(
      error.description == "Could not change card '\(id.key)' in 'cards/goal/lesson-of-words/words': it is part of the "
        + "course. Change it in the source of the course, for a card from Anki in Anki, and import the course again: the card "
        + "keeps its schedule.")
  }

  @Test func `own cards are due regardless of the limits`() throws {
    try service.reviews.set(ReviewSettingsChange(newCards: 0, reviews: 0))
    let id = try service.cards.make(front: "own", back: "answer", in: deck)

    #expect(try service.cards.ownDue(until: fixture.navigation.now) == [id])

    try service.reviews.answer(id, .good)
    #expect(try service.cards.ownDue(until: fixture.navigation.now).isEmpty)
    #expect(try service.cards.ownDue(until: fixture.navigation.now.advanced(byMilliseconds: 600_000)) == [id])
    try service.cards.setSuspended(true, id)
    #expect(try service.cards.ownDue(until: fixture.navigation.now.advanced(byMilliseconds: 600_000)).isEmpty)
  }

  // MARK: - The schedule

  @Test func `a card that is set due keeps its interval and memory, and a forgotten card is new`() throws {
    try fixture.begin("words")
    let id = try #require(try fixture.answerNext(.easy)).answer.id
    let before = try service.reviews.card(id)

    try service.cards.schedule(id, inDays: 3)
    let due = try service.reviews.card(id)
    try service.cards.schedule(id, inDays: nil)
    let forgotten = try service.reviews.card(id)

    #expect(due.state == before.state && due.due == ReviewDay.date(of: service.today + 3))
    #expect(forgotten.state == .new && forgotten.due == nil)
    #expect(try service.check() == [])
    let change = try service.changes.undo()
    #expect(change?.kind == .cardScheduled)
    #expect(try service.reviews.card(id).due == due.due)
    try service.changes.undo()
    #expect(try service.reviews.card(id).due == before.due)
    #expect(try service.check() == [])
  }

  @Test func `a new card that is set due is reviewed after that interval`() throws {
    let id = try #require(try service.cards.all(in: deck).first).id

    try service.cards.schedule(id, inDays: 5)

    let card = try service.reviews.card(id)
    #expect(card.state.phase == .review && card.state.intervalDays == 5)
    fixture.advance(days: 5)
    try service.reviews.set(ReviewSettingsChange(newCards: 0))
    #expect(try service.reviews.nextCard()?.id == id)
    #expect(
      throws: NavigationError.reviewSetting(name: "days until the card is due", value: "-1", range: "0 to 36500")
    ) { try service.cards.schedule(id, inDays: -1) }
  }

  @Test func `a card that becomes a leech is listed, and suspended if the learner has set so`() throws {
    let cards = try service.cards.all(in: deck, limit: 2).map(\.id)
    func fail(_ id: CardID) throws -> [Bool] {
      try (0..<8).map { _ in
        try service.cards.schedule(id, inDays: 0)
        return try service.reviews.answer(id, .again).isSuspended
      }
    }

    let kept = try fail(cards[0])
    try service.reviews.set(ReviewSettingsChange(suspendsLeeches: true))
    let suspended = try fail(cards[1])

    #expect(kept == Array(repeating: false, count: 8))
    #expect(suspended == Array(repeating: false, count: 7) + [true])
    #expect(try service.cards.all(leeches: true).map(\.id) == cards)
    #expect(try service.cards.all(leeches: true).map(\.isSuspended) == [false, true])
    #expect(try service.reviews.lastAnswers(to: cards[1], limit: 3).map(\.rating) == [.again, .again, .again])
    #expect(try service.check() == [])
  }

  @Test func `a card that was just learnt is due later, not now`() throws {
    try fixture.begin("words")
    try fixture.answerNext(.good)

    let total = try service.reviews.overview().total

    #expect([total.steps, total.later, total.due] == [0, 1, 0] && total.canBeAsked)
    #expect(total.nextStepAt == fixture.navigation.now.advanced(byMilliseconds: 600_000))
    #expect(try service.reviews.forecast(days: 1).map(\.cards) == [total.today + 1])
    fixture.navigation.advance(seconds: 600)
    let later = try service.reviews.overview().total
    #expect([later.steps, later.later, later.due] == [1, 0, 1] && later.nextStepAt == nil)
  }
}

extension NavigationService {
  fileprivate var today: Int { ReviewDay.number(ofDate: (try? reviews.overview().date) ?? "") ?? 0 }
}
