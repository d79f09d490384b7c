#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Why a terminal could not be used.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The process has no terminal.
  case noTerminal
  /// The terminal could not be opened; `errno`.
  case cannotOpen(path: String, code: Int32)
  /// The terminal's settings could not be read or changed; `errno`.
  case cannotConfigure(path: String, code: Int32)
  /// The system gave no pipe, thread or signal handler; the call and `errno`.
  case systemRefused(call: String, code: Int32)
  /// Another session of this process uses the terminal already.
  case alreadyOpen
  /// A recording could not be written; `errno`.
  case cannotRecord(path: String, code: Int32)
  /// A recording ended before the session did; `errno`.
  case recordingEnded(path: String, code: Int32)

  /// The words for a person.
  public var description: String {
    switch self {
    case .noTerminal:
      "Could not open the screen at '/dev/tty': this process has no terminal. "
        + "Run it in a terminal, or with --linear, in lines; commands that print, such as 'tree' or 'show', need none."
    case .cannotOpen(let path, let code):
      "Could not open the terminal at '\(path)': \(Self.words(code)). "
        + "Run it in a terminal that you may use, or with --linear, in lines."
    case .cannotConfigure(let path, let code):
      "Could not change the settings of the terminal at '\(path)': \(Self.words(code)). "
        + "Run it in a terminal that is still connected, or with --linear, in lines."
    case .systemRefused(let call, let code):
      "Could not prepare the terminal at '\(call)': \(Self.words(code)). Close other programs and try again."
    case .alreadyOpen:
      "Could not open the screen at '/dev/tty': it is open already. Close the first screen before opening another."
    case .cannotRecord(let path, let code):
      "Could not record the screen at '\(path)': \(Self.words(code)). Name a file that you may write."
    case .recordingEnded(let path, let code):
      "Could not record the screen to its end at '\(path)': \(Self.words(code)). "
        + "What came before is in the file; make room, and record again."
    }
  }

  private static func words(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
