import CTerminal
import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The way in which a program ended.
public enum Ending: Hashable, Sendable {
  /// The program exited with this code.
  case exited(Int)
  /// The program was ended by this signal.
  case signalled(Int)

  init(status: Int32) {
    let signal = cterminal_ending_signal(status)
    self = signal != 0 ? .signalled(Int(signal)) : .exited(Int(cterminal_exit_code(status)))
  }
}

/// An error of a program under test.
public enum HarnessError: Error, CustomStringConvertible {
  /// A system call failed with this `errno`.
  case system(String, Int32)
  /// The expected event did not happen in time. Contains the screen.
  case timedOut(waitingFor: String, screen: String)
  /// The program ended unexpectedly. Contains the screen.
  case ended(Ending, screen: String)

  /// The description in failure messages.
  public var description: String {
    switch self {
    case .system(let call, let code): "\(call) failed: \(String(cString: strerror(code)))"
    case .timedOut(let what, let screen): "Waited in vain for \(what). The screen shows:\n\(screen)"
    case .ended(let ending, let screen): "The program ended too early (\(ending)). The screen shows:\n\(screen)"
    }
  }
}

/// The settings of a terminal from `tcgetattr`.
public struct TerminalSettings: Hashable, Sendable {
  /// The flag words for input, output, control and local modes.
  public var flags: [UInt]
  /// The control characters.
  public var characters: [UInt8]

  init(of descriptor: Int32) {
    var settings = termios()
    tcgetattr(descriptor, &settings)
    flags = [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag].map { UInt($0) }
    characters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
  }
}

/// The default timeout of a wait in seconds. It only ends tests that hang and must not be used to measure speed; even a
/// busy machine needs only a fraction of it.
public let harnessTimeout = 120.0

/// Returns the time of the monotonic clock in seconds.
func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Starts a program in a new session with a terminal as its controlling terminal.
func spawn(
  _ executable: String, _ arguments: [String], environment: [String: String], directory: URL?, terminal: String,
  redirecting: [Int32: String]
) throws -> pid_t {
  try spawn(executable, arguments, environment: environment, directory: directory) { actions in
    // A session leader that opens a terminal gets it as its controlling terminal.
    posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    for (descriptor, path) in redirecting.sorted(by: { $0.key < $1.key }) {
      let flags = descriptor == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
      posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0o600)
    }
  }
}

#if canImport(Glibc)
typealias SpawnActions = posix_spawn_file_actions_t
#else
typealias SpawnActions = posix_spawn_file_actions_t?
#endif

/// Starts a program in a new session. `connecting` sets up its standard descriptors.
func spawn(
  _ executable: String, _ arguments: [String], environment: [String: String], directory: URL?,
  connecting: (inout SpawnActions) -> Void
) throws -> pid_t {
  #if canImport(Glibc)
  var actions = posix_spawn_file_actions_t()
  var attributes = posix_spawnattr_t()
  #else
  var actions: posix_spawn_file_actions_t?
  var attributes: posix_spawnattr_t?
  #endif
  posix_spawn_file_actions_init(&actions)
  posix_spawnattr_init(&attributes)
  defer {
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }
  connecting(&actions)
  if let directory { cterminal_spawn_directory(&actions, directory.path) }

  // Threads of Swift Testing block signals, and a child would inherit that mask.
  var none = sigset_t()
  var all = sigset_t()
  sigemptyset(&none)
  sigfillset(&all)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setsigdefault(&attributes, &all)
  let flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | cterminal_spawn_setsid()
  posix_spawnattr_setflags(&attributes, flags)

  var argumentPointers: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
  var variablePointers: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
  defer { for pointer in argumentPointers + variablePointers { free(pointer) } }
  var child: pid_t = 0
  let result = posix_spawn(&child, executable, &actions, &attributes, &argumentPointers, &variablePointers)
  guard result == 0 else { throw HarnessError.system("posix_spawn \(executable)", result) }
  return child
}
