import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser

/// The key `c`, and what a lesson reports about its cards.
@MainActor @Suite struct CardMakingTests {
  private static let reading = "english-for-business/negotiating/preparing/where-do-you-stop"
  private static let lesson = "english-for-business/negotiating/opening-offers"

  @Test func `c makes a card of the selected block, and the heading above it is suggested`() throws {
    let fixture = try BrowserFixture(opening: .text(Self.reading), motion: .none)
    fixture.press("}", at: 1)
    fixture.press("c", at: 2)
    expectSnapshot(fixture.text(at: 3))

    fixture.press(.character("u"), .control, at: 4)
    fixture.type("When to stop?", at: 5)
    fixture.press(.enter, at: 6)

    #expect(fixture.text(at: 7).contains("The card is in the review. 4 opens the review."))
    let made = try fixture.browser.context.navigation.cards.all(in: .text(Self.reading))
    #expect(made.map(\.question) == ["When to stop?"])
    #expect(try fixture.browser.context.navigation.check() == [])
  }

  @Test func `a symbol marks the passage of a card, c changes the card, and Tab its answer`() throws {
    let fixture = try BrowserFixture(opening: .text(Self.reading), motion: .none)
    let navigation = fixture.browser.context.navigation
    fixture.type("}c", at: 1)
    fixture.press(.enter, at: 2)
    fixture.press(.escape, at: 3)
    expectSnapshot(fixture.text(at: 20), "marked")

    fixture.type("}c", at: 21)
    fixture.press(.end, at: 22)
    fixture.type("!", at: 23)
    fixture.press(.tab, at: 24)
    fixture.press(.character("u"), .control, at: 25)
    fixture.type("At ten.", at: 26)
    expectSnapshot(fixture.text(at: 27), "answer")
    fixture.press(.enter, at: 28)

    let card = try #require(try navigation.cards.own().first?.note)
    #expect(card.text.hasSuffix("!") && card.answer == "At ten.")
    #expect(fixture.text(at: 29).contains("Card changed. U undoes it."), "\(fixture.text(at: 29))")
    fixture.press("U", at: 30)
    #expect(try navigation.cards.own().first?.note.answer != "At ten.")
  }

  @Test func `an empty question deletes a card, and Ctrl-N makes another one of the passage`() throws {
    let fixture = try BrowserFixture(opening: .text(Self.reading), motion: .none)
    let navigation = fixture.browser.context.navigation
    fixture.type("}c", at: 1)
    fixture.press(.enter, at: 2)
    fixture.press("c", at: 3)
    fixture.press(.character("n"), .control, at: 4)
    fixture.type("Second?", at: 5)
    fixture.press(.enter, at: 6)
    #expect(try navigation.cards.own().count == 2)

    fixture.press("c", at: 7)
    fixture.press(.character("u"), .control, at: 8)
    #expect(fixture.text(at: 9).contains("empty: deletes the card"))
    fixture.press(.enter, at: 10)

    #expect(try navigation.cards.own().count == 1)
    #expect(fixture.text(at: 11).contains(/Deleted the card “[^”]+”\. U undoes it\./))
  }

  @Test func `the list of notes shows cards, Del deletes one, and U restores it`() throws {
    let fixture = try BrowserFixture(opening: .text(Self.reading), motion: .none)
    let navigation = fixture.browser.context.navigation
    fixture.type("}c", at: 1)
    fixture.press(.enter, at: 2)
    fixture.press("\"", at: 3)
    expectSnapshot(fixture.text(at: 4))

    fixture.press(.delete, at: 5)
    #expect(try navigation.cards.own().isEmpty)
    fixture.press("U", at: 6)

    #expect(try navigation.cards.own().count == 1)
  }

  @Test func `the Review tab lists own cards, reviews them, and changes them`() throws {
    let fixture = try BrowserFixture(120, 36, opening: .text(Self.reading), motion: .none)
    let navigation = fixture.browser.context.navigation
    fixture.type("}c", at: 1)
    fixture.press(.enter, at: 2)
    fixture.press("4", at: 3)
    fixture.press(.down, at: 4)
    let review = try #require(fixture.browser.openPages.review)
    #expect(review.chosenEntry == .own)
    expectSnapshot(fixture.text(at: 20), "tab")

    fixture.press(.enter, at: 21)
    fixture.press(.enter, at: 22)
    fixture.press(.end, at: 23)
    fixture.type("?", at: 24)
    fixture.press(.enter, at: 25)
    #expect(try navigation.cards.own().first?.note.text.hasSuffix("?") == true)
    fixture.press(" ", at: 26)
    fixture.press("c", at: 27)
    fixture.type("!", at: 28)
    fixture.press(.enter, at: 29)

    #expect(review.session?.card?.faces.question.plainText.hasSuffix("?!") == true)
    fixture.type("  ", at: 30)
    #expect(try navigation.reviews.log().map(\.rating) == [.good])
  }

  @Test func `c in the Review tab makes a card of the activity that was visited last`() throws {
    let fixture = try BrowserFixture(opening: .text(Self.reading), motion: .none)
    let navigation = fixture.browser.context.navigation
    fixture.press("4", at: 1)

    fixture.press("c", at: 2)
    expectSnapshot(fixture.text(at: 3))
    fixture.type("Why?", at: 4)
    fixture.press(.tab, at: 5)
    fixture.type("Because.", at: 6)
    fixture.press(.enter, at: 7)
    fixture.browser.context.perform(.ownCards)
    fixture.press(.character("n"), .control, at: 8)
    fixture.type("How?", at: 9)
    // Enter after a question without an answer leads to the answer.
    fixture.press(.enter, at: 10)
    fixture.type("So.", at: 11)
    fixture.press(.enter, at: 12)

    let cards = try navigation.cards.own().sorted { $0.note.text > $1.note.text }
    #expect(
      cards.map { [$0.place.path.description, $0.note.text, $0.note.answer] } == [
        [Self.reading, "Why?", "Because."], [Self.reading, "How?", "So."],
      ])
  }

  @Test func `on the row of own cards, Space and a show only own cards`() throws {
    let fixture = try BrowserFixture(120, 36, motion: .none, on: try ReviewHistory.begun.get())
    let navigation = fixture.browser.context.navigation
    let own = try navigation.cards.make(front: "Mine?", back: "Yes.", in: .text(Self.reading))
    try navigation.cards.schedule(own, inDays: 3)
    fixture.press("4", at: 1)
    let review = try #require(fixture.browser.openPages.review)
    fixture.press(.end, at: 2)
    for time in 3..<6 { fixture.press(.up, at: Double(time)) }
    #expect(review.chosenEntry == .own)

    fixture.press(" ", at: 7)
    let notice = fixture.text(at: 8)
    fixture.press("a", at: 9)
    let card = review.session?.card?.id
    fixture.type("  ", at: 10)

    #expect(notice.contains("No own card is due there now. a reviews cards of later days."), "\(notice)")
    #expect(card == own && review.session?.card == nil)
    #expect(try navigation.reviews.log().isEmpty)
  }

  @Test func `leeches are listed with their lapses`() throws {
    let fixture = try BrowserFixture(motion: .none)
    let navigation = fixture.browser.context.navigation
    let card = try #require(try navigation.cards.all(in: .text(Self.lesson + "/anchors-and-ranges")).first).id
    for _ in 0..<8 {
      try navigation.cards.schedule(card, inDays: 0)
      try navigation.reviews.answer(card, .again)
    }

    fixture.browser.context.perform(.leeches)
    let list = fixture.text(at: 1)
    fixture.press(.enter, at: 2)

    #expect(list.contains("forgotten 8 times"), "\(list)")
    #expect(
      fixture.browser.overlay is CardInfoScreen
        && fixture.text(at: 3).contains("forgotten 8 times after a day or more: a leech"))
  }

  @Test func `a card without a question is refused in its overlay`() throws {
    let fixture = try BrowserFixture(opening: .text(Self.reading), motion: .none)
    fixture.press("c", at: 1)
    fixture.press(.character("u"), .control, at: 2)

    fixture.press(.enter, at: 3)

    #expect(fixture.browser.openPages.root.overlay is MakeCardScreen)
    #expect(fixture.text(at: 4).contains("the question is empty"))
    fixture.press(.escape, at: 5)
    #expect(try fixture.browser.context.navigation.cards.all(in: .text(Self.reading)).isEmpty)
  }

  @Test func `c makes a card of a question in the results of a quiz`() throws {
    let quiz = Self.lesson + "/make-the-first-offer"
    let fixture = try BrowserFixture(opening: .text(quiz), motion: .none)
    var time = 1.0
    let screen = try #require(fixture.browser.page as? QuizScreen)
    while screen.run?.isOver != true, time < 60 {
      fixture.press(.enter, at: time)
      time += 1
    }

    fixture.press("c", at: time)
    fixture.press(.enter, at: time + 1)

    let question = screen.questions[screen.session.result].question.plainText
    let cards = try fixture.browser.context.navigation.cards.all(in: .text(quiz))
    #expect(cards.last?.question == question)
    #expect(cards.count == screen.questions.count + 1)
  }

  @Test func `the end of a lesson reports how many of its cards come back`() throws {
    let deck = Self.lesson + "/anchors-and-ranges"
    let fixture = try BrowserFixture(motion: .none)
    let navigation = fixture.browser.context.navigation
    for card in 0..<2 {
      try navigation.progress.record(.cardGraded(card: card, of: 12, isKnown: true), in: .text(deck))
    }
    let last = try #require(
      try navigation.places.childSummaries(of: navigation.places.named(.text(Self.lesson)).place, .all).summaries.last)
    fixture.browser.navigator.go(to: last.place.place)

    fixture.press("n", at: 1)

    #expect(
      fixture.text(at: 2).split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "2 cards come back today."))
  }

  @Test func `a grade that is undone in a deck is no answer in a review`() throws {
    let fixture = try BrowserFixture(opening: .text(Self.lesson + "/anchors-and-ranges"), motion: .none)
    let navigation = fixture.browser.context.navigation
    fixture.type("  ", at: 1)
    #expect(try navigation.reviews.overview().total.later == 1)

    fixture.press("U", at: 2)

    #expect(try navigation.reviews.overview().total.steps == 0)
  }
}
