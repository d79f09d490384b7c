import Foundation

/// A program that runs beside this one: in a session of its own, so it can neither read from the terminal nor write to it,
/// or in its place on the terminal.
struct SpawnedProgram {
  private let number: pid_t

  /// Starts a program; `nil` where that is not possible.
  ///
  /// - Parameters:
  ///   - words: Its path and its arguments.
  ///   - input: The descriptor that it reads from; `nil` for nothing.
  ///   - output: The descriptor that it writes to; `nil` for nowhere.
  init?(_ words: [String], input: Int32? = nil, output: Int32? = nil) {
    self.init(words, from: [input, output, nil].map { $0.map(Place.descriptor) ?? .nowhere }, hasOwnSession: true)
  }

  /// Starts a program that has the terminal, which nothing else may use until it has ended; `nil` where that is not
  /// possible. Keys that interrupt are the program's alone.
  init?(onTerminal words: [String]) {
    self.init(words, from: [.terminal, .terminal, .terminal], hasOwnSession: false)
  }

  /// Where a program's input comes from, or its output goes.
  private enum Place {
    case nowhere, terminal
    case descriptor(Int32)
  }

  private init?(_ words: [String], from places: [Place], hasOwnSession: Bool) {
    #if os(macOS)
    var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?) = (nil, nil)
    let newSession = Int16(POSIX_SPAWN_SETSID)
    #else
    var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    // POSIX_SPAWN_SETSID of the GNU C library, which Swift does not import.
    let newSession: Int16 = 0x80
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (descriptor, place) in zip([STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO], places) {
      switch place {
      case .descriptor(let given): posix_spawn_file_actions_adddup2(&actions, given, descriptor)
      case .nowhere: posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
      // Opened anew, since this program's own may not wait.
      case .terminal: posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/tty", O_RDWR, 0)
      }
    }
    var (mask, all) = (sigset_t(), sigset_t())
    sigemptyset(&mask)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let session = hasOwnSession ? newSession : 0
    posix_spawnattr_setflags(&attributes, session | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    guard posix_spawn(&child, words[0], &actions, &attributes, &arguments, environ) == 0 else { return nil }
    number = child
  }

  /// Waits until it has ended.
  ///
  /// - Returns: Whether it says that all went well.
  func waitForEnd() -> Bool {
    var status: Int32 = 0
    while waitpid(number, &status, 0) < 0 { guard errno == EINTR else { return false } }
    return status == 0
  }
}
