import CoursePages
import Exercises
import ExternalPrograms
import Foundation
import LearningModel
import TerminalIO

/// The learner's text editor: `VISUAL`, otherwise `EDITOR`, otherwise `vi`.
struct TextEditor {
  /// The reason why a text was not changed.
  enum Failure: ExplainedError, Hashable {
    /// The temporary file could not be created.
    case noFile(path: String)
    /// The editor could not be started, or exited with an error.
    case failed(command: String)
    /// The file is not valid UTF-8 after editing.
    case noText(command: String)

    var kind: FailureKind {
      switch self {
      case .noFile: .cannotCreate
      case .failed, .noText: .refused
      }
    }

    var description: String {
      switch self {
      case .noFile(let path):
        "Could not create a file at \(quoted: path) for the editor. Set TMPDIR to a folder that you can write, on a disk with free space."
      case .failed(let command):
        "Could not read the text from \(quoted: command): it failed. Set EDITOR to another editor."
      case .noText(let command):
        "Could not read the text from \(quoted: command): the output is not valid UTF-8. Nothing was changed. Save the text as UTF-8."
      }
    }
  }

  /// A shell command.
  let command: String

  /// Reads the command from the environment.
  init(environment: TerminalEnvironment) {
    command = WorkEditor.command { environment[$0] }
  }

  /// Runs the editor on a text in a temporary file that only its owner can read, and deletes the file afterwards. The
  /// browser must not use the terminal at the same time.
  ///
  /// - Returns: The text without trailing white space.
  func edit(_ text: String) -> Result<String, Failure> {
    let folder = FileManager.default.temporaryDirectory.appending(path: "waymark-\(UUID().uuidString)")
    let file = folder.appending(path: "note.md")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data((text + (text.isEmpty ? "" : "\n")).utf8).write(to: file)
    } catch {
      return .failure(.noFile(path: file.path))
    }
    // The command may have arguments. The shell splits it and passes the file as the last argument.
    let shell = ExternalProgram(path: "/bin/sh")
    let program = shell.startOnTerminal(["-c", command + " \"$1\"", "sh", file.path])
    guard let program, program.waitForEnd() else {
      return .failure(.failed(command: command))
    }
    guard let bytes = try? Data(contentsOf: file), let text = String(data: bytes, encoding: .utf8) else {
      return .failure(.noText(command: command))
    }
    let end = text.lastIndex { !$0.isWhitespace }
    return .success(end.map { String(text[...$0]) } ?? "")
  }
}
