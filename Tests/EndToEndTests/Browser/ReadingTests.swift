import Foundation
import TerminalHarness
import Testing

/// Reading a text: turning pages, positions, progress, links and code.
@Suite struct ReadingTests {
  private static let lesson = "english-for-business/negotiating/opening-offers"
  private static let text = lesson + "/who-speaks-first"

  private func open(
    _ place: String? = nil, in home: HomeFixture? = nil, columns: Int = 80, rows: Int = 24, rate: Int? = nil
  ) throws -> BrowserSession {
    let sitting = try BrowserSession(
      in: home ?? .withBundledCourse(), place.map { [$0] } ?? [], columns: columns, rows: rows)
    sitting.terminal.readRate = rate
    return sitting
  }

  @Test func `turning pages updates the position and the remaining time`() throws {
    let sitting = try open(Self.text)
    sitting.expect(ExpectedScreens.reading)

    sitting.type(" ")
    sitting.expect("   Courses › … › Negotiating › Opening offers                 activity 2 of 4")
    // Turning a page does not count as reading: the progress depends on the time before the key.
    try sitting.terminal.waitUntil("scrolled", within: BrowserSession.timeout) {
      sitting.rows[1].wholeMatch(of: #/   Who speaks first\? +(\d % read, )?\d min( left)?/#) != nil
    }
    sitting.expect("   n  Next: Anchors and ranges                                         ↓ more", from: 23)
    sitting.type("b")
    sitting.expect(ExpectedScreens.reading.rows(1...2))
    sitting.press(.end, .left)
    sitting.expect(" │ ◐ Who speaks first?                                reading           6 min │", from: 9)
    try sitting.quit()
  }

  @Test func `the reading position survives quitting, resizing and a kill`() throws {
    let home = try HomeFixture.withBundledCourse()
    var sitting = try open(Self.text, in: home)
    try sitting.waitForPage("Who speaks first?")
    sitting.type("  ")
    try sitting.wait(for: "% read")
    // Longer than the delay after which the position is stored.
    try sitting.terminal.waitUntilQuiet(for: 1.6)
    let words = Array(sitting.rows[3..<20])

    // A kill after that delay loses nothing.
    sitting.terminal.signal(SIGKILL)
    _ = try sitting.terminal.waitForExit(within: BrowserSession.timeout)
    sitting = try open(in: home)
    sitting.expect(words.joined(separator: "\n"), from: 4)

    sitting.terminal.resize(columns: 40, rows: 12)
    try sitting.settle()
    sitting.terminal.resize(columns: 80, rows: 24)
    sitting.expect(words.joined(separator: "\n"), from: 4)
    sitting.press(.left)
    try sitting.waitForPage("Opening offers")
    sitting.press(.enter)
    sitting.expect(words.joined(separator: "\n"), from: 4)
    try sitting.quit()

    sitting = try open(in: home)
    sitting.expect(words.joined(separator: "\n"), from: 4)
    try sitting.quit()
  }

  @Test func `a text that was visible long enough is done, and the x key undoes this`() throws {
    let home = try HomeFixture()
    #expect(try home.waymark("import", home.writeCourse()).code == 0)
    let sitting = try open("small/one/first/second", in: home)

    try sitting.wait(for: "All read: done. x takes it back.")
    sitting.expect("   Second                                                              ✓ done", from: 3)
    sitting.type("x")
    try sitting.terminal.waitUntil("undone", within: BrowserSession.timeout) { !sitting.rows[2].contains("done") }
    // Longer than the time after which the text was done before.
    sitting.terminal.pump(for: 1)

    #expect(!sitting.rows[2].contains("done"), "all of it is in view, and it is not done again behind one's back")
    sitting.press(.left)
    sitting.expect("   First                                                          0 of 2 done", from: 3)
    try sitting.quit()
  }

  @Test(arguments: [nil, 64_000])
  func `one key leads through a lesson to its cards without counting as reading`(rate: Int?) throws {
    let sitting = try open(Self.lesson + "/read-the-brief", rate: rate)
    try sitting.waitForPage("Read the brief")

    var presses = 0
    while !sitting.rows.prefix(3).contains(where: { $0.contains("Anchors and ranges") }), presses < 30 {
      presses += 1
      sitting.type(" ")
      try sitting.settle()
    }

    try sitting.waitForPage("Anchors and ranges")
    sitting.press(.left)
    sitting.expect("   Opening offers                                                 0 of 4 done", from: 3)
    sitting.expect("   ◐ Read the brief                                   reading           5 min", from: 7)
    sitting.expect("   ◐ Who speaks first?                                reading           6 min", from: 8)
    try sitting.quit()
  }

  @Test func `a link leads to another place, and the y key copies the current path`() throws {
    let sitting = try open(Self.text)
    sitting.expect(ExpectedScreens.reading)

    sitting.press(.end)
    try sitting.wait(for: "Tab link")
    sitting.press(.tab)
    sitting.expect("   ↵  Go to “Anchors and ranges”                         flashcards, 12 cards", from: 23)
    sitting.press(.enter)
    try sitting.waitForPage("Anchors and ranges")
    sitting.type("y")
    try sitting.wait(for: "Copied the path of this place:")
    #expect(try Self.clipboard(of: sitting) == Self.lesson + "/anchors-and-ranges")
    sitting.type("H")
    try sitting.waitForPage("Who speaks first?")
    try sitting.quit()
  }

  @Test func `the y key copies the visible code or the address of a selected link`() throws {
    let home = try HomeFixture()
    try home.writeCourse()
    try home.write(
      """
      ---
      title: Code
      ---
      See [a site](https://example.org/somewhere).

      ```swift
      let answer = 42
      ```

      | a | b |
      |---|--:|
      | short | 1 |
      """, to: "course/01-one/01-first/03-code.md")
    #expect(try home.waymark("import", home.path("course")).code == 0)
    let sitting = try open("small/one/first/code", in: home)
    sitting.expect(
      """
         See a site.

         │ let answer = 42                                                    Swift

         a       b
         ─────────
         short   1
      """, from: 7)

    sitting.type("y")
    try sitting.wait(for: "Copied the code: let answer = 42")
    #expect(try Self.clipboard(of: sitting) == "let answer = 42")
    sitting.press(.tab)
    sitting.expect("   ↵  Open https://example.org/somewhere              leads out of the course", from: 23)
    sitting.type("y")
    try sitting.wait(for: "Copied the address: https://example.org/somewhere")
    #expect(try Self.clipboard(of: sitting) == "https://example.org/somewhere")
    try sitting.quit()
  }

  /// Returns the text that was last put on the terminal's clipboard.
  ///
  /// Source: xterm, Control Sequences, OSC 52.
  private static func clipboard(of sitting: BrowserSession) throws -> String {
    let output = String(decoding: sitting.terminal.output, as: UTF8.self)
    let copy = try #require(output.components(separatedBy: "\u{1B}]52;c;").dropFirst().last)
    let base64 = copy.prefix { $0 != "\u{1B}" && $0 != "\u{07}" }
    return String(decoding: try #require(Data(base64Encoded: String(base64))), as: UTF8.self)
  }
}
