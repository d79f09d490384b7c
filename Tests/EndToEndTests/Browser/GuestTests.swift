import Foundation
import TerminalHarness
import Testing

/// The browser leaves the terminal as it found it, whatever ends it.
@Suite struct `The browser as a guest` {
  private let home: Home

  init() throws { home = try .withBundledCourse() }

  private func visit(personality: Personality = .modern) throws -> Sitting {
    let sitting = try Sitting(in: home, ["english-for-business/negotiating"], personality: personality)
    sitting.expect(Pictures.goal)
    #expect(sitting.terminal.emulator.showsAlternateScreen && !sitting.terminal.emulator.showsCursor)
    #expect(sitting.terminal.settings != sitting.settings)
    return sitting
  }

  /// Expects of a browser that has ended that what came last was the way out of the alternate screen.
  private func expectWayOut(_ sitting: Sitting) {
    #expect(sitting.terminal.output.suffix(8).elementsEqual("\u{1B}[?1049l".utf8))
    // The emulator has no stack of titles: that each that was put there is taken off is counted.
    let text = String(decoding: sitting.terminal.output, as: UTF8.self)
    #expect(text.ranges(of: "\u{1B}[22;0;0t").count == text.ranges(of: "\u{1B}[23;0;0t").count)
  }

  @Test func `a terminal that was seen to repeat a character repeats lines`() throws {
    let sitting = try visit()
    try sitting.settle()

    // The probe asks for two more; what is drawn, for a line's whole length.
    let text = String(decoding: sitting.terminal.output, as: UTF8.self)
    #expect(text.contains("─\u{1B}[2b\u{1B}[6n"))
    #expect(text.contains(/─\u{1B}\[[0-9]{2,}b/))
    sitting.expect(Pictures.goal)
  }

  @Test(arguments: ["q", "\u{3}"])
  func `leaves by a key with everything as it was`(key: String) throws {
    let sitting = try visit()
    #expect(sitting.terminal.emulator.title == "Waymark")

    sitting.type(key)

    #expect(try sitting.terminal.waitForExit(within: Sitting.patience) == .exited(0))
    sitting.expectRestored()
    expectWayOut(sitting)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGSEGV, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM])
  func `leaves by a signal with everything as it was`(signal: Int32) throws {
    let sitting = try visit()

    sitting.terminal.signal(signal)

    #expect(try sitting.terminal.waitForExit(within: Sitting.patience) == .signalled(Int(signal)))
    sitting.expectRestored()
    expectWayOut(sitting)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `closes the database when a signal asks it to end, so that no log is left to read`(signal: Int32) throws {
    let sitting = try visit()
    let log = home.database.path + "-wal"
    #expect(FileManager.default.fileExists(atPath: log))

    sitting.terminal.signal(signal)

    _ = try sitting.terminal.waitForExit(within: Sitting.patience)
    #expect(!FileManager.default.fileExists(atPath: log))
  }

  @Test(arguments: [SIGTERM, SIGSEGV])
  func `leaves by a signal in the middle of motion with everything as it was`(signal: Int32) throws {
    let sitting = try visit()
    try sitting.settle()
    let before = sitting.terminal.output.count
    sitting.press(.enter)
    try sitting.terminal.waitUntil("motion", within: Sitting.patience) { sitting.terminal.output.count > before + 200 }

    sitting.terminal.signal(signal)

    #expect(try sitting.terminal.waitForExit(within: Sitting.patience) == .signalled(Int(signal)))
    sitting.expectRestored()
    expectWayOut(sitting)
    #expect(try Sitting.steps(in: home).last?.to.path == "english-for-business/negotiating/preparing")
  }

  @Test func `ends when the line is gone, and remembers the place`() throws {
    let sitting = try visit()

    sitting.terminal.hangUp()

    #expect(try sitting.terminal.waitForExit(within: Sitting.patience) == .signalled(Int(SIGHUP)))
    let last = try #require(try Sitting.steps(in: home).last)
    #expect(last.to.path == "english-for-business/negotiating")
  }

  @Test func `a shell sees the code of every ending`() throws {
    for (signal, code) in [(nil, 0), (SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130)] as [(Int32?, Int)] {
      let sitting = try Sitting(in: home, shell: "\"$0\" \"$@\"; echo \"code $?\"")
      try sitting.wait(for: "Courses")
      try sitting.settle()

      if let signal { kill(try #require(sitting.terminal.children.first), signal) } else { sitting.type("q") }

      try sitting.wait(for: "code \(code)")
      _ = try sitting.terminal.waitForExit(within: Sitting.patience)
    }
  }

  private static let reticent: Personality = {
    var reticent = Personality.modern
    reticent.hasSynchronizedOutput = false
    reticent.background = nil
    return reticent
  }()

  @Test(arguments: [Personality.modern, reticent, .old, .silent])
  func `leaves no answer of the terminal for the shell, however soon it ends`(personality: Personality) throws {
    for soon in [true, false] {
      let sitting = try Sitting(
        in: home, personality: personality,
        shell: "\"$0\" \"$@\"; echo \"left $?\"; IFS= read -r -t 0.5 -n 1 rest; echo \"rest [$rest]\"")
      // Soon is before the first frame, when the questions have just been asked.
      try sitting.terminal.waitUntil("a sign", within: Sitting.patience) { !sitting.terminal.output.isEmpty }
      if !soon { try sitting.wait(for: "Courses") }
      sitting.type("q")

      try sitting.wait(for: "rest [")
      #expect(sitting.terminal.text.split(separator: "\n") == ["left 0", "rest []"])
      _ = try sitting.terminal.waitForExit(within: Sitting.patience)
      sitting.expectRestored()
    }
  }

  @Test func `gives the terminal to the shell while it is stopped, and takes it again`() throws {
    let sitting = try Sitting(
      in: home, ["english-for-business/negotiating"],
      shell: "set -m; \"$0\" \"$@\"; echo stopped $?; read; fg >/dev/null; echo ended $?")
    sitting.expect(Pictures.goal)
    let terminal = sitting.terminal

    kill(try #require(terminal.children.first), SIGTSTP)
    try sitting.wait(for: "stopped 148")
    sitting.expectRestored()
    // Somebody makes the window smaller meanwhile.
    terminal.resize(columns: 40, rows: 12)
    terminal.type("\r")
    sitting.expect(" Negotiating               0 of 14 done", from: 2)
    terminal.resize(columns: 80, rows: 24)
    sitting.expect(Pictures.goal)
    #expect(terminal.emulator.showsAlternateScreen && terminal.emulator.keyboardFlags == [1])
    sitting.press(.enter)
    try sitting.waitForPage("Preparing")
    terminal.type("q")

    try sitting.wait(for: "ended 0")
    #expect(try terminal.waitForExit(within: Sitting.patience) == .exited(0))
    sitting.expectRestored()
  }

  @Test func `stops by Control and Z, as every program does`() throws {
    let sitting = try Sitting(
      in: home, ["english-for-business/negotiating"],
      shell: "set -m; \"$0\" \"$@\"; echo stopped $?; read; fg >/dev/null; echo ended $?")
    sitting.expect(Pictures.goal)

    sitting.type("\u{1A}")
    try sitting.wait(for: "stopped 148")
    sitting.expectRestored()
    sitting.type("\r")
    sitting.expect(Pictures.goal)
    sitting.type("q")

    try sitting.wait(for: "ended 0")
    _ = try sitting.terminal.waitForExit(within: Sitting.patience)
    sitting.expectRestored()
  }

  @Test func `is stopped again when the shell lets it go on in the background, and says nothing there`() throws {
    let sitting = try Sitting(
      in: home, ["english-for-business/negotiating"],
      shell: """
        set -m; "$0" "$@"; bg >/dev/null; while [ -n "$(jobs -rp)" ]; do sleep 0.02; done
        [ -n "$(jobs -sp)" ] && echo waits; read rest; echo "rest [$rest]"; fg >/dev/null; echo ended $?
        """)
    sitting.expect(Pictures.goal)

    sitting.type("\u{1A}")
    try sitting.wait(for: "waits")
    sitting.expectRestored()
    // Beside what the shell says of it.
    #expect(sitting.terminal.text.split(separator: "\n").filter { !$0.contains("Stopped") } == ["waits"])
    sitting.type("\r")
    sitting.expect(Pictures.goal)
    sitting.type("q")

    try sitting.wait(for: "ended 0")
    #expect(sitting.terminal.text.contains("rest []"))
    _ = try sitting.terminal.waitForExit(within: Sitting.patience)
    sitting.expectRestored()
  }

  @Test func `comes back after a stop that it did not hear of`() throws {
    let sitting = try visit()

    sitting.terminal.signal(SIGSTOP)
    try sitting.terminal.waitUntilStopped(within: Sitting.patience)
    // Another program uses the terminal meanwhile.
    sitting.terminal.emulator.feed("\u{1B}[2J\u{1B}[?1049lsomebody else")
    sitting.terminal.signal(SIGCONT)

    sitting.expect(Pictures.goal)
    try sitting.quit()
    expectWayOut(sitting)
  }
}
