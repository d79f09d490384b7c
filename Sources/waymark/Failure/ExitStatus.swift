import ArgumentParser
import LearningModel
import NavigationService
import TerminalIO

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The one place that turns an error into an exit code and a sentence on standard error.
///
/// Every room's errors are an ``ExplainedError`` and bring their words; the argument parser words its own.
enum ExitStatus {
  /// The exit code of an error.
  ///
  /// Source: the numbers of `sysexits.h`, where one fits.
  static func code(for error: any Error) -> Int32 {
    switch error {
    // What is written in a way that nobody understands is a matter of usage.
    case NavigationError.unknownTime, NavigationError.unknownTimeZone, NavigationError.unusableName,
      CommandFailure.unknownSubcommand:
      64
    case let error as any ExplainedError: code(for: error.kind)
    case TerminalError.cannotRecord: code(for: .cannotCreate)
    case TerminalError.recordingEnded: code(for: .inputOutput)
    case is TerminalError: code(for: .unavailable)
    default: Waymark.exitCode(for: error).rawValue
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

  /// Says what went wrong, and ends the program.
  ///
  /// - Parameter silently: Whether only the exit code says it.
  static func leave(with error: any Error, silently: Bool = false) -> Never {
    switch error {
    case _ where silently && !Waymark.exitCode(for: error).isSuccess: exit(code(for: error))
    case let error as any Error & CustomStringConvertible where error is any ExplainedError || error is TerminalError:
      StandardError.write(error.description.harmlessLines + "\n")
      exit(code(for: error))
    default:
      // Usage errors, `--help`, `--version` and `ExitCode`. What was typed is repeated in the words of the first.
      let code = Waymark.exitCode(for: error)
      if code.isSuccess { Waymark.exit(withError: error) }
      let words = Waymark.fullMessage(for: error)
      if !words.isEmpty { StandardError.write(words.harmlessLines + "\n") }
      exit(code.rawValue)
    }
  }
}
