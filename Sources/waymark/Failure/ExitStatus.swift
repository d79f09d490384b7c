import ArgumentParser
import LearningModel

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
    case let error as any ExplainedError: code(for: error.kind)
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
  static func leave(with error: any Error) -> Never {
    guard let explained = error as? any ExplainedError else {
      // Usage errors, `--help`, `--version` and `ExitCode`.
      Waymark.exit(withError: error)
    }
    StandardError.write(explained.description.harmlessLines + "\n")
    exit(code(for: explained))
  }
}
