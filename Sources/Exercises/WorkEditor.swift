import ExternalPrograms
import Foundation
package import LearningModel
import Synchronization

/// The learner's editor for the files of exercises.
///
/// In a terminal that can be split, the editor opens next to Waymark and stays open for the next exercise. Otherwise it takes the
/// terminal until it ends.
package final class WorkEditor: Sendable {
  /// A program that can show an editor next to Waymark.
  package enum Neighbour: String, Sendable {
    case tmux, kitty, wezterm
    /// The editor in whose terminal Waymark runs.
    case code

    /// Returns the program in which Waymark runs, or `nil` if it cannot show an editor.
    ///
    /// Sources: tmux(1), "ENVIRONMENT"; kitty, "Control kitty from scripts"; WezTerm, `wezterm cli`; Visual Studio Code,
    /// "Terminal Shell Integration".
    init?(_ variable: (String) -> String?) {
      func isSet(_ name: String) -> Bool { variable(name)?.isEmpty == false }
      if isSet("TMUX") {
        self = .tmux
      } else if isSet("KITTY_LISTEN_ON") {
        self = .kitty
      } else if isSet("WEZTERM_PANE") {
        self = .wezterm
      } else if variable("TERM_PROGRAM") == "vscode" {
        self = .code
      } else {
        return nil
      }
    }

    /// The name of the program that receives the commands.
    private var program: String { self == .kitty ? "kitten" : rawValue }

    /// Returns the command that opens files. It prints the identifier of the new pane.
    ///
    /// - Parameter line: A line for the shell that starts the editor.
    /// - Parameter isBelow: Whether the editor opens below Waymark and not to its right.
    func opening(_ files: [String], in folder: String, with line: String, isBelow: Bool) -> [String] {
      switch self {
      case .tmux: [program, "split-window", isBelow ? "-v" : "-h", "-c", folder, "-P", "-F", "#{pane_id}", line]
      case .kitty:
        [
          program, "@", "launch", "--location=" + (isBelow ? "hsplit" : "vsplit"), "--cwd", folder, "/bin/sh", "-c",
          line,
        ]
      case .wezterm:
        [program, "cli", "split-pane", isBelow ? "--bottom" : "--right", "--cwd", folder, "--", "/bin/sh", "-c", line]
      case .code: [program, "-r"] + files
      }
    }

    /// Returns a command that fails if a pane was closed, or `nil` if the editor opens further files itself.
    func finding(_ pane: String) -> [String]? {
      switch self {
      case .tmux: [program, "has-session", "-t", pane]
      case .kitty: [program, "@", "ls", "--match", "id:" + pane]
      case .wezterm: [program, "cli", "get-text", "--pane-id", pane]
      case .code: nil
      }
    }
  }

  /// A line for the shell, to which the files are appended.
  package let command: String
  /// The program that shows the editor, or `nil` if the editor uses the terminal.
  package let neighbour: Neighbour?
  /// The identifier of the pane of the editor, or `nil` if none was opened.
  private let pane = Mutex<String?>(nil)

  /// Chooses the editor.
  ///
  /// - Parameters:
  ///   - setting: The command of the settings, which uses the terminal. `nil` if there is none.
  ///   - variable: Returns the value of an environment variable.
  package init(setting: String?, variable: (String) -> String?) {
    command = setting ?? Self.command(variable)
    neighbour = setting == nil ? Neighbour(variable) : nil
  }

  /// Returns the command of the environment: `VISUAL`, otherwise `EDITOR`, otherwise `vi`.
  ///
  /// Source: environ(7).
  package static func command(_ variable: (String) -> String?) -> String {
    ["VISUAL", "EDITOR"].lazy.compactMap(variable).first { !$0.allSatisfy(\.isWhitespace) } ?? "vi"
  }

  /// The minimum number of columns of a terminal that is split into two halves side by side.
  private static let columnsBeside = 120

  /// Opens files. If the editor uses the terminal, waits for its end.
  ///
  /// - Parameter columns: The width of the terminal.
  /// - Returns: A notice about an editor in another place, or `nil` if the editor has ended.
  /// - Throws: ``WorkEditorError``.
  package func open(_ files: [String], in folder: String, columns: Int) throws -> String? {
    let name = String(command.prefix { $0 != " " })
    guard name.contains(where: { "'\"\\$~".contains($0) }) || ExternalProgram(named: name) != nil else {
      throw WorkEditorError(command: name, folder: folder, isMissing: true)
    }
    let line = command + " " + files.map(\.quotedForShell).joined(separator: " ")
    guard let neighbour else {
      let shell = ExternalProgram(path: "/bin/sh")
      let program = shell.startOnTerminal(["-c", "cd \(folder.quotedForShell) && \(line)"])
      guard let program, program.waitForEndOnTerminal() else { throw WorkEditorError(command: command, folder: folder) }
      return nil
    }
    let paths = files.map { folder + "/" + $0 }
    if let old = pane.withLock({ $0 }), let find = neighbour.finding(old), Self.output(of: find) != nil {
      return "Your editor is still open. Open \(paths.joined(separator: ", ")) there."
    }
    guard
      let output = Self.output(
        of: neighbour.opening(paths, in: folder, with: line, isBelow: columns < Self.columnsBeside))
    else {
      throw WorkEditorError(command: neighbour.rawValue, folder: folder)
    }
    pane.withLock { $0 = output }
    return
      "Opened \(files.joined(separator: ", ")) in \(neighbour == .code ? "your editor" : "a split of " + neighbour.rawValue)."
  }

  /// Returns what a command prints, or `nil` if it fails.
  private static func output(of command: [String]) -> String? {
    let limits = ProgramLimits(seconds: 10, output: 1 << 20, sandbox: nil)
    guard let result = try? ExternalProgram(named: command[0])?.run(Array(command.dropFirst()), limits: limits),
      result.code == 0
    else { return nil }
    return String(decoding: result.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

/// The reason why no editor was opened.
package struct WorkEditorError: ExplainedError, Hashable {
  /// The command that failed.
  package let command: String
  /// The work folder.
  package let folder: String
  /// Whether there is no such program.
  var isMissing = false

  package var kind: FailureKind { .refused }

  package var description: String {
    "Could not open the files in \(quoted: folder) with \(quoted: command): \(isMissing ? "there is no such program" : "it failed"). Change the setting 'editor', or open the files yourself."
  }
}
