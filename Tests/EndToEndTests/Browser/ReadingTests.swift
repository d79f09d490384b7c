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
    let session = try BrowserSession(
      in: home ?? .withBundledCourse(), place.map { [$0] } ?? [], columns: columns, rows: rows)
    session.terminal.readRate = rate
    return session
  }

  @Test func `turning pages updates the position and the remaining time`() throws {
    let session = try open(Self.text)
    session.expect(ExpectedScreens.reading)

    session.type(" ")
    session.expect("   Courses › … › Negotiating › Opening offers                 activity 2 of 4")
    // Turning a page does not count as reading: the progress depends on the time before the key.
    try session.terminal.waitUntil("scrolled", within: BrowserSession.timeout) {
      session.rows[1].wholeMatch(of: #/   Who speaks first\? +(\d % read, )?\d min( left)?/#) != nil
    }
    session.expect("   n  Next: Anchors and ranges                                         ↓ more", from: 23)
    session.type("b")
    session.expect(ExpectedScreens.reading.rows(1...2))
    session.press(.end, .left)
    try session.expect(row: 9, #/ │ [·◐] Who speaks first\? +reading +(\d %  )?6 min │/#)
    try session.quit()
  }

  @Test func `the reading position survives quitting, resizing and a kill`() throws {
    let home = try HomeFixture.withBundledCourse()
    var session = try open(Self.text, in: home)
    try session.waitForPage("Who speaks first?")
    session.type("  ")
    try session.wait(for: " min left")
    // Longer than the delay after which the position is stored.
    try session.terminal.waitUntilQuiet(for: 1.6)
    let visibleRows = Array(session.rows[3..<20])

    // A kill after that delay loses nothing.
    session.terminal.signal(SIGKILL)
    _ = try session.terminal.waitForExit(within: BrowserSession.timeout)
    session = try open(in: home)
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

    session = try open(in: home)
    session.expect(visibleRows.joined(separator: "\n"), from: 4)
    try session.quit()
  }

  @Test func `a text that was visible long enough is done, and the x key undoes this`() throws {
    let home = try HomeFixture()
    #expect(try home.waymark("import", home.writeCourse()).code == 0)
    let session = try open("small/one/first/second", in: home)

    try session.wait(for: "Text read: marked as done. x undoes it.")
    session.expect("   Second                                                              ✓ done", from: 3)
    session.type("x")
    try session.terminal.waitUntil("undone", within: BrowserSession.timeout) { !session.rows[2].contains("done") }
    // This is longer than the text took to become done the first time.
    session.terminal.pump(for: 1)

    #expect(!session.rows[2].contains("done"), "the text is fully visible, but is not marked as done again")
    session.press(.left)
    session.expect("   First                                                          0 of 2 done", from: 3)
    try session.quit()
  }

  @Test(arguments: [nil, 64_000])
  func `one key leads through a lesson to its cards without counting as reading`(rate: Int?) throws {
    let session = try open(Self.lesson + "/read-the-brief", rate: rate)
    try session.waitForPage("Read the brief")

    var presses = 0
    while !session.rows.prefix(3).contains(where: { $0.contains("Anchors and ranges") }), presses < 30 {
      presses += 1
      session.type(" ")
      try session.settle()
    }

    try session.waitForPage("Anchors and ranges")
    session.press(.left)
    session.expect("   Opening offers                                                 0 of 4 done", from: 3)
    // The share depends on the time before each key.
    try session.expect(row: 7, #/   ◐ Read the brief +reading +(\d+ %  )?\d min/#)
    try session.expect(row: 8, #/   ◐ Who speaks first\? +reading +(\d+ %  )?\d min/#)
    try session.quit()
  }

  @Test func `a link leads to another place, and the y key copies the current path`() throws {
    let session = try open(Self.text)
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
    let session = try open("small/one/first/code", in: home)
    session.expect(
      """
         See a site.

         │ let answer = 42                                                    Swift

         a       b
         ─────────
         short   1
      """, from: 7)

    session.type("y")
    try session.wait(for: "Copied the code: let answer = 42")
    #expect(try Self.clipboard(of: session) == "let answer = 42")
    session.press(.tab)
    session.expect("   ↵  Open https://example.org/somewhere                   outside the course", from: 23)
    session.type("y")
    try session.wait(for: "Copied the address: https://example.org/somewhere")
    #expect(try Self.clipboard(of: session) == "https://example.org/somewhere")
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

extension BrowserSession {
  /// Waits until a row of the screen, counted from 1, matches a pattern.
  fileprivate func expect(row: Int, _ pattern: some RegexComponent) throws {
    try terminal.waitUntil("row \(row)", within: Self.timeout) { rows[row - 1].wholeMatch(of: pattern) != nil }
  }
}
