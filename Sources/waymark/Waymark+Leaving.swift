import Answers
import ArgumentParser
import LearningModel
import NavigationKit
import TerminalIO
import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension Waymark {
  /// Says what went wrong, and ends the program with the code of ``ExitStatus``.
  ///
  /// Every room's errors are an ``ExplainedError`` and bring their words; the argument parser words its own.
  ///
  /// - Parameter silently: Whether only the exit code says it.
  static func leave(with error: any Error, silently: Bool) -> Never {
    switch error {
    case let error as any ExplainedError: end(saying: silently ? "" : error.description, ExitStatus.code(for: error))
    case let error as TerminalError: end(saying: silently ? "" : error.description, ExitStatus.code(for: error))
    default:
      // Usage errors, `--help`, `--version` and `ExitCode`. What was typed is repeated in the words of the first.
      let code = exitCode(for: error)
      if code.isSuccess { exit(withError: error) }
      end(saying: silently ? "" : fullMessage(for: error), code.rawValue)
    }
  }
}

// A method of the command has the name of the call.
private func end(saying words: String, _ code: Int32) -> Never {
  if !words.isEmpty { StandardError.write(words.harmlessLines + "\n") }
  exit(code)
}

/// The exit codes of errors: those of their kinds, but for a few.
enum ExitStatus {
  /// An import took a part of a file; the rest can be imported later.
  static let incomplete: Int32 = 3

  /// The exit code of an error that brings its words.
  static func code(for error: any ExplainedError) -> Int32 {
    switch error {
    // Words that have no meaning here are a matter of usage.
    case NavigationError.unknownTime, NavigationError.reversedPeriod, NavigationError.unknownFilter,
      NavigationError.unknownFilterValue,
      NavigationError.unknownTimeZone, NavigationError.unusableName,
      CommandFailure.unknownSubcommand, CommandFailure.unknownHelpTopic, CommandFailure.cannotRecordLines,
      CommandFailure.argumentNotUTF8, CommandFailure.variableNotUTF8:
      64
    default: error.kind.exitStatus
    }
  }

  /// The exit code of an error of the terminal.
  static func code(for error: TerminalError) -> Int32 {
    switch error {
    case .cannotRecord: FailureKind.cannotCreate.exitStatus
    case .recordingEnded: FailureKind.inputOutput.exitStatus
    default: FailureKind.unavailable.exitStatus
    }
  }
}
