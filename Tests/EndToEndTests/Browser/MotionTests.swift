import Foundation
import TerminalHarness
import Testing

/// Transitions in the browser, as seen on the terminal.
@Suite struct MotionTests {
  private static let goal = "english-for-business/negotiating"

  /// Repeats an action until an intermediate frame is observed, since a busy machine may skip all of them.
  private func watch(
    _ sitting: BrowserSession, _ there: () -> Void, until isThere: @escaping () -> Bool, back: () throws -> Void,
    sees isOnItsWay: @escaping () -> Bool
  ) throws -> Bool {
    for _ in 0..<50 {
      var isSeen = false
      there()
      try sitting.terminal.waitUntil("the end of the motion", within: BrowserSession.timeout) {
        isSeen = isSeen || isOnItsWay()
        return isThere()
      }
      if isSeen { return true }
      try back()
    }
    return false
  }

  @Test func `tabs slide next to each other, and Tab cycles through them`() throws {
    let sitting = try BrowserSession(in: .withBundledCourse(), [Self.goal])
    sitting.expect(ExpectedScreens.goal)

    let slides = try watch(
      sitting, { sitting.type("3") }, until: { sitting.rows[2].hasPrefix("   History") },
      back: {
        sitting.type("1")
        sitting.expect(ExpectedScreens.goal)
      }, sees: { sitting.rows[2].contains(/[a-z].* {5,}Hist/) && !sitting.rows[2].hasPrefix("   History") })
    #expect(slides)
    sitting.expect("1 Learn  2 Find [3 History]", lastOf: 24)
    for (keys, tab) in [("\t", "[1 Learn]"), ("\u{1B}[Z", "[3 History]"), ("\u{1B}[Z", "[Find]")] {
      sitting.type(keys)
      try sitting.wait(for: tab)
    }
    // In the Find tab, Tab selects a kind, Shift-Tab a course, and Escape returns.
    sitting.type("\t")
    try sitting.wait(for: "in goals, best first")
    sitting.type("\u{1B}[Z")
    try sitting.wait(for: "in goals of English for Business ")
    sitting.press(.escape)
    sitting.expect(ExpectedScreens.goal)
    try sitting.quit()
  }

  @Test func `the bookmark and info keys refer to the selected step of the history`() throws {
    let sitting = try BrowserSession(in: .withBundledCourse(), [Self.goal])
    sitting.expect(ExpectedScreens.goal)
    sitting.press(.enter)
    try sitting.waitForPage("Preparing")
    sitting.type("3")
    try sitting.waitForPage("History")
    sitting.press(.up)
    try sitting.settle()
    sitting.type("i")
    try sitting.wait(for: "2 of 4 in English for Business")
    sitting.type("i")
    try sitting.waitForPage("History")
    sitting.type("m")
    try sitting.wait(for: "Marked “Negotiating”.")
    sitting.press(.enter)
    try sitting.waitForPage("Negotiating ✦")
    try sitting.quit()
  }

  @Test func `the v key switches between cards and rows`() throws {
    let sitting = try BrowserSession(in: .withBundledCourse(), [Self.goal])
    sitting.expect(ExpectedScreens.goal)

    sitting.type("v")
    sitting.expect(
      """

       ╭────────────────────────────────────────────────────────────────────────────╮
       │ · Preparing                                           0 of 4  about 20 min │
       │   What you want, what they want, and where you stop.                       │
       ╰────────────────────────────────────────────────────────────────────────────╯
         · Opening offers                                      0 of 4  about 25 min
         · Counter-offers                                      0 of 3  about 18 min
         · Closing the deal                                    0 of 3  about 17 min

      """, from: 6)
    sitting.type("vv")
    sitting.type("v")
    sitting.expect(ExpectedScreens.goal)
    try sitting.quit()
  }

  @Test func `a search result expands into its page`() throws {
    let sitting = try BrowserSession(in: .withBundledCourse(), ["english-for-business"])
    sitting.expect(ExpectedScreens.course)

    let opens = try watch(
      sitting,
      {
        sitting.type("/counter")
        try? sitting.wait(for: "counter▎    ")
        try? sitting.terminal.waitUntil("results", within: BrowserSession.timeout) {
          sitting.rows[2].contains("2 places")
        }
        sitting.press(.enter)
      }, until: { sitting.rows[2].hasPrefix("   Counter-offers") },
      back: {
        sitting.type("H")
        try sitting.waitForPage("English for Business")
      }, sees: { sitting.rows.contains { $0.hasPrefix("│  Counter-offers") } })
    #expect(opens)
    sitting.press(.left)
    try sitting.waitForPage("Negotiating")
    #expect(sitting.rows.contains { $0.hasPrefix(" │ Counter-offers") })
    try sitting.quit()
  }

  @Test func `a flashcard turns around its centre, and an answer is graded`() throws {
    let deck = "english-for-business/negotiating/opening-offers/anchors-and-ranges"
    let sitting = try BrowserSession(in: .withBundledCourse(), [deck])
    try sitting.waitForPage("Anchors and ranges")
    try sitting.settle()
    let front = sitting.rows
    let turns = try watch(
      sitting, { sitting.type(" ") },
      until: { sitting.rows[6...20] != front[6...20] && sitting.rows.contains { $0.hasPrefix(" ╭───") } },
      back: {
        // Space would grade the card if its back is visible.
        sitting.press(.enter)
        try sitting.terminal.waitUntil("the front", within: BrowserSession.timeout) { sitting.rows == front }
      }, sees: { sitting.rows[6...20].contains { $0.contains(/^ {4,}[╭╰│]/) } })
    #expect(turns)
    sitting.type("n")
    try sitting.waitForPage("Make the first offer")
    sitting.type("1\r")
    try sitting.wait(for: "right")
    #expect(sitting.rows[5...20].contains { $0.contains(/[✓✗] 1/) || $0.contains(/✓ \d/) })
    try sitting.quit()
  }

  @Test func `the tour runs by itself until a key is pressed`() throws {
    let home = try HomeFixture.withBundledCourse()
    let sitting = try BrowserSession(in: home, ["/"])
    try sitting.waitForPage("Courses")
    sitting.type(":show me\r")
    try sitting.wait(for: "the card becomes the page")
    try sitting.wait(for: "A goal has lessons")
    sitting.type("j")
    try sitting.wait(for: "? help")
    let title = sitting.rows[2]
    sitting.terminal.pump(for: 3)
    #expect(sitting.rows[2] == title)
    try sitting.quit()

    // Only the place at which the tour was interrupted is recorded.
    #expect(try BrowserSession.steps(in: home).map(\.operation) == ["resume", "open"])
  }

  @Test func `a session can be replayed, paused and scrubbed`() throws {
    let sitting = try BrowserSession(in: .withBundledCourse(), ["/"])
    try sitting.waitForPage("Courses")
    for title in ["English for Business", "Meetings", "Opening"] {
      sitting.press(.enter)
      try sitting.waitForPage(title)
    }
    sitting.press(.left)
    try sitting.waitForPage("Meetings")
    sitting.type("3")
    try sitting.waitForPage("History")
    let graph = sitting.rows[8...11].map { $0.dropFirst(11).prefix(18).withoutTrailingBlanks }
    #expect(
      graph == ["●", "╰──●", "   ╰──●", "      ╰──●"])
    sitting.type("r")
    try sitting.wait(for: "1 of 5")
    sitting.type(" ")
    try sitting.wait(for: "Space go on")
    sitting.press(.right)
    try sitting.wait(for: "2 of 5")
    sitting.press(.end)
    try sitting.wait(for: "5 of 5")
    sitting.press(.left)
    try sitting.waitForPage("Opening")
    // The progress bar of the playback has 12 columns, left of "4 of 5".
    let ball = try #require(sitting.rows[22].firstIndex(of: "●"))
    let line = sitting.rows[22].distance(from: sitting.rows[22].startIndex, to: ball)
    sitting.press(at: line + 1, 23)
    for column in [line - 2, line - 5, line - 7] { sitting.drag(to: column + 1, 23) }
    try sitting.wait(for: "1 of 5")
    for column in [line - 2, line + 3] { sitting.drag(to: column + 1, 23) }
    try sitting.wait(for: "5 of 5")
    sitting.release(at: line + 4, 23)
    sitting.type("\u{1B}[<64;40;11M")
    try sitting.wait(for: "4 of 5")
    sitting.press(.escape)
    try sitting.waitForPage("History")
    sitting.type("1")
    try sitting.waitForPage("Meetings")
    try sitting.quit()

    // Watching a playback is not recorded.
    #expect(try BrowserSession.steps(in: sitting.home).count == 5)
  }
}

extension BrowserSession {
  /// Expects the end of a row, now or soon.
  func expect(_ end: some StringProtocol, lastOf row: Int, _ location: SourceLocation = #_sourceLocation) {
    let isShown = { self.rows[row - 1].hasSuffix(end.drop { $0 == " " }) }
    try? terminal.waitUntil("the row's end", within: Self.timeout, isShown)
    #expect(isShown(), "\(rows[row - 1])", sourceLocation: location)
  }
}
