import Foundation
import TerminalHarness
import Testing

/// The browser restores the terminal, whatever ends it.
@Suite struct TerminalRestoreTests {
  private let home: HomeFixture

  init() throws { home = try .withBundledCourse() }

  private func visit(personality: Personality = .modern) throws -> BrowserSession {
    let sitting = try BrowserSession(in: home, ["english-for-business/negotiating"], personality: personality)
    sitting.expect(ExpectedScreens.goal)
    #expect(sitting.terminal.emulator.showsAlternateScreen && !sitting.terminal.emulator.showsCursor)
    #expect(sitting.terminal.settings != sitting.settings)
    return sitting
  }

  /// Expects that the last output leaves the alternate screen.
  private func expectWayOut(_ sitting: BrowserSession) {
    #expect(sitting.terminal.output.suffix(8).elementsEqual("\u{1B}[?1049l".utf8))
    // The emulator has no stack of titles, so the pushed and popped titles are counted.
    let text = String(decoding: sitting.terminal.output, as: UTF8.self)
    #expect(text.ranges(of: "\u{1B}[22;0;0t").count == text.ranges(of: "\u{1B}[23;0;0t").count)
  }

  @Test func `if the terminal has passed the probe, lines are drawn with REP`() throws {
    let sitting = try visit()
    try sitting.settle()

    // The probe requests two repetitions. A line on the screen requests more.
    let text = String(decoding: sitting.terminal.output, as: UTF8.self)
    #expect(text.contains("─\u{1B}[2b\u{1B}[6n"))
    #expect(text.contains(/─\u{1B}\[[0-9]{2,}b/))
    sitting.expect(ExpectedScreens.goal)
  }

  @Test(arguments: ["q", "\u{3}"])
  func `a quit key restores the terminal`(key: String) throws {
    let sitting = try visit()
    #expect(sitting.terminal.emulator.title == "Waymark")

    sitting.type(key)

    #expect(try sitting.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))
    sitting.expectRestored()
    expectWayOut(sitting)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGSEGV, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM])
  func `a signal restores the terminal`(signal: Int32) throws {
    let sitting = try visit()

    sitting.terminal.signal(signal)

    #expect(try sitting.terminal.waitForExit(within: BrowserSession.timeout) == .signalled(Int(signal)))
    sitting.expectRestored()
    expectWayOut(sitting)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `a terminating signal closes the database and removes its log`(signal: Int32) throws {
    let sitting = try visit()
    let log = home.database.path + "-wal"
    #expect(FileManager.default.fileExists(atPath: log))

    sitting.terminal.signal(signal)

    _ = try sitting.terminal.waitForExit(within: BrowserSession.timeout)
    #expect(!FileManager.default.fileExists(atPath: log))
  }

  @Test(arguments: [SIGTERM, SIGSEGV])
  func `a signal during a transition restores the terminal`(signal: Int32) throws {
    let sitting = try visit()
    try sitting.settle()
    let before = sitting.terminal.output.count
    sitting.press(.enter)
    try sitting.terminal.waitUntil("motion", within: BrowserSession.timeout) {
      sitting.terminal.output.count > before + 200
    }

    sitting.terminal.signal(signal)

    #expect(try sitting.terminal.waitForExit(within: BrowserSession.timeout) == .signalled(Int(signal)))
    sitting.expectRestored()
    expectWayOut(sitting)
    #expect(try BrowserSession.steps(in: home).last?.to.path == "english-for-business/negotiating/preparing")
  }

  @Test func `a hang-up ends the browser and keeps the current place`() throws {
    let sitting = try visit()

    sitting.terminal.hangUp()

    #expect(try sitting.terminal.waitForExit(within: BrowserSession.timeout) == .signalled(Int(SIGHUP)))
    let last = try #require(try BrowserSession.steps(in: home).last)
    #expect(last.to.path == "english-for-business/negotiating")
  }

  @Test func `the shell gets the right exit code however the browser ends`() throws {
    for (signal, code) in [(nil, 0), (SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130)] as [(Int32?, Int)] {
      let sitting = try BrowserSession(in: home, shell: "\"$0\" \"$@\"; echo \"code $?\"")
      try sitting.wait(for: "Courses")
      try sitting.settle()

      if let signal { kill(try #require(sitting.terminal.children.first), signal) } else { sitting.type("q") }

      try sitting.wait(for: "code \(code)")
      _ = try sitting.terminal.waitForExit(within: BrowserSession.timeout)
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
      let sitting = try BrowserSession(
        in: home, personality: personality,
        shell: "\"$0\" \"$@\"; echo \"left $?\"; IFS= read -r -t 0.5 -n 1 rest; echo \"rest [$rest]\"")
      // The early end is before the first frame, right after the queries were sent.
      try sitting.terminal.waitUntil("a sign", within: BrowserSession.timeout) { !sitting.terminal.output.isEmpty }
      if !soon { try sitting.wait(for: "Courses") }
      sitting.type("q")

      try sitting.wait(for: "rest [")
      #expect(sitting.terminal.text.split(separator: "\n") == ["left 0", "rest []"])
      _ = try sitting.terminal.waitForExit(within: BrowserSession.timeout)
      sitting.expectRestored()
    }
  }

  @Test func `a stopped browser restores the terminal, and takes it over again when resumed`() throws {
    let sitting = try BrowserSession(
      in: home, ["english-for-business/negotiating"],
      shell: "set -m; \"$0\" \"$@\"; echo stopped $?; read; fg >/dev/null; echo ended $?")
    sitting.expect(ExpectedScreens.goal)
    let terminal = sitting.terminal

    kill(try #require(terminal.children.first), SIGTSTP)
    try sitting.wait(for: "stopped 148")
    sitting.expectRestored()
    // The window is resized while the browser is stopped.
    terminal.resize(columns: 40, rows: 12)
    terminal.type("\r")
    sitting.expect(" Negotiating               0 of 14 done", from: 2)
    terminal.resize(columns: 80, rows: 24)
    sitting.expect(ExpectedScreens.goal)
    #expect(terminal.emulator.showsAlternateScreen && terminal.emulator.keyboardFlags == [1])
    sitting.press(.enter)
    try sitting.waitForPage("Preparing")
    terminal.type("q")

    try sitting.wait(for: "ended 0")
    #expect(try terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))
    sitting.expectRestored()
  }

  @Test func `Control-Z stops the browser`() throws {
    let sitting = try BrowserSession(
      in: home, ["english-for-business/negotiating"],
      shell: "set -m; \"$0\" \"$@\"; echo stopped $?; read; fg >/dev/null; echo ended $?")
    sitting.expect(ExpectedScreens.goal)

    sitting.type("\u{1A}")
    try sitting.wait(for: "stopped 148")
    sitting.expectRestored()
    sitting.type("\r")
    sitting.expect(ExpectedScreens.goal)
    sitting.type("q")

    try sitting.wait(for: "ended 0")
    _ = try sitting.terminal.waitForExit(within: BrowserSession.timeout)
    sitting.expectRestored()
  }

  @Test func `a browser resumed in the background stops again without output`() throws {
    let sitting = try BrowserSession(
      in: home, ["english-for-business/negotiating"],
      shell: """
        set -m; "$0" "$@"; bg >/dev/null; while [ -n "$(jobs -rp)" ]; do sleep 0.02; done
        [ -n "$(jobs -sp)" ] && echo waits; read rest; echo "rest [$rest]"; fg >/dev/null; echo ended $?
        """)
    sitting.expect(ExpectedScreens.goal)

    sitting.type("\u{1A}")
    try sitting.wait(for: "waits")
    sitting.expectRestored()
    // Ignores the shell's own message about the job.
    #expect(sitting.terminal.text.split(separator: "\n").filter { !$0.contains("Stopped") } == ["waits"])
    sitting.type("\r")
    sitting.expect(ExpectedScreens.goal)
    sitting.type("q")

    try sitting.wait(for: "ended 0")
    #expect(sitting.terminal.text.contains("rest []"))
    _ = try sitting.terminal.waitForExit(within: BrowserSession.timeout)
    sitting.expectRestored()
  }

  @Test func `the browser redraws the screen after SIGSTOP`() throws {
    let sitting = try visit()

    sitting.terminal.signal(SIGSTOP)
    try sitting.terminal.waitUntilStopped(within: BrowserSession.timeout)
    // Another program uses the terminal while the browser is stopped.
    sitting.terminal.emulator.feed("\u{1B}[2J\u{1B}[?1049lsomebody else")
    sitting.terminal.signal(SIGCONT)

    sitting.expect(ExpectedScreens.goal)
    try sitting.quit()
    expectWayOut(sitting)
  }
}
