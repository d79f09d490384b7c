import Foundation
import TerminalHarness
import Testing

/// The text of a search, which is neither stored nor able to block the browser.
@Suite struct SearchTests {
  @Test func `the text of a search is not stored`() throws {
    let home = try HomeFixture.withBundledCourse()
    let session = try BrowserSession(in: home, ["english-for-business/negotiating"])
    session.expect(ExpectedScreens.goal)

    session.type("/lift sentence\r")
    try session.waitForPage("The lift sentence")
    try session.quit()

    let tables = try home.run("/usr/bin/sqlite3", [home.database.path, ".dump"]).output
    #expect(!tables.lines.contains { $0.contains("'lift sentence'") })
  }

  @Test(arguments: ["2", ":", "a", "3/"])
  func `Ctrl-C is answered after more typed text than can wait`(opener: String) throws {
    let session = try BrowserSession(in: HomeFixture.withBundledCourse(), ["english-for-business"])
    try session.settle()
    session.type(opener)

    session.type(String(repeating: "anchor ", count: 30_000))
    session.type("\u{3}")

    #expect(try session.terminal.waitForExit() == .exited(0))
    session.expectRestored()
  }
}
