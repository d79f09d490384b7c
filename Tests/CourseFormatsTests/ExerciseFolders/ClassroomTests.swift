import Foundation
import LearningModel
import Testing

@testable import CourseFormats

struct ClassroomTests {
  private func assignment(_ files: [String: String]) throws -> (draft: CourseDraft, exercise: Exercise) {
    let draft = try TestFolder(files, name: "sum-rye").read()
    guard case .exercise(let exercise)? = try draft.content("assignment") else {
      throw CourseFormatError.fileMissing(file: "assignment")
    }
    return (draft, exercise)
  }

  @Test func `an assignment has its README as the task, its files by their names, and its tests as commands`() throws {
    let (draft, exercise) = try assignment(ExerciseFixtures.classroom)

    #expect(
      draft.outline == [
        "c sum-rye | Add numbers", "  g #goal | Add numbers", "    l #lesson | Add numbers",
        "      a assignment | Add numbers",
      ])
    #expect(draft.format == "github-classroom" && draft.diagnostics.isEmpty)
    #expect(exercise.task == [.paragraph([.text("Write sum.py.")])])
    #expect(
      exercise.files.map { "\($0.role) \($0.path)" } == [
        "edit page.html", "support requirements.txt", "edit sum.py", "test tests/test_sum.py",
      ])
    #expect(exercise.prepare == [Exercise.Run(.shell("sudo -H pip3 install pytest"))])
    #expect(
      exercise.check == [
        Exercise.Run(.shell("pytest"), name: "Sum", seconds: 300),
        Exercise.Run(
          .shell("set -e\nmake\n./echo"), name: "Echo", input: "1\n2\n", expectation: .contains("3\n"), seconds: 30),
        Exercise.Run(.shell("python3 sum.py"), name: "Exact", expectation: .equals("3")),
        Exercise.Run(.shell("python3 sum.py"), name: "Pattern", expectation: .matches("^3$"), seconds: 60),
      ])
  }

  @Test func `the tests can be steps of a workflow, and an assignment without code has texts to edit`() throws {
    let exercise = try assignment(ExerciseFixtures.workflow).exercise

    #expect(
      exercise.check == [
        Exercise.Run(.shell("python3 test_sum.py"), name: "Sum", seconds: 300),
        Exercise.Run(.shell("./echo"), name: "Echo", input: "12", expectation: .equals("3"), seconds: 60),
        Exercise.Run(.shell("python3 -B -m pytest -q -p no:cacheprovider"), seconds: 300),
      ])
    #expect(exercise.files.map { "\($0.role) \($0.path)" } == ["edit poem.txt"])
  }

  @Test func `a large data file is left out, and the assignment stays`() throws {
    let folder = try TestFolder(ExerciseFixtures.workflow)
    try folder.write(Data(repeating: 0x20, count: 2 << 20), to: "data.csv")
    let draft = try folder.read()

    #expect(draft.losses == [Loss(what: "file of an exercise that cannot be read", count: 1, treatment: "left out")])
    #expect(
      draft.diagnostics.map(\.description) == [
        "data.csv: warning: The file is larger than 1 MiB. Split the file, or remove it from the course."
      ])
  }

  @Test(arguments: [
    (
      ".github/classroom/autograding.json", "{\"tests\": {}}",
      "Could not read '.github/classroom/autograding.json': 'tests' has the wrong form. Correct it."
    ),
    (
      ".github/workflows/classroom.yml", "# -grader@\njobs: 3\n",
      "Could not read '.github/workflows/classroom.yml': 'jobs' has the wrong form. Correct it."
    ),
  ])
  func `a list of tests in another form is an error`(_ file: String, _ text: String, _ message: String) throws {
    let folder = try TestFolder([file: text, "README.md": "# A\n"])

    let error = #expect(throws: CourseFormatError.self) { try folder.read() }
    #expect(error?.description == message)
  }
}
