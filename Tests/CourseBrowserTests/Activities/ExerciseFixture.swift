import Exercises
import Foundation
import LearningModel
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// A browser at an exercise whose checks are real programs. Its clock does not advance while a check runs.
@MainActor struct ExerciseFixture {
  let activities: ActivityFixture

  init(
    _ activity: String = "sum", _ columns: Int = 80, _ rows: Int = 24, motion: MotionPreference = .full,
    after other: ExerciseFixture? = nil
  ) throws {
    activities = try ActivityFixture(
      activity, columns, rows, motion: motion, course: Self.course, after: other?.activities)
    activities.browser.context.isUnprotectedAllowed = true
  }

  var browser: Browser { activities.browser }
  var page: ExerciseScreen { get throws { try #require(browser.page as? ExerciseScreen) } }
  var folder: String { browser.context.workRoot + "/lab/goal/lesson/sum" }

  func press(_ key: Key, _ modifiers: KeyModifiers = [], at time: Double) {
    browser.handle(.key(KeyEvent(key, modifiers: modifiers)), at: time)
  }

  func press(_ character: Character, at time: Double) { press(.character(character), at: time) }

  func screen(at time: Double) -> String { activities.screen(at: time) }

  func write(_ answer: String) throws {
    try Data(answer.utf8).write(to: URL(filePath: folder + "/answer.py"))
  }

  var answer: String? {
    FileManager.default.contents(atPath: folder + "/answer.py").map { String(decoding: $0, as: UTF8.self) }
  }

  /// Waits until the check has come to a result, which the page does not show yet.
  func wait() throws {
    let check = try #require(try page.running?.check)
    for _ in 0..<3_000 where check.result == nil { usleep(10_000) }
    try #require(check.result != nil)
  }

  /// Allows the commands, and starts a check 2 s later.
  func allowAndCheck(at time: Double) {
    press(.enter, at: time)
    _ = browser.stage.tick(at: time + 1)
    press(.enter, at: time + 2)
  }

  static let course = [
    "course.yml": "key: lab\ntitle: Lab\n", "01-goal/goal.yml": "title: Goal\n",
    "01-goal/01-lesson/lesson.yml": "title: Lesson\n",
    "01-goal/01-lesson/01-sum/exercise.md": """
    ---
    title: Sum
    summary: Add two numbers.
    minutes: 5
    check: "cat answer.py; grep -q 42 answer.py"
    ---
    Write the sum of 40 and 2 into the file `answer.py`.

    ## Hint

    It is more than 40.

    ## Hint

    It is even.

    ## Solution

    The sum is 42.

    """,
    "01-goal/01-lesson/01-sum/answer.py": "The answer is missing.\n",
    "01-goal/01-lesson/02-long/exercise.md": """
    ---
    title: Long
    minutes: 5
    check: "echo begun; sleep 60"
    ---
    Wait.

    """,
    "01-goal/01-lesson/02-long/a.py": "a\n",
    "01-goal/01-lesson/03-intro/exercise.md": "---\ntitle: Intro\nminutes: 5\ncheck: \"true\"\n---\nRead.\n",
    "01-goal/01-lesson/03-intro/a.py": "a\n",
    "01-goal/01-lesson/04-tests/exercise.md": """
    ---
    title: Tests
    minutes: 5
    check: "seq -f 'line %.0f' 30; echo ____ test ____; seq -f 'more %.0f' 30; echo 1 failed in 0.1s; exit 1"
    ---
    Test.

    """,
    "01-goal/01-lesson/04-tests/a.py": "a\n",
  ]
}
