import Foundation
import TerminalHarness
import Testing

/// Flashcards and quizzes, and the progress that parent pages show.
@Suite struct ActivityTests {
  private static let lesson = "english-for-business/negotiating/opening-offers"

  @Test(arguments: [nil, 64_000]) func `graded cards are counted in the lesson at once`(rate: Int?)
    throws
  {
    let home = try HomeFixture.withBundledCourse()
    let sitting = try BrowserSession(in: home, [Self.lesson + "/anchors-and-ranges"])
    sitting.terminal.readRate = rate
    try sitting.waitForPage("Anchors and ranges")
    try sitting.wait(for: "an anchor")

    sitting.type(" ")
    try sitting.wait(for: "The first figure that is said aloud.")
    sitting.press(.up)
    try sitting.wait(for: "card 2 of 12")
    sitting.type(" ")
    try sitting.wait(for: "Space  You knew it")
    sitting.press(.down)
    try sitting.wait(for: "card 3 of 12")
    sitting.press(.left)

    sitting.expect(
      """
       │ ◐ Anchors and ranges                               flashcards     12 cards │
       │   You stopped at “a range”.                                  2 of 12 cards │
      """, from: 10)

    // `x` marks the activity as done from the parent page.
    sitting.type("x")
    sitting.expect("   Opening offers                                                 1 of 4 done", from: 3)
    sitting.type("x")
    sitting.expect("   Opening offers                                                 0 of 4 done", from: 3)
    try sitting.quit()
    let info = try home.waymark("progress", Self.lesson + "/anchors-and-ranges", "--format", "json")
    #expect((info.output.json as? [[String: Any]])?.first?["done"] as? Int == 0)
  }

  @Test func `a quiz explains each answer and lists earlier attempts`() throws {
    let home = try HomeFixture.withBundledCourse()
    var sitting = try BrowserSession(in: home, [Self.lesson + "/make-the-first-offer"])
    try sitting.waitForPage("Make the first offer")
    sitting.expect(
      """
         Make the first offer                                       question 1 of 5
         Thursday, ten o'clock. Marta pours the coffee, and it is your turn.  7 min
      """, from: 3)

    // The first answer is given by number and is right. The second is chosen with an arrow key and Space and is wrong.
    sitting.type("1\r")
    try sitting.wait(for: "✓ Right.")
    try sitting.wait(for: "You have good information")
    sitting.type("\r")
    try sitting.wait(for: "question 2 of 5")
    sitting.press(.down)
    sitting.type(" \r")
    try sitting.wait(for: "✗ Not quite.")
    #expect(sitting.rows.contains { $0.contains("✓ 3 ( )") && $0.hasSuffix("the right one") })
    sitting.type("\r")
    try sitting.wait(for: "More than one is right.")
    sitting.type("14\r")
    try sitting.wait(for: "✓ Right.")
    for number in 4...5 {
      sitting.type("\r")
      try sitting.wait(for: "question \(number) of 5")
      sitting.type("1\r")
      try sitting.wait(for: "✗ Not quite.")
    }
    sitting.type("\r")
    try sitting.wait(for: "2 of 5 right. It takes 3 to pass.")
    sitting.expect("   Make the first offer                                         tried, 2 of 5", from: 3)
    sitting.press(.left)
    sitting.expect("   Opening offers                                                 0 of 4 done", from: 3)
    try sitting.quit()

    let attempts = try home.waymark("attempts", Self.lesson + "/make-the-first-offer", "--format", "json")
    let rows = try #require(attempts.output.json as? [[String: Any]])
    #expect(rows.count == 1)
    sitting = try BrowserSession(in: home, [Self.lesson + "/make-the-first-offer"])
    try sitting.wait(for: "Before:")
    try sitting.wait(for: "     2 of 5 right, ")
    sitting.expect("   Space  Try once more                                           5 questions", from: 23)
    try sitting.quit()
    let wrong = try home.waymark("attempts", "--wrong", Self.lesson, "--format", "json")
    let answers = try #require(wrong.output.json as? [[String: Any]])
    #expect(answers.count == 3)
    #expect(answers.allSatisfy { ($0["answered"] as? [String])?.isEmpty == false && $0["right"] is [String] })
    #expect(
      try home.waymark("attempts", "--wrong", "english-for-business/meetings").output.contains(
        "No answer to go over"))
  }

  @Test func `a killed browser resumes the cards that were not graded`() throws {
    let home = try HomeFixture.withBundledCourse()
    var sitting = try BrowserSession(in: home, [Self.lesson + "/anchors-and-ranges"])
    try sitting.waitForPage("Anchors and ranges")
    for number in 1...3 {
      try sitting.wait(for: "card \(number) of 12")
      sitting.type(" ")
      try sitting.wait(for: "Space  You knew it")
      sitting.press(.up)
    }
    try sitting.wait(for: "card 4 of 12")
    sitting.terminal.signal(SIGKILL)
    _ = try sitting.terminal.waitForExit(within: BrowserSession.timeout)

    sitting = try BrowserSession(in: home)
    try sitting.waitForPage("Anchors and ranges")
    try sitting.wait(for: "You have turned 3 of 12 cards, and knew 3 of them.")
    sitting.type(" ")
    try sitting.wait(for: "card 1 of 9")
    try sitting.quit()
  }
}
