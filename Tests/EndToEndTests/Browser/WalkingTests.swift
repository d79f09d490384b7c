import Foundation
import TerminalHarness
import Testing

/// Navigation to next, previous, back and forward, and marking activities as done.
@Suite struct WalkingTests {
  private static let lesson = "english-for-business/negotiating/opening-offers"

  @Test func `next and previous continue across lessons`() throws {
    let sitting = try BrowserSession(in: .withBundledCourse(), [Self.lesson + "/anchors-and-ranges"])
    try sitting.waitForPage("Anchors and ranges")

    sitting.type("n")
    try sitting.waitForPage("Make the first offer")
    sitting.type("n")
    try sitting.waitForPage("Dropping anchor too early")
    sitting.expect(
      "   Courses › … › Negotiating › Counter-offers                 activity 1 of 3", from: 1)
    sitting.type("p")
    try sitting.waitForPage("Make the first offer")
    sitting.expect(
      "   Courses › … › Negotiating › Opening offers                 activity 4 of 4", from: 1)

    sitting.press(.left)
    sitting.expect(" │ ◐ Make the first offer                             quiz        5 questions │", from: 11)
    try sitting.quit()
  }

  @Test func `back and forward follow the visited places, not the hierarchy`() throws {
    let home = try HomeFixture.withBundledCourse()
    let sitting = try BrowserSession(in: home, [Self.lesson])
    sitting.expect(ExpectedScreens.lesson)
    sitting.press(.down, .enter)
    try sitting.waitForPage("Who speaks first?")
    sitting.type("n")
    try sitting.waitForPage("Anchors and ranges")

    sitting.type("H")
    try sitting.waitForPage("Who speaks first?")
    sitting.press(.left)
    try sitting.waitForPage("Opening offers")
    sitting.press(.left)
    try sitting.waitForPage("Negotiating")
    sitting.type("H")
    try sitting.waitForPage("Opening offers")
    sitting.type("H")
    try sitting.waitForPage("Who speaks first?")
    sitting.press(.right, alt: true)
    try sitting.waitForPage("Opening offers")
    sitting.type("L")
    try sitting.waitForPage("Negotiating")
    try sitting.quit()

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
    let sitting = try BrowserSession(in: .withBundledCourse(), ["english-for-business/writing"])
    try sitting.waitForPage("Writing")
    sitting.expect("   .  Begin with “The subject line does the work”              reading, 5 min", from: 23)

    sitting.type(".")

    try sitting.waitForPage("The subject line does the work")
    sitting.expect("   n  Next: Ask for one thing                                          ↓ more", from: 23)
    try sitting.quit()
  }

  @Test func `marking an activity as done updates its parents and can be undone`() throws {
    let home = try HomeFixture.withBundledCourse()
    let sitting = try BrowserSession(in: home, [Self.lesson])
    sitting.expect(ExpectedScreens.lesson)
    sitting.press(.enter)
    try sitting.waitForPage("Read the brief")

    sitting.type("x")
    try sitting.wait(for: "✓ done")
    #expect(sitting.rows[2].contains("Read the brief"))
    sitting.press(.left)
    sitting.expect(ExpectedScreens.lessonOneDone.rows(1...22))
    sitting.press(.left)
    sitting.expect(
      """
         Courses › English for Business                                 goal 2 of 4

         Negotiating                                                   1 of 14 done
         Prepare, make the first offer, trade, and close.         about 75 min left
       ━━━━━─────────────────────────────────────────────────────────────────────────
      """.rows(1...4))
    sitting.expect(" │ Opening offers                                                    ◐ 1 of 4 │", from: 10)

    // A newly opened page selects the first unfinished activity. A page that has not left yet would keep its selection.
    try sitting.settle()
    sitting.press(.right)
    sitting.expect(" │ · Who speaks first?                                reading           6 min │", from: 9)
    sitting.press(.up, .enter)
    try sitting.waitForPage("Read the brief")
    sitting.type("x")
    try sitting.terminal.waitUntil("undone", within: BrowserSession.timeout) { !sitting.rows[2].contains("✓") }
    sitting.press(.left)
    sitting.expect("   Opening offers                                                 0 of 4 done", from: 3)
    try sitting.quit()

    let progress = try home.waymark("progress", Self.lesson, "--format", "json").output.json as? [[String: Any]]
    #expect(progress?.first?["done"] as? Int == 0)
  }

  @Test func `changes by another program appear on the next key press`() throws {
    let home = try HomeFixture.withBundledCourse()
    let sitting = try BrowserSession(in: home, ["english-for-business/negotiating"])
    sitting.expect(ExpectedScreens.goal)

    let answer = try home.waymark("progress", "mark", Self.lesson + "/read-the-brief", "done")
    #expect(answer.code == 0, "\(answer)")
    sitting.press(.down)

    sitting.expect("   Negotiating                                                   1 of 14 done", from: 3)
    try sitting.quit()
  }

  @Test func `the History tab lists every step and can return to any of them`() throws {
    let sitting = try BrowserSession(in: .withBundledCourse())
    try sitting.waitForPage("Courses")
    sitting.type("ll")
    try sitting.waitForPage("Meetings")
    sitting.type("n")
    try sitting.waitForPage("Negotiating")
    sitting.press(.left)
    try sitting.waitForPage("English for Business")

    sitting.type("3")
    try sitting.waitForPage("History")

    let steps = sitting.rows.compactMap { row in
      row.firstMatch(of: /HH:MM +([●╭╮╰╯─]+) +(.*?)(  .*)?$/).map { "\($0.1) \($0.2)" }
    }
    #expect(
      steps == [
        "● Courses", "╰──● English for Business", "╰──● Meetings", "● Negotiating", "●──╯ English for Business",
      ])
    #expect(sitting.rows.contains { $0.hasPrefix(" │ HH:MM") && $0.contains("English for Business") }, "where one is")

    // Returns to an earlier step.
    sitting.press(.up, .enter)
    try sitting.waitForPage("Negotiating")
    try sitting.quit()
  }
}
