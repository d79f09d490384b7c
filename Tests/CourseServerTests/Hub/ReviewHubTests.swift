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
      cards: try leaf.cards(in: Self.deck),
      // The log is in the order in which the events arrived in the database.
      log: try leaf.reviewLog().sorted { ($1.at, $1.card) < ($0.at, $0.card) },
      forecast: try leaf.reviewForecast(days: 30),
      settings: try leaf.reviewSettings())
  }

  @Test(arguments: Engine.allCases)
  func `two leaves have the same reviews after both have synchronised`(engine: Engine) throws {
    let hub = try ClockedHub(engine)
    let token = try hub.admit("ada")
    let (desk, laptop) = (try hub.leaf("desk.sqlite", "ada"), try hub.leaf("laptop.sqlite", "ada"))
    _ = try desk.includeCards(of: Self.deck)
    let cards = try desk.cards(in: Self.deck).map(\.id)
    for (card, rating) in zip(cards, [CardRating.good, .again, .easy, .hard]) {
      hub.clock.pass(minutes: 1)
      try desk.answer(card, rating, after: .seconds(7))
    }
    _ = try desk.undoReview()
    _ = try desk.setSuspended(true, cards[5])
    try desk.bury(cards[6])
    _ = try desk.setReview(ReviewSettingsChange(retention: 0.95, newCards: 7))
    let made = try desk.makeCard(front: "a *made* \"card\" \\ '", back: "its back\n…", in: Self.deck)

    try hub.sync(desk, token)
    try hub.sync(laptop, token)

    let first = try reviews(desk)
    #expect(first.log.count == 4 && first.log.filter(\.isUndone).count == 1 && first.settings.retention == 0.95)
    #expect(try reviews(laptop) == first)

    hub.clock.pass(days: 3)
    try laptop.answer(cards[0], .good)
    hub.clock.pass(minutes: 1)
    try laptop.answer(made, .good)
    hub.clock.pass(minutes: 1)
    try desk.answer(cards[1], .good)
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
    _ = try desk.includeCards(of: Self.deck)
    let cards = try desk.cards(in: Self.deck).map(\.id)
    try desk.answer(cards[0], .good)
    for number in 1..<cards.count {
      _ = try desk.record(.cardGraded(card: number, of: cards.count, isKnown: true), in: Self.deck)
    }

    let before = try unfinished()
    _ = try desk.record(.cardGraded(card: 0, of: cards.count, isKnown: false), in: Self.deck)
    let after = try unfinished()

    #expect(before == ["english-for-business/writing/tone/softer-please"])
    #expect(after == [])
  }
}
