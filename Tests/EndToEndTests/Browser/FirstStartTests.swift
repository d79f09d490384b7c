import Foundation
import TerminalHarness
import Testing

/// The first start of `waymark` in an empty home folder.
@Suite struct FirstStartTests {
  @Test func `the first start offers the bundled course`() throws {
    let session = try BrowserSession(in: HomeFixture())

    session.expect(
      """
         Waymark                                                        learner ada

         Welcome
         No courses yet. Select how to start.
       ──────────────────────────────────────────────────────────────────────────────
       ╭────────────────────────────────────────────────────────────────────────────╮
       │ English for Business                                 52 activities  4 h 40 │
       │ The bundled course. Opens immediately.                                     │
       ╰────────────────────────────────────────────────────────────────────────────╯
      """.rows(2...9), from: 2)
    #expect(session.rows[0] == "   Waymark                                                        learner ada")
    #expect(session.rows[22] == "   Saved in ~/.local/share/waymark/waymark.sqlite, readable only by you.")
    try session.quit()
  }

  @Test func `the browser opens four levels deep and resumes at the same text`() throws {
    let home = try HomeFixture()
    var session = try BrowserSession(in: home)
    try session.wait(for: "The bundled course.")
    try session.settle()

    session.press(.enter)
    session.expect(ExpectedScreens.course)
    session.press(.down)
    session.press(.enter)
    session.expect(ExpectedScreens.goal)
    session.press(.down)
    session.press(.right)
    session.expect(ExpectedScreens.lesson)
    session.press(.down, .enter)
    session.expect(ExpectedScreens.reading)
    session.type(" ")
    try session.wait(for: " min left")
    try session.settle()
    let text = Array(session.rows[3..<22])
    try session.quit()

    session = try BrowserSession(in: home)
    session.expect(text.joined(separator: "\n"), from: 4)
    session.press(.escape)
    expectLessonBegun(session)
    try session.quit()

    session = try BrowserSession(in: home)
    expectLessonBegun(session)
    try session.quit()
  }

  /// Expects the page of a lesson that has begun. The progress and the remaining time depend on the reading time, so
  /// their values are not compared.
  private func expectLessonBegun(_ session: BrowserSession) {
    // The widths of the columns depend on the progress too.
    func comparable(_ rows: some Sequence<String>) -> [String] {
      rows.map { row in
        row.replacing(/\d+ %/, with: "N %").replacing(/\d+ min/, with: "N min").replacing(#/ +/#, with: " ")
          .replacing(/[━─]+/, with: "─").replacing(/[0-2]\d:[0-5]\d|HH:MM/, with: "TIME")
      }
    }
    let expected = comparable(
      ExpectedScreens.lessonBegun.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    let isShown = { comparable(session.rows).prefix(expected.count) == expected[...] }
    try? session.terminal.waitUntil("the lesson", within: BrowserSession.timeout, isShown)
    #expect(comparable(session.rows).prefix(expected.count) == expected[...])
  }

  @Test func `the database is created for its owner only`() throws {
    let home = try HomeFixture()
    let session = try BrowserSession(in: home)
    try session.wait(for: "Welcome")

    try session.quit()

    let mode = try home.run("/usr/bin/stat", ["-c", "%a", home.database.path]).output
    #expect(mode == "600\n")
  }
}

extension String {
  /// Returns rows of a screen, counted from 1.
  func rows(_ range: ClosedRange<Int>) -> String {
    let rows = split(separator: "\n", omittingEmptySubsequences: false)
    return rows[(range.lowerBound - 1)..<range.upperBound].joined(separator: "\n")
  }
}
