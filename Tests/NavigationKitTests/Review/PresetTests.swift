import CourseKit
import Foundation
import LearningModel
import NavigationKit
import Testing

/// Tests of review settings that belong to a course, such as those of a preset of Anki.
struct PresetTests {
  private let fixture: ReviewFixture
  private var reviews: LearnerReviews { fixture.service.reviews }

  init() throws {
    fixture = try ReviewFixture()
    try fixture.publish([.init(key: "other", cards: [("one", "two")])], course: "second")
    try fixture.begin("words")
  }

  private let course = PlacePath("cards")
  private let weights = MemoryModel.defaultWeights.enumerated().map { $0 == 3 ? 50 : $1 }

  private func preset() throws -> ReviewPreset {
    [
      .retention: "0.85", .newCards: "3", .reviews: "55", .learningSteps: "1m 5m 30m", .relearningSteps: "none",
      .maximumInterval: "40", .leechLapses: "5", .dayStart: "0",
      .weights: try #require(MemoryModel(weights: weights)).storedText,
    ]
  }

  @Test func `a preset determines the settings, intervals and limits of its course`() throws {
    try reviews.use(preset(), of: course)

    var expected = ReviewSettings.standard
    expected.dayStart = 0
    #expect(try reviews.settings() == expected && reviews.settings(of: "second") == expected)
    (expected.retention, expected.newCards, expected.reviews) = (0.85, 3, 55)
    (expected.learningSteps, expected.relearningSteps) = ([60, 300, 1_800], [])
    (expected.maximumInterval, expected.leechLapses, expected.weights) = (40, 5, weights)
    #expect(try reviews.settings(of: "cards") == expected)
    let card = try #require(try reviews.nextCard())
    #expect(card.intervals[.hard] == .seconds(180) && card.intervals[.good] == .seconds(300))
    #expect(card.intervals[.easy] == .days(37))
    #expect(try reviews.overview().total.new == 3)
    #expect(try reviews.answer(card.id, .easy).state.memory?.stability == 50)
    #expect(try fixture.service.check() == [])
  }

  @Test func `a later import changes only what has changed in the preset`() throws {
    try reviews.use([.newCards: "3", .reviews: "55", .retention: "0.85"], of: course)
    try reviews.set(ReviewSettingsChange(newCards: 9), of: "cards")

    try reviews.use([.newCards: "3", .reviews: "60"], of: course)

    var expected = ReviewSettings.standard
    (expected.newCards, expected.reviews) = (9, 60)
    #expect(try reviews.settings(of: "cards") == expected)
    try reviews.reset(of: "cards")
    try reviews.use([.newCards: "3", .reviews: "60"], of: course)
    #expect(try reviews.settings(of: "cards") == .standard)
    try reviews.use([:], of: course)
    #expect(try reviews.settings(of: "cards") == .standard)
  }

  @Test func `the settings of courses are listed, and reset for one course or for all`() throws {
    try reviews.set(ReviewSettingsChange(retention: 0.95, leechLapses: 0))
    try reviews.set(ReviewSettingsChange(newCards: 9, learningSteps: []), of: "second")

    let own = try reviews.ownSettings()
    #expect(own.map(\.course.path) == [PlacePath("second")])
    #expect(own.map(\.settings) == [[.newCards: "9", .learningSteps: "none"]])
    try reviews.reset(of: "second")
    #expect(try reviews.ownSettings().isEmpty && reviews.settings(of: "second").retention == 0.95)
    #expect(try reviews.reset() == .standard)
  }

  @Test func `new weights of a course change the memories of its cards only`() throws {
    try fixture.publish([.init(key: "other", cards: [("one", "two")])], course: "second")
    try fixture.service.begin(.text("second/goal/lesson-of-other/other"))
    for row in try fixture.service.cards.all() { try reviews.answer(row.id, .easy) }

    try reviews.set(ReviewSettingsChange(weights: weights), of: "cards")

    let rows = try fixture.service.cards.all()
    let stabilities = Dictionary(grouping: rows) { $0.id.place == rows.last?.id.place }.mapValues { rows in
      Set(rows.compactMap(\.state.memory?.stability))
    }
    #expect(stabilities == [false: [50], true: [8.2956]])
    #expect(try reviews.days(last: 1).map(\.answers) == [rows.count])
    #expect(try fixture.service.check() == [])
  }

  @Test func `weights of earlier versions are converted, and values out of range are refused`() throws {
    try reviews.set(ReviewSettingsChange(weights: Array(MemoryModel.defaultWeights.prefix(19))), of: "cards")
    #expect(try reviews.settings(of: "cards").weights == Array(MemoryModel.defaultWeights.prefix(19)) + [0.01, 0.5])

    func error(_ change: ReviewSettingsChange) -> String? {
      do {
        try reviews.set(change)
        return nil
      } catch {
        return error.description
      }
    }
    #expect(
      error(ReviewSettingsChange(weights: [1, 2]))
        == "Could not set weights to 1.0 2.0: the value must be from the 21 weights of FSRS-6, or the 19 or 17 of an "
        + "earlier version, each in its range. Choose a value in this range.")
    #expect(error(ReviewSettingsChange(weights: MemoryModel.defaultWeights.map { $0 + 200 })) != nil)
    #expect(
      error(ReviewSettingsChange(maximumInterval: 0))
        == "Could not set maximum interval to 0: the value must be from 1 to 36500. Choose a value in this range.")
    #expect(
      error(ReviewSettingsChange(leechLapses: -1))
        == "Could not set lapses of a leech to -1: the value must be from 0 to 9999. Choose a value in this range.")
    #expect(
      error(ReviewSettingsChange(dayStart: 24))
        == "Could not set start of the day to 24: the value must be from 0 to 23. Choose a value in this range.")
    #expect(
      error(ReviewSettingsChange(learningSteps: [0]))
        == "Could not set learning steps to 0d: the value must be from one second to 365 days for each of at most 20 steps. "
        + "Choose a value in this range.")
    #expect(try reviews.settings() == .standard)
  }

  @Test func `the day of the reviews begins at the hour of the setting`() throws {
    fixture.navigation.advance(seconds: 16 * 3_600)  // From 10 o'clock to 2 o'clock on the next day.
    #expect(try reviews.overview().date == "2026-11-20")

    try reviews.set(ReviewSettingsChange(dayStart: 0))

    #expect(try reviews.overview().date == "2026-11-21")
    _ = try fixture.answerNext(.easy)
    #expect(try reviews.days(last: 1).map(\.date) == ["2026-11-21"])
  }

  // MARK: Progress

  private func progress(_ key: String) -> CardProgress {
    CardProgress(
      activity: "more", card: key,
      answers: [.init(at: Timestamp("2026-10-01T10:00:00Z")!, rating: .good, milliseconds: 1, interval: .days(3))],
      phase: .review, due: .day(3, after: Timestamp("2026-10-01T10:00:00Z")!), intervalDays: 3, memory: nil,
      answerCount: 1, lapses: 0, isSuspended: false, isBuried: false)
  }

  @Test func `the cards of a deck with progress take part at once, and a deck that was answered is done`() throws {
    let service = fixture.service
    let keys = try service.cards.all(in: ReviewFixture.path("more")).map(\.id.key)
    let course = try CourseLibrary(databaseAt: fixture.navigation.database)
    func share() throws -> Double? { try course.courses(for: "ada").first?.progress }
    var source = SourceProgress()

    source.cards = [progress(keys[0])]
    #expect(try service.record(source, in: self.course).cards == 1)
    #expect(try reviews.overview().total.notMet == 6 + 3)
    #expect(try share() == 0)
    source.cards = keys.map(progress)
    #expect(try service.record(source, in: self.course).cards == 3)
    #expect(try share() == 0.5)
    #expect(try service.check() == [])
  }
}
