import Answers
import Testing

@testable import waymark

struct ExerciseFailureTests {
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
        "Could not check exercises: you have started none there. Start one with 'waymark exercise start'."
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
        .toolMissing("bats", package: "bats"), 69,
        "Could not check the exercise: the program 'bats' is not installed. On Debian, install it with: apt install bats"
      ),
      (
        .toolIncomplete("python3", package: "python3-pytest"), 69,
        "Could not check the exercise: 'python3' lacks a part that the recipe needs. On Debian, install it with: apt install python3-pytest"
      ),
      (
        .toolIncomplete("swift", package: nil), 69,
        "Could not check the exercise: 'swift' lacks a part that the recipe needs. Install it and try again."
      ),
    ] as [(ExerciseFailure, Int32, String)])
  func `a failure of an exercise says what to do`(_ failure: ExerciseFailure, _ code: Int32, _ text: String) {
    #expect(failure.description == text)
    #expect(failure.kind.exitStatus == code)
  }
}
