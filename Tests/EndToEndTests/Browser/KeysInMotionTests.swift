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
  private func interrupt(_ sitting: BrowserSession, after start: () -> Void, until end: String, with key: () -> Void)
    throws
    -> Bool
  {
    try sitting.settle()
    let before = sitting.rows.prefix(22)
    start()
    try sitting.terminal.waitUntil("motion", within: BrowserSession.timeout) { sitting.rows.prefix(22) != before }
    let isOver = sitting.rows.prefix(22).joined(separator: "\n").hasPrefix(end.rows(1...22))
    key()
    return !isOver
  }

  @Test func `a key during a transition reverses it`() throws {
    let sitting = try open("english-for-business")
    sitting.expect(ExpectedScreens.course)
    sitting.press(.down)
    sitting.expect(ExpectedScreens.courseAtNegotiating)

    // On a busy machine the transition may end before it is observed, so the test repeats until one is interrupted.
    var (middles, rounds) = (0, 0)
    while rounds < 5 || middles == 0 && rounds < 50 {
      let seen = try interrupt(
        sitting, after: { sitting.press(.enter) }, until: ExpectedScreens.goal, with: { sitting.press(.left) })
      sitting.expect(ExpectedScreens.courseAtNegotiating)
      (middles, rounds) = (middles + (seen ? 1 : 0), rounds + 1)
    }

    #expect(middles > 0)
    let steps = try BrowserSession.steps(in: home).map { "\($0.operation) \($0.to.path)" }
    #expect(
      steps.joined(separator: ", ") == "resume /, open english-for-business"
        + String(repeating: ", push english-for-business/negotiating, pop english-for-business", count: rounds))
    try sitting.quit()
  }

  @Test func `a key during a transition continues with the next one`() throws {
    let sitting = try open("english-for-business")
    sitting.expect(ExpectedScreens.course)

    let seen = try interrupt(
      sitting, after: { sitting.press(.enter) }, until: ExpectedScreens.goal,
      with: {
        // Selects the next goal, a lesson and its second activity before any of these pages has arrived.
        sitting.type("njlj\r")
      })

    sitting.expect(ExpectedScreens.reading)
    _ = seen
    try sitting.quit()
  }

  @Test func `keys that arrive together are all performed`() throws {
    let sitting = try open("/")
    try sitting.waitForPage("Courses")

    sitting.type("ljljlj\r")

    sitting.expect(ExpectedScreens.reading)
    try sitting.quit()
  }

  @Test func `hundreds of queued keys are all performed`() throws {
    let sitting = try open("english-for-business/negotiating")
    sitting.expect(ExpectedScreens.goal)

    sitting.type(String(repeating: "lh", count: 60) + String(repeating: "np", count: 40) + "j")

    sitting.expect(" │ Opening offers                                                      0 of 4 │", from: 10)
    let steps = try BrowserSession.steps(in: home).dropFirst(2).map(\.operation)
    let visits = [String](repeating: "push pop", count: 60) + [String](repeating: "next previous", count: 40)
    #expect(steps.joined(separator: " ") == visits.joined(separator: " "))
    try sitting.quit()
  }

  @Test(arguments: ["n\r", "lh", ":\u{1B}[A", "npv", "23?i"])
  func `the browser can be quit with any queue of keys`(keys: String) throws {
    let sitting = try open("english-for-business/presenting")
    try sitting.waitForPage("Presenting")

    sitting.type(String(repeating: keys, count: 5000))
    sitting.type("\u{3}")

    #expect(try sitting.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))
    sitting.expectRestored()
  }

  @Test func `pasted text is not performed as commands`() throws {
    let sitting = try open("english-for-business/negotiating")
    sitting.expect(ExpectedScreens.goal)

    sitting.terminal.paste("jjj\rq")
    try sitting.settle()

    sitting.expect(ExpectedScreens.goal)
    try sitting.quit()
  }

  @Test func `a transition continues after a change of the terminal's size`() throws {
    let sitting = try open("english-for-business")
    sitting.expect(ExpectedScreens.course)
    sitting.press(.down)
    sitting.expect(ExpectedScreens.courseAtNegotiating)

    for _ in 0..<4 {
      _ = try interrupt(
        sitting, after: { sitting.press(.enter) }, until: ExpectedScreens.goal,
        with: { sitting.terminal.resize(columns: 40, rows: 12) })
      sitting.expect(" Negotiating               0 of 14 done", from: 2)
      sitting.press(.left)
      sitting.terminal.resize(columns: 80, rows: 24)
      sitting.expect(ExpectedScreens.courseAtNegotiating)
    }
    try sitting.quit()
  }

  @Test func `quitting ends a transition at once`() throws {
    let sitting = try open("english-for-business")
    sitting.expect(ExpectedScreens.course)

    _ = try interrupt(
      sitting, after: { sitting.press(.enter) }, until: ExpectedScreens.goal, with: { sitting.type("q") })

    #expect(try sitting.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))
    sitting.expectRestored()
    #expect(try BrowserSession.steps(in: home).last?.to.path == "english-for-business/meetings")
  }
}
