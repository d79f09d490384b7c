import Foundation
import TerminalHarness
import Testing

/// A killed browser loses no step that was visible on the screen.
@Suite struct KilledTests {
  @Test func `every step of a killed browser is recorded, and the next start resumes at the last one`() throws {
    let home = try HomeFixture.withBundledCourse()
    var session = try BrowserSession(in: home, ["english-for-business/negotiating/opening-offers"])
    session.expect(ExpectedScreens.lesson)
    session.press(.down, .enter)
    try session.waitForPage("Who speaks first?")
    session.type("n")
    try session.waitForPage("Anchors and ranges")
    session.type("n")
    try session.waitForPage("Make the first offer")
    let requestTime = Date()
    session.type("h")
    // The first frame of the transition is enough, since the step is committed before it.
    try session.terminal.waitUntil("motion", within: BrowserSession.timeout) {
      !session.rows[2].contains("Make the first")
    }
    let responseTime = Date()

    session.terminal.signal(SIGKILL)

    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .signalled(Int(SIGKILL)))
    let steps = try BrowserSession.steps(in: home)
    #expect(
      steps.map { "\($0.operation) \($0.to.path.split(separator: "/").last ?? "")" } == [
        "resume ", "open opening-offers", "push who-speaks-first", "next anchors-and-ranges",
        "next make-the-first-offer", "pop opening-offers",
      ])

    session = try BrowserSession(in: home)
    session.expect("   Opening offers                                                 0 of 4 done", from: 3)
    #expect(session.rows.contains { $0.contains("· Make the first offer   ") })
    try session.quit()

    let allSteps = try BrowserSession.steps(in: home)
    #expect(Set(allSteps.map(\.session)).count == 2)
    let lastStep = try #require(allSteps.last { $0.session == steps[0].session })
    let leftAt = try #require(lastStep.leftAt.flatMap { try? Self.style.parse($0) })
    // Times in the log are in whole milliseconds.
    let lastInput = requestTime.addingTimeInterval(-0.001)...responseTime
    #expect(lastInput.contains(leftAt), "the session ends at its last input, not when it was found to be orphaned")
    #expect(try home.waymark("database", "check").code == 0)
  }

  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
