@testable import waymark_server
import Foundation
import LearningModel
import NavigationKit
import Testing

/// Reviews on a hub, for each kind of store.
struct ReviewHubTests {
  private static let deck = PlaceName.text("english-for-business/writing/tone/softer-please")

  /// Everything that a leaf shows of reviews.
  private struct Reviews: Equatable {
    let cards: [CardRow]
    let log: [ReviewLogRow]
    let forecast: [ForecastDay]
    let settings: ReviewSettings
  }

  private func reviews(_ leaf: NavigationService) throws -> Reviews {
    Reviews(
      cards: try leaf.cards.all(in: Self.deck),
      // The log is in the order in which the events arrived in the database.
      log: try leaf.reviews.log().sorted { ($1.at, $1.card) < ($0.at, $0.card) },
      forecast: try leaf.reviews.forecast(days: 30),
      settings: try leaf.reviews.settings())
  }

  @Test(arguments: Engine.allCases)
  func `two leaves have the same reviews after both have synchronised`(engine: Engine) throws {
    let hub = try ClockedHub(engine)
    let token = try hub.admit("ada")
    let (desk, laptop) = (try hub.leaf("desk.sqlite", "ada"), try hub.leaf("laptop.sqlite", "ada"))
    _ = try desk.cards.include(from: Self.deck)
    let cards = try desk.cards.all(in: Self.deck).map(\.id)
    for (card, rating) in zip(cards, [CardRating.good, .again, .easy, .hard]) {
      hub.clock.pass(minutes: 1)
      try desk.reviews.answer(card, rating, after: .seconds(7))
    }
    try desk.changes.undo()
    _ = try desk.cards.setSuspended(true, cards[5])
    try desk.cards.bury(cards[6])
    _ = try desk.reviews.set(ReviewSettingsChange(retention: 0.95, newCards: 7))
    let made = try desk.cards.make(front: "a *made* \"card\" \\ '", back: "its back\n…", in: Self.deck)

    try hub.sync(desk, token)
    try hub.sync(laptop, token)

    let first = try reviews(desk)
    #expect(first.log.count == 4 && first.log.filter(\.isUndone).count == 1 && first.settings.retention == 0.95)
    #expect(try reviews(laptop) == first)

    hub.clock.pass(days: 3)
    try laptop.reviews.answer(cards[0], .good)
    hub.clock.pass(minutes: 1)
    try laptop.reviews.answer(made, .good)
    hub.clock.pass(minutes: 1)
    try desk.reviews.answer(cards[1], .good)
    for leaf in [laptop, desk, laptop] { try hub.sync(leaf, token) }

    let second = try reviews(desk)
    #expect(second.log.count == 7)
    #expect(try reviews(laptop) == second)
  }

  @Test func `a card that was reviewed does not count as a turned card of its deck`() throws {
    let hub = try ClockedHub(.sqlite)
    let desk = try hub.leaf("desk.sqlite", "ada")
    func unfinished() throws -> [String] {
      try EmbeddedStore(desk)
        .stuckLearners(ReportScope(), since: hub.clock.now.advanced(byMilliseconds: 1), limit: 9).map(\.path)
    }
    _ = try desk.cards.include(from: Self.deck)
    let cards = try desk.cards.all(in: Self.deck).map(\.id)
    try desk.reviews.answer(cards[0], .good)
    for number in 1..<cards.count {
      _ = try desk.progress.record(.cardGraded(card: number, of: cards.count, isKnown: true), in: Self.deck)
    }

    let before = try unfinished()
    _ = try desk.progress.record(.cardGraded(card: 0, of: cards.count, isKnown: false), in: Self.deck)
    let after = try unfinished()

    #expect(before == ["english-for-business/writing/tone/softer-please"])
    #expect(after == [])
  }
}
