import TerminalHarness
import Testing

/// Transitions that the browser starts by itself, as seen on the terminal.
@Suite struct MotionTests {
  @Test func `the tour runs by itself until a key is pressed`() throws {
    let home = try HomeFixture.withBundledCourse()
    let session = try BrowserSession(in: home, ["/"])
    try session.wait(for: "+ Add a course")
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
}
