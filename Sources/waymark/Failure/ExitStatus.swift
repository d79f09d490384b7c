import LearningModel
import NavigationService
import TerminalIO

/// The exit codes of errors.
///
/// Source: the numbers of `sysexits.h`, where one fits.
enum ExitStatus {
  /// The exit code of an error that brings its words.
  static func code(for error: any ExplainedError) -> Int32 {
    switch error {
    // Words that have no meaning here are a matter of usage.
    case NavigationError.unknownTime, NavigationError.unknownFilter, NavigationError.unknownFilterValue,
      NavigationError.unknownTimeZone, NavigationError.unusableName,
      CommandFailure.unknownSubcommand:
      64
    default: code(for: error.kind)
    }
  }

  /// The exit code of an error of the terminal.
  static func code(for error: TerminalError) -> Int32 {
    switch error {
    case .cannotRecord: code(for: .cannotCreate)
    case .recordingEnded: code(for: .inputOutput)
    default: code(for: .unavailable)
    }
  }

  /// The exit code of a kind of failure.
  static func code(for kind: FailureKind) -> Int32 {
    switch kind {
    case .refused: 1
    case .badData: 65
    case .notFound: 66
    case .unavailable: 69
    case .cannotCreate: 73
    case .inputOutput: 74
    case .tryAgain: 75
    case .noPermission: 77
    }
  }
}
