import TerminalHarness
import Testing

/// The same page in terminals of different sizes.
@Suite struct SizeTests {
  private static let goal = "english-for-business/negotiating"
  private static let activity = "english-for-business/negotiating/opening-offers/who-speaks-first"

  private func open(_ place: String, columns: Int, rows: Int, _ arguments: String...) throws -> BrowserSession {
    try BrowserSession(in: .withBundledCourse(), [place] + arguments, columns: columns, rows: rows)
  }

  @Test func `in 80 x 24 cells, a page shows keys and tabs in its last row`() throws {
    let session = try open(Self.goal, columns: 80, rows: 24)

    session.expect(ExpectedScreens.goal)
    let keys = session.rows[23]
    #expect(keys.hasPrefix("   ↵ open  ← up  "), "\(keys)")
    #expect(keys.contains("? help"), "\(keys)")
    #expect(keys.hasSuffix("  [Learn] Find History Review"), "\(keys)")
    #expect(keys.count == 77, "\(keys)")
    try session.quit()
  }

  @Test func `in 40 x 12 cells, a page has rows instead of cards`() throws {
    let session = try open(Self.goal, columns: 40, rows: 12)

    session.expect(
      """
       English for Business       goal 2 of 4
       Negotiating               0 of 14 done
      ────────────────────────────────────────
       ▌ Preparing                     0 of 4
         Opening offers                0 of 4
         Counter-offers                0 of 3
         Closing the deal              0 of 3



       .  Begin with “Three columns on one…”
      """)
    try session.quit()
  }

  @Test func `in 40 x 12 cells, a text fills the available space`() throws {
    let session = try open(Self.activity, columns: 40, rows: 12)

    session.expect(
      """
       Opening offers         activity 2 of 4
       Who speaks first?                6 min
      ────────────────────────────────────────
       Ask ten people who should name a price
       first, and nine will say “Never you!”
       It sounds clever, like most advice
       that lets us avoid something
       frightening. Sometimes it is even
       true.

       n  Next: Anchors and ranges     ↓ more
      """)
    try session.quit()
  }

  @Test func `in 20 x 6 cells, a page still shows the current place`() throws {
    let session = try open(Self.goal, columns: 20, rows: 6)

    session.expect(
      """
       English f…  2 of 4
       Negotiating
      ────────────────────
       ▌ Preparing
         Opening offers
       ↵ open  ← up
      """)
    session.press(.down, .down, .down)
    session.expect(" ▌ Closing the deal", from: 5)
    try session.quit()
  }

  @Test func `in fewer cells, the browser asks for more space and continues when it fits`() throws {
    let session = try open(Self.goal, columns: 18, rows: 5)
    session.expect("Too small: 18 x 5,\nneeds 20 x 6\n\nQuit with q, and\nuse --linear.")

    session.terminal.resize(columns: 80, rows: 24)
    session.expect(ExpectedScreens.goal)
    session.terminal.resize(columns: 19, rows: 24)
    session.expect("Too small: 19 x 24,\nneeds 20 x 6\n\nQuit with q, and\nuse --linear.\n")
    session.terminal.resize(columns: 80, rows: 24)

    session.expect(ExpectedScreens.goal)
    try session.quit()
  }

  @Test func `the browser can be quit while it asks for more space`() throws {
    let session = try open(Self.goal, columns: 18, rows: 5)
    try session.wait(for: "Too small")

    try session.quit()
  }

  @Test(arguments: [(120, 40), (140, 50)])
  func `a page is centred in a larger terminal`(columns: Int, rows: Int) throws {
    let session = try open(Self.goal, columns: columns, rows: rows)
    let margin = String(repeating: " ", count: (columns - 100) / 2)

    session.expect(
      """
         Courses › English for Business                                                     goal 2 of 4

         Negotiating                                                                       0 of 14 done
         Prepare, make the first offer, trade, and close.                                  about 1 h 20
       ──────────────────────────────────────────────────────────────────────────────────────────────────
       ╭────────────────────────────────────────────────────────────────────────────────────────────────╮
       │ Preparing                                                                       0 of 4  20 min │
       │ What you want, what they want, and where you stop.                                             │
       ╰────────────────────────────────────────────────────────────────────────────────────────────────╯
         Opening offers                                                                  0 of 4  25 min
      """.indented(by: margin))
    session.expect(
      "   .  Begin with “Three columns on one page”                                       reading, 5 min"
        .indented(by: margin), from: rows - 1)
    try session.quit()
  }

  @Test(arguments: [(200, 60), (400, 120)])
  func `a side pane appears next to the page if both fit`(
    columns: Int, rows: Int
  ) throws {
    let session = try open(Self.goal, columns: columns, rows: rows)
    let margin = String(repeating: " ", count: (columns - 180) / 2)

    session.expect(
      """
         Courses › English for Business                                                     goal 2 of 4      Starts with

         Negotiating                                                                       0 of 14 done      Three columns on one page
         Prepare, make the first offer, trade, and close.                                  about 1 h 20      What you must have, what you want, and what you could trade away.    5 min
       ──────────────────────────────────────────────────────────────────────────────────────────────────    ──────────────────────────────────────────────────────────────────────────
       ╭────────────────────────────────────────────────────────────────────────────────────────────────╮
       │ Preparing                                                                       0 of 4  20 min │    Preparation sounds noble, so people put it off. Here is a version that
       │ What you want, what they want, and where you stop.                                             │    needs one sheet of paper, one pen, and the time it takes to drink a cup of
       ╰────────────────────────────────────────────────────────────────────────────────────────────────╯    tea.
         Opening offers                                                                  0 of 4  25 min
      """.indented(by: margin))
    session.expect(
      """
         .  Begin with “Three columns on one page”                                       reading, 5 min
      """.indented(by: margin), from: rows - 1)
    try session.quit()
  }

  @Test func `a change of size keeps the first visible line of a text at the top`() throws {
    let session = try open(Self.activity, columns: 80, rows: 24)
    try session.waitForPage("Who speaks first?")
    session.type(" ")
    try session.wait(for: " min left")
    try session.settle()
    let first = session.rows[3]

    for (columns, rows) in [(50, 20), (200, 60), (20, 6), (80, 24)] {
      session.terminal.resize(columns: columns, rows: rows)
      try session.settle()
    }

    #expect(session.rows[3] == first)
    try session.quit()
  }

  @Test func `a change of size directly after the start is noticed`() throws {
    let home = try HomeFixture.withBundledCourse()
    for (columns, rows) in [(60, 18), (100, 30), (79, 25)] {
      let session = try BrowserSession(in: home, [Self.goal])
      session.terminal.resize(columns: columns, rows: rows)

      try session.terminal.waitUntil("a page of \(columns) x \(rows)", within: BrowserSession.timeout) {
        let screen = session.rows
        return screen[0].count == min(columns, 100) - 3 + max(0, columns - 100) / 2
          && screen[rows - 2].contains("Begin with") && screen[rows - 1].contains("open")
      }
      try session.quit()
    }
  }
}

extension String {
  /// The text with its non-empty lines indented.
  fileprivate func indented(by indent: String) -> String {
    split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : indent + $0 }
      .joined(separator: "\n")
  }
}
