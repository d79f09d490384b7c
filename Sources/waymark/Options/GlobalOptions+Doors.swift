import CourseLibrary
import NavigationService

extension GlobalOptions {
  /// The door to everything about courses.
  func library() throws -> CourseLibrary {
    try CourseLibrary(databaseAt: databasePath)
  }

  /// The door to moving and to history.
  func navigation(session: String = "shell") throws -> NavigationService {
    try NavigationService(databaseAt: databasePath, learner: learnerName, session: .named(session))
  }
}
