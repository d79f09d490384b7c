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
    let session = try BrowserSession(in: home, [Self.lesson + "/anchors-and-ranges"])
    session.terminal.readRate = rate
    try session.waitForPage("Anchors and ranges")
    try session.wait(for: "an anchor")

    session.type(" ")
    try session.wait(for: "Space  You knew it")
    try session.settle()
    session.type(" ")
    try session.wait(for: "card 2 of 12")
    session.type(" ")
    try session.wait(for: "Space  You knew it")
    try session.settle()
    session.type("f")
    try session.wait(for: "card 3 of 12")
    session.press(.left)

    session.expect(
      """
       │ ◐ Anchors and ranges                            flashcards  2 of 12  6 min │
       │   You stopped at “a range”.                           flashcards, 12 cards │
      """, from: 10)

    // `x` marks the activity as done from the parent page.
    session.type("x")
    session.expect("   Opening offers                                                 1 of 4 done", from: 3)
    session.type("x")
    session.expect("   Opening offers                                                 0 of 4 done", from: 3)
    try session.quit()
    let info = try home.waymark("progress", Self.lesson + "/anchors-and-ranges", "--format", "json")
    #expect((info.output.json as? [[String: Any]])?.first?["done"] as? Int == 0)
  }

  @Test func `a quiz explains each answer and lists earlier attempts`() throws {
    let home = try HomeFixture.withBundledCourse()
    var session = try BrowserSession(in: home, [Self.lesson + "/make-the-first-offer"])
    try session.waitForPage("Make the first offer")
    session.expect(
      """
         Make the first offer                                       question 1 of 5
         Thursday, ten o'clock. Marta pours the coffee, and it is your turn.  7 min
      """, from: 3)

    // The first answer is given by number and is correct. The second is selected with an arrow key and Space and is wrong.
    session.type("1\r")
    try session.wait(for: "✓ Correct.")
    try session.wait(for: "You have good information")
    session.type("\r")
    try session.wait(for: "question 2 of 5")
    session.press(.down)
    session.type(" \r")
    try session.wait(for: "✗ Incorrect.")
    #expect(session.rows.contains { $0.contains("✓ 3 ( )") && $0.hasSuffix("Correct answer") })
    session.type("\r")
    try session.wait(for: "More than one is correct.")
    session.type("14\r")
    try session.wait(for: "✓ Correct.")
    for number in 4...5 {
      session.type("\r")
      try session.wait(for: "question \(number) of 5")
      session.type("1\r")
      try session.wait(for: "✗ Incorrect.")
    }
    // The previous question had the same verdict, so the end of the quiz is awaited by its key.
    try session.wait(for: "Show the results")
    session.type("\r")
    try session.wait(for: "2 of 5 right. 3 needed to pass.")
    session.expect("   Make the first offer                                    not passed, 2 of 5", from: 3)
    session.press(.left)
    session.expect("   Opening offers                                                 0 of 4 done", from: 3)
    try session.quit()

    let attempts = try home.waymark("attempts", Self.lesson + "/make-the-first-offer", "--format", "json")
    let rows = try #require(attempts.output.json as? [[String: Any]])
    #expect(rows.count == 1)
    session = try BrowserSession(in: home, [Self.lesson + "/make-the-first-offer"])
    try session.wait(for: "Earlier attempts:")
    try session.wait(for: "     2 of 5 right, ")
    session.expect("   Space  Retry                                                   5 questions", from: 23)
    try session.quit()
    let wrong = try home.waymark("attempts", "--wrong", Self.lesson, "--format", "json")
    let answers = try #require(wrong.output.json as? [[String: Any]])
    #expect(answers.count == 3)
    #expect(answers.allSatisfy { ($0["answered"] as? [String])?.isEmpty == false && $0["right"] is [String] })
    #expect(
      try home.waymark("attempts", "--wrong", "english-for-business/meetings").output.contains(
        "No wrong answers"))
  }

  @Test func `a killed browser resumes the cards that were not graded`() throws {
    let home = try HomeFixture.withBundledCourse()
    var session = try BrowserSession(in: home, [Self.lesson + "/anchors-and-ranges"])
    try session.waitForPage("Anchors and ranges")
    for number in 1...3 {
      try session.wait(for: "card \(number) of 12")
      session.type(" ")
      try session.wait(for: "Space  You knew it")
      try session.settle()
      session.type(" ")
    }
    try session.wait(for: "card 4 of 12")
    session.terminal.signal(SIGKILL)
    _ = try session.terminal.waitForExit(within: BrowserSession.timeout)

    session = try BrowserSession(in: home)
    try session.waitForPage("Anchors and ranges")
    try session.wait(for: "You have turned 3 of 12 cards, and knew 3 of them.")
    session.type(" ")
    try session.wait(for: "card 4 of 12")
    try session.quit()
  }
}
