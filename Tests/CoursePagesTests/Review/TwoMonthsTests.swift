import CourseKit
import Foundation
import LearningModel
import NavigationKit
import TestSupport
import Testing

@testable import CoursePages

/// Two months of a simulated learner: 15 minutes on each evening, and a holiday of ten days. Prints what the learner sees.
@Suite(.enabled(if: Tier.isLong, "Only 'make test-long' simulates two months."))
struct TwoMonthsTests {
  private static let holiday = 21...30
  private static let printedDays: Set<Int> = [1, 2, 7, 20, 31, 60]
  private static let budget = 15 * 60.0

  /// The memory of the learner, which differs from the scheduler's model: some things are forgotten faster.
  private struct Learner {
    let model = MemoryModel(weights: [
      0.335561, 1.6840581, 5.166598, 11.659035, 7.466705, 0.7205129, 2.622295, 0.001, 1.315015, 0.10468433, 0.8349206,
      1.822305, 0.12473127, 0.26111007, 2.3030033, 0.13117497, 3.0265594, 0.41468078, 0.09714265, 0.106824234,
      0.20447432,
    ])!
    var random: SplitMix64
    private var memories: [CardID: (memory: CardMemory, day: Double)] = [:]

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func share() -> Double { Double(random.next() >> 11) * 0x1p-53 }

    /// Returns whether the learner remembers a card on a day, which may be a fraction.
    mutating func answer(_ card: CardID, on day: Double) -> CardRating {
      let known = memories[card]
      let recall = known.map { model.retrievability(stability: $0.memory.stability, days: day - $0.day) } ?? 0.6
      let rating: CardRating = share() < recall ? .good : .again
      let days = known.map { Int(day) - Int($0.day) } ?? 0
      memories[card] = (model.memory(after: rating, from: known?.memory, days: days), day)
      return rating
    }
  }

  private struct Day {
    var (due, asked, new, reviews, passed) = (0, 0, 0, 0, 0)
    var minutes = 0.0
  }

  /// Imports the bundled course, a course of 150 cards and a deck of Anki.
  private func importCourses(_ fixture: ReviewSessionFixture) throws {
    let library = CourseLibrary(fixture.navigation.database)
    _ = try library.importBundled()
    let lessons: [[String: Any]] = (0..<15).map { lesson in
      let cards = (0..<10).map { ["front": "word \(lesson * 10 + $0)", "back": "meaning \(lesson * 10 + $0)"] }
      let activity: [String: Any] = ["key": "deck-\(lesson)", "title": "Deck \(lesson)", "flashcards": cards]
      return ["key": "lesson-\(lesson)", "title": "Lesson \(lesson)", "children": [activity]]
    }
    let goal: [String: Any] = ["key": "vocabulary", "title": "Vocabulary", "children": lessons]
    let course: [String: Any] = ["key": "words", "title": "Words", "children": [goal]]
    let data = try JSONSerialization.data(withJSONObject: course, options: .sortedKeys)
    let text = "{\"waymark\": 1, \"course\": \(String(decoding: data, as: UTF8.self))}"
    _ = try library.importCourse(named: "words.json", bytes: Array(text.utf8))
    let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Fixtures")
      .standardized
    _ = try library.importCourse(from: fixtures.appending(path: "anki/knots.apkg").path)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `two months with a holiday stay within 15 minutes a day, and nine of ten cards are remembered`(
    seed: UInt64
  ) throws {
    let fixture = try ReviewSessionFixture()
    let navigation = fixture.navigation
    try importCourses(fixture)
    var activities: [PlaceName] = []
    for row in try navigation.cards.all() where activities.last != .text(row.place.path.description) {
      activities.append(.text(row.place.path.description))
    }
    let start = fixture.clock.now
    var learner = Learner(seed: seed)
    var days: [Int: Day] = [:]
    func print(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    for number in 1...60 {
      let evening = start.advanced(byMilliseconds: Int64(number - 1) * 86_400_000 + 8 * 3_600_000)
      fixture.clock.advance(seconds: Double(evening.milliseconds - fixture.clock.now.milliseconds) / 1000)
      guard !Self.holiday.contains(number) else { continue }
      if number % 2 == 1, !activities.isEmpty { try fixture.begin(activities.removeFirst()) }

      var day = Day()
      let outlook = try ReviewOutlook(of: navigation)
      day.due = outlook.overview.total.due
      var seconds = 0.0
      var session = try fixture.session()
      while seconds < Self.budget, let card = session.card {
        let isNew = card.state.phase == .new
        let rating = learner.answer(card.id, on: Double(number) + seconds / 86_400)
        let time = (isNew ? 12 : 6) + 6 * learner.share() + (rating == .again ? 6 : 0)
        seconds += time
        day.asked += 1
        day.new += isNew ? 1 : 0
        day.reviews += card.state.phase == .review ? 1 : 0
        day.passed += card.state.phase == .review && rating != .again ? 1 : 0
        try fixture.answer(&session, rating, seconds: time)
      }
      day.minutes = seconds / 60
      days[number] = day
      let share = day.reviews == 0 ? "" : ", remembered \(100 * day.passed / day.reviews) %"
      print(
        "day \(number): due \(day.due), asked \(day.asked) (\(day.new) new, \(day.reviews) reviews)"
          + "\(share), \(Int(day.minutes.rounded())) min")
      guard Self.printedDays.contains(number) else { continue }
      for sentence in outlook.sentences { print("  | " + sentence) }
      print("  | afterwards: " + (try ReviewOutlook(of: navigation).sentences.joined(separator: " ")))
      print("  | forecast: " + (try navigation.reviews.forecast(days: 14).map { "\($0.cards)" }.joined(separator: " ")))
      for period in try navigation.reviews.periods() {
        let retention = period.retention.map { "\(Int(($0 * 100).rounded())) %" } ?? "-"
        print("  | \(period.period): \(period.answers) answers, \(period.new) new, retention \(retention)")
      }
    }

    let worked = days.values
    #expect(worked.allSatisfy { $0.minutes <= 15.5 && $0.new <= 20 })
    let reviews = worked.map(\.reviews).reduce(0, +)
    let share = Double(worked.map(\.passed).reduce(0, +)) / Double(reviews)
    #expect((0.8...0.97).contains(share), "\(share)")
    // A week after the holiday its pile is gone.
    #expect(try #require(days[38]).due < 100)
  }
}
