import NavigationService
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

@MainActor @Suite struct HistoryScreenTests {
  @Test func `older steps are read at the end of the list, and a day says how many it had once all are there`() throws {
    let first = try BrowserFixture()
    try first.walk(9, at: "2026-11-17T09:00:00Z")
    try first.walk(6, at: "2026-11-18T09:00:00Z")
    let fixture = try BrowserFixture(after: first)
    let history = try #require(fixture.browser.tabs.screens[2] as? HistoryScreen)
    history.page = 10
    let days = {
      history.lines.compactMap { if case .day(let title, let summary) = $0 { "\(title): \(summary)" } else { nil } }
    }

    fixture.press("3", at: 1)
    let atFirst = days()
    fixture.press(.end, at: 2)
    let atEnd = days()
    fixture.press(.end, at: 3)

    #expect(
      atFirst == ["Friday 20 November: 0 s, 1 step", "Wednesday 18 November: 0 s, 6 steps", "Tuesday 17 November: "])
    // The first browser had been opened before both walks, so its step is an older one.
    #expect(
      atEnd == [
        "Friday 20 November: 0 s, 2 steps", "Wednesday 18 November: 0 s, 6 steps",
        "Tuesday 17 November: 0 s, 10 steps",
      ])
    #expect(days() == atEnd)
  }
}
