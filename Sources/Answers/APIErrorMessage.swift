import CourseKit
package import LearningModel
import NavigationKit

/// The texts of errors for the clients of a server. They do not name commands. Failures that only the operators of the
/// server can repair are replaced by a general message.
package enum APIErrorMessage {
  /// Returns the description of an error and the advice for a client.
  package static func text(_ error: any ExplainedError) -> String {
    guard isOfClient(error) else { return failure }
    return error.description + (error.remedy.map { " " + text($0) } ?? "")
  }

  /// The message for errors whose cause is the server's machine.
  package static let failure =
    "Could not answer: the database or the server has failed. "
    + "Try again later, and report the problem to the administrator of the server if it persists."

  /// Returns whether a client can do anything about an error.
  private static func isOfClient(_ error: any ExplainedError) -> Bool {
    switch error {
    case let error as NavigationError:
      switch error {
      case .unreadableLearner, .noSessionLock, .database: false
      case .unknownPlace, .removedPlace, .notAChild, .notOnStack, .notASibling, .notAnActivity, .noteTooLong,
        .unknownLearner, .unusableName, .similarName, .unknownSession, .unknownTime, .reversedPeriod, .unknownTimeZone,
        .unknownFilter, .unknownFilterValue, .openQuotation, .learnerIsHere, .busy, .cancelled, .notACourse,
        .unknownCard, .unknownTag, .notOwnCard, .cardChanged, .cardText, .reviewSetting, .tooFewAnswers,
        .invalidToken:
        true
      }
    case let error as CourseLibraryError:
      switch error {
      case .unknownPlace, .removedPlace, .notAnActivity, .notACourse, .noCards, .missingNotes, .cannotRename,
        .queryTooLong:
        true
      case .unreadableSource, .unknownOrigin, .cannotWatch, .importCancelled, .searchInterrupted, .importRefused,
        .backupCancelled, .database:
        false
      }
    case let error as SyncError:
      switch error {
      case .anotherLearner, .otherVersion, .fork, .otherContent, .contradictory: true
      // These errors are reported only to the client that synchronises, not by the server.
      case .erasedHere, .erasedThere, .notJoined, .knownAs, .tooLarge, .eventTooLarge, .unknownMessage,
        .unexpectedAnswer:
        false
      }
    default: false
    }
  }

  private static func text(_ remedy: Remedy) -> String {
    switch remedy {
    case .listPlaces: "List the courses to find the path."
    case .listLearners: "List the learners to find the name."
    case .listSessions: "Use a session from the history."
    case .listActivities: "Name an activity in it."
    case .updateProgram: "Update waymark."
    default: remedy.description
    }
  }
}

extension FailureKind {
  /// The exit status of a command that fails with this kind of error.
  ///
  /// Source: `sysexits.h` for the numbers from 64 on.
  package var exitStatus: Int32 {
    switch self {
    case .refused: 1
    case .invalidArgument: 64
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
