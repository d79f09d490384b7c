import Foundation
import TerminalHarness
import Testing

/// Transitions in the browser, as seen on the terminal.
@Suite struct MotionTests {
  private static let goal = "english-for-business/negotiating"

  /// Repeats an action until an intermediate frame is observed, since a busy machine may skip all of them.
  ///
  /// - Returns: `false` if 50 attempts showed no intermediate frame.
  private func watch(
    _ session: BrowserSession, _ action: () -> Void, until hasEnded: @escaping () -> Bool, back undo: () throws -> Void,
    sees isIntermediate: @escaping () -> Bool
  ) throws -> Bool {
    for _ in 0..<50 {
      var wasObserved = false
      action()
      try session.terminal.waitUntil("the end of the motion", within: BrowserSession.timeout) {
        wasObserved = wasObserved || isIntermediate()
        return hasEnded()
      }
      if wasObserved { return true }
      try undo()
    }
    return false
  }

  @Test func `the body moves when another tab opens, and Tab cycles through the tabs`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), [Self.goal], variables: ["COLORTERM": "truecolor"])
    session.expect(ExpectedScreens.goal)

    let moves = try watch(
      session, { session.type("3") }, until: { session.rows[2].hasPrefix("   History") },
      back: {
        session.type("1")
        session.expect(ExpectedScreens.goal)
      },
      sees: {
        // The header is unchanged while the cards move.
        session.rows[2].hasPrefix("   Negotiating") && session.rows.contains { $0.contains("offers   ") }
          && !session.rows.contains { $0.hasPrefix("   Opening offers") }
      })
    #expect(moves)
    session.expect(" Learn Find [History] Review", lastOf: 24)
    let tabs = [
      ("\t", "[Review]"), ("\t", "[Learn]"), ("\u{1B}[Z", "[Review]"), ("\u{1B}[Z", "[History]"),
      ("\u{1B}[Z", "[Find]"),
    ]
    for (keys, tab) in tabs {
      session.type(keys)
      try session.wait(for: tab)
    }
    // In the Find tab, Tab selects a kind, Shift-Tab a course, and Escape returns.
    session.type("\t")
    try session.wait(for: "in goals, best first")
    session.type("\u{1B}[Z")
    try session.wait(for: "in goals of English for Business ")
    session.press(.escape)
    session.expect(ExpectedScreens.goal)
    try session.quit()
  }

  @Test func `the bookmark and info keys refer to the selected step of the history`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), [Self.goal])
    session.expect(ExpectedScreens.goal)
    session.press(.enter)
    try session.waitForPage("Preparing")
    session.type("3")
    try session.waitForPage("History")
    session.press(.up)
    try session.settle()
    session.type("i")
    try session.wait(for: "2 of 4 in English for Business")
    session.type("i")
    try session.waitForPage("History")
    session.type("m")
    try session.wait(for: "Bookmarked “Negotiating”.")
    session.press(.enter)
    try session.waitForPage("Negotiating ✦")
    try session.quit()
  }

  @Test func `the v key switches between cards and rows`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), [Self.goal])
    session.expect(ExpectedScreens.goal)

    session.type("v")
    session.expect(
      """

       ╭────────────────────────────────────────────────────────────────────────────╮
       │ · Preparing                                                 0 of 4  20 min │
       │   What you want, what they want, and where you stop.                       │
       ╰────────────────────────────────────────────────────────────────────────────╯
         · Opening offers                                            0 of 4  25 min
         · Counter-offers                                            0 of 3  20 min
         · Closing the deal                                          0 of 3  15 min

      """, from: 6)
    session.type("vv")
    session.type("v")
    session.expect(ExpectedScreens.goal)
    try session.quit()
  }

  @Test func `a search result expands into its page`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), ["english-for-business"])
    session.expect(ExpectedScreens.course)

    let opens = try watch(
      session,
      {
        session.type("/counter")
        try? session.wait(for: "counter▎    ")
        try? session.terminal.waitUntil("results", within: BrowserSession.timeout) {
          session.rows[2].contains("2 places")
        }
        session.press(.enter)
      }, until: { session.rows[2].hasPrefix("   Counter-offers") },
      back: {
        session.type("H")
        try session.waitForPage("English for Business")
      }, sees: { session.rows.contains { $0.hasPrefix("│  Counter-offers") } })
    #expect(opens)
    session.press(.left)
    try session.waitForPage("Negotiating")
    #expect(session.rows.contains { $0.hasPrefix(" │ Counter-offers") })
    try session.quit()
  }

  @Test func `a flashcard turns around its centre, and an answer is graded`() throws {
    let deck = "english-for-business/negotiating/opening-offers/anchors-and-ranges"
    let session = try BrowserSession(in: .withBundledCourse(), [deck])
    try session.waitForPage("Anchors and ranges")
    try session.settle()
    let front = session.rows
    let turns = try watch(
      session, { session.type(" ") },
      until: { session.rows[6...20] != front[6...20] && session.rows.contains { $0.hasPrefix("        ╭───") } },
      back: {
        // Space would grade the card if its back is visible.
        session.press(.enter)
        try session.terminal.waitUntil("the front", within: BrowserSession.timeout) { session.rows == front }
      }, sees: { session.rows[6...20].contains { $0.contains(/^ {10,}[╭╰│]/) } })
    #expect(turns)
    session.type("n")
    try session.waitForPage("Make the first offer")
    session.type("1\r")
    try session.wait(for: "orrect")
    #expect(session.rows[5...20].contains { $0.contains(/[✓✗] 1/) || $0.contains(/✓ \d/) })
    try session.quit()
  }

  @Test func `the tour runs by itself until a key is pressed`() throws {
    let home = try HomeFixture.withBundledCourse()
    let session = try BrowserSession(in: home, ["/"])
    try session.waitForPage("Courses")
    session.type(":tour\r")
    try session.wait(for: "the card becomes the page")
    try session.wait(for: "A goal has lessons")
    session.type("j")
    try session.wait(for: "? help")
    let title = session.rows[2]
    session.terminal.pump(for: 3)
    #expect(session.rows[2] == title)
    try session.quit()

    // Only the place at which the tour was interrupted is recorded.
    #expect(try BrowserSession.steps(in: home).map(\.operation) == ["resume", "open"])
  }

  @Test func `a session can be replayed, paused and scrubbed`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), ["/"])
    try session.waitForPage("Courses")
    for title in ["English for Business", "Meetings", "Opening"] {
      session.press(.enter)
      try session.waitForPage(title)
    }
    session.press(.left)
    try session.waitForPage("Meetings")
    session.type("3")
    try session.waitForPage("History")
    let graph = session.rows[8...11].map { $0.dropFirst(11).prefix(18).withoutTrailingBlanks }
    #expect(
      graph == ["●", "╰──●", "   ╰──●", "      ╰──●"])
    session.type("r")
    try session.wait(for: "1 of 5")
    session.type(" ")
    try session.wait(for: "Space play")
    session.press(.right)
    try session.wait(for: "2 of 5")
    session.press(.end)
    try session.wait(for: "5 of 5")
    session.press(.left)
    try session.waitForPage("Opening")
    // The progress bar of the playback has 12 columns, left of "4 of 5".
    let handle = try #require(session.rows[22].firstIndex(of: "●"))
    let column = session.rows[22].distance(from: session.rows[22].startIndex, to: handle)
    session.press(at: column + 1, 23)
    for target in [column - 2, column - 5, column - 7] { session.drag(to: target + 1, 23) }
    try session.wait(for: "1 of 5")
    for target in [column - 2, column + 3] { session.drag(to: target + 1, 23) }
    try session.wait(for: "5 of 5")
    session.release(at: column + 4, 23)
    session.type("\u{1B}[<64;40;11M")
    try session.wait(for: "4 of 5")
    session.press(.escape)
    try session.waitForPage("History")
    session.type("1")
    try session.waitForPage("Meetings")
    try session.quit()

    // Watching a playback is not recorded.
    #expect(try BrowserSession.steps(in: session.home).count == 5)
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
