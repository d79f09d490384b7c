import LearningModel
import LearningStore
import NavigationKit
import Testing

/// Tests of fitting the weights to the answers in the log.
struct ReviewFitTests {
  private static let deck = ReviewFixture.Deck(key: "words", cards: (0..<40).map { ("front \($0)", "back \($0)") })

  /// Answers each of the forty cards once in each round. The days between two rounds grow.
  private func fixture(_ rounds: [CardRating], omittingLast omitted: Int = 0) throws -> ReviewFixture {
    let fixture = try ReviewFixture([Self.deck])
    let cards = try fixture.service.cards.all(in: ReviewFixture.path("words")).map(\.id)
    try fixture.service.database.store.groupCommit {
      for (number, rating) in rounds.enumerated() {
        let isLast = number == rounds.count - 1
        for card in cards.dropLast(isLast ? omitted : 0) { try fixture.service.reviews.answer(card, rating) }
        fixture.advance(days: Double(2 + 2 * number))
      }
    }
    return fixture
  }

  private func weights(_ fixture: ReviewFixture) throws -> String? {
    try fixture.service.setting("review.weights")
  }

  @Test func `399 answers are too few, and 400 are enough`() throws {
    let tooFew = try fixture(Array(repeating: .good, count: 10), omittingLast: 1)
    let enough = try fixture(Array(repeating: .good, count: 10))

    #expect(throws: NavigationError.tooFewAnswers(count: 399, needed: 400, leftOut: [])) {
      try tooFew.service.reviews.fitWeights()
    }
    #expect(try enough.service.reviews.fitWeights().answers == 400)
  }

  @Test func `a cancelled task fits nothing`() async throws {
    let service = try fixture(Array(repeating: .good, count: 11)).service
    let fit = Task {
      while !Task.isCancelled { await Task.yield() }
      return try service.reviews.fitWeights()
    }

    fit.cancel()

    await #expect(throws: NavigationError.cancelled) { try await fit.value }
    #expect(try service.setting("review.weights") == nil)
  }

  @Test func `weights that predict the last fifth better are used from then on`() throws {
    let fixture = try fixture(Array(repeating: .good, count: 11))
    let dry = try fixture.service.reviews.fitWeights(applying: false)
    #expect(try !dry.isApplied && dry.isBetter && weights(fixture) == nil)

    let fit = try fixture.service.reviews.fitWeights()

    #expect(fit.isApplied && fit.testLossAfter < fit.testLossBefore && fit.weights == dry.weights)
    #expect(try weights(fixture) != nil)
    #expect(try fixture.service.reviews.fitWeights(applying: false).testLossBefore == fit.testLossAfter)
  }

  @Test func `the weights of a course are fitted to its answers, and those of all courses to the other answers`() throws
  {
    let fixture = try fixture(Array(repeating: .good, count: 11))
    try fixture.publish([.init(key: "pairs", cards: [("other front", "other back")])], course: "others")
    let reviews = fixture.service.reviews
    let other = try #require(try fixture.service.cards.all(in: "others").first).id
    try reviews.answer(other, .good)

    let all = try reviews.fitWeights(applying: false)
    let fit = try reviews.fitWeights(of: "cards")

    #expect(all.answers == 441 && fit.answers == 440 && fit.isApplied && all.leftOut + fit.leftOut == [])
    #expect(try reviews.settings(of: "cards").weights == fit.weights)
    #expect(try reviews.settings().weights == MemoryModel.defaultWeights)
    #expect(try reviews.settings(of: "others").weights == MemoryModel.defaultWeights)
    #expect(try reviews.fitWeights(of: "cards", applying: false).testLossBefore == fit.testLossAfter)
    #expect(throws: NavigationError.tooFewAnswers(count: 1, needed: 400, leftOut: [PlacePath("cards")])) {
      try reviews.fitWeights()
    }
    #expect(throws: NavigationError.tooFewAnswers(count: 1, needed: 400, leftOut: [])) {
      try reviews.fitWeights(of: "others")
    }
    #expect(throws: NavigationError.notACourse(place: PlacePath("cards/goal"), course: PlacePath("cards"))) {
      try reviews.fitWeights(of: "cards/goal")
    }
  }

  @Test func `a fit of all courses leaves a course with weights of its own unchanged and names it`() throws {
    let fixture = try fixture(Array(repeating: .good, count: 11))
    try fixture.publish([.init(key: "pairs", cards: [("other front", "other back")])], course: "others")
    let reviews = fixture.service.reviews
    try reviews.answer(try #require(try fixture.service.cards.all(in: "others").first).id, .good)
    var own = MemoryModel.defaultWeights
    own[0] = 1
    try reviews.set(ReviewSettingsChange(weights: own), of: "others")

    let fit = try reviews.fitWeights()

    #expect(fit.isApplied && fit.answers == 440 && fit.leftOut.map(\.description) == ["others"])
    #expect(try reviews.settings(of: "others").weights == own)
    #expect(try reviews.settings(of: "cards").weights == fit.weights)
  }

  @Test func `weights that predict the last fifth worse are not used`() throws {
    let fixture = try fixture(Array(repeating: .good, count: 9) + [.again, .again])

    let fit = try fixture.service.reviews.fitWeights()

    #expect(!fit.isApplied && fit.testLossAfter > fit.testLossBefore)
    #expect(try weights(fixture) == nil)
  }
}
