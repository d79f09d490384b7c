import Answers
import LearningModel
import NavigationService
import TerminalIO

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
