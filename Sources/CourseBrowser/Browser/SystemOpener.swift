import ExternalPrograms
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
    guard let words = command(for: thing, environment: environment),
      let program = ExternalProgram(path: words[0]).start(Array(words.dropFirst()))
    else { return false }
    // A process that ended stays in the table of processes until its end is asked for.
    Thread.detachNewThread { _ = program.waitForEnd() }
    return true
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
}
