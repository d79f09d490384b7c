import TerminalHarness
import Testing

/// Keys and changes of size during a transition.
@Suite struct KeysInMotionTests {
  private let home: HomeFixture

  init() throws { home = try .withBundledCourse() }

  private func open(_ place: String, _ arguments: String...) throws -> BrowserSession {
    try BrowserSession(in: home, [place] + arguments)
  }

  /// Starts a transition, and performs an action as soon as the screen differs from its start.
  ///
  /// - Returns: `false` if the transition had already ended when the action was performed, which can happen on a busy
  ///   machine.
  private func interrupt(_ session: BrowserSession, after start: () -> Void, until end: String, with action: () -> Void)
    throws
    -> Bool
  {
    try session.settle()
    let before = session.rows.prefix(22)
    start()
    try session.terminal.waitUntil("motion", within: BrowserSession.timeout) { session.rows.prefix(22) != before }
    let isOver = session.rows.prefix(22).joined(separator: "\n").hasPrefix(end.rows(1...22))
    action()
    return !isOver
  }

  @Test func `hundreds of queued keys are all performed`() throws {
    let session = try open("english-for-business/negotiating")
    session.expect(ExpectedScreens.goal)

    session.type(String(repeating: "lh", count: 60) + String(repeating: "np", count: 40) + "j")

    session.expect(" │ Opening offers                                              0 of 4  25 min │", from: 10)
    let steps = try BrowserSession.steps(in: home).dropFirst(2).map(\.operation)
    let visits = [String](repeating: "push pop", count: 60) + [String](repeating: "next previous", count: 40)
    #expect(steps.joined(separator: " ") == visits.joined(separator: " "))
    try session.quit()
  }

  @Test(arguments: ["n\r", "lh", ":\u{1B}[A", "npv", "23?i"])
  func `the browser can be quit whatever keys are queued`(keys: String) throws {
    let session = try open("english-for-business/presenting")
    try session.waitForPage("Presenting")

    session.type(String(repeating: keys, count: 5000))
    session.type("\u{3}")

    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))
    session.expectRestored()
  }

  @Test func `pasted text is not performed as commands`() throws {
    let session = try open("english-for-business/negotiating")
    session.expect(ExpectedScreens.goal)

    session.terminal.paste("jjj\rq")
    try session.settle()

    session.expect(ExpectedScreens.goal)
    try session.quit()
  }

  @Test func `quitting ends a transition at once`() throws {
    let session = try open("english-for-business")
    session.expect(ExpectedScreens.course)

    _ = try interrupt(
      session, after: { session.press(.enter) }, until: ExpectedScreens.goal, with: { session.type("q") })

    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))
    session.expectRestored()
    #expect(try BrowserSession.steps(in: home).last?.to.path == "english-for-business/meetings")
  }
}
