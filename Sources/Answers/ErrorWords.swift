import CourseKit
package import LearningModel
import NavigationKit

/// The error messages in responses of the HTTP server.
///
/// HTTP clients have no command line, so the messages contain no commands. Errors that only an administrator can fix
/// become ``failure``.
package enum ErrorWords {
  /// Returns the message of an error.
  package static func text(_ error: any ExplainedError) -> String {
    switch error {
    case let error as NavigationError: text(error)
    case let error as CourseLibraryError: text(error)
    case let error as SyncError: text(error)
    default: failure
    }
  }

  /// The message for errors of the machine.
  package static let failure =
    "Could not answer: the database, or the machine that it is on, has failed. "
    + "Try again, and tell those who look after the server if it stays so."

  private static func text(_ error: NavigationError) -> String {
    switch error {
    case .unknownPlace(let name, let nearest) where nearest.isEmpty:
      "Could not find '\(name)': no place has this path. List the courses to see what there is."
    case .unknownLearner(let name, let nearest) where nearest.isEmpty:
      "Could not find learner '\(name)': nobody of this name has been here. List the learners to see who has."
    case .unknownSession(let name):
      "Could not find session '\(name)': no session has this number or name. Name one that the history has."
    case .unreadableLearner, .noSessionLock, .database: failure
    case .unknownPlace, .removedPlace, .notAChild, .notOnStack, .notASibling, .notAnActivity, .noteTooLong,
      .unknownLearner, .unusableName, .similarName, .unknownTime, .reversedPeriod, .unknownTimeZone, .unknownFilter,
      .unknownFilterValue, .learnerIsHere, .busy, .cancelled:
      error.description
    }
  }

  private static func text(_ error: SyncError) -> String {
    switch error {
    case .anotherLearner, .newer, .fork, .otherContent, .contradictory: error.description
    // The other errors are reported to the requesting side.
    case .erasedHere, .erasedThere, .notJoined, .knownAs, .tooLarge, .eventTooLarge, .unknownWords, .unexpectedAnswer:
      failure
    }
  }

  private static func text(_ error: CourseLibraryError) -> String {
    switch error {
    case .unknownPlace(let path, let suggestions) where suggestions.isEmpty:
      "Could not find '\(path)': no place has this path. List the courses to see what there is."
    case .notAnActivity(let path, let kind):
      "Could not show '\(path)': a \(kind.rawValue) has no text of its own. Name one of the activities in it."
    case .unknownPlace, .removedPlace, .notACourse, .cannotRename, .queryTooLong: error.description
    case .unreadableSource, .unknownOrigin, .cannotWatch, .importCancelled, .importRefused, .backupCancelled, .database:
      failure
    }
  }
}

extension FailureKind {
  /// The exit status of a command that fails with this kind of error.
  ///
  /// Source: `sysexits.h` for the numbers from 65 on.
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
