import Foundation
import TerminalHarness
import Testing

/// A killed browser loses no step that was visible on the screen.
@Suite struct KilledTests {
  @Test func `every step of a killed browser is recorded, and the next start resumes at the last one`() throws {
    let home = try HomeFixture.withBundledCourse()
    var sitting = try BrowserSession(in: home, ["english-for-business/negotiating/opening-offers"])
    sitting.expect(ExpectedScreens.lesson)
    sitting.press(.down, .enter)
    try sitting.waitForPage("Who speaks first?")
    sitting.type("n")
    try sitting.waitForPage("Anchors and ranges")
    sitting.type("n")
    try sitting.waitForPage("Make the first offer")
    let asked = Date()
    sitting.type("h")
    // The first frame of the transition is enough, since the step is committed before it.
    try sitting.terminal.waitUntil("motion", within: BrowserSession.timeout) {
      !sitting.rows[2].contains("Make the first")
    }
    let answered = Date()

    sitting.terminal.signal(SIGKILL)

    #expect(try sitting.terminal.waitForExit(within: BrowserSession.timeout) == .signalled(Int(SIGKILL)))
    let steps = try BrowserSession.steps(in: home)
    #expect(
      steps.map { "\($0.operation) \($0.to.path.split(separator: "/").last ?? "")" } == [
        "resume ", "open opening-offers", "push who-speaks-first", "next anchors-and-ranges",
        "next make-the-first-offer", "pop opening-offers",
      ])

    sitting = try BrowserSession(in: home)
    sitting.expect("   Opening offers                                                 0 of 4 done", from: 3)
    #expect(sitting.rows.contains { $0.contains("◐ Make the first offer   ") })
    try sitting.quit()

    let both = try BrowserSession.steps(in: home)
    #expect(Set(both.map(\.session)).count == 2)
    let died = try #require(both.last { $0.session == steps[0].session })
    let leftAt = try #require(died.leftAt.flatMap { try? Self.style.parse($0) })
    // Times in the log are in whole milliseconds.
    let lastInput = asked.addingTimeInterval(-0.001)...answered
    #expect(lastInput.contains(leftAt), "it was left at its last input, not when it was found dead")
    #expect(try home.waymark("database", "check").code == 0)
  }

  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  @Test func `a repeatedly killed browser leaves an intact database`() throws {
    let home = try HomeFixture.withBundledCourse()
    var expected = 0
    for round in 0..<4 {
      let sitting = try BrowserSession(in: home, ["english-for-business"])
      try sitting.waitForPage("English for Business")
      // The process is killed at a random point of the key sequence, but after the first reaction.
      let bytes = sitting.terminal.output.count
      // The last key changes the page: keys that arrive together are handled before the next frame.
      sitting.type(String(repeating: "lh", count: 30) + "l")
      try sitting.terminal.waitUntil("motion") { sitting.terminal.output.count > bytes }
      sitting.terminal.pump(for: 0.06 * Double(round))
      sitting.terminal.signal(SIGKILL)
      _ = try sitting.terminal.waitForExit(within: BrowserSession.timeout)

      let steps = try BrowserSession.steps(in: home)
      #expect(steps.count >= expected)
      expected = steps.count
      #expect(try home.waymark("database", "check").code == 0)
    }
    let moves = try BrowserSession.steps(in: home).filter { ["push", "pop"].contains($0.operation) }
    #expect(moves.count > 0)
    // Push and pop alternate within each session, so a missing step would be detected.
    for (_, steps) in Dictionary(grouping: moves, by: \.session) {
      for (index, step) in steps.enumerated() { #expect(step.operation == (index % 2 == 0 ? "push" : "pop")) }
    }
  }
}
