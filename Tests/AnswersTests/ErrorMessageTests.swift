import CourseKit
import LearningModel
import LearningStore
import NavigationKit
import Snapshots
import Testing

@testable import Answers

/// The error messages of the HTTP server.
struct ErrorMessageTests {
  private struct Other: ExplainedError {
    var kind: FailureKind { .inputOutput }
    var description: String { "Could not read '/var/lib/secret'." }
  }

  @Test func `the messages contain no commands and no files`() {
    let errors: [any ExplainedError] = [
      NavigationError.unknownPlace(name: "x", nearest: []),
      NavigationError.unknownPlace(name: "x", nearest: [PlacePath("xy")]),
      NavigationError.unknownLearner(name: "x", nearest: []),
      NavigationError.unknownSession(name: "x"),
      NavigationError.noSessionLock(path: "/var/x", reason: "full"),
      NavigationError.database(.diskFull(path: "/var/x")),
      NavigationError.unreadableLearner(file: "/var/x", problem: "nothing"),
      CourseLibraryError.unknownPlace(path: PlacePath("x"), suggestions: []),
      CourseLibraryError.notAnActivity(path: PlacePath("x"), kind: .goal),
      SyncError.otherVersion(3),
      SyncError.knownAs(name: "x", other: "y"),
      CourseLibraryError.importCancelled(source: "/var/x"),
      Other(),
    ]

    expectSnapshot(errors.map(APIErrorMessage.text))
  }
}
