import Answers
import LearningModel
import Exercises
import Testing

@testable import Exercises
@testable import waymark

struct ExerciseFailureTests {
  private static func missing(
    _ program: String, _ package: String?, _ fault: MissingTool.Fault
  ) -> ExerciseFailure {
    let tool = Recipe.Tool(program: program, package: package, probe: nil)
    return .toolsMissing([MissingTool(tool, fault)], of: PlacePath("a/b/c/d"))
  }

  @Test(
    arguments: [
      (
        .noExercise(nil), 66,
        "Could not find an exercise: the current folder is no work folder. Name one of those that 'waymark exercise list' lists."
      ),
      (
        .noExercise("a/b"), 66,
        "Could not use 'a/b': it is no exercise. Name one of those that 'waymark exercise list' lists."
      ),
      (
        .noneStarted, 66,
        "Could not check exercises: you have started none there, and edited no file in a shared folder. Start one with 'waymark exercise start'."
      ),
      (.noneLeft, 66, "Could not find another exercise: all are passed or marked as done."),
      (
        .unprotected(isRoot: true), 77,
        "Could not run the commands: you are root, so that they could change what belongs to others. Use an ordinary user. To run them as root nevertheless, confined as far as this system allows, use --unprotected."
      ),
      (
        .unprotected(isRoot: false), 77,
        "Could not run the commands: this system does not confine them. To run them nevertheless, use --unprotected."
      ),
      (
        missing("waymark-no-bats", "bats", .notInstalled), 69,
        "Could not check the exercise: the program 'waymark-no-bats' is not installed. On Debian, install it with: apt install bats"
      ),
      (
        missing("sh", "dash", .incomplete), 69,
        "Could not check the exercise: 'sh' lacks a part that the recipe needs. On Debian, install it with: apt install dash"
      ),
      (
        missing("sh", nil, .incomplete), 69,
        "Could not check the exercise: 'sh' lacks a part that the recipe needs. Install it and try again."
      ),
      (
        missing("node_modules/.bin/jest", nil, .notPrepared), 69,
        "Could not check the exercise: its packages are not installed. Install them with: waymark exercise prepare a/b/c/d"
      ),
      (
        .impossible("The check needs the administrator, so it did not run."), 69,
        "The check needs the administrator, so it did not run."
      ),
      (
        .sharedFolder, 66,
        "Could not find the exercise: several share this folder. Name one of those that 'waymark exercise list' lists."
      ),
    ] as [(ExerciseFailure, Int32, String)])
  func `a failure of an exercise says what to do`(_ failure: ExerciseFailure, _ code: Int32, _ text: String) {
    #expect(failure.description == text)
    #expect(failure.kind.exitStatus == code)
  }
}
