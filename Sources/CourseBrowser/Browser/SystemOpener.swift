import ExternalPrograms
import Foundation
import TerminalIO

/// Opens addresses and files with the system's default program.
enum SystemOpener {
  /// Opens an address or a file without waiting for the started program.
  ///
  /// The program runs in its own session without input and output, so it cannot access the terminal.
  ///
  /// - Returns: `false` if the learner could not see the result, because the session is remote or has no display, or if
  ///   there is no suitable program.
  static func open(_ thing: String, environment: TerminalEnvironment) -> Bool {
    guard let words = command(for: thing, environment: environment),
      let program = ExternalProgram(path: words[0]).start(Array(words.dropFirst()))
    else { return false }
    // The child process must be waited for. Otherwise it would remain in the process table as a zombie after it has
    // ended.
    Thread.detachNewThread { _ = program.waitForEnd() }
    return true
  }

  /// Returns the program and its arguments, or `nil` if nothing can be opened.
  ///
  /// - Parameter isProgram: Returns whether there is an executable file at a path.
  ///
  /// Sources: xdg-open(1); open(1) of macOS; environ(7), of `BROWSER`: commands separated by colons, in each `%s` for
  /// the address.
  static func command(
    for thing: String, environment: TerminalEnvironment,
    isProgram: (String) -> Bool = { FileManager.default.isExecutableFile(atPath: $0) }
  ) -> [String]? {
    // An argument that begins with a hyphen would be read as an option.
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
