package import LearningModel

extension FailureKind {
  /// The exit code of a command that fails for that.
  ///
  /// Source: the numbers of `sysexits.h`, where one fits.
  package var exitStatus: Int32 {
    switch self {
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
