import CourseKit
import Foundation
import LearningModel
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

  private static let course = """
    {"waymark": 1, "course": {"key": "lab", "title": "Lab", "children": [{"key": "g", "title": "Goal", "children": [
    {"key": "l", "title": "Lesson", "children": [{"key": "e", "title": "Sum", "exercise": {"task": "Add two numbers.",
    "language": "python", "hints": ["Plus."], "files": [{"path": "sum.py", "role": "edit",
    "digest": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}]}},
    {"key": "f", "title": "More", "exercise": {"task": "Again.", "files": []}}]}]}]}}
    """
}
