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

  @Test func `a key during a transition reverses it`() throws {
    let session = try open("english-for-business")
    session.expect(ExpectedScreens.course)
    session.press(.down)
    session.expect(ExpectedScreens.courseAtNegotiating)

    // On a busy machine the transition may end before it is observed, so the test repeats until one is interrupted.
    var (interruptions, rounds) = (0, 0)
    while rounds < 5 || interruptions == 0 && rounds < 50 {
      let wasInterrupted = try interrupt(
        session, after: { session.press(.enter) }, until: ExpectedScreens.goal, with: { session.press(.left) })
      session.expect(ExpectedScreens.courseAtNegotiating)
      (interruptions, rounds) = (interruptions + (wasInterrupted ? 1 : 0), rounds + 1)
    }

    #expect(interruptions > 0)
    let steps = try BrowserSession.steps(in: home).map { "\($0.operation) \($0.to.path)" }
    #expect(
      steps.joined(separator: ", ") == "resume /, open english-for-business"
        + String(repeating: ", push english-for-business/negotiating, pop english-for-business", count: rounds))
    try session.quit()
  }

  @Test func `a key during a transition continues with the next one`() throws {
    let session = try open("english-for-business")
    session.expect(ExpectedScreens.course)

    _ = try interrupt(
      session, after: { session.press(.enter) }, until: ExpectedScreens.goal,
      with: {
        // Selects the next goal, a lesson and its second activity before any of these pages has arrived.
        session.type("njlj\r")
      })

    session.expect(ExpectedScreens.reading)
    try session.quit()
  }

  @Test func `keys that arrive together are all performed`() throws {
    let session = try open("/")
    try session.waitForPage("Courses")

    session.type("ljljlj\r")

    session.expect(ExpectedScreens.reading)
    try session.quit()
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

  @Test func `a transition continues after a change of the terminal's size`() throws {
    let session = try open("english-for-business")
    session.expect(ExpectedScreens.course)
    session.press(.down)
    session.expect(ExpectedScreens.courseAtNegotiating)

    for _ in 0..<4 {
      _ = try interrupt(
        session, after: { session.press(.enter) }, until: ExpectedScreens.goal,
        with: { session.terminal.resize(columns: 40, rows: 12) })
      session.expect(" Negotiating               0 of 14 done", from: 2)
      session.press(.left)
      session.terminal.resize(columns: 80, rows: 24)
      session.expect(ExpectedScreens.courseAtNegotiating)
    }
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
