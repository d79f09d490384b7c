import Foundation
import TerminalHarness
import Testing

/// The browser restores the terminal, regardless of how it ends.
@Suite struct TerminalRestoreTests {
  private let home: HomeFixture

  init() throws { home = try .withBundledCourse() }

  private func visit(personality: Personality = .modern) throws -> BrowserSession {
    let session = try BrowserSession(in: home, ["english-for-business/negotiating"], personality: personality)
    session.expect(ExpectedScreens.goal)
    #expect(session.terminal.emulator.showsAlternateScreen && !session.terminal.emulator.showsCursor)
    #expect(session.terminal.settings != session.settings)
    return session
  }

  /// Expects that the last output leaves the alternate screen.
  private func expectWayOut(_ session: BrowserSession) {
    #expect(session.terminal.output.suffix(8).elementsEqual("\u{1B}[?1049l".utf8))
    // The emulator has no stack of titles, so the pushed and popped titles are counted.
    let text = String(decoding: session.terminal.output, as: UTF8.self)
    #expect(text.ranges(of: "\u{1B}[22;0;0t").count == text.ranges(of: "\u{1B}[23;0;0t").count)
  }

  @Test func `if the terminal has passed the probe, lines are drawn with REP`() throws {
    let session = try visit()
    try session.settle()

    // The probe requests two repetitions. A line on the screen requests more.
    let text = String(decoding: session.terminal.output, as: UTF8.self)
    #expect(text.contains("─\u{1B}[2b\u{1B}[6n"))
    #expect(text.contains(/─\u{1B}\[[0-9]{2,}b/))
    session.expect(ExpectedScreens.goal)
  }

  @Test(arguments: ["q", "\u{3}"])
  func `a quit key restores the terminal`(key: String) throws {
    let session = try visit()
    #expect(session.terminal.emulator.title == "Waymark")

    session.type(key)

    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))
    session.expectRestored()
    expectWayOut(session)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGSEGV, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM])
  func `a signal restores the terminal`(signal: Int32) throws {
    let session = try visit()

    session.terminal.signal(signal)

    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .signalled(Int(signal)))
    session.expectRestored()
    expectWayOut(session)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `a terminating signal closes the database and removes its log`(signal: Int32) throws {
    let session = try visit()
    let log = home.database.path + "-wal"
    #expect(FileManager.default.fileExists(atPath: log))

    session.terminal.signal(signal)

    _ = try session.terminal.waitForExit(within: BrowserSession.timeout)
    #expect(!FileManager.default.fileExists(atPath: log))
  }

  @Test(arguments: [SIGTERM, SIGSEGV])
  func `a signal during a transition restores the terminal`(signal: Int32) throws {
    let session = try visit()
    try session.settle()
    let before = session.terminal.output.count
    session.press(.enter)
    try session.terminal.waitUntil("motion", within: BrowserSession.timeout) {
      session.terminal.output.count > before + 200
    }

    session.terminal.signal(signal)

    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .signalled(Int(signal)))
    session.expectRestored()
    expectWayOut(session)
    #expect(try BrowserSession.steps(in: home).last?.to.path == "english-for-business/negotiating/preparing")
  }

  @Test func `a hang-up ends the browser and keeps the current place`() throws {
    let session = try visit()

    session.terminal.hangUp()

    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .signalled(Int(SIGHUP)))
    let last = try #require(try BrowserSession.steps(in: home).last)
    #expect(last.to.path == "english-for-business/negotiating")
  }

  /// The text of an open note field is saved in the same way as a draft that Escape has kept.
  @Test(arguments: ["\u{3}", "\u{1B}q", "SIGTERM", "SIGINT", "SIGHUP", "hang-up"])
  func `a note that is being written is saved however the browser ends`(ending: String) throws {
    let session = try BrowserSession(
      in: home, ["english-for-business/negotiating/opening-offers/read-the-brief"])
    try session.wait(for: "Read the brief")
    try session.settle()
    session.type("e")
    try session.wait(for: "Note ")
    session.type("Half a thought")
    try session.wait(for: "Half a thought")

    switch ending {
    case "hang-up": session.terminal.hangUp()
    case "SIGTERM": session.terminal.signal(SIGTERM)
    case "SIGINT": session.terminal.signal(SIGINT)
    case "SIGHUP": session.terminal.signal(SIGHUP)
    case "\u{1B}q":
      session.type("\u{1B}")
      try session.wait(for: "Draft not saved yet.")
      session.type("q")
    default: session.type(ending)
    }

    _ = try session.terminal.waitForExit(within: BrowserSession.timeout)
    #expect(try home.waymark("notes", "--format", "json").output.contains(#""text": "Half a thought""#))
  }

  @Test(arguments: ["\u{1B}]11;rgb:00", "\u{1B}P", "\u{1B}[[", "\u{1B}[M", "\u{1B}O5", "\u{1B}", "\u{1B}[200~text"])
  func `Ctrl-C quits in the middle of a sequence`(beginning: String) throws {
    let session = try visit()

    session.type(beginning + "\u{3}")

    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))
  }

  @Test func `the shell gets the right exit code however the browser ends`() throws {
    for (signal, code) in [(nil, 0), (SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130)] as [(Int32?, Int)] {
      let session = try BrowserSession(in: home, shell: "\"$0\" \"$@\"; echo \"code $?\"")
      try session.wait(for: "+ Add a course")
      try session.settle()

      if let signal { kill(try #require(session.terminal.children.first), signal) } else { session.type("q") }

      try session.wait(for: "code \(code)")
      _ = try session.terminal.waitForExit(within: BrowserSession.timeout)
    }
  }

  private static let reticent: Personality = {
    var reticent = Personality.modern
    reticent.hasSynchronizedOutput = false
    reticent.background = nil
    return reticent
  }()

  @Test(arguments: [Personality.modern, reticent, .old, .silent])
  func `the shell does not receive any response of the terminal`(personality: Personality) throws {
    for soon in [true, false] {
      let session = try BrowserSession(
        in: home, personality: personality,
        shell: "\"$0\" \"$@\"; echo \"left $?\"; IFS= read -r -t 0.5 -n 1 rest; echo \"rest [$rest]\"")
      // If `soon` is true, the browser ends before its first frame, right after it has sent its queries.
      try session.terminal.waitUntil("a sign", within: BrowserSession.timeout) { !session.terminal.output.isEmpty }
      if !soon { try session.wait(for: "+ Add a course") }
      session.type("q")

      try session.wait(for: "rest [")
      #expect(session.terminal.text.split(separator: "\n") == ["left 0", "rest []"])
      _ = try session.terminal.waitForExit(within: BrowserSession.timeout)
      session.expectRestored()
    }
  }

  @Test func `a stopped browser restores the terminal, and takes it over again when resumed`() throws {
    let session = try BrowserSession(
      in: home, ["english-for-business/negotiating"],
      shell: "set -m; \"$0\" \"$@\"; echo stopped $?; read; fg >/dev/null; echo ended $?")
    session.expect(ExpectedScreens.goal)
    let terminal = session.terminal

    kill(try #require(terminal.children.first), SIGTSTP)
    try session.wait(for: "stopped 148")
    session.expectRestored()
    // The window is resized while the browser is stopped.
    terminal.resize(columns: 40, rows: 12)
    terminal.type("\r")
    session.expect(" Negotiating               0 of 14 done", from: 2)
    terminal.resize(columns: 80, rows: 24)
    session.expect(ExpectedScreens.goal)
    #expect(terminal.emulator.showsAlternateScreen && terminal.emulator.keyboardFlags == [1])
    session.press(.enter)
    try session.waitForPage("Preparing")
    terminal.type("q")

    try session.wait(for: "ended 0")
    #expect(try terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))
    session.expectRestored()
  }

  @Test func `Control-Z stops the browser`() throws {
    let session = try BrowserSession(
      in: home, ["english-for-business/negotiating"],
      shell: "set -m; \"$0\" \"$@\"; echo stopped $?; read; fg >/dev/null; echo ended $?")
    session.expect(ExpectedScreens.goal)

    session.type("\u{1A}")
    try session.wait(for: "stopped 148")
    session.expectRestored()
    session.type("\r")
    session.expect(ExpectedScreens.goal)
    session.type("q")

    try session.wait(for: "ended 0")
    _ = try session.terminal.waitForExit(within: BrowserSession.timeout)
    session.expectRestored()
  }

  @Test func `the browser redraws the screen after SIGSTOP`() throws {
    let session = try visit()

    session.terminal.signal(SIGSTOP)
    try session.terminal.waitUntilStopped(within: BrowserSession.timeout)
    // Another program uses the terminal while the browser is stopped.
    session.terminal.emulator.feed("\u{1B}[2J\u{1B}[?1049lsomebody else")
    session.terminal.signal(SIGCONT)

    session.expect(ExpectedScreens.goal)
    try session.quit()
    expectWayOut(session)
  }
}
