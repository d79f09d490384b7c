import CourseKit
import Foundation
import LearningModel
import NavigationKit
import Synchronization
import Testing

/// Tests of the progress that an import brings from another program.
struct ImportedProgressTests {
  private func progress(
    _ card: CardID, _ days: [Int], interval: Int, resetAt: Int? = nil, memory: CardMemory? = nil
  ) -> CardProgress {
    let start = Timestamp("2026-10-01T10:00:00Z")!
    let answers = days.map { day in
      CardProgress.Answer(
        at: start.advanced(byMilliseconds: Int64(day) * 86_400_000), rating: .good, milliseconds: 4_000,
        interval: .days(interval), isReset: day == resetAt)
    }
    return CardProgress(
      activity: "words", card: card.key, answers: answers, phase: .review,
      due: .day(days.last! + interval, after: start),
      intervalDays: interval, memory: memory, answerCount: answers.count, lapses: 0, isSuspended: false, isBuried: false
    )
  }

  @Test func `a later import adds the new answers of another program`() throws {
    let fixture = try ReviewFixture()
    let id = try fixture.service.cards.all(in: ReviewFixture.path("words"))[0].id
    func card() throws -> CardRow { try fixture.service.cards.all(in: ReviewFixture.path("words"))[0] }
    func record(_ progress: CardProgress) throws -> Int {
      try fixture.service.cards.record([progress], in: PlacePath("cards")).cards
    }
    #expect(try record(progress(id, [0, 3], interval: 9)) == 1)
    #expect(try record(progress(id, [0, 3], interval: 9)) == 0)

    #expect(try record(progress(id, [0, 3, 12], interval: 30)) == 1)
    #expect(try (card().state.answers, card().due) == (3, "2026-11-12"))
    #expect(try fixture.service.reviews.log().count == 3)

    // An answer here is later than the next one there, whose state is therefore not taken over.
    try fixture.service.reviews.answer(id, .easy)
    let due = try card().due
    #expect(try record(progress(id, [0, 3, 12, 20], interval: 1)) == 1)
    #expect(try card().due == due)
    #expect(try fixture.service.reviews.log().count == 5)
    #expect(try fixture.service.check() == [])
  }

  @Test func `a card that became new again in another program has the memory of its last answers`() throws {
    let fixture = try ReviewFixture()
    let rows = try fixture.service.cards.all(in: ReviewFixture.path("words"))
    let progress = [
      progress(rows[0].id, [0, 10, 20], interval: 5, resetAt: 20), progress(rows[1].id, [20], interval: 5),
    ]
    #expect(try fixture.service.cards.record(progress, in: PlacePath("cards")).cards == 2)
    let cards = try fixture.service.cards.all(in: ReviewFixture.path("words"))
    #expect(cards[0].state.memory == cards[1].state.memory)
    #expect(try fixture.service.check() == [])
  }

  /// A course of six cards, of which the first has two answers of another program.
  private func fixtureWithProgress() throws -> (fixture: ReviewFixture, card: CardID) {
    let fixture = try ReviewFixture()
    fixture.navigation.clock.withLock { $0 = Timestamp("2026-10-07T12:00:00Z")! }
    let id = try fixture.service.cards.all(in: ReviewFixture.path("words"))[0].id
    _ = try fixture.service.cards.record([progress(id, [0, 3], interval: 9)], in: PlacePath("cards"))
    return (fixture, id)
  }

  @Test(arguments: [[12], [12, 22], [25], [25, 26]])
  func `answers of both programs have the same effect as if all were given here`(_ days: [Int]) throws {
    // Here on the days 20 and 24, and in the other program on these days.
    let (merged, card) = try fixtureWithProgress()
    let (expected, sameCard) = try fixtureWithProgress()
    let start = Timestamp("2026-10-01T10:00:00Z")!
    func answer(_ fixture: ReviewFixture, _ id: CardID, on day: Int, hour: Double) throws {
      let time = start.advanced(byMilliseconds: Int64((Double(day) * 24 + hour) * 3_600_000))
      fixture.navigation.clock.withLock { $0 = time }
      try fixture.service.reviews.answer(id, .good)
    }
    for day in ([20, 24] + days).sorted() {
      let isHere = !days.contains(day)
      if isHere { try answer(merged, card, on: day, hour: 2) }
      try answer(expected, sameCard, on: day, hour: isHere ? 2 : 0)
    }
    for fixture in [merged, expected] {
      fixture.navigation.clock.withLock { $0 = start.advanced(byMilliseconds: 40 * 86_400_000) }
    }

    let recorded = try merged.service.cards.record(
      [progress(card, [0, 3] + days, interval: 1)], in: PlacePath("cards"))

    #expect((recorded.cards, recorded.answers, recorded.mergedCards) == (1, days.count, 1))
    let (row, same) = (try merged.service.cards.all()[0], try expected.service.cards.all()[0])
    #expect(row.state.answers == 4 + days.count && row.state.answers == same.state.answers)
    #expect(row.state.memory == same.state.memory && row.state.phase == same.state.phase)
    // If the last answer was given here, its interval is the one that was shown.
    if days.last ?? 0 > 24 { #expect(row.state == same.state && row.due == same.due) }
    #expect(try merged.service.reviews.log().count == row.state.answers)
    #expect(try merged.service.check() == [])
  }

  @Test func `an answer that an earlier package did not contain yet is not lost in the state of that package`() throws {
    let (fixture, card) = try fixtureWithProgress()
    try fixture.service.reviews.answer(card, .good)
    let before = try fixture.service.cards.all()[0].state

    _ = try fixture.service.cards.record([progress(card, [0, 3, 5], interval: 1)], in: PlacePath("cards"))

    let state = try fixture.service.cards.all()[0].state
    #expect(state.answers == 4 && state.memory != before.memory)
  }

  @Test func `a card that became new here does not get the state of the other program again`() throws {
    let (fixture, card) = try fixtureWithProgress()
    try fixture.service.cards.schedule(card, inDays: nil)

    _ = try fixture.service.cards.record([progress(card, [0, 3, 5], interval: 30)], in: PlacePath("cards"))

    #expect(try fixture.service.cards.all()[0].state == .new)
  }

  @Test(arguments: [(0, 1), (2, 0), (1, 1), (5, 0)])
  func `a card in learning keeps its step`(_ remaining: Int, _ step: Int) throws {
    let fixture = try ReviewFixture()
    let id = try fixture.service.cards.all(in: ReviewFixture.path("words"))[0].id
    let at = Timestamp("2026-11-01T10:00:00Z")!
    let card = CardProgress(
      activity: "words", card: id.key,
      answers: [CardProgress.Answer(at: at, rating: .good, milliseconds: 0, interval: .seconds(600))], phase: .learning,
      remainingSteps: remaining, due: .time(at.advanced(byMilliseconds: 600_000)), intervalDays: 0,
      memory: CardMemory(stability: 2, difficulty: 5), answerCount: 1, lapses: 0, isSuspended: false, isBuried: false)

    _ = try fixture.service.cards.record([card], in: PlacePath("cards"))

    // The default steps are 1 and 10 minutes.
    #expect(try fixture.service.cards.all()[0].state.step == step)
    let next = try #require(fixture.service.reviews.card(id).intervals[.good])
    #expect((next == .seconds(600)) == (step == 0))
  }
}
