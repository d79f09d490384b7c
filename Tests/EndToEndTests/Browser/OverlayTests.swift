import Foundation
import TerminalHarness
import Testing

/// Overlays, gestures and settings of the browser.
@Suite struct OverlayTests {
  @Test func `overlays open help, info, bookmarks and paths`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), ["english-for-business"])
    try session.waitForPage("English for Business")

    session.type("?")
    try session.wait(for: "Select and open")
    session.type("q")
    try session.waitForPage("English for Business")
    session.type("jm")
    try session.wait(for: "Bookmarked “Negotiating”.")
    session.type("i")
    try session.wait(for: "english-for-business.json, waymark")
    session.type("i")
    try session.waitForPage("English for Business")
    session.type(":negotiating/cl\t\r")
    try session.waitForPage("Closing the deal")
    session.type("'")
    try session.wait(for: "Bookmarks")
    session.type("\r")
    try session.waitForPage("Negotiating ✦")
    try session.quit()

    let bookmarks = try session.home.waymark("bookmarks")
    #expect(bookmarks.output.contains("english-for-business/negotiating"))
    let causes = try session.home.waymark("history", "--format", "csv", "--limit", "1")
    #expect(causes.output.contains("bookmark"))
  }

  @Test func `a drag of the left edge pops the page, and a short drag is cancelled`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), ["english-for-business/negotiating/opening-offers"])
    try session.waitForPage("Opening offers")

    session.type("\u{1B}[<0;1;11M")
    for column in [20, 40, 60] { session.type("\u{1B}[<32;\(column);11M") }
    try session.settle()
    session.type("\u{1B}[<0;60;11m")
    try session.waitForPage("Negotiating")
    session.type("\u{1B}[<0;1;11M\u{1B}[<32;10;11M")
    try session.settle()
    session.type("\u{1B}[<0;10;11m")
    try session.settle()
    try session.waitForPage("Negotiating")
    try session.quit()

    let steps = try BrowserSession.steps(in: session.home)
    #expect(steps.map(\.operation) == ["resume", "open", "pop"])
  }

  @Test func `adding a course shows a preview before the import`() throws {
    let home = try HomeFixture.withBundledCourse()
    try home.write("[book]\ntitle = \"Maps\"\n", to: "maps/book.toml")
    try home.write("# Summary\n\n- [Hills](hills.md)\n", to: "maps/src/SUMMARY.md")
    try home.write("# Hills\n\nThe closer the lines, the steeper.\n", to: "maps/src/hills.md")
    let session = try BrowserSession(in: home, ["/"])
    try session.waitForPage("Courses")

    session.type("a")
    try session.wait(for: "a folder, a book, an archive")
    session.type("~/ma\t\r")
    try session.wait(for: "1 goal, 1 lesson, 1 activity")
    #expect(try !home.waymark("courses").output.contains("Maps"))
    session.type("\r")
    try session.wait(for: "Imported “Maps”")
    try session.quit()

    #expect(try home.waymark("courses").output.contains("Maps"))
  }

  @Test func `settings define symbols and keys, and a flag overrides them`() throws {
    let home = try HomeFixture.withBundledCourse()
    try home.write("symbols: ascii\nkeys:\n  quit: Z\n  find: q\n", to: ".config/waymark/config.yml")

    let session = try BrowserSession(in: home, ["english-for-business"])
    try session.waitForPage("English for Business")
    #expect(session.rows[5].hasPrefix(" +---"))
    #expect(session.rows[23].contains("q find"))
    session.type("Z")
    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))

    let flagged = try BrowserSession(in: home, ["english-for-business", "--symbols", "unicode"])
    try flagged.waitForPage("English for Business")
    #expect(flagged.rows[5].hasPrefix(" ╭───"))
    flagged.type("Z")
    #expect(try flagged.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))
  }

  @Test func `an error in the settings file is reported in a notice, and the default is used`() throws {
    let home = try HomeFixture.withBundledCourse()
    let file = try home.write("theme: dark\nmotion: slow\n", to: ".config/waymark/config.yml")

    let session = try BrowserSession(in: home, ["english-for-business"])
    // The path of the file determines where the lines are wrapped.
    var text: String { session.rows.joined().replacing(" ", with: "") }
    try session.terminal.waitUntil("the notice", within: BrowserSession.timeout) {
      text.contains("Untilthen,thedefaultisused.")
    }

    #expect(text.contains("Couldnotread'motion'at\(file.replacing(" ", with: "")):2:'slow'isnotavalidvalue."))
    try session.quit()
  }

  @Test func `a settings file that is not YAML is reported before anything is drawn`() throws {
    let home = try HomeFixture.withBundledCourse()
    let file = try home.write("theme: [dark\n", to: ".config/waymark/config.yml")

    let session = try BrowserSession(in: home, ["english-for-business"])
    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(65))
    #expect(session.output.replacing(" ", with: "").contains("Couldnotreadthesettingsat\(file):"))
    session.expectUntouched()
  }
}
