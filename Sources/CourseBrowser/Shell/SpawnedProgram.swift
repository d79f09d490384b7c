import Foundation

/// A child process.
package struct SpawnedProgram {
  private let number: pid_t

  /// Starts a program, or returns `nil` if the system refuses.
  ///
  /// - Parameters:
  ///   - words: The path of the program and its arguments.
  ///   - input: The descriptor of its standard input, or `nil` for `/dev/null`.
  ///   - output: The descriptor of its standard output, or `nil` for `/dev/null`.
  ///   - errors: The descriptor of its standard error, or `nil` for `/dev/null`.
  ///   - hasOwnSession: Whether it runs in a session of its own, where it has no terminal and does not receive the
  ///     signals that are sent to the process group of this program.
  package init?(
    _ words: [String], input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil, hasOwnSession: Bool = true
  ) {
    self.init(
      words, from: [input, output, errors].map { $0.map(Place.descriptor) ?? .nowhere }, hasOwnSession: hasOwnSession)
  }

  /// Starts a program that has the terminal, which nothing else may use until it has ended; `nil` where that is not
  /// possible. Keys that interrupt are the program's alone.
  init?(onTerminal words: [String]) {
    self.init(words, from: [.terminal, .terminal, .terminal], hasOwnSession: false)
  }

  /// The source of a program's input, or the destination of its output.
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
      // Opened again, because the descriptors of this program may be non-blocking.
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

  /// Asks the program to end, with SIGTERM. Must not be called after ``waitForEnd()``.
  package func terminate() { kill(number, SIGTERM) }

  /// Waits until the program has ended.
  ///
  /// - Returns: True if its exit code is 0.
  package func waitForEnd() -> Bool {
    var status: Int32 = 0
    while waitpid(number, &status, 0) < 0 { guard errno == EINTR else { return false } }
    return status == 0
  }
}
