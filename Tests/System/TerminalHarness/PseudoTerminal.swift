import CTerminal
public import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A program under a real pseudo-terminal, with an emulator on the other side that shows what it draws and answers what
/// it asks.
///
/// Everything happens on the thread of the test: the terminal reads while the test waits (``waitUntil(_:within:_:)``,
/// ``waitForExit(within:)``, ``pump(for:)``), and only then. Each wait has a deadline, and each failure shows the
/// screen.
///
/// ```swift
/// let terminal = try PseudoTerminal(columns: 80, rows: 24)
/// try terminal.launch(binary, ["browse"], environment: ["HOME": home.path])
/// try terminal.waitFor("Courses")
/// terminal.press(.down)
/// terminal.type("q")
/// #expect(try terminal.waitForExit() == .exited(0))
/// ```
public final class PseudoTerminal {
  /// What the terminal shows.
  public let emulator: Emulator
  /// Every byte the program has written, and when it was read, in seconds since ``launch(_:_:environment:directory:)``.
  public private(set) var output: [UInt8] = []
  /// The lengths of the reads that `output` came in, with their times.
  public private(set) var reads: [(time: Double, count: Int)] = []
  /// The most bytes that are read in a second, as over a slow line; nil reads what there is.
  public var readRate: Int?

  /// Whether the terminal keeps its answers for itself, until this is `false` again: as over a long line.
  public var holdsAnswers = false {
    didSet { if !holdsAnswers { flushTyping() } }
  }

  private var controller: Int32
  private let name: String
  var child: pid_t = 0
  var ended: Ending?
  private var startTime: Double = 0
  private var lastRead: Double = 0
  private var toType: [UInt8] = []

  /// Opens a pseudo-terminal of this size.
  public init(columns: Int, rows: Int, personality: Personality = .modern) throws {
    emulator = Emulator(columns: columns, rows: rows, personality: personality)
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    var controller: Int32 = -1
    var terminal: Int32 = -1
    var path = [CChar](repeating: 0, count: 256)
    guard openpty(&controller, &terminal, &path, nil, &size) == 0 else { throw HarnessError.system("openpty", errno) }
    self.controller = controller
    name = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    _ = fcntl(controller, F_SETFD, FD_CLOEXEC)
    _ = fcntl(controller, F_SETFL, fcntl(controller, F_GETFL) | O_NONBLOCK)
    // Our own open end keeps the terminal, its settings and its buffers, when the program closes it.
    _ = fcntl(terminal, F_SETFD, FD_CLOEXEC)
    self.terminal = terminal
  }

  private let terminal: Int32

  deinit {
    if child > 0, ended == nil {
      kill(child, SIGKILL)
      var status: Int32 = 0
      waitpid(child, &status, 0)
    }
    close(terminal)
    if controller >= 0 { close(controller) }
  }

  /// Starts the program in a session of its own, with the terminal as its standard input, output and error.
  ///
  /// - Parameters:
  ///   - executable: Path of the program.
  ///   - arguments: Its arguments, without its name.
  ///   - environment: The whole environment; `TERM=xterm-256color` and `LANG=C.UTF-8` are added where they are missing.
  ///   - directory: Its working directory; the test's own where nil.
  ///   - redirecting: Standard descriptors that are files instead of the terminal, by number.
  /// - Throws: ``HarnessError/system(_:_:)`` when the system refuses.
  public func launch(
    _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:], directory: URL? = nil,
    redirecting: [Int32: String] = [:]
  ) throws {
    let environment = environment.merging(["TERM": "xterm-256color", "LANG": "C.UTF-8"]) { given, _ in given }
    ended = nil
    startTime = monotonicSeconds()
    lastRead = startTime
    child = try spawn(
      executable, arguments, environment: environment, directory: directory, terminal: name, redirecting: redirecting)
  }

  /// The process of the program.
  public var processIdentifier: Int32 { child }

  /// The processes that the program started itself and that still run. Source: Linux, proc(5).
  public var children: [Int32] {
    let path = "/proc/\(child)/task/\(child)/children"
    let list = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return list.split(separator: " ").compactMap { Int32($0) }
  }

  /// The program's threads.
  public var threads: [ThreadState] { ThreadState.all(of: child) }

  /// Whether the program sleeps, and how often its threads have been put to sleep or woken.
  public var sleep: ProcessSleep { ProcessSleep(of: child) }

  // MARK: What a person does

  /// Types bytes.
  public func type(_ bytes: some Sequence<UInt8>) {
    toType.append(contentsOf: bytes)
    flushTyping()
  }

  /// Types text.
  public func type(_ text: String) { type(text.utf8) }

  /// Presses a key that has a name, as the terminal would send it in its present mode.
  public func press(_ key: NamedKey, control: Bool = false, shift: Bool = false, alt: Bool = false) {
    emulator.press(key, control: control, shift: shift, alt: alt)
    flushTyping()
  }

  /// Moves the mouse and presses or lets go of a button, as the terminal would report it in its present mode.
  public func mouse(column: Int, row: Int, button: Int? = nil, down: Bool = true) {
    emulator.mouse(column: column, row: row, button: button, down: down)
    flushTyping()
  }

  /// Pastes text.
  public func paste(_ text: String) {
    emulator.paste(text)
    flushTyping()
  }

  /// Changes the size of the window; the kernel sends SIGWINCH.
  public func resize(columns: Int, rows: Int) {
    emulator.resize(columns: columns, rows: rows)
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
  }

  /// Sends a signal to the program alone.
  public func signal(_ signal: Int32) { kill(child, signal) }

  /// Takes the line away: the kernel sends SIGHUP to the program, and its terminal answers no more.
  public func hangUp() {
    close(controller)
    controller = -1
  }

  // MARK: The terminal itself

  /// What the emulator shows, without trailing blanks.
  public var text: String { emulator.text }

  /// The terminal's settings (`tcgetattr`), to be compared with those of another moment.
  public var settings: TerminalSettings { TerminalSettings(of: terminal) }

  /// How many bytes that were typed, or answered, the program has not read yet. Source: Linux, TIOCINQ(2const).
  public var unread: Int {
    var count: Int32 = 0
    _ = ioctl(terminal, UInt(FIONREAD), &count)
    return Int(count)
  }

  /// Seconds since the program was launched.
  public var elapsed: Double { monotonicSeconds() - startTime }

  /// Reads what is left of a program that writes no more, as fast as it can: a slow line has nothing to wait for then.
  func drain() {
    var count = -1
    while count != output.count {
      count = output.count
      pumpOnce(waiting: 0.01, atRate: nil)
    }
  }

  func pumpOnce(waiting seconds: Double) { pumpOnce(waiting: seconds, atRate: readRate) }

  private func pumpOnce(waiting seconds: Double, atRate readRate: Int?) {
    guard controller >= 0 else {
      usleep(useconds_t(max(0, seconds) * 1_000_000))
      return
    }
    var descriptor = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
    if !toType.isEmpty { descriptor.events |= Int16(POLLOUT) }
    let now = monotonicSeconds()
    var allowance = 65_536
    if let readRate {
      allowance = Int(min(0.1, now - lastRead) * Double(readRate))
      if allowance < 16 {
        usleep(useconds_t(min(seconds, 0.002) * 1_000_000))
        return
      }
    }
    guard cterminal_wait(&descriptor, 1, Int64(max(0, seconds) * 1e9)) > 0 else { return }
    if descriptor.revents & Int16(POLLOUT) != 0 { flushTyping() }
    guard descriptor.revents & Int16(POLLIN) != 0 else {
      // The program closed its side, or has not opened it yet.
      if descriptor.revents & Int16(POLLHUP) != 0 { usleep(1000) }
      return
    }
    var buffer = [UInt8](repeating: 0, count: allowance)
    let count = read(controller, &buffer, allowance)
    guard count > 0 else { return }
    lastRead = monotonicSeconds()
    reads.append((lastRead - startTime, count))
    output.append(contentsOf: buffer[..<count])
    emulator.feed(buffer[..<count])
    flushTyping()
  }

  private func flushTyping() {
    if !holdsAnswers { toType.append(contentsOf: emulator.takeAnswers()) }
    while !toType.isEmpty, controller >= 0 {
      let count = toType.withUnsafeBytes { write(controller, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      toType.removeFirst(count)
    }
  }
}
