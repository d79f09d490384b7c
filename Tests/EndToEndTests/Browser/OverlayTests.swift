import Foundation
import TerminalHarness
import Testing

/// Mouse input and the settings file of the browser.
@Suite struct OverlayTests {
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
