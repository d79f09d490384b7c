import TerminalHarness
import Testing

/// Mouse input, as a terminal reports it.
@Suite struct GestureTests {
  private static let goal = "english-for-business/negotiating"
  private static let activity = "english-for-business/negotiating/opening-offers/who-speaks-first"

  @Test func `dragging the left edge moves the page and pops it or springs back`() throws {
    let sitting = try BrowserSession(in: .withBundledCourse(), [Self.goal])
    sitting.expect(ExpectedScreens.goal)

    sitting.press(at: 1, 11)
    sitting.drag(to: 41, 11)
    // Half way, the page's layers are at intermediate positions and remain there.
    sitting.expect(
      """
         Courses                                                        goal 2 of 4
               English for Business



      ╭──────────────────────────────────────────────────────────────────────────────╮
      │  Negotiating                                                   0 of 14 done  │
      │  Prepare, make the first offer, trade, and close.              about 80 min  │
      │──────────────────────────────────────────────────────────────────────────────│
      """)
    sitting.drag(to: 9, 11)
    sitting.release(at: 9, 11)
    sitting.expect(ExpectedScreens.goal)

    sitting.press(at: 1, 11)
    for column in [10, 30, 60] { sitting.drag(to: column, 11) }
    sitting.release(at: 60, 11)
    sitting.expect(ExpectedScreens.courseAtNegotiating)
    try sitting.quit()

    #expect(try BrowserSession.steps(in: sitting.home).map(\.operation) == ["resume", "open", "pop"])
  }

  @Test func `a horizontal scroll gesture ends after 300 ms without input`() throws {
    let sitting = try BrowserSession(in: .withBundledCourse(), [Self.goal])
    sitting.expect(ExpectedScreens.goal)

    // The gesture is too short, so the transition is cancelled and nothing is recorded.
    for _ in 0..<3 { sitting.type("\u{1B}[<66;40;11M") }
    try sitting.wait(for: "╭──────")
    sitting.expect(ExpectedScreens.goal)
    for _ in 0..<9 { sitting.type("\u{1B}[<66;40;11M") }
    sitting.expect(ExpectedScreens.courseAtNegotiating)
    try sitting.quit()

    #expect(try BrowserSession.steps(in: sitting.home).map(\.operation) == ["resume", "open", "pop"])
  }

  @Test func `dragging an activity sideways switches to its neighbour and back`() throws {
    let sitting = try BrowserSession(in: .withBundledCourse(), [Self.activity])
    try sitting.waitForPage("Who speaks first?")

    sitting.press(at: 61, 11)
    sitting.drag(to: 51, 11)
    sitting.drag(to: 21, 11)
    try sitting.terminal.waitUntil("the neighbour", within: BrowserSession.timeout) {
      sitting.rows[3].hasPrefix("vice is half right.") && sitting.rows[2].hasSuffix("   Anchors and ranges")
    }
    sitting.release(at: 21, 11)
    try sitting.waitForPage("Anchors and ranges")
    sitting.press(at: 11, 11)
    for column in [41, 71] { sitting.drag(to: column, 11) }
    sitting.release(at: 71, 11)
    try sitting.waitForPage("Who speaks first?")
    // A short drag is cancelled.
    sitting.press(at: 61, 11)
    sitting.drag(to: 55, 11)
    try sitting.settle()
    sitting.release(at: 55, 11)
    try sitting.waitForPage("Who speaks first?")
    try sitting.quit()

    #expect(try BrowserSession.steps(in: sitting.home).map(\.operation) == ["resume", "open", "next", "previous"])
  }

  @Test func `clicks work on cards, breadcrumbs, tabs and the next step`() throws {
    let sitting = try BrowserSession(in: .withBundledCourse(), [Self.goal])
    sitting.expect(ExpectedScreens.goal)

    for _ in 0..<2 { sitting.click(20, 10) }
    try sitting.waitForPage("Opening offers")
    sitting.click(14, 1)
    sitting.expect(ExpectedScreens.courseAtNegotiating)
    sitting.click(72, 24)
    try sitting.wait(for: "[3 History]")
    sitting.click(52, 24)
    sitting.expect(ExpectedScreens.courseAtNegotiating)
    sitting.click(10, 23)
    try sitting.waitForPage("Why are we here?")
    try sitting.quit()

    #expect(try BrowserSession.steps(in: sitting.home).map(\.operation) == ["resume", "open", "push", "popTo", "open"])
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
