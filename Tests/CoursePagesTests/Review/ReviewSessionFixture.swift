import CourseKit
import Foundation
import LearningModel
import NavigationKit
import Synchronization
import TestSupport

@testable import CoursePages

/// A database with a course of cards, and a clock that the test sets.
final class ReviewSessionFixture {
  let navigation: NavigationService
  let clock = TestClock()
  private let folder: TemporaryFolder

  final class TestClock: Sendable {
    private let time = Mutex(Timestamp("2026-11-20T10:00:00Z")!)
    var now: Timestamp { time.withLock { $0 } }

    func advance(seconds: Double) { time.withLock { $0 = $0.advanced(byMilliseconds: Int64(seconds * 1000)) } }
  }

  init() throws {
    folder = try TemporaryFolder()
    let (database, clock) = (folder.file("waymark.sqlite"), clock)
    _ = try CourseLibrary(databaseAt: database).importCourse(
      named: "cards.json", bytes: Array(Self.course.utf8), options: ImportOptions(replaces: true))
    navigation = try NavigationService(
      databaseAt: database, learner: "ada", session: .browser, timeZone: TimeZone(identifier: "UTC")!,
      now: { clock.now })
  }

  /// The paths of the activities.
  static let words = PlaceName.text("cards/goal/lesson/words")
  static let quiz = PlaceName.text("cards/goal/questions/quiz")

  /// A lesson with five flashcards, and a lesson with a question with choices and one without.
  private static let course = """
    {"waymark": 1, "course": {"key": "cards", "title": "Cards", "children": [{"key": "goal", "title": "Goal", "children": [
      {"key": "lesson", "title": "Lesson", "children": [{"key": "words", "title": "Words", "flashcards": [
        {"front": "front 0", "back": "back 0"}, {"front": "front 1", "back": "back 1"},
        {"front": "front 2", "back": "back 2"}, {"front": "front 3", "back": "back 3"},
        {"front": "front 4", "back": "back 4"}]}]},
      {"key": "questions", "title": "Questions", "children": [{"key": "quiz", "title": "Quiz", "quiz": [
        {"question": "Which hold?", "choices": [{"right": "one"}, {"wrong": "two"}, {"right": "three"}]},
        {"question": "Capital of France?", "choices": [], "explanation": ["Paris."]}]}]}]}]}}
    """

  /// Begins an activity, so that its cards are new cards.
  func begin(_ name: PlaceName) throws {
    let place = try navigation.perform(.open(name)).to.place
    try navigation.progress.save(ReadingPosition(block: 1, fraction: 0, heading: nil, savedAt: clock.now), in: place)
  }

  func session(in place: PlaceName? = nil, mode: ReviewMode = .due) throws -> ReviewSession {
    let clock = clock
    return try ReviewSession(navigation, in: place, mode: mode, now: { clock.now })
  }

  /// Turns the card over and answers after some seconds.
  @discardableResult
  func answer(_ session: inout ReviewSession, _ rating: CardRating, seconds: Double = 5) throws -> CardAnswer? {
    clock.advance(seconds: seconds)
    session.turnOver()
    return try session.answer(rating)
  }
}

extension ReviewSession {
  /// The question of the card, or `nil` at the end.
  var question: String? { card?.faces.question.plainText }
}
