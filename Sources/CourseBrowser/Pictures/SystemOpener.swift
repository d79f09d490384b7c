import Foundation
import TerminalIO

/// The program of the system that opens a file with whatever shows it.
enum SystemOpener {
  /// Opens a file, without waiting for what shows it.
  ///
  /// - Returns: `false` where there is nobody to show it to: over a network the screen is another machine's, and without
  ///   a display there is none; and where there is no such program.
  static func open(_ file: String, environment: Environment) -> Bool {
    guard environment["SSH_CONNECTION"] == nil, environment["SSH_TTY"] == nil else { return false }
    #if os(macOS)
    let program = "/usr/bin/open"
    #else
    guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return false }
    let folders = (environment["PATH"] ?? "/usr/bin").split(separator: ":")
    guard
      let program = folders.lazy.map({ "\($0)/xdg-open" }).first(where: FileManager.default.isExecutableFile(atPath:))
    else { return false }
    #endif
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = [file]
    (process.standardInput, process.standardOutput, process.standardError) =
      (FileHandle.nullDevice, FileHandle.nullDevice, FileHandle.nullDevice)
    return (try? process.run()) != nil
  }
}
