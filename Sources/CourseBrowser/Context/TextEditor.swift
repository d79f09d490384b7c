import CoursePages
import ExternalPrograms
import Foundation
import LearningModel
import TerminalIO

/// The program that a person writes texts with: what `VISUAL` says, else `EDITOR`, else vi.
struct TextEditor {
  /// Why a text stayed as it was.
  enum Failure: ExplainedError, Hashable {
    /// The file for the text could not be made.
    case noFile(path: String)
    /// The editor could not be run, or said that it failed.
    case failed(command: String)
    /// What it wrote cannot be read as text.
    case noText(command: String)

    var kind: FailureKind {
      switch self {
      case .noFile: .cannotCreate
      case .failed, .noText: .refused
      }
    }

    var description: String {
      switch self {
      case .noFile(let path): "Could not make a file at \(path) for the editor. See that there is room, or set TMPDIR."
      case .failed(let command): "Could not take the text from '\(command)': it failed. Set EDITOR to another editor."
      case .noText(let command): "Could not take the text from '\(command)': it is no UTF-8. Nothing was changed."
      }
    }
  }

  /// The command, as the shell reads it.
  let command: String

  /// Source: environ(7), of `VISUAL` and `EDITOR`.
  init(environment: Environment) {
    let named = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.allSatisfy(\.isWhitespace) }
    command = named ?? "vi"
  }

  /// Lets a text be written, in a file that only its owner may read and that is gone afterwards. The terminal must not be
  /// in use.
  ///
  /// - Returns: The text without line breaks at its end.
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
    // The command may have arguments: the shell splits it, and the file's name is its first one.
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
