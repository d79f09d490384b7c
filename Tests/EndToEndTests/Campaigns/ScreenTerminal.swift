import Foundation
import Images
import TerminalHarness
import Testing

/// A terminal emulator with a window on a virtual display, in which the built program runs.
final class ScreenTerminal {
  private static func path(_ program: String) -> String? {
    ["/usr/bin/", "/usr/local/bin/"].map { $0 + program }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Whether the required programs are installed.
  static var isHere: Bool { ["Xvfb", "xdotool", "import"].allSatisfy { path($0) != nil } }
  /// Whether a terminal emulator is installed.
  static func isHere(_ name: String) -> Bool { path(name) != nil }

  private let home: HomeFixture
  private let environment: [String: String]
  /// The display and the terminal. They end when this object is released.
  private var programs: [PipedProgram] = []

  /// Starts a terminal emulator with the program.
  ///
  /// - Parameters:
  ///   - name: `xterm`, `mlterm` or `kitty`.
  ///   - arguments: The arguments of the program. The terminal remains open after the program has ended.
  ///   - allowsPassthrough: Whether tmux passes escape sequences through. If `nil`, tmux is not used.
  init(
    _ name: String, running arguments: [String], in home: HomeFixture, withinTmux allowsPassthrough: Bool? = nil
  )
    throws
  {
    self.home = home
    let display = try PipedProgram(
      #require(Self.path("Xvfb")), ["-displayfd", "1", "-screen", "0", "1000x640x24", "-nolisten", "tcp"],
      environment: home.environment)
    let number = try #require(try display.readLine())
    environment = home.environment.merging([
      "DISPLAY": ":" + number, "LIBGL_ALWAYS_SOFTWARE": "1", "COLORTERM": "truecolor", "TMUX_TMPDIR": home.folder.path,
    ]) { $1 }
    programs = [display]

    let line = ([BuiltProgram.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    var command = "\(line); exec cat"
    if let allowsPassthrough {
      try home.write(
        "set -g allow-passthrough \(allowsPassthrough ? "on" : "off")\nset -g status off\n", to: "tmux.conf")
      try home.write(command, to: "within.sh")
      command = "tmux -f '\(home.path("tmux.conf"))' new-session sh '\(home.path("within.sh"))'"
    }
    let shellCommand = ["sh", "-c", command]
    let options =
      switch name {
      case "xterm": ["-ti", "vt340", "-geometry", "80x24+0+0", "-bg", "black", "-fg", "white", "-e"] + shellCommand
      case "mlterm": ["-g", "80x24", "--bg=black", "--fg=white", "--sb=none", "-e"] + shellCommand
      default:
        [
          "--config", "NONE", "-o", "initial_window_width=80c", "-o", "initial_window_height=24c", "-o",
          "remember_window_size=no", "-o", "cursor_blink_interval=0", "-o", "confirm_os_window_close=0",
        ] + shellCommand
      }
    programs.append(try PipedProgram(#require(Self.path(name)), options, environment: environment))
  }

  private func run(_ program: String, _ arguments: [String]) throws {
    let program = try PipedProgram(#require(Self.path(program)), arguments, environment: environment)
    program.closeInput()
    _ = try program.waitForExit(within: harnessTimeout)
  }

  /// Presses keys by their X names.
  func press(_ keys: String...) throws {
    // Without a window manager, the window under the pointer gets the keys.
    try run("xdotool", ["mousemove", "20", "20", "key"] + keys)
  }

  /// Takes screenshots until one satisfies a condition, for at most half a minute. Returns the last one.
  ///
  /// - Parameter seconds: The delay before the first screenshot.
  func shot(after seconds: Double = 1, until isDone: (PixelImage) -> Bool) throws -> PixelImage {
    Thread.sleep(forTimeInterval: seconds)
    let deadline = Date(timeIntervalSinceNow: 30)
    while true {
      let file = home.path("shot.png")
      try run("import", ["-window", "root", "-depth", "8", "png24:" + file])
      let picture = try PixelImage(decoding: Array(Data(contentsOf: URL(filePath: file))), named: "shot.png")
      if isDone(picture) || Date() > deadline { return picture }
      Thread.sleep(forTimeInterval: 0.5)
    }
  }
}
