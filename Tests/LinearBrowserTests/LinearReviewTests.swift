import CourseKit
import Foundation
import LearningModel
import CoursePages
import NavigationKit
import Snapshots
import TestSupport
import Testing

@testable import LinearBrowser

/// Reviews in linear mode.
@Suite struct LinearReviewTests {
  /// A browser with a course of three flashcards, a question with choices and a question without choices.
  private func fixture() throws -> LinearFixture {
    let fixture = try LinearFixture(hasCourse: false)
    try fixture.folder.write(Data(Self.course.utf8), to: "course.json")
    _ = try fixture.library.importCourse(from: fixture.folder.file("course.json"))
    return fixture
  }

  /// Types lines and returns them with their output.
  private func transcript(_ fixture: LinearFixture, _ lines: [String]) -> [String] {
    lines.flatMap { ["> " + $0] + fixture.type($0) }
  }

  @Test func `a review shows the cards of lessons that were added until its summary`() throws {
    let fixture = try fixture()

    let lines = transcript(
      fixture,
      [
        "review", "learn cards/goal/lesson/words", "review", "knew it", "", "", "knew it", "", "2", "undo", "1",
        "source",
        "suspend", "1", "", "bury", "undo", "", "k", "", "knew it", "", "1", "",
      ])

    expectSnapshot(lines)
  }

  @Test func `the state of a card is listed, and it is set due and made new again`() throws {
    let fixture = try fixture()
    for line in ["learn cards/goal/lesson/words", "review", "", "easy"] { fixture.type(line) }

    let lines = transcript(fixture, ["info", "due 3", "undo", "reset", "leeches"])

    expectSnapshot(lines)
  }

  @Test func `cards of later days are answered without changing the schedule`() throws {
    let fixture = try fixture()
    for line in ["learn cards/goal/lesson/words", "review", "", "easy", "", "easy", "", "easy"] { fixture.type(line) }

    let lines = transcript(fixture, ["review ahead", "", "forgot", "", "knew it", "", "knew it", "", "knew it"])

    expectSnapshot(lines)
    #expect(try fixture.browser.navigation.reviews.log().count == 3)
  }

  @Test func `own cards are made, listed, changed and removed`() throws {
    let fixture = try LinearFixture()
    fixture.type("english-for-business/negotiating/opening-offers/who-speaks-first")

    let lines = transcript(
      fixture,
      [
        "card Who speaks first?", "notes", "card 1 Who speaks?", "card 1 = The seller.", "card 1", "card 2 x",
        "unnote 1",
        "card 1", "card",
      ])

    expectSnapshot(lines)
  }

  @Test func `questions are answered by numbers or by typing, and Enter takes the suggested answer`() throws {
    let fixture = try fixture()

    let lines = transcript(
      fixture,
      [
        "learn cards/goal/questions/quiz", "review cards/goal/questions/quiz", "9", "1", "", "undo", "suspend", "Lyon",
        "forgot", "paris", "", "up",
      ])

    expectSnapshot(lines)
  }

  @Test func `the source of a card is opened, and the review goes on`() throws {
    let fixture = try fixture()
    fixture.type("learn cards/goal/lesson/words")

    let lines = transcript(
      fixture,
      ["review", "", "open", "review", "", "open", "up", "review", "mark", "marks", "up", "repeat", "up", "statistics"])

    expectSnapshot(lines)
  }

  @Test func `after two days, the statistics name the cards that come and what was remembered`() throws {
    let fixture = try fixture()
    for line in ["learn cards/goal/lesson/words", "review", "", "easy", "", "easy", "", "easy"] { fixture.type(line) }
    fixture.wait(seconds: 40 * 86_400)

    let lines = transcript(
      fixture, ["review", "", "forgot", "", "knew it", "", "knew it", "", "knew it", "review ahead", "statistics"])

    expectSnapshot(lines)
  }

  @Test func `a review that is requested when the browser begins again shows its first card`() throws {
    let fixture = try fixture()
    fixture.type("learn cards/goal/lesson/words")

    let lines = try fixture.browser.begin(reviewing: ReviewRequest(place: .text("cards")))
    let emptyFixture = try LinearFixture(hasCourse: false)
    let empty = try emptyFixture.browser.begin(reviewing: ReviewRequest())

    #expect(
      lines == [
        "Waymark, linear mode (asked for by --linear). Type a number or a command, or ?", "for help.",
        "This is already the current place.", "Review: Cards. 3 new cards are due today.", "Card 1, new: front 0.",
        "Say what you remember, then turn the card over with Enter.",
      ])
    #expect(
      empty.dropFirst(3).prefix(4) == [
        "Review: all courses. No cards yet. Cards are added when you read or answer", "something in their lesson.",
        "learn: add the cards of this place, without reading it first.",
        "List: Welcome. No courses yet. Select how to start.",
      ])
  }

  private static let course = """
    {"waymark": 1, "course": {"key": "cards", "title": "Cards", "children": [{"key": "goal", "title": "Goal", "children": [
      {"key": "lesson", "title": "Lesson", "children": [{"key": "words", "title": "Words", "flashcards": [
        {"front": "front 0", "back": "back 0"}, {"front": "front 1", "back": "back 1"},
        {"front": "front 2", "back": "back 2"}]}]},
      {"key": "questions", "title": "Questions", "children": [{"key": "quiz", "title": "Quiz", "quiz": [
        {"question": "Which holds?", "choices": [{"right": "one"}, {"wrong": "two"}]},
        {"question": "Capital of France?", "choices": [], "explanation": ["Paris."]}]}]}]}]}}
    """
}
