import Foundation
import TerminalHarness
import Testing

/// The first start of `waymark` in an empty home folder.
@Suite struct FirstStartTests {
  @Test func `the first start offers the bundled course`() throws {
    let sitting = try BrowserSession(in: HomeFixture())

    sitting.expect(
      """
         Waymark                                                                ada

         Welcome
         There is no course here yet. Choose how to begin.
       ──────────────────────────────────────────────────────────────────────────────
       ╭────────────────────────────────────────────────────────────────────────────╮
       │ English for Business                                4 goals, 52 activities │
       │ The course that comes with Waymark. Opens at once.               about 5 h │
       ╰────────────────────────────────────────────────────────────────────────────╯
      """.rows(2...9), from: 2)
    #expect(sitting.rows[0] == "   Waymark                                                                ada")
    #expect(sitting.rows[22] == "   Kept in ~/.local/share/waymark/waymark.sqlite, readable only by you.")
    try sitting.quit()
  }

  @Test func `the browser opens four levels deep and resumes at the same text`() throws {
    let home = try HomeFixture()
    var sitting = try BrowserSession(in: home)
    try sitting.wait(for: "The course that comes with Waymark.")
    try sitting.settle()

    sitting.press(.enter)
    sitting.expect(ExpectedScreens.course)
    sitting.press(.down)
    sitting.press(.enter)
    sitting.expect(ExpectedScreens.goal)
    sitting.press(.down)
    sitting.press(.right)
    sitting.expect(ExpectedScreens.lesson)
    sitting.press(.down, .enter)
    sitting.expect(ExpectedScreens.reading)
    sitting.type(" ")
    try sitting.wait(for: "% read")
    try sitting.settle()
    let text = Array(sitting.rows[3..<22])
    try sitting.quit()

    sitting = try BrowserSession(in: home)
    sitting.expect(text.joined(separator: "\n"), from: 4)
    sitting.press(.escape)
    expectLessonBegun(sitting)
    try sitting.quit()

    sitting = try BrowserSession(in: home)
    expectLessonBegun(sitting)
    try sitting.quit()
  }

  /// Expects the page of a lesson that has begun, except for the progress, which depends on the reading time.
  private func expectLessonBegun(_ sitting: BrowserSession) {
    sitting.expect(ExpectedScreens.lessonBegun.rows(1...9))
    sitting.expect(ExpectedScreens.lessonBegun.rows(12...22), from: 12)
    #expect(
      sitting.rows[9].wholeMatch(of: #/ │   You stopped at “The case for waiting”\. +\d+ % read │/#) != nil,
      "\(sitting.rows[9])")
  }

  @Test func `the database is created for its owner only`() throws {
    let home = try HomeFixture()
    let sitting = try BrowserSession(in: home)
    try sitting.wait(for: "Welcome")

    try sitting.quit()

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
