import BundledDatabase
import CourseKit
import Foundation
import LearningModel
import NavigationKit
import Synchronization
import TestSupport

/// A database with the bundled course, an imported deck, and two months of reviews until the day before that of
/// `BrowserFixture`.
enum ReviewHistory {
  /// The answers of two months.
  static let twoMonths = Result { try database(days: 60) }
  /// The deck and the bundled course, with one lesson of each that was begun, and without answers.
  static let begun = Result { try database(days: 0) }

  /// The activities whose cards are reviewed.
  private static let lessons = [
    "english-for-business/writing/tone/softer-please", "deck-of-words/words/first-words/pairs",
  ]

  /// The course with the deck: sixty cards, and a quiz with choices and with a typed answer.
  private static var course: String {
    let cards = (1...60).map { #"{"front": "word \#($0)", "back": "meaning \#($0)"}"# }.joined(separator: ",")
    return """
      {"waymark": 1, "course": {"key": "deck", "title": "Deck of words", "children": [{"key": "words", "title": "Words",
        "children": [{"key": "first", "title": "First words", "children": [
          {"key": "pairs", "title": "Pairs", "flashcards": [\(cards)]}]},
        {"key": "second", "title": "Questions", "children": [{"key": "quiz", "title": "Quiz", "quiz": [
          {"question": "Which are even?", "choices": [{"right": "two"}, {"wrong": "three"}, {"right": "four"}]},
          {"question": "Capital of France?", "choices": [], "explanation": ["Paris."]}]}]}]}]}}
      """
  }

  /// A clock that a test sets.
  final class Clock: Sendable {
    private let time: Mutex<Timestamp>
    init(_ time: String = "2026-11-19T09:00:00Z") { self.time = Mutex(Timestamp(time)!) }
    var now: Timestamp { time.withLock { $0 } }
    func set(_ new: Timestamp) { time.withLock { $0 = new } }
  }

  private static func database(days: Int) throws -> Data {
    let folder = try TemporaryFolder()
    let path = try BundledDatabase.copy(into: folder)
    let clock = Clock()
    let library = try CourseLibrary(databaseAt: path, now: { clock.now })
    _ = try library.importCourse(named: "deck.json", bytes: Array(course.utf8), options: ImportOptions(replaces: true))
    let end = clock.now
    clock.set(end.advanced(byMilliseconds: -Int64(days) * 86_400_000))
    do {
      let service = try NavigationService(
        databaseAt: path, learner: "ada", session: .browser, timeZone: TimeZone(identifier: "UTC")!,
        now: { clock.now })
      for lesson in lessons {
        let place = try service.perform(.open(.text(lesson))).to.place
        try service.progress.save(ReadingPosition(block: 1, fraction: 0, heading: nil, savedAt: clock.now), in: place)
      }
      var seed: UInt64 = 7
      for day in 0..<max(0, days) where day % 3 != 2 {
        clock.set(end.advanced(byMilliseconds: Int64(day - days + 1) * 86_400_000))
        for _ in 0..<(day % 2 == 0 ? 9 : 5) {
          guard let card = try service.reviews.nextCard() else { break }
          seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          _ = try service.reviews.answer(card.id, seed >> 33 % 6 == 0 ? .again : .good, after: .seconds(6))
          clock.set(clock.now.advanced(byMilliseconds: 20_000))
        }
      }
      _ = try service.perform(.open(.text(lessons[0])))
    }
    try library.backUp(to: folder.file("copy.sqlite"))
    return try folder.bytes(of: "copy.sqlite")
  }

  /// A deck of 2,000 cards that were all answered on eighty days and are all overdue.
  static let overdue = Result { try overduePile() }

  private static func overduePile() throws -> Data {
    let folder = try TemporaryFolder()
    let path = folder.file("waymark.sqlite")
    let cards = (1...2_000).map { #"{"front": "word \#($0)", "back": "meaning \#($0)"}"# }.joined(separator: ",")
    let course = """
      {"waymark": 1, "course": {"key": "pile", "title": "Pile", "children": [{"key": "words", "title": "Words",
        "children": [{"key": "first", "title": "First words", "children": [
          {"key": "pairs", "title": "Pairs", "flashcards": [\(cards)]}]}]}]}}
      """
    let clock = Clock()
    let library = try CourseLibrary(databaseAt: path, now: { clock.now })
    _ = try library.importCourse(named: "pile.json", bytes: Array(course.utf8), options: ImportOptions(replaces: true))
    let end = clock.now
    clock.set(end.advanced(byMilliseconds: -300 * 86_400_000))
    do {
      let service = try NavigationService(
        databaseAt: path, learner: "ada", session: .browser, timeZone: TimeZone(identifier: "UTC")!,
        now: { clock.now })
      _ = try service.perform(.open("pile/words/first-words/pairs"))
      let all = try service.cards.all()
      try service.access.groupCommit {
        for (index, card) in all.enumerated() {
          if index % 25 == 0 { clock.set(clock.now.advanced(byMilliseconds: 86_400_000)) }
          try service.reviews.answer(card.id, .easy, after: .seconds(4))
        }
      }
    }
    try library.backUp(to: folder.file("copy.sqlite"))
    return try folder.bytes(of: "copy.sqlite")
  }
}
