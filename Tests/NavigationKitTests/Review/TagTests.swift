import CourseKit
import Foundation
import GRDB
import LearningModel
import NavigationKit
import Testing

/// Tests of reviews and searches that are limited to the cards with a tag.
struct TagTests {
  private let fixture: NavigationFixture
  private let service: NavigationService

  init() throws {
    fixture = try NavigationFixture()
    service = try fixture.service()
    try publish([
      ["front": "go", "back": "went", "tags": ["verb::irregular", "basics"]],
      ["front": "walk", "back": "walked", "tags": ["Verb"], "reversed": true],
      ["front": "tree", "back": "plant", "tags": ["noun"]],
    ])
    try service.begin(.text("tags/goal/lesson/deck"))
  }

  private func publish(_ cards: [[String: Any]]) throws {
    let deck: [String: Any] = ["key": "deck", "title": "Deck", "flashcards": cards]
    let other: [String: Any] = ["key": "other", "title": "Other", "flashcards": [["front": "x", "back": "y"]]]
    let lesson: [String: Any] = ["key": "lesson", "title": "Lesson", "children": [deck, other]]
    let course: [String: Any] = [
      "key": "tags", "title": "Tags", "children": [["key": "goal", "title": "Goal", "children": [lesson]]],
    ]
    let data = try JSONSerialization.data(withJSONObject: ["waymark": 1, "course": course])
    _ = try CourseLibrary(databaseAt: fixture.database).importCourse(named: "tags.json", bytes: Array(data))
  }

  private func questions(_ name: PlaceName?) throws -> [String] {
    try service.cards.all(in: name).map(\.question)
  }

  @Test func `a tag selects its cards and those of the tags below it, in lower or upper case`() throws {
    #expect(try questions(.tagged("verb", in: nil)) == ["go", "walk", "walked"])
    #expect(try questions(.tagged("VERB::irregular", in: "tags/goal")) == ["go"])
    #expect(
      try service.cards.tags().map { "\($0.tag) \($0.cards)" } == ["basics 1", "noun 1", "Verb 3", "verb::irregular 1"])
    #expect(throws: NavigationError.unknownTag(name: "ver")) { try questions(.tagged("ver", in: nil)) }
  }

  @Test func `a review of a tag shows and counts its cards only`() throws {
    try service.reviews.set(ReviewSettingsChange(waitingSiblings: ReviewSettings.WaitingSiblings.none))
    let tag = PlaceName.tagged("verb", in: nil)
    func counts() throws -> [Int] {
      let overview = try service.reviews.overview(of: tag)
      return [overview.total.new, overview.total.notMet, overview.total.due, overview.courses.count]
    }
    #expect(try counts() == [3, 3, 0, 1])

    var shown: [String] = []
    while let card = try service.reviews.nextCard(in: tag) {
      shown.append(card.faces.question.plainText)
      try service.reviews.answer(card.id, .easy)
    }

    #expect(shown == ["go", "walk", "walked"])
    #expect(try service.reviews.overview().total.notMet == 2)
    fixture.advance(seconds: 100 * 86_400)
    #expect(try counts() == [0, 0, 3, 1])
    #expect(try service.reviews.forecast(days: 2, in: tag).map(\.cards) == [3, 0])
    let next = try #require(try service.reviews.nextCard(in: .tagged("verb::irregular", in: nil)))
    #expect(next.faces.question.plainText == "go")
    try service.reviews.answer(next.id, .again)
    let irregular = try service.reviews.overview(of: .tagged("verb::irregular", in: nil)).total
    #expect(([irregular.steps, irregular.later, irregular.reviews, irregular.due] as [Int]) == [0, 1, 0, 0])
    #expect(try service.reviews.overview(of: .tagged("noun", in: nil)).total.later == 0)
    #expect(try service.reviews.nextCard(in: .tagged("Verb", in: nil), ahead: true) != nil)
  }

  @Test func `a review of all cards of a tag shows its cards only`() throws {
    let cards = try service.cards.all(toSuspend: true, in: .tagged("verb", in: nil)).map {
      try service.reviews.card($0)
    }

    #expect(cards.map(\.faces.question.plainText) == ["go", "walk", "walked"])
    #expect(try service.reviews.nextCards(in: .tagged("verb", in: nil), limit: 9).count == 2)
  }

  @Test func `an import changes the tags of cards`() throws {
    try publish([["front": "go", "back": "went", "tags": ["other"]], ["front": "walk", "back": "walked"]])

    #expect(try service.cards.tags().map(\.tag) == ["other"])
    #expect(try questions(.tagged("other", in: nil)) == ["go"])
  }

  @Test func `a search finds activities by the tags of their cards and by words`() throws {
    let library = try CourseLibrary(databaseAt: fixture.database)
    func found(_ query: String, in course: PlacePath? = nil, kind: ContentKind? = nil) throws -> [String] {
      try library.search(query, in: course, kind: kind).hits.map(\.title)
    }

    #expect(try found("tag:verb") == ["Deck"] && found("tag:verb tag:basics", in: PlacePath("tags")) == ["Deck"])
    #expect(try found("tree tag:verb") == ["Deck"] && found("tag:noun tag:verb") == [])
    #expect(try found("tag:missing") == [] && found("y tag:verb") == [] && found("tag:verb", kind: .lesson) == [])
  }

  @Test func `the migration finds the tags of courses that were imported before`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Migrations/sql/0006_tags.sql")
    let sql = try String(contentsOf: file, encoding: .utf8)
    let tags = try service.cards.tags().map { "\($0.tag) \($0.cards)" }
    try fixture.write { try $0.execute(sql: "DELETE FROM cardTag") }
    #expect(try service.cards.tags().isEmpty)

    let start = try #require(sql.firstRange(of: "INSERT")).lowerBound
    try fixture.write { try $0.execute(sql: String(sql[start...])) }

    #expect(try service.cards.tags().map { "\($0.tag) \($0.cards)" } == tags)
  }
}
