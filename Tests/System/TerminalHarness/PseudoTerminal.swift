import CTerminal
public import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A program in a pseudo-terminal, with an emulator that displays its output and answers its queries.
///
/// All methods run on the test's thread. Output is only processed while the test waits, for example in
/// ``waitUntil(_:within:_:)``, ``waitForExit(within:)`` or ``pump(for:)``. All waits have a timeout, and all failures
/// contain the screen.
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
  /// The emulator that displays the program's output.
  public let emulator: Emulator
  /// All bytes that the program has written.
  public private(set) var output: [UInt8] = []
  /// The time of each read in seconds since ``launch(_:_:environment:directory:redirecting:)``, and the number of
  /// bytes.
  public private(set) var reads: [(time: Double, count: Int)] = []
  /// The maximum number of bytes that are read in a second, to simulate a slow line. If `nil`, reading is not limited.
  public var readRate: Int?

  /// Whether the terminal holds back its responses until this is `false` again, to simulate a line with a long delay.
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

  /// Opens a pseudo-terminal.
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
    // The additional open descriptor keeps the terminal's settings and buffers when the program closes its own.
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

  /// Starts a program in a new session, with the terminal as its standard input, output and error.
  ///
  /// - Parameters:
  ///   - executable: The path of the program.
  ///   - arguments: The arguments without the program's name.
  ///   - environment: The environment. `TERM=xterm-256color` and `LANG=C.UTF-8` are added if they are missing.
  ///   - directory: The working directory. If `nil`, that of the test.
  ///   - redirecting: Paths of files to which standard descriptors are redirected, by descriptor.
  /// - Throws: ``HarnessError/system(_:_:)`` if a system call fails.
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

  /// The process ID of the program.
  public var processIdentifier: Int32 { child }

  /// The running child processes of the program. Source: Linux, proc(5).
  public var children: [Int32] {
    let path = "/proc/\(child)/task/\(child)/children"
    let list = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return list.split(separator: " ").compactMap { Int32($0) }
  }

  /// The states of the program's threads.
  public var threads: [ThreadState] { ThreadState.all(of: child) }

  /// Whether the program sleeps, and how often its threads were switched.
  public var sleep: ProcessActivity { ProcessActivity(of: child) }

  // MARK: - User input

  /// Types bytes.
  public func type(_ bytes: some Sequence<UInt8>) {
    toType.append(contentsOf: bytes)
    flushTyping()
  }

  /// Types text.
  public func type(_ text: String) { type(text.utf8) }

  /// Presses a named key. The terminal's current mode determines the bytes that are sent.
  public func press(_ key: NamedKey, control: Bool = false, shift: Bool = false, alt: Bool = false) {
    emulator.press(key, control: control, shift: shift, alt: alt)
    flushTyping()
  }

  /// Moves the mouse, and presses or releases a button. The terminal's current mode determines the bytes that are sent.
  public func mouse(column: Int, row: Int, button: Int? = nil, down: Bool = true) {
    emulator.mouse(column: column, row: row, button: button, down: down)
    flushTyping()
  }

  /// Pastes text.
  public func paste(_ text: String) {
    emulator.paste(text)
    flushTyping()
  }

  /// Changes the size of the window. The kernel sends SIGWINCH.
  public func resize(columns: Int, rows: Int) {
    emulator.resize(columns: columns, rows: rows)
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
  }

  /// Sends a signal to the program only.
  public func signal(_ signal: Int32) { kill(child, signal) }

  /// Closes the terminal's side of the connection. The kernel sends SIGHUP, and the terminal does not answer any more.
  public func hangUp() {
    close(controller)
    controller = -1
  }

  // MARK: - The terminal

  /// The text on the screen without trailing blanks.
  public var text: String { emulator.text }

  /// The current settings of the terminal (`tcgetattr`), which can be compared with earlier ones.
  public var settings: TerminalSettings { TerminalSettings(of: terminal) }

  /// The number of typed bytes and responses that the program has not read. Source: Linux, TIOCINQ(2const).
  public var unread: Int {
    var count: Int32 = 0
    _ = ioctl(terminal, UInt(FIONREAD), &count)
    return Int(count)
  }

  /// The time since the program was launched, in seconds.
  public var elapsed: Double { monotonicSeconds() - startTime }

  /// Reads the remaining output of a program that has ended or stopped, without a limited rate.
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
      // The program has closed the terminal, or has not opened it yet.
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
