import Foundation
import TerminalHarness
import Testing

/// Overlays, gestures and settings of the browser.
@Suite struct OverlayTests {
  @Test func `overlays open help, info, bookmarks and paths`() throws {
    let sitting = try BrowserSession(in: .withBundledCourse(), ["english-for-business"])
    try sitting.waitForPage("English for Business")

    sitting.type("?")
    try sitting.wait(for: "Read and do")
    sitting.type("q")
    try sitting.waitForPage("English for Business")
    sitting.type("jm")
    try sitting.wait(for: "Marked “Negotiating”.")
    sitting.type("i")
    try sitting.wait(for: "english-for-business.json, waymark")
    sitting.type("i")
    try sitting.waitForPage("English for Business")
    sitting.type(":negotiating/cl\t\r")
    try sitting.waitForPage("Closing the deal")
    sitting.type("'")
    try sitting.wait(for: "Marked")
    sitting.type("\r")
    try sitting.waitForPage("Negotiating ✦")
    try sitting.quit()

    let marks = try sitting.home.waymark("bookmarks")
    #expect(marks.output.contains("english-for-business/negotiating"))
    let causes = try sitting.home.waymark("history", "--format", "csv", "--limit", "1")
    #expect(causes.output.contains("bookmark"))
  }

  @Test func `a drag of the left edge pops the page, and a short drag is cancelled`() throws {
    let sitting = try BrowserSession(in: .withBundledCourse(), ["english-for-business/negotiating/opening-offers"])
    try sitting.waitForPage("Opening offers")

    sitting.type("\u{1B}[<0;1;11M")
    for column in [20, 40, 60] { sitting.type("\u{1B}[<32;\(column);11M") }
    try sitting.settle()
    sitting.type("\u{1B}[<0;60;11m")
    try sitting.waitForPage("Negotiating")
    sitting.type("\u{1B}[<0;1;11M\u{1B}[<32;10;11M")
    try sitting.settle()
    sitting.type("\u{1B}[<0;10;11m")
    try sitting.settle()
    try sitting.waitForPage("Negotiating")
    try sitting.quit()

    let steps = try BrowserSession.steps(in: sitting.home)
    #expect(steps.map(\.operation) == ["resume", "open", "pop"])
  }

  @Test func `adding a course shows a preview before the import`() throws {
    let home = try HomeFixture.withBundledCourse()
    try home.write("[book]\ntitle = \"Maps\"\n", to: "maps/book.toml")
    try home.write("# Summary\n\n- [Hills](hills.md)\n", to: "maps/src/SUMMARY.md")
    try home.write("# Hills\n\nThe closer the lines, the steeper.\n", to: "maps/src/hills.md")
    let sitting = try BrowserSession(in: home, ["/"])
    try sitting.waitForPage("Courses")

    sitting.type("a")
    try sitting.wait(for: "a folder, a book, an archive")
    sitting.type("~/ma\t\r")
    try sitting.wait(for: "1 goal, 1 lesson, 1 activity")
    #expect(try !home.waymark("courses").output.contains("Maps"))
    sitting.type("\r")
    try sitting.wait(for: "“Maps” is here")
    try sitting.quit()

    #expect(try home.waymark("courses").output.contains("Maps"))
  }

  @Test func `settings define symbols and keys, and a flag overrides them`() throws {
    let home = try HomeFixture.withBundledCourse()
    try home.write("symbols: ascii\nkeys:\n  quit: Z\n  find: q\n", to: ".config/waymark/config.yml")

    let sitting = try BrowserSession(in: home, ["english-for-business"])
    try sitting.waitForPage("English for Business")
    #expect(sitting.rows[5].hasPrefix(" +---"))
    #expect(sitting.rows[23].contains("q find"))
    sitting.type("Z")
    #expect(try sitting.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))

    let flagged = try BrowserSession(in: home, ["english-for-business", "--symbols", "unicode"])
    try flagged.waitForPage("English for Business")
    #expect(flagged.rows[5].hasPrefix(" ╭───"))
    flagged.type("Z")
    #expect(try flagged.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))
  }

  @Test func `an error in the settings file is reported before anything is drawn`() throws {
    let home = try HomeFixture.withBundledCourse()
    let file = try home.write("theme: dark\nmotion: slow\n", to: ".config/waymark/config.yml")

    let sitting = try BrowserSession(in: home, ["english-for-business"])
    #expect(try sitting.terminal.waitForExit(within: BrowserSession.timeout) == .exited(65))
    #expect(
      sitting.output.replacing(" ", with: "").contains(
        "Couldnotread'motion'at\(file):2:'slow'isnotwhatitcanbe.Writeoneoffull,reduced,none."))
    sitting.expectUntouched()
  }
}
