import Answers
import CTerminal
import LearningModel
import LearningStore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Buffered standard output.
///
/// If the reader has closed the pipe, as in `| head`, the program ends without an error, like other filters.
struct StandardOutput {
  private var buffer: [UInt8] = []

  let isTerminal = isatty(STDOUT_FILENO) == 1

  /// The width of the terminal in columns, or `nil` if standard output is not a terminal.
  var width: Int? {
    isTerminal ? TerminalWidth.columns(of: STDOUT_FILENO) : nil
  }

  /// The symbols for text output.
  private(set) lazy var signs = ProgramEnvironment.current.signs(onTerminal: isTerminal)

  /// Writes a text for users, with symbols that the terminal can draw. On a terminal, lines are broken at spaces.
  mutating func printText(_ text: String) {
    let text = signs.replacingUnsupported(text)
    write(width.map { text.brokenAtSpaces(to: $0) } ?? text)
  }

  mutating func write(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count > 64 * 1024 { flush() }
  }

  mutating func write(_ bytes: [UInt8]) {
    buffer += bytes
    if buffer.count > 64 * 1024 { flush() }
  }

  mutating func flush() {
    WriteAll.write(buffer, to: STDOUT_FILENO)
    buffer.removeAll(keepingCapacity: true)
  }
}

/// Standard error, for progress and diagnostics.
enum StandardError {
  static let isTerminal = isatty(STDERR_FILENO) == 1

  /// The width of the terminal in columns.
  static var width: Int { TerminalWidth.columns(of: STDERR_FILENO) }

  private static let signs = ProgramEnvironment.current.signs(onTerminal: isTerminal)

  static func write(_ text: String) {
    WriteAll.write(Array(signs.replacingUnsupported(text).utf8), to: STDERR_FILENO)
  }
}

private enum TerminalWidth {
  /// Returns the columns of a terminal, or 80 if it does not report them.
  static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}

private enum WriteAll {
  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = systemWrite(descriptor, buffer.baseAddress! + written, buffer.count - written)
        if count > 0 {
          written += count
        } else if errno == EAGAIN {
          var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&wait, 1, -1)
        } else if errno != EINTR {
          stop(errno, writingTo: descriptor)
        }
      }
    }
  }

  /// Exits the process. If the cause is a closed pipe, this is not an error. Any other error is printed to standard
  /// error if possible.
  private static func stop(_ code: Int32, writingTo descriptor: Int32) -> Never {
    if code == EPIPE { exit(0) }
    if descriptor != STDERR_FILENO {
      let reason = code == EBADF ? "standard output is closed" : code.systemMessage
      let remedy =
        LearningStore.hasRecorded
        ? "The changes were recorded, so do not repeat the command."
        : [ENOSPC, EDQUOT].contains(code)
          ? "Free some disk space and try again." : "Choose another output and try again."
      let message = "Could not write the output: \(reason). \(remedy)\n"
      message.withCString { _ = systemWrite(STDERR_FILENO, $0, strlen($0)) }
    }
    exit(FailureKind.inputOutput.exitStatus)
  }
}
