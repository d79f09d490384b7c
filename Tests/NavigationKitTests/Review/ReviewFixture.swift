import CourseKit
import Foundation
import LearningModel
import LearningStore
import NavigationKit

/// A database with a course of flashcards, and a clock that the test sets.
final class ReviewFixture: Sendable {
  /// An activity with flashcards.
  struct Deck {
    var key: String
    var cards: [(front: String, back: String)]
    /// Whether the flashcards are also shown from back to front.
    var isReversed = false
  }

  let navigation: NavigationFixture
  let service: NavigationService

  init(_ decks: [Deck] = ReviewFixture.decks, timeZone: String = "UTC") throws {
    navigation = try NavigationFixture()
    service = try navigation.service(timeZone: timeZone)
    try publish(decks)
  }

  static let decks = [
    Deck(key: "words", cards: (0..<6).map { ("front \($0)", "back \($0)") }),
    Deck(key: "more", cards: (0..<4).map { ("more \($0)", "back of more \($0)") }),
  ]

  /// The path of a deck.
  static func path(_ deck: String) -> PlaceName { .text("cards/goal/lesson-of-\(deck)/\(deck)") }

  /// Imports the course with these decks, each in a lesson of its own.
  func publish(_ decks: [Deck], course: String = "cards") throws {
    try Self.publish(decks, course: course, in: navigation.database)
  }

  /// Imports the course with these decks into a database.
  static func publish(_ decks: [Deck], course: String = "cards", in database: String) throws {
    let lessons: [[String: Any]] = decks.map { deck in
      let activity: [String: Any] = [
        "key": deck.key, "title": deck.key,
        "flashcards": deck.cards.map { ["front": $0.front, "back": $0.back, "reversed": deck.isReversed] },
      ]
      return ["key": "lesson-\(deck.key)", "title": "Lesson of \(deck.key)", "children": [activity]]
    }
    let goal: [String: Any] = ["key": "goal", "title": "Goal", "children": lessons]
    let json: [String: Any] = ["key": course, "title": course, "children": [goal]]
    let data = try JSONSerialization.data(withJSONObject: json, options: [.sortedKeys])
    let text = "{\"waymark\": 1, \"course\": \(String(decoding: data, as: UTF8.self))}"
    _ = try CourseLibrary(databaseAt: database).importCourse(
      named: "\(course).json", bytes: Array(text.utf8), options: ImportOptions(replaces: true))
  }

  /// Removes the course.
  func remove(_ course: String = "cards") throws {
    _ = try CourseLibrary(databaseAt: navigation.database).remove(PlacePath(course))
  }

  /// Begins the lesson of a deck, so that its cards are new cards.
  func begin(_ deck: String) throws { try service.begin(Self.path(deck)) }

  func advance(days: Double) { navigation.advance(seconds: days * 86_400) }

  /// Returns the question of the next card, or `nil`.
  func next(ahead: Bool = false) throws -> String? {
    try service.reviews.nextCard(ahead: ahead)?.faces.question.plainText
  }

  /// Answers the next card and returns its question and the answer.
  @discardableResult
  func answerNext(_ rating: CardRating, seconds: Double = 5) throws -> (question: String, answer: CardAnswer)? {
    guard let card = try service.reviews.nextCard() else { return nil }
    navigation.advance(seconds: seconds)
    return (card.faces.question.plainText, try service.reviews.answer(card.id, rating, after: .seconds(seconds)))
  }
}

extension ReviewFixture {
  /// Answers each new card of a deck once, with some seconds in between.
  func answerAll(_ rating: CardRating, in deck: String, varyingBySeconds seconds: Double) throws {
    try service.database.store.groupCommit {
      for row in try service.cards.all(in: Self.path(deck)) {
        try service.reviews.answer(row.id, rating)
        navigation.advance(seconds: seconds)
      }
    }
  }
}
