import TerminalHarness
import Testing

/// Mouse input, as a terminal reports it.
@Suite struct GestureTests {
  private static let goal = "english-for-business/negotiating"
  private static let activity = "english-for-business/negotiating/opening-offers/who-speaks-first"

  @Test func `dragging the left edge moves the page and pops it or springs back`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), [Self.goal])
    session.expect(ExpectedScreens.goal)

    session.press(at: 1, 11)
    session.drag(to: 41, 11)
    // Half way, the page's layers are at intermediate positions and remain there.
    session.expect(
      """
         Courses › English for Business                                 goal 2 of 4




      ╭──────────────────────────────────────────────────────────────────────────────╮
      │  Negotiating                                                   0 of 14 done  │
      │  Prepare, make the first offer, trade, and close.              about 1 h 20  │
      │──────────────────────────────────────────────────────────────────────────────│
      """)
    session.drag(to: 9, 11)
    session.release(at: 9, 11)
    session.expect(ExpectedScreens.goal)

    session.press(at: 1, 11)
    for column in [10, 30, 60] { session.drag(to: column, 11) }
    session.release(at: 60, 11)
    session.expect(ExpectedScreens.courseAtNegotiating)
    try session.quit()

    #expect(try BrowserSession.steps(in: session.home).map(\.operation) == ["resume", "open", "pop"])
  }

  @Test func `a horizontal scroll gesture ends after 300 ms without input`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), [Self.goal])
    session.expect(ExpectedScreens.goal)

    // The gesture is too short, so the transition is cancelled and nothing is recorded.
    for _ in 0..<3 { session.type("\u{1B}[<66;40;11M") }
    try session.wait(for: "╭──────")
    session.expect(ExpectedScreens.goal)
    for _ in 0..<9 { session.type("\u{1B}[<66;40;11M") }
    session.expect(ExpectedScreens.courseAtNegotiating)
    try session.quit()

    #expect(try BrowserSession.steps(in: session.home).map(\.operation) == ["resume", "open", "pop"])
  }

  @Test func `dragging an activity sideways switches to its neighbour and back`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), [Self.activity])
    try session.waitForPage("Who speaks first?")

    session.press(at: 61, 11)
    session.drag(to: 51, 11)
    session.drag(to: 21, 11)
    try session.terminal.waitUntil("the neighbour", within: BrowserSession.timeout) {
      session.rows[3].hasPrefix("vice is half right.") && session.rows[2].hasSuffix("   Anchors and ranges")
    }
    session.release(at: 21, 11)
    try session.waitForPage("Anchors and ranges")
    session.press(at: 11, 11)
    for column in [41, 71] { session.drag(to: column, 11) }
    session.release(at: 71, 11)
    try session.waitForPage("Who speaks first?")
    // A short drag is cancelled.
    session.press(at: 61, 11)
    session.drag(to: 55, 11)
    try session.settle()
    session.release(at: 55, 11)
    try session.waitForPage("Who speaks first?")
    try session.quit()

    #expect(try BrowserSession.steps(in: session.home).map(\.operation) == ["resume", "open", "next", "previous"])
  }

  @Test func `clicks work on cards, breadcrumbs, tabs and the next step`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), [Self.goal])
    session.expect(ExpectedScreens.goal)

    for _ in 0..<2 { session.click(20, 10) }
    try session.waitForPage("Opening offers")
    session.click(14, 1)
    session.expect(ExpectedScreens.courseAtNegotiating)
    session.click(66, 24)
    try session.wait(for: "[History]")
    session.click(52, 24)
    session.expect(ExpectedScreens.courseAtNegotiating)
    session.click(10, 23)
    try session.waitForPage("Why are we here?")
    try session.quit()

    #expect(try BrowserSession.steps(in: session.home).map(\.operation) == ["resume", "open", "push", "popTo", "open"])
  }
}

extension BrowserSession {
  /// Presses the left button. Columns and rows are counted from 1.
  func press(at column: Int, _ row: Int) { type("\u{1B}[<0;\(column);\(row)M") }
  func drag(to column: Int, _ row: Int) { type("\u{1B}[<32;\(column);\(row)M") }
  func release(at column: Int, _ row: Int) { type("\u{1B}[<0;\(column);\(row)m") }

  func click(_ column: Int, _ row: Int) {
    press(at: column, row)
    release(at: column, row)
  }
}
