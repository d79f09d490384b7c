import Foundation
import GRDB
import LearningModel
import LearningStore
import TestSupport
import Testing

@testable import NavigationKit

/// Tests that changes in the log are undone, the newest first.
struct UndoTests {
  private let fixture: ReviewFixture
  private var service: NavigationService { fixture.service }
  private let words = ReviewFixture.path("words")
  private let more = ReviewFixture.path("more")
  private let anchor = NoteAnchor(heading: "why", digest: "85944171f73967e8", characters: 3..<9, quote: "six let")

  init() throws { fixture = try ReviewFixture() }

  @Test func `changes of all kinds are undone, the newest first, also after a restart`() throws {
    try service.cards.include(from: "cards")
    let made = try service.cards.make(front: "own", back: "o", in: words)
    try service.cards.make(front: "own!", back: "o", replacing: made, in: words)
    try service.progress.record(.markedDone, in: more)
    let note = try service.notes.write("One", at: anchor, in: words)
    try service.notes.write("Two", at: anchor, replacing: note, in: words)
    try service.notes.remove(note)
    let card = try #require(try fixture.answerNext(.hard)).answer.id
    try service.cards.bury(card)
    try service.cards.setSuspended(true, card)
    try service.cards.remove(made)
    let restarted = try fixture.navigation.service(session: .named("another"))

    let undone = try (0..<11).map { _ in try #require(try restarted.changes.undo()) }

    #expect(
      undone.map(\.kind) == [
        .cardRemoved, .cardSuspended, .cardBuried, .cardGraded, .noteRemoved, .noted, .noted, .markedDone, .cardMade,
        .cardMade, .cardsIncluded,
      ])
    #expect(
      undone.map(\.isPresent) == [
        true, true, true, true, true, true, false, false, true, false, false,
      ])
    #expect(
      undone.map(\.question)
        == Array(repeating: "own!", count: 4) + Array(repeating: nil, count: 4) + ["own!", "own", nil])
    #expect(undone.last?.removedCards == 10)
    #expect(try restarted.changes.undo() == nil)
    #expect(try service.cards.all(in: "cards").allSatisfy { $0.state == .new && !$0.isSuspended })
    #expect(try service.reviews.overview().total.new == 0 && service.notes.all().isEmpty)
    #expect(try service.check() == [])
  }

  @Test func `cards that were resumed together are suspended together, as are the cards of a place`() throws {
    try service.cards.setSuspended(true, in: words)
    let cards = try service.cards.suspended().map(\.card)
    try service.cards.setSuspended(false, Array(cards.prefix(4)))
    try service.cards.setSuspended(true, cards[0])

    let undone = try (0..<3).map { _ in
      let change = try service.changes.undo()
      return (change?.kind, change?.cards.count, try service.cards.suspended().count)
    }

    #expect(undone.map(\.0) == [.cardSuspended, .cardResumed, .cardSuspended])
    #expect(undone.map(\.1) == [1, 4, 6] && undone.map(\.2) == [2, 6, 0])
  }

  @Test func `the last 20 answers of today are undone, and no earlier change`() throws {
    try service.cards.include(from: words)
    for _ in 0..<22 { try fixture.answerNext(.again, seconds: 61) }

    var count = 0
    while try service.changes.undo() != nil { count += 1 }

    #expect(count == StoreSnapshot.maximumUndoableAnswers)
    #expect(try service.reviews.log().map(\.isUndone) == Array(repeating: true, count: 20) + [false, false])
    try fixture.answerNext(.again)
    #expect(try service.changes.undo()?.kind == .cardGraded)
  }

  @Test func `a change of the day before is not undone`() throws {
    try service.progress.record(.markedDone, in: words)
    fixture.navigation.advance(seconds: 17.9 * 3600)
    let late = try service.changes.undo()
    try service.progress.record(.markedDone, in: words)
    fixture.navigation.advance(seconds: 0.2 * 3600)

    #expect(late?.kind == .markedDone)
    #expect(try service.changes.undo() == nil)
    #expect(try service.places.summary(of: words).state == .done)
  }

  @Test func `changes up to a position are not undone, and nothing to undo begins no session`() throws {
    try service.progress.record(.markedDone, in: words)
    let position = try service.changes.position()
    try service.progress.record(.markedDone, in: more)
    try service.endSession()
    let sessions = try service.history.sessions().count

    #expect(try service.changes.undo(after: position)?.place.path == PlacePath("cards/goal/lesson-of-more/more"))
    try service.endSession()
    #expect(try service.changes.undo(after: position) == nil)
    #expect(try service.changes.undo(onlyCards: true) == nil)
    #expect(try service.history.sessions().count == sessions + 1)
  }

  @Test func `a mark is not undone if the activity was read or answered since, or removed`() throws {
    try service.progress.record(.markedDone, in: words)
    try service.progress.record(.seenToEnd, in: words)
    #expect(try service.changes.undo() == nil)
    try service.progress.record(.markedNotDone, in: words)
    try service.notes.write("One", at: anchor, in: more)
    try fixture.publish([ReviewFixture.decks[0]])

    let undone = try service.changes.undo()

    #expect(undone?.kind == .markedNotDone && undone?.isPresent == true)
    #expect(try service.changes.undo() == nil)
    #expect(try service.notes.all().map(\.note.text) == ["One"])
  }

  @Test func `an undone mark leaves the grades of the deck`() throws {
    for item in 0..<5 { try service.progress.record(.cardGraded(card: item, of: 6, isKnown: true), in: words) }
    try service.progress.record(.markedNotDone, in: words)
    try service.changes.undo()

    try service.progress.record(.cardGraded(card: 5, of: 6, isKnown: true), in: words)

    #expect(try service.places.summary(of: words).state == .done)
  }

  @Test func `progress that was imported from another program is not undone`() throws {
    let card = try #require(try service.cards.all(in: words).first).id
    let answers = [CardProgress.Answer(at: fixture.navigation.now, rating: .good, milliseconds: 1, interval: .days(3))]
    let progress = CardProgress(
      activity: "words", card: card.key, answers: answers, phase: .new, due: nil, intervalDays: 0, memory: nil,
      answerCount: 1, lapses: 0, isSuspended: true, isBuried: true)

    #expect(try service.cards.record([progress], in: PlacePath("cards")).cards == 1)

    #expect(try service.changes.undo() == nil)
    #expect(try service.cards.suspended().count == 1)
  }

  @Test func `changes of other databases are not undone, and a change that one of them has changed since is left out`()
    throws
  {
    let other = try ReviewFixture()
    let note = try service.notes.write("One", at: anchor, in: words)
    try service.progress.record(.markedDone, in: more)
    try service.endSession()
    try SyncPair(other.service, service).run()
    other.navigation.advance(seconds: 60)
    try other.service.notes.write("Two", at: anchor, replacing: note, in: words)
    #expect(try other.service.changes.undo()?.kind == .noted && other.service.changes.undo() == nil)
    try other.service.notes.write("Three", at: anchor, replacing: note, in: words)
    try other.service.endSession()
    try SyncPair(service, other.service).run()
    fixture.navigation.advance(seconds: 120)

    #expect(try service.changes.undo()?.kind == .markedDone)
    #expect(try service.changes.undo() == nil)
    try service.endSession()
    try SyncPair(service, other.service).run()
    for replica in [service, other.service] {
      #expect(try replica.notes.all().map(\.note.text) == ["Three"])
      #expect(try replica.places.summary(of: more).state == .notBegun)
      #expect(try replica.check() == [])
    }
  }

  @Test(arguments: Tier.seeds(Array(0..<40), long: 0..<1_000))
  func `after each undo, the derived tables are as before the change`(seed: UInt64) throws {
    var walk = try ChangeWalk(seed: seed)

    try walk.walk(60)

    try walk.undoAll()
    #expect(try walk.fixture.service.check() == [])
  }
}

/// Random changes and undos in two sessions of one learner, which are opened again now and then.
private struct ChangeWalk {
  let fixture = try! ReviewFixture()
  private var random: SplitMix64
  private var services: [NavigationService]
  /// The derived tables before each change that is in effect.
  private var states: [[String]] = []
  private var notes: [String] = []
  private var made: [CardID] = []
  private var answers = 0

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    services = []
    open()
  }

  private mutating func open() {
    services = ["one", "two"].map { try! fixture.navigation.service(session: .named($0)) }
  }

  mutating func walk(_ steps: Int) throws {
    for _ in 0..<steps {
      fixture.navigation.advance(seconds: Double(random.below(300)))
      if random.oneIn(10) { open() }
      let service = services[random.below(2)]
      if random.oneIn(4) {
        try undo(service)
      } else {
        let (state, position) = (try tables(), try service.changes.position())
        try change(service)
        if try service.changes.position() > position { states.append(state) }
      }
    }
  }

  mutating func undoAll() throws {
    while !states.isEmpty { try undo(services[random.below(2)]) }
    try undo(services[0])
  }

  private mutating func undo(_ service: NavigationService) throws {
    let undone = try service.changes.undo()
    #expect((undone == nil) == states.isEmpty)
    guard let state = states.popLast() else { return }
    let difference = Set(try tables()).symmetricDifference(state)
    #expect(difference == [])
    if random.oneIn(5) { #expect(try service.check() == []) }
  }

  private mutating func change(_ service: NavigationService) throws {
    let deck = ReviewFixture.path(random.oneIn(2) ? "words" : "more")
    let cards = try service.cards.all(in: deck).map(\.id)
    let card = cards[random.below(cards.count)]
    let anchor = NoteAnchor(heading: "", digest: "85944171f73967e8", characters: 3..<9, quote: "six let")
    switch random.below(10) {
    case 0: try service.progress.record(random.oneIn(2) ? .markedDone : .markedNotDone, in: deck)
    case 1:
      let text = random.oneIn(3) ? "" : "note \(random.below(100))"
      let note = random.oneIn(2) ? notes.randomElement(using: &random) : nil
      notes.append(try service.notes.write(text, at: anchor, replacing: note, in: ReviewFixture.path("words")))
    case 2: if let note = notes.randomElement(using: &random) { try service.notes.remove(note) }
    case 3: try service.cards.include(from: random.oneIn(2) ? "cards" : deck)
    case 4: try service.cards.setSuspended(random.oneIn(2), in: deck)
    case 5: try service.cards.setSuspended(random.oneIn(2), card)
    case 6: try service.cards.bury(card)
    case 7:
      made.append(try service.cards.make(front: "own \(random.below(100))", back: "", in: ReviewFixture.path("more")))
    case 8:
      let existing = try service.cards.all(in: "cards").map(\.id).filter(made.contains)
      guard let card = existing.randomElement(using: &random) else { return }
      if random.oneIn(2) {
        try service.cards.remove(card)
      } else {
        try service.cards.make(front: "changed", back: "", replacing: card, in: ReviewFixture.path("more"))
      }
    default:
      guard answers < StoreSnapshot.maximumUndoableAnswers else { return }
      answers += 1
      if random.oneIn(2) {
        let count = deck == ReviewFixture.path("words") ? 6 : 4
        let grade = ActivityEventContent.cardGraded(
          card: random.below(count), of: count, isKnown: random.oneIn(2))
        try service.progress.record(grade, in: deck)
      } else {
        try service.reviews.answer(card, CardRating.allCases[random.below(4)])
      }
    }
  }

  /// The rows of the tables that are derived from the log of activity events, without the order of events.
  private func tables() throws -> [String] {
    let columns = [
      "note": "*", "cardsMet": "*", "madeCard": "*", "reviewDay": "*", "placeProgress": "*",
      "progress WHERE isBegun = 1": "node, doneAt",
      "cardMemory": """
      node, key, phase, step, stability, difficulty, intervalDays, answers, lapses, lastAt, lastDay, due, stepEndsAt,
      isSuspended, buriedUntil, shownFrom, isQueued
      """,
    ]
    let rows = try columns.sorted { $0.key < $1.key }.flatMap { table, columns in
      try fixture.navigation.write { database in
        try Row.fetchAll(database, sql: "SELECT \(columns) FROM \(table)").map { "\(table) \($0)" }.sorted()
      }
    }
    let waiting = try fixture.service.reviews.overview().total
    return rows + ["\(waiting.new) \(waiting.notMet) \(waiting.due + waiting.later)"]
  }
}
