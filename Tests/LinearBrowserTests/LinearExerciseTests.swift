import CourseKit
import Exercises
import Foundation
import LearningModel
import LinearBrowser
import NavigationKit
import TestSupport
import Testing

@Suite struct LinearExerciseTests {
  @Test func `an exercise is read with its facts and its state, and is not done when it has been read`() throws {
    let fixture = try LinearFixture(hasCourse: false)
    try fixture.folder.write(Data(Self.course.utf8), to: "course.json")
    _ = try fixture.library.importCourse(from: fixture.folder.file("course.json"))

    let opened = fixture.type("lab/goal/lesson/sum")
    fixture.wait(seconds: 600)
    let end = fixture.type("")
    let back = fixture.type("previous")
    let marked = fixture.type("done")
    try fixture.navigation.progress.record(
      .exerciseChecked(ExerciseCheck(isPassed: true, isChanged: true, seconds: 1, files: "", revision: 1)),
      in: .text("lab/goal/lesson/sum"))
    let list = fixture.type("up")

    #expect(
      opened == [
        "Opened. Activity: Sum. Activity 1 of 2 in Lesson. Exercise, 1 minute, not", "checked yet.", "Add two numbers.",
        "- Language: python", "- To edit: sum.py", "- Hints: 1", "End of the text. Enter: continue with More.",
      ])
    #expect(
      end.prefix(2) == ["Next. Activity: More. Activity 2 of 2 in Lesson. Exercise, 1 minute, not checked", "yet."])
    #expect(
      back.prefix(2) == ["Previous. Activity: Sum. Activity 1 of 2 in Lesson. Exercise, 1 minute, not", "checked yet."])
    #expect(marked == ["Done. 1 of 2 done in Lesson."])
    #expect(list.contains("1. Sum. Exercise, 1 minute, passed."))
    #expect(list.contains("2. More. Exercise, 1 minute, not checked yet."))
    #expect(fixture.type("up").contains { $0.contains("Begun: 1 of 2 done, 1 of 2 passed.") })
  }

  @Test func `the commands of an exercise check it, show hints and keep files`() throws {
    let fixture = try Self.fixtureWithCheck()
    fixture.browser.isUnprotectedAllowed = true
    let folder = CourseExercise.root(ofDatabase: fixture.library.path) + "/lab/goal/lesson/sum"

    let closed = fixture.type("path")
    _ = fixture.type("lab/goal/lesson/sum")
    let question = fixture.type("check")
    let declined = fixture.type("no")
    _ = fixture.type("check")
    let failed = fixture.type("yes")
    let path = fixture.type("path")
    try Data("42\n".utf8).write(to: URL(filePath: folder + "/answer.py"))
    let passed = fixture.type("check")
    let hints = [fixture.type("hint"), fixture.type("hint")]
    let solution = fixture.type("solution")
    let files = fixture.type("edit")
    let reset = fixture.type("reset")

    #expect(closed == ["No exercise is open. Open one first."])
    #expect(
      question.prefix(2) == [
        "The exercises of this course are checked with these commands:", "cat answer.py; grep -q 42 answer.py",
      ])
    #expect(question.last == "Type yes to run the commands of this course from now on. Anything else cancels.")
    #expect(declined == ["Not checked."])
    #expect(failed == ["Checking. Ctrl-C ends the check.", "none", "The check ended with the code 1 instead of 0."])
    #expect(path == [folder])
    #expect(passed == ["Checking. Ctrl-C ends the check.", "42", "Passed.", "Done. 1 of 1 done in Lesson."])
    #expect(hints == [["Hint 1 of 1:", "It is even."], ["Hint 1 of 1:", "It is even."]])
    #expect(solution == ["The sum is 42."])
    #expect(files == [folder + "/answer.py"])
    #expect(reset.joined(separator: " ").hasPrefix("Started again. Your files are kept in "))
    #expect(try String(contentsOfFile: folder + "/answer.py", encoding: .utf8) == "none\n")
  }

  @Test func `the solution of an exercise that is not passed is shown after a question`() throws {
    let fixture = try Self.fixtureWithCheck()
    _ = fixture.type("lab/goal/lesson/sum")

    let question = fixture.type("solution")
    let declined = fixture.type("no")
    _ = fixture.type("solution")

    #expect(
      question == [
        "You have not passed this exercise.", "Type yes to see the solution nevertheless. Anything else cancels.",
      ])
    #expect(declined == ["Not shown."])
    #expect(fixture.type("yes") == ["The sum is 42."])
  }

  private static func fixtureWithCheck() throws -> LinearFixture {
    let fixture = try LinearFixture(hasCourse: false)
    let folder = "lab/01-goal/01-lesson/01-sum"
    try FileManager.default.createDirectory(
      atPath: fixture.folder.file(folder), withIntermediateDirectories: true)
    try fixture.folder.write(Data(checkedTask.utf8), to: folder + "/exercise.md")
    try fixture.folder.write(Data("none\n".utf8), to: folder + "/answer.py")
    try fixture.folder.write(Data("title: Lab\nkey: lab\n".utf8), to: "lab/course.yml")
    _ = try fixture.library.importCourse(from: fixture.folder.file("lab"))
    return fixture
  }

  private static let checkedTask = """
    ---
    title: Sum
    minutes: 5
    check: "cat answer.py; grep -q 42 answer.py"
    ---
    Write the sum of 40 and 2 into a file.

    ## Hint

    It is even.

    ## Solution

    The sum is 42.

    """

  private static let course = """
    {"waymark": 1, "course": {"key": "lab", "title": "Lab", "children": [{"key": "g", "title": "Goal", "children": [
    {"key": "l", "title": "Lesson", "children": [{"key": "e", "title": "Sum", "exercise": {"task": "Add two numbers.",
    "language": "python", "hints": ["Plus."], "files": [{"path": "sum.py", "role": "edit",
    "digest": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}]}},
    {"key": "f", "title": "More", "exercise": {"task": "Again.", "files": []}}]}]}]}}
    """
}
