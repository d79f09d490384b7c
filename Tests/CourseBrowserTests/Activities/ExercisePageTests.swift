import LearningModel
import NavigationKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct ExercisePageTests {
  private static let course = [
    "course.yml": "key: lab\ntitle: Lab\n", "01-goal/goal.yml": "title: Goal\n",
    "01-goal/01-lesson/lesson.yml": "title: Lesson\n",
    "01-goal/01-lesson/01-sum/exercise.md": """
    ---
    title: Sum
    summary: Add two numbers.
    language: python
    difficulty: 2
    minutes: 5
    ---
    Write the function `add`, which returns the *sum* of two numbers.

    ## Hint

    Use a plus.

    ## Solution

    Return a sum.

    """,
    "01-goal/01-lesson/01-sum/add.py": "def add(a, b): pass\n", "01-goal/01-lesson/01-sum/main.py": "import add\n",
    "01-goal/01-lesson/01-sum/test_add.py": "import add\n",
    "01-goal/01-lesson/02-more/exercise.md": "---\ntitle: More\nminutes: 5\n---\nAgain.\n",
    "01-goal/01-lesson/02-more/more.py": "pass\n",
  ]

  private func fixture(_ activity: String = "sum", checks: [(passed: Bool, changed: Bool)] = []) throws
    -> ActivityFixture
  {
    let fixture = try ActivityFixture(activity, course: Self.course)
    guard !checks.isEmpty else { return fixture }
    for check in checks {
      try fixture.navigation.progress.record(
        .exerciseChecked(
          ExerciseCheck(isPassed: check.passed, isChanged: check.changed, seconds: 1, files: "", revision: 1)),
        in: .text("lab/goal/lesson/sum"))
    }
    return try ActivityFixture(activity, course: Self.course, after: fixture)
  }

  @Test func `the page shows the task, the language, the files to edit, the hints and the state`() throws {
    expectSnapshot(try fixture().screen(at: 60))
  }

  @Test(
    arguments: [
      ([], "not checked yet"), ([(passed: false, changed: true)], "last check failed"),
      ([(passed: true, changed: false)], "passed without an edited file"),
      ([(passed: true, changed: true)], "✓ passed"),
    ] as [([(passed: Bool, changed: Bool)], String)])
  func `the header shows the state`(_ checks: [(passed: Bool, changed: Bool)], _ state: String) throws {
    #expect(try fixture(checks: checks).rows(at: 60)[2].hasSuffix(" " + state))
  }

  @Test func `reading the task does not make the exercise done, and a mark is shown as a mark`() throws {
    let fixture = try fixture()
    _ = fixture.screen(at: 600)
    let isDoneByReading = try fixture.isDone("sum")

    fixture.press("x", at: 601)

    #expect(!isDoneByReading)
    #expect(try fixture.isDone("sum"))
    #expect(fixture.rows(at: 603)[2].hasSuffix(" ✓ marked by hand"))
  }

  @Test func `lists show how many exercises are passed`() throws {
    let fixture = try fixture(checks: [(true, true)])
    fixture.press(.escape, at: 1)
    let lesson = fixture.screen(at: 3)
    fixture.press(.escape, at: 4)
    let goal = fixture.screen(at: 6)
    fixture.press(.escape, at: 7)
    fixture.press(.escape, at: 9)

    expectSnapshot(lesson, "lesson")
    expectSnapshot(goal, "goal")
    expectSnapshot(fixture.screen(at: 12), "shelf")
  }
}
