import Foundation
import TerminalHarness
import Testing

/// Reading a text: positions, links and the clipboard.
@Suite struct ReadingTests {
  private static let lesson = "english-for-business/negotiating/opening-offers"
  private static let text = lesson + "/who-speaks-first"

  @Test func `the reading position survives quitting, resizing and a kill`() throws {
    let home = try HomeFixture.withBundledCourse()
    var session = try BrowserSession(in: home, [Self.text])
    try session.waitForPage("Who speaks first?")
    session.type("  ")
    try session.wait(for: " min left")
    // Longer than the delay after which the position is stored.
    try session.terminal.waitUntilQuiet(for: 1.6)
    let visibleRows = Array(session.rows[3..<20])

    // A kill after that delay loses nothing.
    session.terminal.signal(SIGKILL)
    _ = try session.terminal.waitForExit(within: BrowserSession.timeout)
    session = try BrowserSession(in: home)
    session.expect(visibleRows.joined(separator: "\n"), from: 4)

    session.terminal.resize(columns: 40, rows: 12)
    try session.settle()
    session.terminal.resize(columns: 80, rows: 24)
    session.expect(visibleRows.joined(separator: "\n"), from: 4)
    session.press(.left)
    try session.waitForPage("Opening offers")
    session.press(.enter)
    session.expect(visibleRows.joined(separator: "\n"), from: 4)
    try session.quit()

    session = try BrowserSession(in: home)
    session.expect(visibleRows.joined(separator: "\n"), from: 4)
    try session.quit()
  }

  @Test func `a link leads to another place, and the y key copies the current path`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), [Self.text])
    session.expect(ExpectedScreens.reading)

    session.press(.end)
    try session.wait(for: "The cards in Anchors and ranges")
    session.press(.tab)
    session.expect("   ↵  Open “Anchors and ranges”                          flashcards, 12 cards", from: 23)
    session.press(.enter)
    try session.waitForPage("Anchors and ranges")
    session.type("y")
    try session.wait(for: "Copied the path of this place:")
    #expect(try Self.clipboard(of: session) == Self.lesson + "/anchors-and-ranges")
    session.type("H")
    try session.waitForPage("Who speaks first?")
    try session.quit()
  }

  /// Returns the text that was last put on the terminal's clipboard.
  ///
  /// Source: xterm, Control Sequences, OSC 52.
  private static func clipboard(of session: BrowserSession) throws -> String {
    let output = String(decoding: session.terminal.output, as: UTF8.self)
    let copy = try #require(output.components(separatedBy: "\u{1B}]52;c;").dropFirst().last)
    let base64 = copy.prefix { $0 != "\u{1B}" && $0 != "\u{07}" }
    return String(decoding: try #require(Data(base64Encoded: String(base64))), as: UTF8.self)
  }
}
