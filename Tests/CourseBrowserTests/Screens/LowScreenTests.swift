import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser

/// Screens in a low but wide terminal: rows are saved, and texts stay complete.
@MainActor @Suite struct LowScreenTests {
  private static let offers = "english-for-business/negotiating/opening-offers"

  @Test func `in a low and wide terminal, a list shows breadcrumb, time, tabs and next step`() throws {
    let fixture = try BrowserFixture(100, 12, opening: .text(Self.offers))

    expectSnapshot(fixture.text(at: 1))
    fixture.mouse(.press(.left), 75, 11, at: 2)
    #expect(fixture.browser.tabs.selectedIndex == 1)
  }

  @Test func `in a low and wide terminal, a text shows breadcrumb, progress and tabs`() throws {
    let fixture = try BrowserFixture(100, 12, opening: .text(Self.offers + "/who-speaks-first"))
    fixture.press(" ", at: 1)

    expectSnapshot(fixture.text(at: 2))
  }

  @Test func `in a terminal with few rows, the duration stays next to a moving title`() throws {
    let fixture = try BrowserFixture(100, 12, opening: .text(Self.offers))
    fixture.press(.enter, at: 1)

    expectSnapshot(fixture.text(at: 1.1))
  }

  @Test func `in a low and wide terminal, History shows the complete breadcrumb and the tabs`() throws {
    let fixture = try BrowserFixture(100, 12, opening: .text(Self.offers + "/read-the-brief"))
    fixture.press("x", at: 1)
    fixture.press(.left, at: 61)
    fixture.press("3", at: 62)

    expectSnapshot(fixture.text(at: 63))
  }
}
