import Foundation
import TerminalIO

/// The program of the system that shows an address or a file.
enum SystemOpener {
  /// Opens an address or a file, without waiting for what shows it.
  ///
  /// The program has a session of its own and neither input nor output, so it can write nothing to the terminal and read
  /// nothing from it.
  ///
  /// - Returns: `false` where there is nobody to show it to: over a network the screen is another machine's, and without
  ///   a display there is none; and where there is no such program.
  static func open(_ thing: String, environment: Environment) -> Bool {
    guard let words = command(for: thing, environment: environment) else { return false }
    return spawn(words)
  }

  /// The program and its arguments; `nil` where nothing can be shown.
  ///
  /// - Parameter isProgram: Whether there is a program at a path.
  ///
  /// Sources: xdg-open(1); open(1) of macOS; environ(7), of `BROWSER`: commands between colons, in each `%s` for the
  /// address.
  static func command(
    for thing: String, environment: Environment,
    isProgram: (String) -> Bool = { FileManager.default.isExecutableFile(atPath: $0) }
  ) -> [String]? {
    // What begins with a hyphen would be an option.
    guard environment["SSH_CONNECTION"] == nil, environment["SSH_TTY"] == nil, !thing.hasPrefix("-") else { return nil }
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
    func path(of program: String) -> String? {
      program.contains("/")
        ? (isProgram(program) ? program : nil) : folders.lazy.map { "\($0)/\(program)" }.first(where: isProgram)
    }
    if thing.hasPrefix("http") {
      for command in (environment["BROWSER"] ?? "").split(separator: ":") {
        var words = command.split(separator: " ").map(String.init)
        guard let first = words.first, let program = path(of: first) else { continue }
        words[0] = program
        let hasPlace = words.contains { $0.contains("%s") }
        return hasPlace ? words.map { $0.replacing("%s", with: thing) } : words + [thing]
      }
    }
    #if os(macOS)
    return path(of: "open").map { [$0, thing] }
    #else
    guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return nil }
    return path(of: "xdg-open").map { [$0, thing] }
    #endif
  }

  private static func spawn(_ words: [String]) -> Bool {
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
    for descriptor in 0...2 {
      posix_spawn_file_actions_addopen(&actions, Int32(descriptor), "/dev/null", O_RDWR, 0)
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
    guard posix_spawn(&child, words[0], &actions, &attributes, &arguments, environ) == 0 else { return false }
    // Somebody has to take note of its end.
    let ended = child
    Thread.detachNewThread { _ = waitpid(ended, nil, 0) }
    return true
  }
}
