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
  /// The user has not allowed the commands of the course.
  case notTrusted(String)
  /// The system does not confine the commands, or this is root.
  case unprotected
  /// A program is not installed.
  case toolMissing(String, package: String?)
  /// A program is installed, but not the part of it that the recipe needs.
  case toolIncomplete(String, package: String?)

  var kind: FailureKind {
    switch self {
    case .noExercise, .noneLeft, .noHint, .noSolution: .notFound
    case .solutionHidden: .refused
    case .notTrusted, .unprotected: .noPermission
    case .toolMissing, .toolIncomplete: .unavailable
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
    case .notTrusted(let title):
      "Could not check \(quoted: title): you have not allowed the commands of its course. Read them with 'waymark exercise trust', and allow them there or with --trust."
    case .unprotected:
      "Could not run the commands: this system does not confine them, or you are root. To run them nevertheless, use --unprotected."
    case .toolMissing(let program, let package):
      "Could not check the exercise: the program \(quoted: program) is not installed. " + Self.advice(package)
    case .toolIncomplete(let program, let package):
      "Could not check the exercise: \(quoted: program) lacks a part that the recipe needs. " + Self.advice(package)
    }
  }

  private static func advice(_ package: String?) -> String {
    package.map { "On Debian, install it with: apt install \($0)" } ?? "Install it and try again."
  }
}
