import LearningModel
import CourseKit
import CoursePages
import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser

@MainActor @Suite struct ReviewScreenTests {
  private func fixture(
    _ columns: Int = 80, _ rows: Int = 24, symbols: Symbols = .unicode, colours: ColourDepth = .none
  ) throws -> BrowserFixture {
    try BrowserFixture(
      columns, rows, motion: .none, symbols: symbols, colours: colours, on: try ReviewHistory.twoMonths.get())
  }

  @Test(arguments: [(40, 12), (80, 24), (120, 36), (200, 60)])
  func `the tab shows the due cards by course, the forecast and the past`(columns: Int, rows: Int) throws {
    let fixture = try fixture(columns, rows)

    fixture.press("4", at: 1)

    expectSnapshot(fixture.text(at: 2), "\(columns) x \(rows)")
  }

  @Test func `in ASCII, the tab shows the same`() throws {
    let fixture = try fixture(120, 36, symbols: .ascii)

    fixture.press("4", at: 1)

    let text = fixture.text(at: 2)
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    expectSnapshot(text)
  }

  @Test func `in 16 colours, the text is that without colours`() throws {
    let (plain, coloured) = (try fixture(120, 36), try fixture(120, 36, colours: .ansi))

    plain.press("4", at: 1)
    coloured.press("4", at: 1)

    #expect(coloured.text(at: 2) == plain.text(at: 2))
  }

  @Test func `without cards, the tab shows how cards are added, and n adds those of the next lesson`() throws {
    let fixture = try BrowserFixture(motion: .none)

    fixture.press("4", at: 1)

    expectSnapshot(fixture.text(at: 2))
    fixture.press("1", at: 3)
    #expect(fixture.browser.openPages.tabs.selectedIndex == 0)
    fixture.press("4", at: 4)
    fixture.press("n", at: 5)
    #expect(try fixture.browser.context.navigation.reviews.overview().total.today > 0)
  }

  @Test(arguments: [(40, 12), (80, 24), (120, 36)])
  func `the arrow keys select a course, and then a chart, which is shown in full`(columns: Int, rows: Int) throws {
    let fixture = try fixture(columns, rows)
    let review = try #require(fixture.browser.openPages.tabs.screens[3] as? ReviewScreen)
    fixture.press("4", at: 1)
    let titles = review.rows.map(\.place.title)

    for time in 2..<5 { fixture.press(.down, at: Double(time)) }

    #expect(titles == ["Courses", "English for Business", "Deck of words"])
    #expect(review.chosenEntry == .chart(.forecast))
    expectSnapshot(fixture.text(at: 5), "\(columns) x \(rows)")
    fixture.press(.end, at: 6)
    #expect(review.chosenEntry == .chart(.year))
    #expect(fixture.text(at: 7).contains(rows == 12 ? "The chart needs 3 more rows." : "Wed"))
    fixture.press(.home, at: 8)
    #expect(review.chosen == 0 && review.list.scroll == 0)
  }

  @Test func `a chart that does not fit shows how many rows it needs`() throws {
    let fixture = try fixture(40, 12)
    fixture.press("4", at: 1)
    for time in 2..<6 { fixture.press(.down, at: Double(time)) }
    let retention = fixture.text(at: 6)

    fixture.press(.down, at: 7)

    expectSnapshot(retention, "retention")
    expectSnapshot(fixture.text(at: 8), "year")
  }

  @Test func `a course that is not begun begins with its first lesson`() throws {
    let fixture = try BrowserFixture(120, 36, motion: .none)
    fixture.press("4", at: 1)
    fixture.press("n", at: 2)
    let navigation = fixture.browser.context.navigation
    _ = try fixture.browser.context.library.importCourse(
      named: "pile.json", bytes: Array(Self.pile.utf8), options: ImportOptions(replaces: true))
    fixture.press("1", at: 3)
    fixture.press("4", at: 4)
    let row = fixture.text(at: 5)
    let review = try #require(fixture.browser.openPages.review)
    for time in 0..<2 { fixture.press(.down, at: 6 + Double(time)) }

    fixture.press(" ", at: 9)

    #expect(row.contains("not begun, 2 cards"), "\(row)")
    #expect(review.session?.card?.place.title == "Pairs")
    #expect(try navigation.reviews.overview(of: "pile").total.today == 2)
  }

  private static let pile = """
    {"waymark": 1, "course": {"key": "pile", "title": "Pile", "children": [{"key": "words", "title": "Words",
      "children": [{"key": "first", "title": "First words", "children": [
        {"key": "pairs", "title": "Pairs", "flashcards": [
          {"front": "a", "back": "b"}, {"front": "c", "back": "d"}]}]}]}]}}
    """

  @Test func `the name of the tab and the list of courses show the cards that are due`() throws {
    let fixture = try fixture(120, 36)
    let due = try fixture.browser.context.navigation.reviews.overview()
    #expect(due.total.today > 0)

    fixture.press("4", at: 1)
    let tab = fixture.text(at: 2)
    fixture.press("1", at: 3)
    fixture.browser.navigator.go(to: .root)

    #expect(tab.contains("[4 Review \(due.total.today)]"), "\(tab)")
    let courses = fixture.text(at: 5)
    #expect(courses.contains("\(due.courses[0].today) due"), "\(courses)")
  }

  @Test func `the name of the tab shows the due cards after any change of the database`() throws {
    let fixture = try fixture(120, 36)
    let navigation = fixture.browser.context.navigation
    func shown() throws -> Bool {
      fixture.browser.context.showFooter()
      let row = fixture.text(at: 1).split(separator: "\n").last ?? ""
      return row.hasSuffix("Review \(try navigation.reviews.overview().total.today)")
    }
    let before = try navigation.reviews.overview().total.today
    #expect(try shown())

    // None of these changes passes through a screen.
    try navigation.reviews.answer(try #require(try navigation.reviews.nextCard()).id, .easy)
    #expect(try shown())
    let lesson = try #require(try navigation.reviews.nextLesson()).lesson.path
    let deck = try #require(try navigation.cards.all(in: .path(lesson)).first).place.place
    try navigation.progress.save(
      ReadingPosition(block: 1, fraction: 0, heading: nil, savedAt: fixture.browser.context.now), in: deck)
    try navigation.progress.record(.cardGraded(card: 0, of: 10, isKnown: true), in: .place(deck))
    #expect(try shown())
    try navigation.reviews.set(ReviewSettingsChange(newCards: 3, reviews: 5))
    #expect(try shown())
    #expect(try navigation.reviews.overview().total.today < before)
  }

  @Test func `Esc closes the tab`() throws {
    let fixture = try fixture()
    fixture.press("4", at: 1)

    fixture.press(.escape, at: 2)

    #expect(fixture.browser.openPages.tabs.selectedIndex == 0)
  }
}
