import Foundation
import TerminalHarness
import TestSupport
import Testing

/// The path of a product of the build, which is next to the bundle of the tests.
func product(_ name: String) -> String {
  let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? Bundle.main.bundleURL
  let folder = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
  return folder.appendingPathComponent(name).path
}

/// A test program on a pseudo-terminal that has drawn its first frame, and the terminal's settings before its start.
private struct TestProgramFixture {
  let terminal: PseudoTerminal
  let settings: TerminalSettings

  init(
    columns: Int = 60, rows: Int = 12, personality: Personality = .modern, environment: [String: String] = [:]
  ) throws {
    terminal = try PseudoTerminal(columns: columns, rows: rows, personality: personality)
    settings = terminal.settings
    // Crashes of the program are intended, and a backtrace would take seconds. The program waits for replies as long as
    // a test waits, so that no reply is late on a busy machine. A silent terminal sends none, so one second is enough.
    let patience = personality.answers ? harnessTimeout : 1
    let all = environment.merging(["SWIFT_BACKTRACE": "enable=no", "GUEST_PATIENCE": "\(patience)"]) { given, _ in given
    }
    try terminal.launch(product("TerminalTestProgram"), environment: all)
    try terminal.waitFor("events 0")
    try terminal.waitFor("end")
  }

  /// The thread that reads the terminal's input, or `nil` after it has ended.
  static func reader(_ terminal: PseudoTerminal) -> ThreadState? { terminal.threads.first { $0.name == "terminal" } }

  /// Waits until that thread sleeps and has slept more than `count` times. Returns the number of times it has slept.
  func sleeps(after count: Int) throws -> Int {
    try terminal.waitUntil("its thread to sleep") {
      Self.reader(terminal).map { $0.isAsleep && $0.sleeps > count } ?? false
    }
    return Self.reader(terminal)?.sleeps ?? count
  }

  /// Expects that the terminal has the same state as before the start of the test program.
  func expectRestored(_ location: SourceLocation = #_sourceLocation) {
    #expect(terminal.settings == settings, sourceLocation: location)
    #expect(!terminal.emulator.showsAlternateScreen, sourceLocation: location)
    #expect(terminal.emulator.showsCursor, sourceLocation: location)
    // Modes 7 (wrap) and 25 (cursor) are set in every new terminal.
    #expect(terminal.emulator.privateModes == [7, 25], sourceLocation: location)
    #expect(terminal.emulator.keyboardFlags == [], sourceLocation: location)
  }
}

@Suite struct TerminalRestoreTests {
  /// The scheduler slice of each thread of a process, in nanoseconds. The list is empty unless the system is Linux 6.12
  /// or later, which lets a process set its slice.
  private static func turns(of process: Int32) -> [Int] {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    guard (version.majorVersion, version.minorVersion) >= (6, 12) else { return [] }
    let folder = "/proc/\(process)/task"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { thread in
      let statistics = try? String(contentsOfFile: "\(folder)/\(thread)/sched", encoding: .utf8)
      return statistics?.split(separator: "\n").first { $0.hasPrefix("se.slice") }?.split(separator: " ").last.flatMap {
        Int($0)
      }
    }
  }

  @Test(.enabled(if: !turns(of: getpid()).isEmpty))
  func `short scheduler slices let the program draw in time among busy processes`() throws {
    let visit = try TestProgramFixture()

    visit.terminal.type("k")

    // The thread that reads the terminal and the main thread have short slices.
    try visit.terminal.waitUntil("short turns") {
      Self.turns(of: visit.terminal.processIdentifier).count { $0 == 100_000 } >= 2
    }
  }

  @Test func `the program sets up the terminal when it starts`() throws {
    let visit = try TestProgramFixture()

    #expect(visit.terminal.settings != visit.settings)
    #expect(visit.terminal.emulator.showsAlternateScreen && !visit.terminal.emulator.showsCursor)
    #expect(visit.terminal.emulator.keyboardFlags == [1])
    #expect(visit.terminal.emulator.privateModes.isSuperset(of: [1002, 1004, 1006, 1049, 2004]))
    #expect(visit.terminal.emulator.title == "Guest ␛]0;evil␇")
  }

  @Test func `the mouse stays off in GNU screen, where it would delay Escape`() throws {
    let visit = try TestProgramFixture(environment: ["STY": "1234.pts-0.host"])

    #expect(visit.terminal.emulator.privateModes.isDisjoint(with: [1000, 1002, 1003, 1006]))
    #expect(visit.terminal.emulator.privateModes.isSuperset(of: [1004, 1049, 2004]))
  }

  @Test(arguments: [("q", Ending.exited(0)), ("e", .exited(3)), ("x", .exited(1))])
  func `the terminal is restored after a normal end`(key: String, ending: Ending) throws {
    let visit = try TestProgramFixture()

    visit.terminal.type(key)

    // An error that is thrown from `main` is a trap of Swift's runtime.
    let actual = try visit.terminal.waitForExit()
    #expect(actual == ending || key == "x" && (actual == .signalled(4) || actual == .signalled(5)))
    visit.expectRestored()
  }

  @Test func `the stack of a crash is kept in a file, with the names of its functions`() throws {
    let folder = try TemporaryFolder()
    let stack = CrashStack(at: folder.file("stack.txt"))
    let visit = try TestProgramFixture(environment: stack.environment)

    visit.terminal.type("t")

    #expect(try visit.terminal.waitForExit() != .exited(0))
    #expect(try #require(stack.text).contains("act(on:_:)"))
    visit.expectRestored()
  }

  @Test(arguments: [("t", [4, 5]), ("s", [11]), ("a", [6]), ("o", [11])])
  func `the terminal is restored after a crash`(key: String, signals: [Int]) throws {
    let visit = try TestProgramFixture()

    visit.terminal.type(key)

    let actual = try visit.terminal.waitForExit()
    #expect(signals.map(Ending.signalled).contains(actual))
    visit.expectRestored()
  }

  /// All signals that end a program by default and can be caught. 34 is the first signal without a name.
  private static let endings: [Int32] =
    [SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS]
    + [SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGPIPE, SIGIO, 34]

  @Test(arguments: endings.map { Int($0) })
  func `the terminal is restored after a signal ends the program`(signal: Int) throws {
    let visit = try TestProgramFixture()

    visit.terminal.signal(Int32(signal))

    #expect(try visit.terminal.waitForExit() == .signalled(signal))
    visit.expectRestored()
  }

  @Test(arguments: [SIGSEGV, SIGUSR1, SIGTERM])
  func `pending replies are read before the end, so that none is echoed`(signal: Int32) throws {
    let visit = try TestProgramFixture(columns: 200, rows: 60)
    let terminal = visit.terminal
    let question = Array("\u{1B}[5n".utf8)
    terminal.type("f")
    // The program waits longer for a terminal that has replied before.
    try terminal.waitUntil("answered questions") { terminal.output.ranges(of: question).count > 2 }
    terminal.holdsAnswers = true
    let start = terminal.output.count
    try terminal.waitUntil("a question") { !terminal.output[start...].ranges(of: question).isEmpty }

    terminal.signal(signal)
    let leaveSequence = Array("\u{1B}[?1049l".utf8)
    if signal == SIGTERM {
      // The program waits before it writes anything. The thread that reads keys has ended, so only the wait for replies
      // can read this byte.
      try terminal.waitUntil("the end of its thread") { TestProgramFixture.reader(terminal) == nil }
      terminal.type("?")
      try terminal.waitUntil("a reader") { terminal.unread == 0 }
      #expect(terminal.output.ranges(of: leaveSequence).isEmpty)
      terminal.holdsAnswers = false
    }
    try terminal.waitUntil("the way out") { !terminal.output.ranges(of: leaveSequence).isEmpty }
    terminal.holdsAnswers = false

    #expect(try terminal.waitForExit() == .signalled(Int(signal)))
    visit.expectRestored()
    #expect(terminal.output.suffix(leaveSequence.count).elementsEqual(leaveSequence))
  }

  @Test(arguments: ["q", "z"])
  func `replies to the first queries are read, so that the shell receives none`(key: String) throws {
    let terminal = try PseudoTerminal(columns: 60, rows: 12)
    terminal.holdsAnswers = true
    let script = "set -m; \"$0\"; echo \"left $?\"; IFS= read -r -t 0.5 -n 1 rest; echo \"rest [$rest]\""
    try terminal.launch(
      "/bin/bash", ["-c", script, product("TerminalTestProgram")], environment: ["GUEST_PATIENCE": "\(harnessTimeout)"])
    try terminal.waitFor("end")
    let program = try #require(terminal.children.first)

    terminal.type(key)
    try terminal.waitUntil("the end of its thread") {
      !ThreadState.all(of: program).contains { $0.name == "terminal" }
    }
    // A former version of the program waited for less time than this before it recorded the time of its queries.
    terminal.pump(for: 0.5)
    #expect(terminal.emulator.showsAlternateScreen)
    terminal.holdsAnswers = false

    try terminal.waitFor("rest [")
    #expect(terminal.text.contains("rest []"))
    if key == "z" { kill(program, SIGKILL) }
    _ = try terminal.waitForExit()
  }

  @Test func `no thread writes to the terminal while another ends the program`() throws {
    let visit = try TestProgramFixture(columns: 200, rows: 60)
    visit.terminal.type("f")
    try visit.terminal.waitFor("frame 1")

    visit.terminal.signal(SIGALRM)

    #expect(try visit.terminal.waitForExit() == .signalled(Int(SIGALRM)))
    #expect(visit.terminal.output.suffix(8).elementsEqual("\u{1B}[?1049l".utf8))
  }

  @Test func `the terminal is restored in the middle of a frame`() throws {
    let visit = try TestProgramFixture(columns: 200, rows: 60)
    visit.terminal.type("f")
    try visit.terminal.waitFor("frame 1")

    visit.terminal.signal(15)

    #expect(try visit.terminal.waitForExit() == .signalled(15))
    visit.expectRestored()
  }

  @Test func `a hanging program ends within its grace time and restores the terminal`() throws {
    let visit = try TestProgramFixture()
    visit.terminal.type("h")
    try visit.terminal.waitUntil("it to hang") { visit.terminal.emulator.bells == 1 }

    visit.terminal.signal(15)

    #expect(try visit.terminal.waitForExit() == .signalled(15))
    visit.expectRestored()
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `a signal ends the program without handling the keys read before it`(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let gate = folder.file("gate")
    let visit = try TestProgramFixture(environment: ["GUEST_GATE": gate])
    let terminal = visit.terminal
    terminal.type("w" + String(repeating: "b", count: 2000))
    try terminal.waitUntil("it to wait") { terminal.emulator.bells == 1 }
    try terminal.waitUntil("its thread to read all keys") { terminal.unread == 0 }

    let sleeps = try visit.sleeps(after: 0)
    terminal.signal(signal)
    _ = try visit.sleeps(after: sleeps)
    try folder.write(Data(), to: "gate")

    #expect(try terminal.waitForExit() == .signalled(Int(signal)))
    #expect(terminal.text.contains("ended after 1 events"))
    #expect(terminal.settings == visit.settings)
  }

  @Test func `a second signal ends a hanging program immediately`() throws {
    let visit = try TestProgramFixture()
    visit.terminal.type("h")
    try visit.terminal.waitUntil("it to hang") { visit.terminal.emulator.bells == 1 }

    // The first signal would end the program after its grace time, the second ends it immediately. Each signal may
    // reach another thread. The thread that takes both sleeps again after the first.
    let sleeps = try visit.sleeps(after: 0)
    visit.terminal.signal(2)
    _ = try visit.sleeps(after: sleeps)
    visit.terminal.signal(15)

    #expect(try visit.terminal.waitForExit() == .signalled(15))
    visit.expectRestored()
  }

  @Test(arguments: [SIGTSTP, SIGSTOP])
  func `a program continued in the background stops again until it is in the foreground`(
    signal: Int32
  ) throws {
    let terminal = try PseudoTerminal(columns: 60, rows: 12)
    let before = terminal.settings
    let script = """
      set -m; "$0"; bg >/dev/null; while [ -n "$(jobs -rp)" ]; do sleep 0.02; done
      printf '\\33[?1049l'; [ -n "$(jobs -sp)" ] && echo waits; read; fg >/dev/null; echo ended $?
      """
    try terminal.launch("/bin/bash", ["-c", script, product("TerminalTestProgram")])
    try terminal.waitFor("end")

    kill(try #require(terminal.children.first), signal)
    try terminal.waitFor("waits")
    if signal == SIGTSTP { #expect(terminal.settings == before) }
    // After SIGSTOP the terminal is still raw, so Return does not end a line.
    terminal.type("\n")
    try terminal.waitFor("last resumed")
    terminal.type("q")

    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.text.contains("ended 0"))
    // `fg` ends by restoring the settings that it found. After SIGSTOP these are the raw settings of the stopped
    // program.
    if signal == SIGTSTP { #expect(terminal.settings == before) }
    #expect(terminal.emulator.privateModes == [7, 25] && terminal.emulator.keyboardFlags == [])
  }

  @Test func `each change of size is noticed, even immediately after the start`() throws {
    let terminal = try PseudoTerminal(columns: 60, rows: 12)
    try terminal.launch(product("TerminalTestProgram"))
    terminal.resize(columns: 61, rows: 13)
    try terminal.waitFor("Guest 61x13")

    for size in 0..<20 {
      terminal.resize(columns: 70 + size, rows: 14 + size % 3)
      if size % 4 == 0 { try terminal.waitFor("Guest \(70 + size)x") }
    }
    try terminal.waitFor("Guest 89x15")
    terminal.type("q")

    #expect(try terminal.waitForExit() == .exited(0))
  }

  @Test(arguments: [Personality.modern, .old, .silent])
  func `the program works on terminals that reply to all, few or no queries`(personality: Personality) throws {
    let visit = try TestProgramFixture(columns: 120, rows: 40, personality: personality)

    visit.terminal.type("b")
    try visit.terminal.waitFor("events 1")
    visit.terminal.type("q")

    #expect(try visit.terminal.waitForExit() == .exited(0))
    visit.expectRestored()
    #expect(visit.terminal.text == "goodbye" + String(repeating: "\n", count: 39), "no answer is left for the shell")
  }

  @Test func `keys, mouse, paste and focus are received`() throws {
    let visit = try TestProgramFixture()
    let terminal = visit.terminal

    terminal.press(.up, control: true)
    try terminal.waitFor("last Ctrl-Up")
    terminal.type("é")
    try terminal.waitFor("last é")
    terminal.mouse(column: 5, row: 6, button: 1)
    try terminal.waitFor("last Left button pressed at 5, 6")
    terminal.mouse(column: 9, row: 6)
    try terminal.waitFor("last Left button dragged at 9, 6")
    terminal.mouse(column: 9, row: 6, button: 1, down: false)
    try terminal.waitFor("last Left button released")
    terminal.paste("two words")
    try terminal.waitFor("last paste two words")
    terminal.type("\u{1B}[O")
    try terminal.waitFor("last Focus lost")
    terminal.type("\u{1B}")
    try terminal.waitFor("last Esc")
  }

  @Test func `a key is handled during an animation over a slow connection`() throws {
    let visit = try TestProgramFixture(columns: 80, rows: 24)
    let terminal = visit.terminal
    try terminal.waitUntilQuiet()
    terminal.readRate = 64_000
    terminal.type("m")
    try terminal.waitFor("frame 1")
    var counts: [Int] = []
    for event in 2...8 {
      let start = terminal.output.count
      terminal.type("b")
      try terminal.waitFor("events \(event)")
      counts.append(terminal.output.count - start)
      let frame = Self.frame(terminal)
      try terminal.waitUntil("the next frame") { Self.frame(terminal) != frame }
    }

    // The design allows 0.1 s until the first byte. This test waits for the line of text itself, and allows as many
    // bytes as the connection transmits in 0.15 s. It counts bytes, because the time depends on the machine.
    #expect(counts.sorted()[counts.count / 2] < 9_600, "\(counts) bytes")
  }

  /// The row that contains the number of the animation's frame.
  private static func frame(_ terminal: PseudoTerminal) -> String {
    terminal.emulator.cells(row: 3).map(\.text).joined()
  }

  @Test func `an idle program neither writes nor wakes up`() throws {
    let visit = try TestProgramFixture()

    // Some threads from the start end after a few seconds. After that, the program neither writes nor wakes up for the
    // given time.
    try visit.terminal.waitUntilQuiet(for: visitSeconds)

    visit.terminal.type("q")
    #expect(try visit.terminal.waitForExit() == .exited(0))
  }

  /// The number of seconds for which an idle program is observed: 3, or 60 in the long tests.
  private var visitSeconds: Double { Tier.isLong ? 60 : 3 }
}
