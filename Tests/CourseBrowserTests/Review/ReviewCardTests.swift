import CoursePages
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser

/// A review with cards in the Review tab.
@MainActor @Suite struct ReviewCardTests {
  private func fixture(
    _ columns: Int = 80, _ rows: Int = 24, motion: MotionPreference = .none, symbols: Symbols = .unicode,
    colours: ColourDepth = .none, fourAnswers: Bool = false
  ) throws -> BrowserFixture {
    let fixture = try BrowserFixture(
      columns, rows, motion: motion, symbols: symbols, colours: colours, on: try ReviewHistory.begun.get())
    if fourAnswers { try fixture.browser.context.navigation.reviews.set(ReviewSettingsChange(hasFourAnswers: true)) }
    fixture.press("4", at: 1)
    return fixture
  }

  private func review(_ fixture: BrowserFixture) throws -> ReviewScreen {
    try #require(fixture.browser.openPages.review)
  }

  @Test(arguments: [(40, 12), (80, 24), (120, 36), (200, 60)])
  func `Space begins, turns the card, and records that it was known`(columns: Int, rows: Int) throws {
    let fixture = try fixture(columns, rows)

    fixture.press(" ", at: 2)
    let front = fixture.text(at: 3)
    fixture.press(" ", at: 4)
    let back = fixture.text(at: 5)
    fixture.press(" ", at: 6)
    let next = fixture.text(at: 7)

    expectSnapshot(front, "\(columns) x \(rows) front")
    expectSnapshot(back, "\(columns) x \(rows) back")
    #expect(next.contains("2 of 20") && next != front)
    #expect(try fixture.browser.context.navigation.reviews.log().map(\.rating) == [.good])
  }

  @Test func `f records that a card was forgotten, and U undoes the answer`() throws {
    let fixture = try fixture()
    fixture.type("  ", at: 2)
    let back = fixture.text(at: 3)
    fixture.press("f", at: 4)
    let log = try fixture.browser.context.navigation.reviews.log().map(\.rating)

    fixture.press("U", at: 5)

    #expect(log == [.again])
    let undone = fixture.text(at: 6)
    // The card that was answered is not among the cards of the second review.
    func card(_ text: String) -> [String] {
      text.components(separatedBy: "\n").dropLast(3).filter { !$0.contains(" of ") }
    }
    #expect(card(undone) == card(back))
    #expect(undone.contains("Undone: “forgot”."), "\(undone)")
    #expect(try fixture.browser.context.navigation.reviews.log().map(\.isUndone) == [true])
  }

  @Test func `with four answers, digits answer, and each shows its interval`() throws {
    let fixture = try fixture(fourAnswers: true)
    fixture.type("  ", at: 2)

    expectSnapshot(fixture.text(at: 3))
    fixture.press("2", at: 4)

    #expect(try fixture.browser.context.navigation.reviews.log().map(\.rating) == [.hard])
    #expect(fixture.browser.openPages.tabs.selectedIndex == 3)
  }

  @Test(arguments: [("1", CardRating.again), ("2", .good)] as [(Character, CardRating)])
  func `with two answers, digits answer a turned card and never leave the review`(digit: Character, rating: CardRating)
    throws
  {
    let fixture = try fixture()
    fixture.press(" ", at: 2)
    for digit in "0123456789" { fixture.press(digit, at: 3) }
    let front = fixture.text(at: 3.5)
    fixture.press(" ", at: 4)
    for digit in "03456789" { fixture.press(digit, at: 5) }
    #expect(try fixture.browser.context.navigation.reviews.log().isEmpty)

    fixture.press(digit, at: 6)

    #expect(!front.contains("[4") && fixture.browser.openPages.tabs.selectedIndex == 3)
    #expect(try fixture.browser.context.navigation.reviews.log().map(\.rating) == [rating])
    fixture.press(.escape, at: 7)
    fixture.press("1", at: 8)
    #expect(fixture.browser.openPages.tabs.selectedIndex == 0)
  }

  @Test func `Enter on a turned card does what Space does, also during the turn`() throws {
    let fixture = try fixture(motion: .full)
    fixture.press(" ", at: 2)
    fixture.press(.enter, at: 3)
    _ = fixture.screen(at: 3.1)
    fixture.press(.enter, at: 3.1)
    _ = fixture.screen(at: 4)
    #expect(try fixture.browser.context.navigation.reviews.log().isEmpty)

    fixture.press(.enter, at: 5)

    #expect(try fixture.browser.context.navigation.reviews.log().map(\.rating) == [.good])
  }

  @Test func `with four answers, 40 columns show the intervals too`() throws {
    let fixture = try fixture(40, 12, fourAnswers: true)

    fixture.type("  ", at: 2)

    expectSnapshot(fixture.text(at: 3))
  }

  @Test func `s suspends, b buries, and both can be undone`() throws {
    let fixture = try fixture()
    let review = try review(fixture)
    fixture.press(" ", at: 2)
    let cards = try (0..<2).map { number in
      let id = try #require(review.session?.card?.id)
      fixture.press(number == 0 ? "s" : "b", at: 3 + Double(number))
      return id
    }
    let third = try #require(review.session?.card?.id)

    #expect(Set(cards + [third]).count == 3)
    #expect(try fixture.browser.context.navigation.reviews.card(cards[0]).isSuspended)
    #expect(fixture.text(at: 5).contains("Buried until tomorrow. U undoes it."))
    fixture.press("U", at: 6)
    #expect(review.session?.card?.id == cards[1])
    #expect(fixture.text(at: 6).contains("Undone: the card is not buried any more."))
    fixture.press("U", at: 7)
    #expect(review.session?.card?.id == cards[0])
    #expect(fixture.text(at: 7).contains("Undone: the card is not suspended any more."))
    #expect(try !fixture.browser.context.navigation.reviews.card(cards[0]).isSuspended)
  }

  @Test func `in the overview, s resumes the suspended cards of the selected row, and U suspends them again`() throws {
    let fixture = try fixture(120, 36)
    let navigation = fixture.browser.context.navigation
    fixture.type(" s", at: 2)
    #expect(fixture.text(at: 3).contains("After the review, s resumes it. U undoes it."))
    fixture.press(.escape, at: 4)
    let overview = fixture.text(at: 12)
    fixture.press("s", at: 13)
    let resumed = fixture.text(at: 14)
    #expect(try navigation.cards.suspended().isEmpty)

    fixture.press("U", at: 15)

    #expect(overview.contains("1 suspended") && overview.contains("s resume cards"), "\(overview)")
    #expect(resumed.contains("Resumed 1 suspended card. U undoes it.") && !resumed.contains("1 suspended  "))
    #expect(fixture.text(at: 16).contains(/Undone: 1 card in “[^”]+”, “English for Business” suspended again\./))
    #expect(try navigation.cards.suspended().count == 1)
  }

  @Test func `in the overview, U removes added cards from the review, and then suspends resumed cards`() throws {
    let fixture = try fixture(120, 36)
    let navigation = fixture.browser.context.navigation
    fixture.type(" s", at: 2)
    fixture.press(.escape, at: 4)
    fixture.press("s", at: 13)
    let before = fixture.text(at: 14)
    fixture.press("n", at: 15)
    let added = try navigation.reviews.overview().total.notMet

    fixture.press("U", at: 17)

    let count = added - (try navigation.reviews.overview().total.notMet)
    #expect(count > 0 && fixture.text(at: 18).contains("Undone: removed \(count) cards in “"))
    #expect(
      fixture.text(at: 30).components(separatedBy: "\n").dropLast(3) == before.components(separatedBy: "\n").dropLast(3)
    )
    fixture.press("U", at: 31)
    #expect(try navigation.cards.suspended().count == 1)
  }

  @Test func `after a restart, U shows the card of the last answer again, turned over`() throws {
    let first = try fixture()
    first.type("  ", at: 2)
    let back = first.text(at: 3)
    first.press(" ", at: 4)
    try first.browser.context.navigation.endSession()
    let fixture = try BrowserFixture(80, 24, after: first)
    fixture.press("4", at: 1)
    _ = fixture.text(at: 2)
    fixture.press(" ", at: 3)

    fixture.press("U", at: 5)

    let undone = fixture.text(at: 6)
    #expect(back.contains("1 of 20"))
    #expect(undone.components(separatedBy: "\n").dropLast(3) == back.components(separatedBy: "\n").dropLast(3))
    #expect(undone.contains("Undone: “knew it”."))
  }

  @Test func `after a review, the rows, the header and the hint show the same number`() throws {
    let fixture = try fixture()
    fixture.type(" b", at: 2)

    fixture.press(.escape, at: 3)

    let text = fixture.text(at: 12)
    let today = try #require(text.firstMatch(of: /([0-9]+) now/)?.1)
    #expect(text.contains("Review \(today) cards") && text.contains("\(today) new cards are due today"), "\(text)")
  }

  @Test func `PageUp does not bury a card`() throws {
    let fixture = try fixture()
    let review = try review(fixture)
    fixture.press(" ", at: 2)
    let card = review.session?.card?.id

    fixture.press(.pageUp, at: 3)

    #expect(review.session?.card?.id == card)
  }

  @Test func `e opens the deck at the card, and 4 returns to the review`() throws {
    let fixture = try fixture()
    let review = try review(fixture)
    fixture.type("  b ", at: 2)
    let item = try #require(review.session?.card?.item)
    let back = fixture.text(at: 20)

    fixture.press("e", at: 21)
    let (opened, deck) = (fixture.text(at: 22), fixture.browser.page as? FlashcardsScreen)
    fixture.press("4", at: 23)

    #expect(item > 0 && deck?.session.topCard == item)
    #expect(opened.contains("H returns to the review."))
    #expect(fixture.browser.openPages.tabs.selectedIndex == 3)
    #expect(fixture.text(at: 40) == back)
  }

  @Test func `the source of a card shows how to return until the learner goes elsewhere, and H returns`() throws {
    let fixture = try fixture()
    fixture.press(" ", at: 2)
    fixture.press("e", at: 3)
    fixture.press("?", at: 20)
    fixture.press(.escape, at: 21)
    let source = fixture.text(at: 40)

    fixture.press("H", at: 41)
    let review = fixture.browser.openPages.review
    fixture.press("e", at: 42)
    fixture.press(.left, at: 43)
    let parent = fixture.text(at: 60)
    fixture.press(.enter, at: 61)
    let again = fixture.text(at: 80)
    fixture.press("H", at: 81)

    #expect(source.contains("\n   H  Return to the review\n"), "\(source)")
    #expect(review?.session?.card != nil)
    #expect(!(parent + again).contains("Return to the review") && fixture.browser.openPages.tabs.selectedIndex == 0)
  }

  @Test func `e opens a quiz at the question, and a text at the passage of an own card`() throws {
    let text = "english-for-business/negotiating/preparing/where-do-you-stop"
    let fixture = try quiz()
    fixture.press(" ", at: 2)
    fixture.press("e", at: 3)
    #expect(fixture.browser.page is QuizScreen && fixture.text(at: 4).contains("Which are even?"))

    fixture.browser.navigator.go(to: try fixture.browser.context.navigation.places.named(.text(text)).place)
    for _ in 0..<6 { fixture.press("}", at: 5) }
    fixture.press("c", at: 6)
    fixture.press(.enter, at: 7)
    fixture.press("<", at: 8)
    fixture.press("4", at: 9)
    try review(fixture).begin(in: nil, mode: .own(ahead: false))
    fixture.press("e", at: 10)
    let page = try #require(fixture.browser.page as? ReadingScreen)
    #expect(page.chosenBlock == 5)
  }

  @Test func `i shows the state of the card, and from there it is suspended, forgotten or set due`() throws {
    let fixture = try fixture()
    let navigation = fixture.browser.context.navigation
    let review = try review(fixture)
    fixture.press(" ", at: 2)
    let first = try #require(review.session?.card?.id)
    try navigation.reviews.answer(first, .easy)
    review.show(only: nil)
    review.begin(in: nil)
    fixture.press("i", at: 4)
    expectSnapshot(fixture.text(at: 5))

    fixture.press("D", at: 6)
    fixture.type("3", at: 7)
    let card = try #require(review.session?.card?.id)
    fixture.press(.enter, at: 8)

    let today = try #require(ReviewDay.number(ofDate: try navigation.reviews.overview().date))
    #expect(try navigation.reviews.card(card).due == ReviewDay.date(of: today + 3))
    #expect(fixture.text(at: 9).contains("Due in 3 days. U undoes it."))
    let second = try #require(review.session?.card?.id)
    fixture.press("i", at: 10)
    fixture.press("s", at: 11)
    #expect(try navigation.reviews.card(second).isSuspended)
  }

  @Test func `a card that is set due from its information leaves the review, and the next card is shown`() throws {
    let (fixture, other) = (try fixture(), try fixture())
    let review = try review(fixture)
    for fixture in [fixture, other] { fixture.press(" ", at: 2) }
    let card = try #require(review.session?.card?.id)

    fixture.press("i", at: 3)
    fixture.press("D", at: 4)
    fixture.type("0", at: 5)
    fixture.press(.enter, at: 6)
    other.press("b", at: 3)

    func page(_ fixture: BrowserFixture) -> [String] {
      fixture.text(at: 30).components(separatedBy: "\n").dropLast(2)
    }
    #expect(review.session?.card != nil && review.session?.card?.id != card)
    #expect(review.session?.positionText == "2 of 20")
    #expect(page(fixture) == page(other))
    #expect(try fixture.browser.context.navigation.reviews.log().isEmpty)
  }

  @Test func `a review without changes of the schedule records nothing`() throws {
    let fixture = try fixture()
    let review = try review(fixture)
    review.begin(in: "deck-of-words", mode: .cram(reschedules: false))
    fixture.press(" ", at: 2)

    expectSnapshot(fixture.text(at: 3))
    fixture.press(" ", at: 4)

    #expect(review.session?.position == 2)
    #expect(try fixture.browser.context.navigation.reviews.log().isEmpty)
  }

  @Test func `Esc ends the review, and a notice summarises it`() throws {
    let fixture = try fixture()
    fixture.type("   ", at: 2)

    fixture.press(.escape, at: 3)

    #expect(fixture.text(at: 4).contains("You reviewed 1 card in 0 s, and remembered 1 of 1 answer."))
    #expect(try review(fixture).session == nil)
    #expect(fixture.browser.openPages.tabs.selectedIndex == 3)
  }

  @Test func `a review of one course ends with a summary`() throws {
    let fixture = try fixture()
    let review = try review(fixture)
    fixture.press(.down, at: 2)
    #expect(review.chosenRow?.place.title == "English for Business")
    fixture.press(" ", at: 3)
    var time = 4.0
    while review.session?.card != nil, time < 100 {
      fixture.type("  ", at: time)
      time += 1
    }

    expectSnapshot(fixture.text(at: time))
    fixture.press(" ", at: time + 1)
    #expect(review.session == nil)
  }

  @Test func `n adds the cards of the next lesson and names the daily limit`() throws {
    let fixture = try fixture()
    fixture.press("n", at: 2)

    let notice = fixture.text(at: 3).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      notice.contains(
        try Regex("Added \\d+ new cards of “[^”]+”. 20 new cards a day are shown: 20 more today. U undoes it.")),
      "\(notice)")
  }

  @Test func `slash limits the review to a goal, and Esc removes the limit`() throws {
    let fixture = try fixture()
    fixture.press("/", at: 2)
    fixture.type("Words", at: 3)
    expectSnapshot(fixture.text(at: 4), "overlay")

    fixture.press(.enter, at: 5)
    expectSnapshot(fixture.text(at: 6), "limited")
    fixture.press(.escape, at: 7)

    #expect(try review(fixture).place == nil)
    #expect(fixture.browser.openPages.tabs.selectedIndex == 3)
  }

  @Test func `in 40 columns, a long card shows the keys of its answers, and Space scrolls it`()
    throws
  {
    let fixture = try fixture(40, 12)
    let navigation = fixture.browser.context.navigation
    let long = Array(repeating: "A long answer.", count: 40).joined(separator: " ")
    _ = try navigation.cards.make(front: "Long?", back: long, in: "deck-of-words/words/first-words/pairs")
    try review(fixture).begin(in: nil, mode: .own(ahead: false))
    fixture.press(" ", at: 2)
    let top = fixture.text(at: 3)
    for time in 4..<30 where try review(fixture).cardView.hasMoreBelow { fixture.press(" ", at: Double(time)) }
    let end = fixture.text(at: 40)

    fixture.press(.enter, at: 41)

    #expect(top.contains("f forgot") && top.contains("↵ knew it") && top.contains("Space  Read more"), "\(top)")
    #expect(end.contains("Space knew it") && !end.contains("Read more"), "\(end)")
    #expect(try navigation.reviews.log().map(\.rating) == [.good])
  }

  // MARK: - Questions

  private func quiz(motion: MotionPreference = .none) throws -> BrowserFixture {
    let fixture = try fixture(motion: motion)
    try fixture.browser.context.navigation.cards.include(from: "deck-of-words/words/questions")
    let review = try review(fixture)
    review.show(only: try fixture.browser.context.navigation.places.named("deck-of-words/words/questions"))
    return fixture
  }

  @Test func `choices are ticked with digits, checked with Enter, and Space accepts the verdict`() throws {
    let fixture = try quiz()
    let review = try review(fixture)
    fixture.press(" ", at: 2)
    expectSnapshot(fixture.text(at: 3), "front")
    let choices = try #require(review.session?.card).faces.choices
    let wrong = try #require(choices.firstIndex { !$0.isRight })

    fixture.press(Character(String(wrong + 1)), at: 4)
    fixture.press(.enter, at: 5)
    expectSnapshot(fixture.text(at: 6), "back")
    #expect(fixture.text(at: 6).contains("\n   Your answer was wrong.\n"))
    fixture.press(" ", at: 7)

    #expect(try fixture.browser.context.navigation.reviews.log().map(\.rating) == [.again])
    fixture.press(.escape, at: 8)
    fixture.press("U", at: 9)
    #expect(fixture.text(at: 10).contains("Your answer"), "\(fixture.text(at: 10))")
  }

  @Test func `an answer is typed, and Esc stops typing`() throws {
    let fixture = try quiz()
    let review = try review(fixture)
    fixture.press(" ", at: 2)
    fixture.press("b", at: 3)
    #expect(review.session?.card?.faces.isTyped == true)
    fixture.type("paris", at: 4)
    expectSnapshot(fixture.text(at: 5), "typing")
    fixture.press(.enter, at: 6)
    expectSnapshot(fixture.text(at: 7), "checked")

    #expect(review.session?.isRight == true)
    fixture.press("U", at: 8)
    fixture.press("b", at: 9)
    fixture.press(.escape, at: 10)
    #expect(review.field == nil && review.session?.isTurnedOver == false)
    fixture.press(.escape, at: 11)
    #expect(review.session == nil)
  }

  // MARK: - Mouse and motion

  @Test func `a click turns the card, and a click on an answer gives it`() throws {
    let fixture = try fixture()
    let review = try review(fixture)
    fixture.press(" ", at: 2)
    fixture.mouse(.press(.left), 40, 10, at: 3)
    let rows = fixture.screen(at: 4)
    let row = try #require(rows.firstIndex { $0.contains("f forgot") && !$0.contains("[") })
    let column = try #require(rows[row].range(of: "forgot")).lowerBound

    fixture.mouse(.press(.left), String(rows[row][..<column]).displayWidth, row, at: 5)

    #expect(review.session?.position == 2)
    #expect(try fixture.browser.context.navigation.reviews.log().map(\.rating) == [.again])
  }

  @Test func `Space during the turn speeds it up and does not answer`() throws {
    let fixture = try fixture(motion: .full)
    fixture.press(" ", at: 2)
    fixture.press(" ", at: 3)
    _ = fixture.screen(at: 3.1)

    fixture.press(" ", at: 3.1)
    _ = fixture.screen(at: 4)
    #expect(try fixture.browser.context.navigation.reviews.log().isEmpty)
    fixture.press(" ", at: 5)

    #expect(try fixture.browser.context.navigation.reviews.log().map(\.rating) == [.good])
  }

  @Test func `keys that are faster than the motion answer every card`() throws {
    let fixture = try fixture(motion: .full)
    fixture.press(" ", at: 2)
    for number in 0..<40 {
      fixture.press(number % 2 == 0 ? .enter : .character("f"), at: 2.01 + Double(number) * 0.01)
      _ = fixture.screen(at: 2.01 + Double(number) * 0.01)
    }

    #expect(try fixture.browser.context.navigation.reviews.log().count == 20)
    #expect(!fixture.text(at: 10).isEmpty)
  }

  @Test func `in ASCII and in 16 colours, a card shows the same texts`() throws {
    let (ascii, colours) = (try fixture(symbols: .ascii), try fixture(colours: .ansi))
    let plain = try fixture()
    for fixture in [ascii, colours, plain] { fixture.type("  ", at: 2) }

    let text = ascii.text(at: 3)
    #expect(text.utf8.allSatisfy { $0 < 0x80 } || text.contains("'"), "\(text)")
    #expect(colours.text(at: 3) == plain.text(at: 3))
  }

  // MARK: - A pile

  @Test func `of 2,000 overdue cards, the most forgotten are shown within the daily limit`() throws {
    let fixture = try BrowserFixture(motion: .none, on: try ReviewHistory.overdue.get())
    let navigation = fixture.browser.context.navigation
    fixture.press("4", at: 1)
    let tab = fixture.text(at: 2)
    fixture.press(" ", at: 3)
    var asked: [Double] = []
    for number in 0..<5 {
      asked.append(try #require(try review(fixture).session?.card?.retrievability))
      fixture.type("  ", at: 4 + Double(number))
    }

    #expect(tab.contains("200 now") && tab.contains("Review 200 cards"), "\(tab)")
    #expect(tab.contains("Today's 200 are those that you have most likely forgotten."), "\(tab)")
    #expect(fixture.text(at: 20).contains("6 of 200"))
    let lowest = try navigation.cards.all().compactMap(\.retrievability).min()
    #expect(asked == asked.sorted() && asked.first.map { $0 <= (lowest ?? 0) + 1e-9 } == true)
  }
}
