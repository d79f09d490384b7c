import Answers
import ArgumentParser
import CourseKit
import CoursePages
import LearningModel
import LearningStore
import NavigationKit
import TerminalIO
import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension Waymark {
  /// Prints an error and exits with the status of its kind.
  ///
  /// The errors of every module conform to ``ExplainedError``, which provides the message. The argument parser formats
  /// its own errors.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the program.
  ///   - silently: Whether to print nothing.
  static func terminate(with error: any Error, _ arguments: [String] = [], silently: Bool = false) -> Never {
    switch error {
    case let error as any ExplainedError:
      end(message: silently ? "" : CommandWords.text(error) + ManualHint.text(for: error), error.kind.exitStatus)
    case let error as TerminalError: end(message: silently ? "" : error.programMessage, ExitStatus.code(for: error))
    default:
      // Usage errors, `--help`, `--version` and `ExitCode`. The messages of usage errors contain the arguments, so they
      // are escaped.
      let (code, text, message) = (exitCode(for: error), fullMessage(for: error), message(for: error))
      if code.isSuccess, !text.isEmpty { Printing.line(text) }
      let isLong = arguments.count > 100 || arguments.contains { $0.utf8.count > String.maximumQuotedLength }
      let errorText = isLong ? text.replacing(message, with: message.shortened, maxReplacements: 1) : text
      end(message: silently || code.isSuccess ? "" : errorText, code.rawValue)
    }
  }
}

// The function `exit` is called here because the command's method `exit(withError:)` hides it.
private func end(message text: String, _ code: Int32) -> Never {
  if !text.isEmpty { StandardError.write(text.harmlessLines + "\n") }
  exit(code)
}

/// The line below an error message that names a page of the manual.
enum ManualHint {
  /// Returns the line, with the line feed before it. Empty if no page describes such errors, or if the message is not
  /// written to a terminal.
  static func text(for error: any ExplainedError) -> String {
    guard StandardError.isTerminal, let page = page(about: error) else { return "" }
    return "\nRead more: \(shell: "waymark", "manual", page)"
  }

  /// Returns the name of the page that describes errors of this kind.
  static func page(about error: any ExplainedError) -> String? {
    switch error {
    case is SettingsError: "settings"
    case is SyncClientError: "sync"
    case is LearningDatabaseError, CourseLibraryError.database, NavigationError.database: "troubleshooting"
    case CourseLibraryError.importRefused, CourseLibraryError.unreadableSource: "opening"
    case CourseLibraryError.unknownOrigin: "opening"
    case CommandFailure.noServer: "sync"
    default: nil
    }
  }
}

extension TerminalError {
  /// The description of the error, with additional remedies that are specific to this program.
  var programMessage: String {
    switch self {
    case .noTerminal:
      description.dropLast() + ", or use --linear. Commands that print, such as 'tree' or 'show', need no terminal."
    case .cannotOpen, .cannotConfigure: description.dropLast() + ", or use --linear."
    case .systemRefused, .alreadyOpen, .cannotRecord, .recordingEnded: description
    }
  }
}

/// The exit codes of errors that have no kind.
enum ExitStatus {
  /// Returns the exit status of a terminal error.
  static func code(for error: TerminalError) -> Int32 {
    switch error {
    case .cannotRecord: FailureKind.cannotCreate.exitStatus
    case .recordingEnded: FailureKind.inputOutput.exitStatus
    default: FailureKind.unavailable.exitStatus
    }
  }
}
