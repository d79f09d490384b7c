import CTerminal
import Images
import TextCanvas
import WholeNumbers

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The terminal as a file. It is opened again, so that its non-blocking mode does not affect other processes.
struct TerminalDevice: Sendable {
  /// The file descriptor. Reading and writing never block.
  let descriptor: Int32
  /// The path with which it was opened.
  let path: String
  /// The settings before the session.
  let original: TerminalSettings

  /// The settings of a terminal.
  ///
  /// `@unchecked Sendable` because `termios` is a C structure of numbers, which never changes here.
  struct TerminalSettings: @unchecked Sendable {
    let termios: termios
  }

  /// Opens the first of these that is available: the terminal of standard output, the terminal of standard input, the
  /// controlling terminal of the process.
  init() throws(TerminalError) {
    let path = [STDOUT_FILENO, STDIN_FILENO].lazy.compactMap { Self.name(of: $0) }.first ?? "/dev/tty"
    try self.init(path: path)
  }

  /// Opens a terminal by its path.
  init(path: String) throws(TerminalError) {
    descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    self.path = path
    guard descriptor >= 0 else {
      throw errno == ENXIO || errno == ENOENT || errno == ENOTTY
        ? .noTerminal : .cannotOpen(path: path, code: errno)
    }
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else {
      let code = errno
      close(descriptor)
      throw .cannotConfigure(path: path, code: code)
    }
    original = TerminalSettings(termios: settings)
  }

  private static func name(of descriptor: Int32) -> String? {
    guard isatty(descriptor) == 1 else { return nil }
    var buffer = [CChar](repeating: 0, count: 256)
    guard ttyname_r(descriptor, &buffer, buffer.count) == 0 else { return nil }
    return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
  }

  /// Switches to raw mode, in which bytes are passed unchanged: no echo, no line editing, no signals from keys, no
  /// conversion of output.
  ///
  /// Bytes that were typed before are not discarded. Source: POSIX, 11 "General Terminal Interface"; cfmakeraw(3).
  func makeRaw() throws(TerminalError) {
    var settings = original.termios
    cfmakeraw(&settings)
    try set(settings)
  }

  /// Restores the settings from before the session.
  func restoreSettings() {
    // Unread bytes, such as late replies of the terminal, must not become a command of the shell.
    tcflush(descriptor, TCIFLUSH)
    try? set(original.termios)
  }

  private func set(_ settings: termios) throws(TerminalError) {
    var settings = settings
    // TCSANOW: waiting for the output could block forever if the terminal reads nothing.
    while tcsetattr(descriptor, TCSANOW, &settings) != 0 {
      guard errno == EINTR else { throw .cannotConfigure(path: path, code: errno) }
    }
  }

  /// Closes the file without changing the terminal.
  func release() { close(descriptor) }

  /// The maximum number of columns and of rows that are drawn. A terminal can report 65,535 of each, and a frame of
  /// that size does not fit into memory.
  static let maximumCells = 1_000

  /// The current size, at most ``maximumCells`` columns and rows. 80 × 24 if the terminal does not know its size.
  ///
  /// Source: Linux, TIOCGWINSZ(2const).
  var size: CellSize {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
      return CellSize(columns: 80, rows: 24)
    }
    return CellSize(
      columns: min(Int(window.ws_col), Self.maximumCells), rows: min(Int(window.ws_row), Self.maximumCells))
  }

  /// The size of a cell in pixels, or `nil` if the system does not know the size of the terminal in pixels.
  ///
  /// Source: Linux, TIOCGWINSZ(2const), `ws_xpixel` and `ws_ypixel`.
  var cellPixels: CellPixels? {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else { return nil }
    let (width, height) = (Int(window.ws_xpixel) / Int(window.ws_col), Int(window.ws_ypixel) / Int(window.ws_row))
    return width > 0 && height > 0 ? CellPixels(width: width, height: height) : nil
  }

  /// The outcome of an attempt to read or write.
  enum Outcome {
    /// The number of bytes that were read or written.
    case count(Int)
    /// The operation is not possible now.
    case wouldBlock
    /// The terminal was disconnected.
    case disconnected
  }

  /// Reads the available bytes.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    outcome { cterminal_answers_read(descriptor, buffer.baseAddress, buffer.count) }
  }

  /// Writes as many bytes as possible.
  func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    guard !bytes.isEmpty else { return .count(0) }
    // While another thread crashes, this thread must not write to the restored terminal.
    guard !cterminal_guard_gave_back() else { return .disconnected }
    return outcome { systemWrite(descriptor, bytes.baseAddress, bytes.count) }
  }

  /// Writes all bytes, waiting for the terminal at most the given time. Returns whether everything was written.
  @discardableResult
  func write(_ bytes: [UInt8], within seconds: Double) -> Bool {
    let deadline = MonotonicClock.now + seconds
    return bytes.withUnsafeBytes { buffer in
      var unwritten = buffer[...]
      while !unwritten.isEmpty {
        switch write(UnsafeRawBufferPointer(rebasing: unwritten)) {
        case .count(let count): unwritten = unwritten.dropFirst(count)
        case .disconnected: return false
        case .wouldBlock:
          let remaining = deadline - MonotonicClock.now
          guard remaining > 0 else { return false }
          wait(for: Int16(POLLOUT), seconds: remaining)
        }
      }
      return true
    }
  }

  /// Waits until the terminal can be read or written, or until the time has passed.
  func wait(for events: Int16, seconds: Double) {
    var waiting = pollfd(fd: descriptor, events: events, revents: 0)
    _ = cterminal_wait(&waiting, 1, Int64(clamping: max(0, seconds) * 1e9))
  }

  private func outcome(_ call: () -> Int) -> Outcome {
    while true {
      let count = call()
      if count > 0 { return .count(count) }
      if count == 0 { return .disconnected }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: return .wouldBlock
      // The shell uses the terminal. The process gets it back with SIGCONT.
      case EIO where cterminal_in_background(descriptor): return .wouldBlock
      default: return .disconnected
      }
    }
  }
}

// Access to the function of the system that is hidden by the methods above.
private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}

/// The reason why a terminal cannot be used.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The process has no terminal.
  case noTerminal
  /// The terminal could not be opened. The code is `errno`.
  case cannotOpen(path: String, code: Int32)
  /// The settings of the terminal could not be read or changed. The code is `errno`.
  case cannotConfigure(path: String, code: Int32)
  /// The system provided no pipe, thread or signal handler. The values are the failed call and `errno`.
  case systemRefused(call: String, code: Int32)
  /// Another session of this process is open.
  case alreadyOpen
  /// A recording could not be created. The code is `errno`.
  case cannotRecord(path: String, code: Int32)
  /// A recording ended before the session did. The code is `errno`.
  case recordingEnded(path: String, code: Int32)

  /// The failed operation, the cause and the remedy, as one line of text.
  public var description: String {
    switch self {
    case .noTerminal:
      "Could not open the screen at '/dev/tty': this process has no terminal. "
        + "Run it in a terminal."
    case .cannotOpen(let path, let code):
      "Could not open the terminal at '\(path)': \(Self.errorMessage(code)). "
        + "Run it in a terminal that you have permission to use."
    case .cannotConfigure(let path, let code):
      "Could not change the settings of the terminal at '\(path)': \(Self.errorMessage(code)). "
        + "Run it in a terminal that is still connected."
    case .systemRefused(let call, let code):
      "Could not prepare the terminal: '\(call)' failed: \(Self.errorMessage(code)). Close other programs and try "
        + "again."
    case .alreadyOpen:
      "Could not open the screen at '/dev/tty': it is already open. Close the first screen before opening another."
    case .cannotRecord(let path, let code):
      "Could not record the screen at '\(path)': \(Self.errorMessage(code)). Choose a file that you have permission "
        + "to write."
    case .recordingEnded(let path, let code):
      "Could not finish the recording at '\(path)': \(Self.errorMessage(code)). The file contains the earlier output. "
        + "Free some disk space and record again."
    }
  }

  private static func errorMessage(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
