import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser

/// Screens in a terminal that is low but wide, as where several lie above each other: rows are spared, and no words.
@MainActor @Suite struct LowScreenTests {
  private static let offers = "english-for-business/negotiating/opening-offers"

  @Test func `a low and wide list has its trail, its time, the tabs, and why to go on`() throws {
    let fixture = try BrowserFixture(100, 12, opening: .text(Self.offers))

    expectSnapshot(fixture.text(at: 1))
    fixture.mouse(.press(.left), 84, 11, at: 2)
    #expect(fixture.browser.tabs.selectedIndex == 1)
  }

  @Test func `so has what is read there`() throws {
    let fixture = try BrowserFixture(100, 12, opening: .text(Self.offers + "/who-speaks-first"))
    fixture.press(" ", at: 1)

    expectSnapshot(fixture.text(at: 2))
  }

  @Test func `the numbers stand beside the title on its way too`() throws {
    let fixture = try BrowserFixture(100, 12, opening: .text(Self.offers))
    fixture.press(.enter, at: 1)

    expectSnapshot(fixture.text(at: 1.1))
  }

  @Test func `the history has its whole trail, and the tabs`() throws {
    let fixture = try BrowserFixture(100, 12, opening: .text(Self.offers + "/read-the-brief"))
    fixture.press("x", at: 1)
    fixture.press(.left, at: 61)
    fixture.press("3", at: 62)

    expectSnapshot(fixture.text(at: 63))
  }
}
