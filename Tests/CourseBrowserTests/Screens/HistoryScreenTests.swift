import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser

@MainActor @Suite struct HistoryScreenTests {
  @Test func `older steps are loaded at the end of the list and counted by day`() throws {
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
    let initial = days()
    fixture.press(.end, at: 2)
    let atEnd = days()
    fixture.press(.end, at: 3)

    #expect(
      initial == ["Friday 20 November: 1 step", "Wednesday 18 November: 6 steps", "Tuesday 17 November: "])
    // The first browser was opened before both walks, so its step is older.
    #expect(
      atEnd == [
        "Friday 20 November: 2 steps", "Wednesday 18 November: 6 steps",
        "Tuesday 17 November: 10 steps",
      ])
    #expect(days() == atEnd)
  }

  @Test func `the selected step stays selected while earlier steps of its day are read`() throws {
    let first = try BrowserFixture()
    try first.walk(30, at: "2026-11-18T09:00:00Z")
    let fixture = try BrowserFixture(after: first)
    let history = try #require(fixture.browser.tabs.screens[2] as? HistoryScreen)
    history.page = 12
    let count = { history.lines.count { if case .step = $0 { true } else { false } } }

    fixture.press("3", at: 1)
    let initial = count()
    fixture.press(.end, at: 2)
    let (end, atEnd) = (fixture.screen(at: 3), count())
    fixture.press(.up, at: 4)
    let above = fixture.screen(at: 5)
    fixture.press(.down, at: 6)

    let (again, all) = (fixture.screen(at: 7), count())
    fixture.press(.down, at: 8)

    #expect([initial, atEnd, all] == [12, 24, 33])
    #expect(frame(end) == [17] && frame(above) == [16])
    #expect(frame(again) == [17])
    #expect(fixture.screen(at: 9) == again, "the list still ends with the same step")
  }

  @Test(arguments: [(80, 24, 6), (40, 12, 3)])
  func `returning to the first step of a day shows the heading of the day`(columns: Int, rows: Int, heading: Int) throws
  {
    let first = try BrowserFixture()
    try first.walk(30, at: "2026-11-18T09:00:00Z")
    let fixture = try BrowserFixture(columns, rows, after: first)
    fixture.press("3", at: 1)
    fixture.press(.end, at: 2)
    #expect(!fixture.screen(at: 3)[heading].contains("Friday 20 November"))
    fixture.press(.home, at: 4)

    #expect(fixture.screen(at: 5)[heading].contains("Friday 20 November"))
  }

  @Test func `the heading of the visible day is pinned`() throws {
    let first = try BrowserFixture()
    try first.walk(30, at: "2026-11-18T09:00:00Z")
    let fixture = try BrowserFixture(after: first)
    fixture.press("3", at: 1)
    for second in 2..<22 { fixture.press(.down, at: Double(second)) }

    expectSnapshot(fixture.text(at: 24))
  }

  @Test func `the selection stays below the pinned heading, which is not clickable`()
    throws
  {
    let first = try BrowserFixture()
    try first.walk(30, at: "2026-11-18T09:00:00Z")
    let fixture = try BrowserFixture(after: first)
    fixture.press("3", at: 1)
    for second in 2..<30 { fixture.press(.down, at: Double(second)) }
    for second in 30..<46 { fixture.press(.up, at: Double(second)) }
    let up = fixture.text(at: 50)
    fixture.mouse(.press(.left), 10, 5, at: 51)

    #expect(fixture.text(at: 52) == up)
    expectSnapshot(up)
  }

  private func frame(_ rows: [String]) -> [Int] { rows.indices.filter { rows[$0].hasPrefix(" ╭─") } }

  @Test func `words and filters take effect while they are typed, and weeks before the first step are empty`()
    throws
  {
    let fixture = try BrowserFixture(
      opening: "english-for-business/negotiating/opening-offers/make-the-first-offer")
    fixture.press(.left, at: 1)
    fixture.press("3", at: 2)
    let all = fixture.screen(at: 3)
    fixture.press(.left, at: 4)
    let before = fixture.screen(at: 5)
    fixture.press("/", at: 6)
    fixture.type("kind:quiz", at: 7)
    let quizzes = fixture.screen(at: 8)
    fixture.press(.escape, at: 9)

    #expect(before.contains { $0.contains("There is no earlier history.") })
    #expect(quizzes.contains { $0.contains("/ kind:quiz▎") && $0.contains(" 1 step") })
    #expect(quizzes.contains { $0.contains("●     Make the first offer") })
    #expect(!quizzes.contains { $0.contains("●     Opening offers") })
    #expect(fixture.screen(at: 10).dropLast(2) == all.dropLast(2))
  }

  @Test func `a filter selects quizzes with wrong answers, and Enter shows the attempt`() throws {
    let fixture = try BrowserFixture(
      opening: "english-for-business/negotiating/opening-offers/make-the-first-offer")
    fixture.type("1", at: 1)
    fixture.press(.enter, at: 2)
    for question in 2...5 {
      fixture.press(.enter, at: Double(question * 3))
      fixture.type("1", at: Double(question * 3 + 1))
      fixture.press(.enter, at: Double(question * 3 + 2))
    }
    fixture.press(.enter, at: 20)
    let result = fixture.screen(at: 21)
    fixture.press(.escape, at: 22)
    fixture.press("3", at: 23)
    fixture.press("f", at: 24)
    fixture.type("wrong", at: 25)
    fixture.press(.enter, at: 26)
    let rows = fixture.screen(at: 28)
    fixture.press(.up, at: 29)
    fixture.press(.enter, at: 30)
    let again = fixture.screen(at: 32)

    #expect(result.contains { $0.contains("of 5 right") }, "\(result.joined(separator: "\n"))")
    #expect(rows.contains { $0.contains("Only quizzes with wrong answers") }, "\(rows.joined(separator: "\n"))")
    #expect(rows.contains { $0.contains("Make the first offer") })
    #expect(again.contains { $0.contains("of 5 right, ") && $0.contains("3 needed to pass.") })
    #expect(again.contains { $0.contains("✗") })
  }

  @Test func `only jumps are drawn with a dotted line`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating/opening-offers")
    _ = fixture.screen(at: 0)
    fixture.press(.enter, at: 1)
    fixture.press(":", at: 2)
    fixture.type("english-for-business/writing/tone", at: 3)
    fixture.press(.enter, at: 4)
    fixture.press("3", at: 5)

    let graph = fixture.screen(at: 7).compactMap { row in
      row.firstRange(of: "10:00").map { String(row[$0.lowerBound...].prefix(27)) }
    }

    #expect(
      graph == ["10:00         ●        Open", "10:00         ╰──●     Read", "10:00         ●┄┄╯     Tone"])
  }

  @Test func `the arrow keys show the bars of other weeks`() throws {
    let first = try BrowserFixture()
    try first.walk(6, at: "2026-11-10T09:00:00Z")
    let fixture = try BrowserFixture(after: first)
    fixture.press("3", at: 1)
    let thisWeek = fixture.screen(at: 2)[3]
    fixture.press(.left, at: 3)
    let before = fixture.screen(at: 4)
    fixture.press(.right, at: 5)
    let again = fixture.screen(at: 6)[3]

    #expect(thisWeek != before[3])
    #expect(before.prefix(5).contains { $0.contains("from 9 November") })
    // The last step of that week is selected.
    #expect(before.contains { $0.contains("Tuesday 10 November") })
    #expect(again == thisWeek)
  }

  @Test func `on a day with several sessions, the newest step is selected`() throws {
    let first = try BrowserFixture()
    try first.walk(3, at: "2026-11-20T08:00:00Z")
    let fixture = try BrowserFixture(after: first)
    let history = try #require(fixture.browser.tabs.screens[2] as? HistoryScreen)

    fixture.press("3", at: 1)
    _ = fixture.screen(at: 2)

    let sessions = history.lines.count { if case .session = $0 { true } else { false } }
    let newest = history.lines.lastIndex { if case .step = $0 { true } else { false } }
    #expect(sessions > 1 && history.chosen == newest)
  }
}
