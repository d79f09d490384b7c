import Foundation

/// A program that runs beside this one in a session of its own, so it can neither read from the terminal nor write to it.
struct SpawnedProgram {
  private let number: pid_t

  /// Starts a program; `nil` where that is not possible.
  ///
  /// - Parameters:
  ///   - words: Its path and its arguments.
  ///   - input: The descriptor that it reads from; `nil` for nothing.
  ///   - output: The descriptor that it writes to; `nil` for nowhere.
  init?(_ words: [String], input: Int32? = nil, output: Int32? = nil) {
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
    for (descriptor, given) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, nil)] {
      if let given {
        posix_spawn_file_actions_adddup2(&actions, given, descriptor)
      } else {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
      }
    }
    var (mask, all) = (sigset_t(), sigset_t())
    sigemptyset(&mask)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
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
