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

  @Test func `the arrow keys select a course, and then scroll the drawings`() throws {
    let fixture = try fixture()
    let review = try #require(fixture.browser.openPages.tabs.screens[3] as? ReviewScreen)
    fixture.press("4", at: 1)
    let titles = review.rows.map(\.place.title)

    for time in 2..<5 { fixture.press(.down, at: Double(time)) }

    #expect(titles == ["Courses", "English for Business", "Deck of words"])
    #expect(review.chosen == 2 && review.list.scroll == 1)
    fixture.press(.end, at: 5)
    let end = fixture.text(at: 6)
    #expect(end.contains("Remembered by month"))
    expectSnapshot(end)
    fixture.press(.home, at: 7)
    #expect(review.chosen == 0 && review.list.scroll == 0)
  }

  @Test func `Esc closes the tab`() throws {
    let fixture = try fixture()
    fixture.press("4", at: 1)

    fixture.press(.escape, at: 2)

    #expect(fixture.browser.openPages.tabs.selectedIndex == 0)
  }
}
