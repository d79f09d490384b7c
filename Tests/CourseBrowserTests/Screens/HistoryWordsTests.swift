import LearningModel
import NavigationKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// The texts of History and their layout.
@MainActor @Suite struct HistoryWordsTests {
  @Test func `the selected step describes how the learner came to the place`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    fixture.press(.down, at: 1)
    fixture.press(.enter, at: 2)
    fixture.press(.left, at: 3)
    fixture.press("3", at: 4)

    expectSnapshot(fixture.text(at: 5))
  }

  @Test func `in a small terminal, the selected step has a marker`() throws {
    let fixture = try BrowserFixture(40, 12, opening: "english-for-business")
    fixture.press(.down, at: 1)
    fixture.press(.enter, at: 2)
    fixture.press(.enter, at: 3)
    fixture.press("3", at: 4)
    fixture.press(.up, at: 5)

    expectSnapshot(fixture.text(at: 6))
  }

  @Test func `a long title takes precedence over the current position and is truncated`() throws {
    let fixture = try BrowserFixture(40, 12, opening: "english-for-business/meetings/opening/small-talk-small-cards")
    fixture.press("3", at: 1)

    expectSnapshot(fixture.text(at: 2))
  }

  @Test func `the bars of the week use the available width, and today is highlighted`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    var week = HistoryWeek()
    let bars = ["▃", "█", " ", " ", "▁", " ", " "]
    week.days = zip(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"], bars).map {
      HistoryWeek.Day(name: $0, bar: $1, isToday: $0 == "Fri")
    }
    let theme = fixture.browser.appearance.theme

    let rows = [70, 61, 54, 50, 30, 20].map { week.row(width: $0, theme: theme) }

    expectSnapshot(rows.map(\.text))
    #expect(
      rows[0].runs.filter { $0.style == theme[.strong] && $0.text.first?.isLetter == true }.map(\.text) == ["Fri"])
  }

  @Test func `a place at which a session only resumed is neither listed nor counted`() {
    let rows = [
      Self.row(1, in: 1, 1, .resume, .system, stay: 0), Self.row(2, in: 1, 2, .open, .shell, stay: 5000),
      Self.row(3, in: 2, 1, .resume, .system, stay: 0),
      Self.row(4, in: 3, 1, .resume, .system, stay: 0), Self.row(5, in: 3, 2, .push, .key, stay: 0),
      Self.row(6, in: 4, 1, .resume, .system, stay: 60_000),
      Self.row(7, in: 5, 1, .resume, .system, stay: nil),
    ]

    #expect(rows.withoutUnattendedVisits().map(\.id) == [2, 4, 5, 6, 7])
    #expect(Array(rows.reversed()).withoutUnattendedVisits().map(\.id) == [7, 6, 5, 4, 2])
  }

  private static func row(
    _ id: Int64, in session: Int64, _ sequence: Int, _ operation: NavigationOperation, _ cause: NavigationCause,
    stay: Int64?
  ) -> HistoryRow {
    let at = Timestamp(milliseconds: id * 100_000)
    return HistoryRow(
      id: id, uuid: "", learner: "ada", session: session, sequence: sequence, operation: operation, isAnimated: false,
      cause: cause, transition: nil, from: nil, to: .root, stack: [.root], at: at,
      leftAt: stay.map { Timestamp(milliseconds: at.milliseconds + $0) }, activeTime: stay.map { .milliseconds($0) })
  }
}
