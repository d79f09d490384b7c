import CourseKit
import LearningModel
import LearningStore
import NavigationKit
import Testing

@testable import Answers

/// The error messages of the HTTP server.
struct ErrorMessageTests {
  private struct Other: ExplainedError {
    var kind: FailureKind { .inputOutput }
    var description: String { "Could not read '/var/lib/secret'." }
  }

  @Test(arguments: [
    (
      NavigationError.unknownPlace(name: "x", nearest: []) as any ExplainedError,
      "Could not find 'x': no place has this path. List the courses to find the path."
    ),
    (
      NavigationError.unknownPlace(name: "x", nearest: [PlacePath("xy")]),
      "Could not find 'x': no place has this path. Did you mean 'xy'?"
    ),
    (
      NavigationError.unknownLearner(name: "x", nearest: []),
      "Could not find learner 'x': there is no learner with this name. List the learners to find the name."
    ),
    (
      NavigationError.unknownSession(name: "x"),
      "Could not find session 'x': no session has this number or name. Use a session from the history."
    ),
    (NavigationError.noSessionLock(path: "/var/x", reason: "full"), APIErrorMessage.failure),
    (NavigationError.database(.diskFull(path: "/var/x")), APIErrorMessage.failure),
    (NavigationError.unreadableLearner(file: "/var/x", problem: "nothing"), APIErrorMessage.failure),
    (
      CourseLibraryError.unknownPlace(path: PlacePath("x"), suggestions: []),
      "Could not find 'x': no place has this path. List the courses to find the path."
    ),
    (
      CourseLibraryError.notAnActivity(path: PlacePath("x"), kind: .goal),
      "Could not show 'x': a goal has no text. Name an activity in it."
    ),
    (
      SyncError.otherVersion(3),
      "Could not synchronise: the other side uses version 3 of the protocol, and this program uses version 2. Both "
        + "sides need the same version. Update waymark."
    ),
    (SyncError.knownAs(name: "x", other: "y"), APIErrorMessage.failure),
    (CourseLibraryError.importCancelled(source: "/var/x"), APIErrorMessage.failure), (Other(), APIErrorMessage.failure),
  ])
  func `the messages contain no commands and no files`(error: any ExplainedError, message: String) {
    #expect(APIErrorMessage.text(error) == message)
  }
}
