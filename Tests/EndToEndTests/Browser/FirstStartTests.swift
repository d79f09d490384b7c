import Foundation
import TerminalHarness
import Testing

/// The first start of `waymark` in an empty home folder.
@Suite struct FirstStartTests {
  @Test func `the first start offers the bundled course`() throws {
    let session = try BrowserSession(in: HomeFixture())

    session.expect(
      """
         Waymark                                                                ada

         Welcome
         No courses yet. Select how to start.
       ──────────────────────────────────────────────────────────────────────────────
       ╭────────────────────────────────────────────────────────────────────────────╮
       │ English for Business                                   52 activities   5 h │
       │ The bundled course. Opens at once.                                         │
       ╰────────────────────────────────────────────────────────────────────────────╯
      """.rows(2...9), from: 2)
    #expect(session.rows[0] == "   Waymark                                                                ada")
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
    try session.wait(for: "% read")
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

  /// Expects the page of a lesson that has begun, except for the progress and the remaining time, which depend on the
  /// reading time.
  private func expectLessonBegun(_ session: BrowserSession) {
    session.expect(ExpectedScreens.lessonBegun.rows(1...3))
    session.expect(ExpectedScreens.lessonBegun.rows(5...9), from: 5)
    session.expect(ExpectedScreens.lessonBegun.rows(12...22), from: 12)
    #expect(
      session.rows[9].wholeMatch(of: #/ │   You stopped at “The case for waiting”\. +\d+ % read │/#) != nil,
      "\(session.rows[9])")
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
