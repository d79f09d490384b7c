import LearningModel
import Testing

@testable import NavigationKit

/// The daily limits of all courses and of single courses together.
struct CourseLimitTests {
  private let fixture: ReviewFixture
  private var reviews: LearnerReviews { fixture.service.reviews }

  /// Begins two courses with six cards each.
  init() throws {
    fixture = try ReviewFixture([])
    for course in ["first", "second"] {
      try fixture.publish(
        [.init(key: "words", cards: (0..<6).map { ("\(course) \($0)", "back") })], course: course)
      try fixture.service.cards.include(from: .text(course))
    }
  }

  /// Answers all cards of a review of all courses and returns the numbers of shown cards by course.
  private func shownCards() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    while let answered = try fixture.answerNext(.easy) {
      counts[String(answered.question.prefix { $0 != " " }), default: 0] += 1
    }
    return counts
  }

  private func announced() throws -> [Int] {
    let overview = try reviews.overview()
    return [overview.total.today] + overview.courses.map(\.today)
  }

  @Test func `the limit of all courses caps a course with a higher limit and one without`() throws {
    try reviews.set(ReviewSettingsChange(newCards: 4))
    try reviews.set(ReviewSettingsChange(newCards: 5), of: "first")

    #expect(try announced() == [4, 4, 4])
    #expect(try shownCards().values.reduce(0, +) == 4)
    #expect(try reviews.nextCard(in: "first") == nil && reviews.nextCard(in: "second") == nil)
  }

  @Test func `a course with a lower limit leaves the rest of the limit of all courses to the others`() throws {
    try reviews.set(ReviewSettingsChange(newCards: 7))
    try reviews.set(ReviewSettingsChange(newCards: 2), of: "first")

    #expect(try announced() == [7, 2, 6])
    #expect(try shownCards() == ["first": 2, "second": 5])
  }

  @Test func `due cards beyond the limit of their course do not keep back the new cards of another course`() throws {
    for card in try fixture.service.cards.all(in: "first") { try reviews.answer(card.id, .easy) }
    fixture.advance(days: 60)
    try reviews.set(ReviewSettingsChange(reviews: 6))
    try reviews.set(ReviewSettingsChange(reviews: 2), of: "first")

    #expect(try announced() == [6, 2, 6])
    #expect(try shownCards() == ["first": 2, "second": 4])
  }

  @Test func `in a review of a lesson, the new cards wait only for its own reviews`() throws {
    try fixture.publish(
      [
        .init(key: "words", cards: (0..<6).map { ("first \($0)", "back") }),
        .init(key: "more", cards: (0..<3).map { ("more \($0)", "back") }),
      ], course: "first")
    for card in try fixture.service.cards.all(in: "first/goal/lesson-of-words") { try reviews.answer(card.id, .easy) }
    try fixture.service.cards.include(from: "first")
    fixture.advance(days: 60)
    try reviews.set(ReviewSettingsChange(reviews: 5), of: "first")

    #expect(try reviews.overview(of: "first/goal/lesson-of-more").total.new == 3)
    #expect(try reviews.nextCard(in: "first/goal/lesson-of-more")?.state.phase == .new)
    #expect(try reviews.overview(of: "first").total.new == 0)
  }
}
