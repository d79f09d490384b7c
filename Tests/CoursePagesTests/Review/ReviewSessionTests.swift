import LearningModel
import NavigationKit
import Testing

@testable import CoursePages

struct ReviewSessionTests {
  private let fixture: ReviewSessionFixture

  init() throws {
    fixture = try ReviewSessionFixture()
    try fixture.begin(ReviewSessionFixture.words)
  }

  // MARK: - Answers

  @Test func `with two answers, knew it and forgot show their intervals`() throws {
    let session = try fixture.session()

    #expect(session.question == "front 0")
    #expect(
      session.answers == [
        ReviewSession.Answer(rating: .again, name: "forgot", interval: .seconds(60)),
        ReviewSession.Answer(rating: .good, name: "knew it", interval: .seconds(600)),
      ])
  }

  @Test func `with four answers, each has the name of its rating and its interval`() throws {
    try fixture.navigation.reviews.set(ReviewSettingsChange(hasFourAnswers: true))

    let session = try fixture.session()

    #expect(session.answers.map(\.name) == ["again", "hard", "good", "easy"])
    #expect(session.answers.prefix(3).map(\.interval) == [.seconds(60), .seconds(330), .seconds(600)])
    #expect(session.answers.last?.interval.map { $0.seconds >= 86_400 } == true)
  }

  @Test func `a card is answered only after it was turned over, and the next card follows`() throws {
    var session = try fixture.session()

    let early = try session.answer(.good)
    let answer = try fixture.answer(&session, .good, seconds: 7)

    #expect(early == nil)
    #expect(answer?.interval == .seconds(600))
    #expect(session.lastAnswer == answer)
    #expect(session.question == "front 1" && !session.isTurnedOver)
    let log = try fixture.navigation.reviews.log()
    #expect(log.map(\.rating) == [.good] && log.map(\.milliseconds) == [7_000])
  }

  // MARK: - Questions

  @Test func `choices are right only if exactly the right ones were taken`() throws {
    for (isRight, texts) in [(true, ["one", "three"]), (false, ["one"]), (false, ["one", "two", "three"])] {
      let fixture = try ReviewSessionFixture()
      try fixture.begin(ReviewSessionFixture.quiz)
      var session = try fixture.session()
      let choices = try #require(session.card).faces.choices.map(\.text.plainText)
      #expect(choices.sorted() == ["one", "three", "two"])

      let isOutOfRange = !session.choose([4])
      let isTaken = session.choose(texts.compactMap { choices.firstIndex(of: $0) }.map { $0 + 1 })

      #expect(isOutOfRange && isTaken && session.isTurnedOver)
      #expect(session.isRight == isRight)
      #expect(session.suggestedRating == (isRight ? .good : .again))
    }
  }

  @Test(arguments: [("paris", true), (" Paris! ", true), ("Lyon", nil), ("", nil)] as [(String, Bool?)])
  func `a typed answer is compared without case and punctuation, and the learner judges other words`(
    typed: String, isRight: Bool?
  ) throws {
    let fixture = try ReviewSessionFixture()
    try fixture.begin(ReviewSessionFixture.quiz)
    var session = try fixture.session()
    try fixture.answer(&session, .good)
    #expect(session.question == "Capital of France?" && session.card?.faces.isTyped == true)

    session.turnOver(typed: typed)

    #expect(session.typedAnswer == typed)
    #expect(session.isRight == isRight)
  }

  @Test(arguments: [false, true])
  func `after wrong choices, only answers that the card was not known are offered`(hasFourAnswers: Bool) throws {
    let fixture = try ReviewSessionFixture()
    try fixture.begin(ReviewSessionFixture.quiz)
    try fixture.navigation.reviews.set(ReviewSettingsChange(hasFourAnswers: hasFourAnswers))
    var session = try fixture.session()
    let wrong = try #require(session.card?.faces.choices.firstIndex { !$0.isRight })
    _ = session.choose([wrong + 1])
    let offered = session.answers.map(\.rating)

    let refused = try session.answer(.good)
    let recorded = try session.answer(.again)
    let undone = try session.undo()

    #expect(offered == (hasFourAnswers ? [.again, .hard] : [.again]))
    #expect(refused == nil && recorded != nil && undone?.rating == .again)
    #expect(session.takenChoices == [wrong] && session.isRight == false)
  }

  // MARK: - Undo, suspend, bury

  @Test func `undo shows the answered card with its answer, and its state before`() throws {
    var session = try fixture.session()
    let before = session.card
    try fixture.answer(&session, .again)

    let undone = try session.undo()

    #expect(undone?.rating == .again)
    #expect(session.card == before && session.isTurnedOver && session.lastAnswer == nil)
    #expect(try session.summary().answers == 0)
    #expect(try session.undo() == nil)
  }

  @Test func `undo shows the card of an answer from before the review, with its answer`() throws {
    var earlier = try fixture.session()
    let card = earlier.card
    try fixture.answer(&earlier, .good)
    var session = try fixture.session()

    #expect(try session.undo()?.rating == .good)

    #expect(session.card == card && session.isTurnedOver && session.answerCount == 0)
    #expect(session.positionText == "1 of 5")
    #expect(try fixture.navigation.reviews.log().map(\.isUndone) == [true])
  }

  @Test func `an undone answer of an earlier review adds its card to the count unless it is counted already`() throws {
    var earlier = try fixture.session()
    try fixture.answer(&earlier, .again)
    fixture.clock.advance(seconds: 120)
    var session = try fixture.session()
    let before = session.positionText
    try fixture.answer(&session, .easy)
    _ = try session.undo()

    _ = try session.undo()

    #expect(before == "1 of 5" && session.positionText == "1 of 5")
  }

  @Test func `undoing a mark keeps the card, and undoing the adding of cards shows the next one at the end`() throws {
    var session = try fixture.session()
    while session.card != nil { try fixture.answer(&session, .easy) }
    try fixture.navigation.cards.include(from: ReviewSessionFixture.quiz)
    #expect(try session.undo()?.removedCards == 2 && session.card == nil)
    try fixture.navigation.cards.include(from: ReviewSessionFixture.quiz)
    try session.refresh()
    session.turnOver()
    try fixture.navigation.progress.record(.markedDone, in: ReviewSessionFixture.quiz)

    #expect(try session.undo()?.kind == .markedDone)

    #expect(session.question == "Which hold?" && session.isTurnedOver)
  }

  @Test func `a suspended or buried card is not shown, and undo shows it again`() throws {
    var session = try fixture.session()

    try session.suspend()
    try session.bury()
    #expect(session.question == "front 2")
    let undone = try session.undo()

    #expect(undone?.kind == .cardBuried)
    #expect(session.question == "front 1" && !session.isTurnedOver)
    #expect(
      try fixture.navigation.cards.all(in: ReviewSessionFixture.words).map(\.isSuspended).filter { $0 }.count == 1)
  }

  // MARK: - Which cards

  @Test func `a review of one place asks its cards only`() throws {
    try fixture.begin(ReviewSessionFixture.quiz)

    let session = try fixture.session(in: ReviewSessionFixture.quiz)

    #expect(session.card?.place.title == "Quiz")
    #expect(session.card?.ancestorTitles == ["Cards", "Goal", "Questions"])
  }

  @Test func `learn these too adds the cards of a place and continues a review that was over`() throws {
    var session = try fixture.session()
    while session.card != nil { try fixture.answer(&session, .easy) }

    let count = try session.add(ReviewSessionFixture.quiz)

    #expect(count == 2)
    #expect(session.question == "Which hold?")
  }

  @Test func `reviewing ahead asks each card of later days once`() throws {
    var session = try fixture.session()
    while session.card != nil { try fixture.answer(&session, .easy) }
    fixture.clock.advance(seconds: 86_400)
    session = try fixture.session()
    #expect(session.card == nil)

    try session.reviewAhead()
    var asked: [String] = []
    while let question = session.question {
      asked.append(question)
      try fixture.answer(&session, .good)
    }

    #expect(asked.sorted() == (0..<5).map { "front \($0)" })
    #expect(try fixture.navigation.reviews.log().count == 5)
    #expect(try session.summary().practised == 5)
  }

  @Test func `reviewing ahead changes the schedule if the learner asks for it`() throws {
    var session = try fixture.session()
    while session.card != nil { try fixture.answer(&session, .easy) }
    fixture.clock.advance(seconds: 86_400)

    session = try fixture.session(mode: .ahead(reschedules: true))
    let (isPractice, answer) = (session.isPractice, try fixture.answer(&session, .good))

    #expect(!isPractice && answer != nil)
    #expect(try fixture.navigation.reviews.log().count == 6)
  }

  @Test func `cramming shows all cards in order, forgotten ones again, and records nothing`() throws {
    var session = try fixture.session(in: ReviewSessionFixture.words, mode: .cram(reschedules: false))
    var asked: [String] = []
    while let question = session.question {
      asked.append(question)
      #expect(
        session.isPractice && session.answers.isEmpty == false && session.answers.allSatisfy { $0.interval == nil })
      let answer = try fixture.answer(&session, asked == ["front 0"] ? .again : .good)
      #expect(answer == nil)
    }

    #expect(asked == ["front 0", "front 1", "front 2", "front 3", "front 4", "front 0"])
    #expect(try fixture.navigation.reviews.log().isEmpty && !session.canUndo)
    let summary = try session.summary()
    #expect([summary.cards, summary.answers, summary.practised] == [5, 6, 6])
    #expect(summary.sentences { _ in "" }.first == "6 answers did not change the schedule.")
  }

  @Test func `cramming records its answers if the learner asks for it`() throws {
    var session = try fixture.session(in: ReviewSessionFixture.words, mode: .cram(reschedules: true))

    #expect(session.count == 5)
    while session.card != nil { try fixture.answer(&session, .easy) }

    #expect(try fixture.navigation.reviews.log().count == 5)
  }

  @Test func `a review of own cards shows no others, and again those that were forgotten`() throws {
    let own = try ["one", "two"].map {
      try fixture.navigation.cards.make(front: $0, back: "back", in: ReviewSessionFixture.words)
    }
    var session = try fixture.session(mode: .own(ahead: false))
    var asked: [CardID] = []

    while let card = session.card, asked.count < 10 {
      asked.append(card.id)
      try fixture.answer(&session, asked.count == 1 ? .again : .easy)
    }

    #expect(Set(asked) == Set(own) && asked.count == 3 && asked[0] == asked[2])
  }

  @Test func `a card that is set due leaves the review, and an undo shows it again`() throws {
    var session = try fixture.session()
    let first = session.card?.id

    try session.schedule(inDays: 4)
    let next = session.card?.id
    _ = try session.undo()

    #expect(next != first && session.card?.id == first)
  }

  @Test func `a card that was removed from its course is skipped with an error`() throws {
    var session = try fixture.session()
    let made = try fixture.navigation.cards.make(front: "mine", back: "own", in: ReviewSessionFixture.words)
    while session.card?.id != made, session.card != nil { try fixture.answer(&session, .easy) }
    #expect(session.question == "mine")
    try fixture.navigation.cards.remove(made)

    #expect(throws: NavigationError.self) { try fixture.answer(&session, .good) }

    #expect(session.card != nil && session.card?.id != made && !session.isTurnedOver)
  }

  @Test func `the position counts cards that are shown again`() throws {
    var session = try fixture.session()
    var positions: [String] = []

    for rating in [CardRating.again, .good, .easy] {
      positions.append(session.positionText)
      try fixture.answer(&session, rating, seconds: 1)
    }
    positions.append(session.positionText)
    _ = try session.undo()
    positions.append(session.positionText)

    #expect(
      positions == [
        "1 of 5", "2 of 5, 1 to repeat", "3 of 5, 2 to repeat", "4 of 5, 2 to repeat", "3 of 5, 2 to repeat",
      ])
  }

  @Test func `the tab shows the cards in steps with the time within which all steps end`() throws {
    var session = try fixture.session()
    for rating in [CardRating.again, .good] { try fixture.answer(&session, rating) }
    let at = fixture.clock.now
    func total(after seconds: Int64) throws -> String {
      try ReviewDashboard(of: fixture.navigation, at: at.advanced(byMilliseconds: seconds * 1000))
        .total(columns: 60, .unicode)
    }

    #expect(try total(after: 0) == "3 now · 2 within 10 min · about 1 min")
    #expect(try total(after: 31) == "3 now · 2 within 10 min · about 1 min")
    fixture.clock.advance(seconds: 65)
    #expect(try total(after: 65) == "4 now · 1 within 9 min · about 1 min")
  }

  // MARK: - The summary

  @Test func `the summary counts cards, answers, time and the cards of tomorrow`() throws {
    var session = try fixture.session()
    let ratings: [CardRating] = [.again, .easy, .easy, .easy, .easy]
    for rating in ratings { try fixture.answer(&session, rating, seconds: 4) }
    fixture.clock.advance(seconds: 60)
    while session.card != nil { try fixture.answer(&session, .easy, seconds: 10) }

    let summary = try session.summary()

    let tomorrow = try fixture.navigation.reviews.forecast(days: 2)[1]
    #expect(
      summary
        == ReviewSession.Summary(
          cards: 5, answers: 6, remembered: 5, milliseconds: 90_000, tomorrow: tomorrow, stillDue: 0,
          nextStepAt: nil))
    #expect(summary.rememberedShare == 5.0 / 6)
  }

  @Test(arguments: 1...20)
  func `in random reviews, the session and the log agree`(seed: Int) throws {
    var random = SplitMix(state: UInt64(seed))
    try fixture.begin(ReviewSessionFixture.quiz)
    var session = try fixture.session()

    for _ in 0..<60 {
      switch random.next() % 10 {
      case 0: _ = try session.undo()
      case 1 where random.next() % 4 == 0: try session.suspend()
      case 2 where random.next() % 2 == 0: try session.bury()
      case 3: fixture.clock.advance(seconds: Double(random.next() % 100_000))
      case 4: try session.refresh()
      default: try fixture.answer(&session, CardRating.allCases[Int(random.next() % 4)])
      }
    }

    let log = try fixture.navigation.reviews.log().filter { !$0.isUndone }
    let summary = try session.summary()
    #expect(summary.answers == log.count)
    #expect(summary.remembered == log.count { $0.rating != .again })
    #expect(summary.cards == Set(log.map { $0.place.path.description + $0.card }).count)
    #expect(try fixture.navigation.check() == [])
  }
}

/// Source: SplitMix64 by Sebastiano Vigna.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
