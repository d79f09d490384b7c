import Foundation
import TerminalHarness
import Testing

/// Navigation to next, previous, back and forward, and marking activities as done.
@Suite struct WalkingTests {
  private static let lesson = "english-for-business/negotiating/opening-offers"

  @Test func `next and previous continue across lessons`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), [Self.lesson + "/anchors-and-ranges"])
    try session.waitForPage("Anchors and ranges")

    session.type("n")
    try session.waitForPage("Make the first offer")
    session.type("n")
    try session.waitForPage("Dropping anchor too early")
    session.expect(
      "   Courses › … › Negotiating › Counter-offers                 activity 1 of 3", from: 1)
    session.type("p")
    try session.waitForPage("Make the first offer")
    session.expect(
      "   Courses › … › Negotiating › Opening offers                 activity 4 of 4", from: 1)

    session.press(.left)
    session.expect(" │ · Make the first offer                                 quiz          7 min │", from: 11)
    try session.quit()
  }

  @Test func `back and forward follow the visited places, not the hierarchy`() throws {
    let home = try HomeFixture.withBundledCourse()
    let session = try BrowserSession(in: home, [Self.lesson])
    session.expect(ExpectedScreens.lesson)
    session.press(.down, .enter)
    try session.waitForPage("Who speaks first?")
    session.type("n")
    try session.waitForPage("Anchors and ranges")

    session.type("H")
    try session.waitForPage("Who speaks first?")
    session.press(.left)
    try session.waitForPage("Opening offers")
    session.press(.left)
    try session.waitForPage("Negotiating")
    session.type("H")
    try session.waitForPage("Opening offers")
    session.type("H")
    try session.waitForPage("Who speaks first?")
    session.press(.right, alt: true)
    try session.waitForPage("Opening offers")
    session.type("L")
    try session.waitForPage("Negotiating")
    try session.quit()

    let steps = try BrowserSession.steps(in: home).dropFirst(2).map { step in
      "\(step.operation) \(step.to.path.split(separator: "/").last ?? "")\(step.traversal ? " again" : "")"
    }
    #expect(
      steps == [
        "push who-speaks-first", "next anchors-and-ranges", "back who-speaks-first again", "pop opening-offers",
        "pop negotiating", "back opening-offers again", "back who-speaks-first again", "forward opening-offers again",
        "forward negotiating again",
      ])
  }

  @Test func `the period key opens the suggested activity`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), ["english-for-business/writing"])
    try session.waitForPage("Writing")
    session.expect("   .  Begin with “The subject line does the work”              reading, 5 min", from: 23)

    session.type(".")

    try session.waitForPage("The subject line does the work")
    session.expect("   n  Next: Ask for one thing                                          ↓ more", from: 23)
    try session.quit()
  }

  @Test func `marking an activity as done updates its parents and can be undone`() throws {
    let home = try HomeFixture.withBundledCourse()
    let session = try BrowserSession(in: home, [Self.lesson])
    session.expect(ExpectedScreens.lesson)
    session.press(.enter)
    try session.waitForPage("Read the brief")

    session.type("x")
    try session.wait(for: "✓ done")
    #expect(session.rows[2].contains("Read the brief"))
    session.press(.left)
    session.expect(ExpectedScreens.lessonOneDone.rows(1...22))
    session.press(.left)
    session.expect(
      """
         Courses › English for Business                                 goal 2 of 4

         Negotiating                                                   1 of 14 done
         Prepare, make the first offer, trade, and close.         about 1 h 15 left
       ━━━━━─────────────────────────────────────────────────────────────────────────
      """.rows(1...4))
    session.expect(" │ Opening offers                                            ◐ 1 of 4  20 min │", from: 10)

    // A newly opened page selects the first unfinished activity. A page that has not left yet would keep its selection.
    try session.settle()
    session.press(.right)
    session.expect(" │ · Who speaks first?                                reading           6 min │", from: 9)
    session.press(.up, .enter)
    try session.waitForPage("Read the brief")
    session.type("x")
    try session.terminal.waitUntil("undone", within: BrowserSession.timeout) { !session.rows[2].contains("✓") }
    session.press(.left)
    session.expect("   Opening offers                                                 0 of 4 done", from: 3)
    try session.quit()

    let progress = try home.waymark("progress", Self.lesson, "--format", "json").output.json as? [[String: Any]]
    #expect(progress?.first?["done"] as? Int == 0)
  }

  @Test func `changes by another program appear on the next key press`() throws {
    let home = try HomeFixture.withBundledCourse()
    let session = try BrowserSession(in: home, ["english-for-business/negotiating"])
    session.expect(ExpectedScreens.goal)

    let answer = try home.waymark("progress", "mark", Self.lesson + "/read-the-brief", "done")
    #expect(answer.code == 0, "\(answer)")
    session.press(.down)

    session.expect("   Negotiating                                                   1 of 14 done", from: 3)
    try session.quit()
  }

  @Test func `the History tab lists every step and can return to any of them`() throws {
    let session = try BrowserSession(in: .withBundledCourse())
    try session.waitForPage("Courses")
    session.type("ll")
    try session.waitForPage("Meetings")
    session.type("n")
    try session.waitForPage("Negotiating")
    session.press(.left)
    try session.waitForPage("English for Business")

    session.type("3")
    try session.waitForPage("History")

    let steps = session.rows.compactMap { row in
      row.firstMatch(of: /HH:MM +([●╭╮╰╯─]+) +(.*?)(  .*)?$/).map { "\($0.1) \($0.2)" }
    }
    #expect(
      steps == [
        "● Courses", "╰──● English for Business", "╰──● Meetings", "● Negotiating", "●──╯ English for Business",
      ])
    #expect(
      session.rows.contains { $0.hasPrefix(" │ HH:MM") && $0.contains("English for Business") },
      "the current step is selected")

    // Returns to an earlier step.
    session.press(.up, .enter)
    try session.waitForPage("Negotiating")
    try session.quit()
  }
}
