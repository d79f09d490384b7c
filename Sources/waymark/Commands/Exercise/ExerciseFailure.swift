import Exercises
import LearningModel

/// A reason why a command about an exercise fails.
enum ExerciseFailure: ExplainedError, Hashable {
  /// The place is no exercise. `nil` if no place was named and the current folder is no work folder.
  case noExercise(String?)
  /// All exercises are passed or marked as done.
  case noneLeft
  /// The exercise has no hint of this number.
  case noHint(Int, count: Int)
  /// The learner has not passed the exercise.
  case solutionHidden
  /// The author gives no solution.
  case noSolution
  /// No exercise below the place has a work folder.
  case noneStarted
  /// The user has not allowed the commands of the course.
  case notTrusted(String, Exercise.Purpose)
  /// The system does not confine the commands, or this is root.
  case unprotected(isRoot: Bool)
  /// Programs cannot be used.
  case toolsMissing([MissingTool], of: PlacePath)
  /// The commands cannot run for another reason, which is a sentence.
  case impossible(String)
  /// The current folder is one that several exercises share.
  case sharedFolder

  var kind: FailureKind {
    switch self {
    case .noExercise, .sharedFolder, .noneLeft, .noneStarted, .noHint, .noSolution: .notFound
    case .solutionHidden: .refused
    case .notTrusted, .unprotected: .noPermission
    case .toolsMissing, .impossible: .unavailable
    }
  }

  var description: String {
    switch self {
    case .noExercise(nil):
      "Could not find an exercise: the current folder is no work folder. Name one of those that 'waymark exercise list' lists."
    case .noExercise(let place?):
      "Could not use \(quoted: place): it is no exercise. Name one of those that 'waymark exercise list' lists."
    case .noneLeft: "Could not find another exercise: all are passed or marked as done."
    case .noHint(let number, let count):
      count == 0
        ? "Could not show a hint: the exercise has none."
        : "Could not show hint \(number): the exercise has hints from 1 to \(count)."
    case .solutionHidden:
      "Could not show the solution: you have not passed the exercise. To see it nevertheless, use --anyway."
    case .noSolution: "Could not show the solution: the author gives none."
    case .noneStarted:
      "Could not check exercises: you have started none there, and edited no file in a shared folder. Start one with 'waymark exercise start'."
    case .notTrusted(let title, .prepare):
      "Could not prepare \(quoted: title): you have not allowed the commands that use the network. Read them above, and allow them with --trust."
    case .notTrusted(let title, .check):
      "Could not check \(quoted: title): you have not allowed the commands of its course. Read them with 'waymark exercise trust', and allow them there or with --trust."
    case .unprotected(isRoot: true):
      "Could not run the commands: you are root, so that they could change what belongs to others. Use an ordinary user. To run them as root nevertheless, confined as far as this system allows, use --unprotected."
    case .unprotected(isRoot: false):
      "Could not run the commands: this system does not confine them. To run them nevertheless, use --unprotected."
    case .toolsMissing(let tools, let path):
      "Could not check the exercise: " + MissingTool.text(tools, at: path)
    case .impossible(let reason): reason
    case .sharedFolder:
      "Could not find the exercise: several share this folder. Name one of those that 'waymark exercise list' lists."
    }
  }
}
