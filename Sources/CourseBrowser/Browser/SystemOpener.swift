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
  static func open(_ target: String, environment: TerminalEnvironment) -> Bool {
    guard let arguments = command(for: target, environment: environment),
      let program = ExternalProgram(path: arguments[0]).start(Array(arguments.dropFirst()))
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
  /// Sources: xdg-open(1); open(1) of macOS; environ(7) for `BROWSER`: commands that are separated by colons, with `%s`
  /// as the placeholder for the address.
  static func command(
    for target: String, environment: TerminalEnvironment,
    isProgram: (String) -> Bool = { FileManager.default.isExecutableFile(atPath: $0) }
  ) -> [String]? {
    // An argument that begins with a hyphen would be read as an option.
    guard environment["SSH_CONNECTION"] == nil, environment["SSH_TTY"] == nil, !target.hasPrefix("-") else {
      return nil
    }
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
    func path(of program: String) -> String? {
      program.contains("/")
        ? (isProgram(program) ? program : nil) : folders.lazy.map { "\($0)/\(program)" }.first(where: isProgram)
    }
    if target.hasPrefix("http") {
      for command in (environment["BROWSER"] ?? "").split(separator: ":") {
        var arguments = command.split(separator: " ").map(String.init)
        guard let first = arguments.first, let program = path(of: first) else { continue }
        arguments[0] = program
        let hasPlaceholder = arguments.contains { $0.contains("%s") }
        return hasPlaceholder ? arguments.map { $0.replacing("%s", with: target) } : arguments + [target]
      }
    }
    #if os(macOS)
    return path(of: "open").map { [$0, target] }
    #else
    guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return nil }
    return path(of: "xdg-open").map { [$0, target] }
    #endif
  }
}
