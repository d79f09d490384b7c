import ExternalPrograms
import Exercises
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct ExerciseCheckTests {
  // MARK: - Permission

  @Test func `the first check shows the commands, and Esc leaves without running them`() throws {
    let fixture = try ExerciseFixture()

    fixture.press(.enter, at: 1)
    let sheet = fixture.screen(at: 2)
    fixture.press(.escape, at: 3)
    _ = fixture.screen(at: 4)

    #expect(sheet.contains("Run the commands of this course?"))
    #expect(sheet.contains("cat answer.py; grep -q 42 answer.py"))
    #expect(sheet.contains("echo begun; sleep 60"))
    #expect(sheet.contains("Your own editor is not confined"))
    #expect(try fixture.page.running == nil)
    #expect(!FileManager.default.fileExists(atPath: fixture.folder))
  }

  @Test func `a second Enter directly after the first does not allow the commands`() throws {
    let fixture = try ExerciseFixture()

    fixture.press(.enter, at: 1)
    fixture.press(.enter, at: 1.2)

    #expect(fixture.browser.overlay is PermissionScreen)
    #expect(try fixture.page.running == nil)
  }

  @Test func `allowed commands run without a question, also in a later session`() throws {
    let first = try ExerciseFixture()
    first.allowAndCheck(at: 1)
    try first.wait()
    _ = first.screen(at: 4)
    first.browser.close()
    let second = try ExerciseFixture(after: first)

    second.press(.enter, at: 1)

    #expect(second.browser.overlay == nil)
    try second.wait()
  }

  @Test(.enabled(if: CourseExercise.runsAsRoot))
  func `as root, a check needs a flag of the program`() throws {
    let fixture = try ExerciseFixture()
    fixture.browser.context.isUnprotectedAllowed = false

    let before = fixture.screen(at: 0.5)
    fixture.press(.enter, at: 1)

    #expect(before.contains("As root, checks run only with --unprotected"))
    #expect(fixture.browser.screen.notice?.hasPrefix("Checks run only with 'waymark --unprotected'") == true)
    #expect(try fixture.page.running == nil)
  }

  // MARK: - Results

  @Test(arguments: [(40, 12), (80, 24), (120, 36)])
  func `a failed check shows its reason and its output`(_ columns: Int, _ rows: Int) throws {
    let fixture = try ExerciseFixture("sum", columns, rows)

    fixture.allowAndCheck(at: 1)
    try fixture.wait()

    expectSnapshot(fixture.screen(at: 5), "\(columns)x\(rows)")
    #expect(try fixture.browser.navigation.places.summary(of: .text("lab/goal/lesson/sum")).exercise == .failed)
  }

  @Test(arguments: [(40, 12), (80, 24), (120, 36)])
  func `a passed check turns the panel, and does not leave the page`(_ columns: Int, _ rows: Int) throws {
    let fixture = try ExerciseFixture("sum", columns, rows)
    fixture.allowAndCheck(at: 1)
    try fixture.wait()
    _ = fixture.screen(at: 5)
    try fixture.write("42\n")
    fixture.press(.enter, at: 6)
    _ = fixture.screen(at: 6.01)
    try fixture.wait()

    let turning = fixture.screen(at: 6.2)
    let passed = fixture.screen(at: 8)

    // The saved file can also start a check before Enter does.
    expectSnapshot(passed.replacing(/After \d checks/, with: "After N checks"), "\(columns)x\(rows)")
    #expect(turning != passed)
    #expect(try fixture.activities.isDone("sum"))
  }

  @Test func `the last result is shown when the learner returns to the page`() throws {
    let fixture = try ExerciseFixture()
    fixture.allowAndCheck(at: 1)
    try fixture.wait()
    _ = fixture.screen(at: 5)
    fixture.press("n", at: 6)
    let other = fixture.screen(at: 8)
    fixture.press("p", at: 9)

    #expect(!other.contains("ended with the code"))
    #expect(fixture.screen(at: 11).contains("✗ The check ended with the code 1 instead of 0."))
  }

  @Test func `Esc closes the result, and then goes up`() throws {
    let fixture = try ExerciseFixture()
    fixture.allowAndCheck(at: 1)
    try fixture.wait()
    _ = fixture.screen(at: 5)

    fixture.press(.escape, at: 6)
    let task = fixture.screen(at: 7)
    fixture.press(.escape, at: 8)
    _ = fixture.screen(at: 9)

    #expect(!task.contains("ended with the code"))
    #expect(fixture.browser.page is ListScreen)
  }

  // MARK: - The running check

  @Test func `Ctrl-C ends the check and not the browser, and the output stays`() throws {
    let fixture = try ExerciseFixture("long")
    fixture.allowAndCheck(at: 1)
    let entering = fixture.screen(at: 3.05)
    let check = try #require(try fixture.page.running?.check)
    let shown = fixture.screen(at: 4.5)
    var time = 4.5
    for _ in 0..<3_000 where !fixture.screen(at: time).contains("begun") {
      usleep(10_000)
      time += 0.1
    }

    fixture.press(.character("c"), .control, at: time + 0.5)
    fixture.press(.character("c"), .control, at: time + 1.1)
    for _ in 0..<3_000 where check.result == nil { usleep(10_000) }
    let ended = fixture.screen(at: time + 2)
    fixture.press(.character("c"), .control, at: time + 2.05)
    let isFinishedEarly = fixture.browser.isFinished
    fixture.press(.character("c"), .control, at: time + 5)

    #expect(try check.result?.get().outcome == .cancelled)
    #expect(shown.contains("1 s, Ctrl-C ends the check"))
    #expect(entering != shown)
    #expect(ended.contains("The check was ended.") && ended.contains("begun") && !ended.contains("Ctrl-C"))
    #expect(!isFinishedEarly)
    #expect(fixture.browser.isFinished)
    #expect(try fixture.browser.navigation.places.summary(of: .text("lab/goal/lesson/long")).exercise == .notChecked)
  }

  @Test func `leaving the page ends the check`() throws {
    let fixture = try ExerciseFixture("long")
    fixture.allowAndCheck(at: 1)
    _ = fixture.screen(at: 4)
    let check = try #require(try fixture.page.running?.check)

    fixture.press("p", at: 5)
    let other = fixture.screen(at: 7)
    for _ in 0..<3_000 where check.result == nil { usleep(10_000) }

    #expect(other.contains("The check was ended."))
    #expect(try check.result?.get().outcome == .cancelled)
    #expect(fixture.browser.context.endCheck?() != true)
  }

  // MARK: - Saved files

  @Test func `a saved file is checked again, once`() throws {
    let fixture = try ExerciseFixture()
    fixture.allowAndCheck(at: 1)
    try fixture.wait()
    _ = fixture.screen(at: 5)
    try fixture.write("42\n")

    _ = fixture.screen(at: 5.2)
    let isEarly = try fixture.page.running != nil
    _ = fixture.screen(at: 5.8)
    try fixture.wait()
    let passed = fixture.screen(at: 7)
    _ = fixture.screen(at: 9)

    #expect(!isEarly)
    #expect(passed.contains("✓ Passed."))
    #expect(passed.contains("After 2 checks."))
    #expect(try fixture.page.running == nil)
  }

  @Test func `a file that is saved while a check runs ends it and starts another`() throws {
    let fixture = try ExerciseFixture("long")
    fixture.allowAndCheck(at: 1)
    let check = try #require(try fixture.page.running?.check)
    try Data("b\n".utf8).write(to: URL(filePath: fixture.browser.context.workRoot + "/lab/goal/lesson/long/a.py"))
    for time in [3.5, 4, 4.5] { _ = fixture.screen(at: time) }
    for _ in 0..<3_000 where check.result == nil { usleep(10_000) }
    _ = fixture.screen(at: 5)

    let next = try #require(try fixture.page.running)
    #expect(next.check !== check)
    #expect(try check.result?.get().outcome == .cancelled)
    fixture.press(.character("c"), .control, at: 6)
    for _ in 0..<3_000 where next.check.result == nil { usleep(10_000) }
  }

  // Root has to allow unprotected commands again after each start.
  @Test(.enabled(if: geteuid() != 0))
  func `once the commands are allowed, the first saved change is checked, and the author's files are not`() throws {
    let first = try ExerciseFixture()
    first.allowAndCheck(at: 1)
    try first.wait()
    _ = first.screen(at: 5)
    first.browser.close()
    try FileManager.default.removeItem(atPath: first.folder)
    let second = try ExerciseFixture(after: first)
    second.press("y", at: 1)
    for time in [1.5, 2, 2.5] { _ = second.screen(at: time) }
    let isEarly = try second.page.running != nil
    try second.write("42\n")
    // Whether the commands are allowed is found in the background.
    for number in 0..<600 {
      if try second.page.running != nil { break }
      usleep(10_000)
      _ = second.screen(at: 3 + Double(number) / 2)
    }
    let time = second.browser.stage.now
    try second.wait()

    #expect(!isEarly)
    #expect(second.screen(at: time + 2).contains("✓ Passed."))
  }

  @Test func `a check that passes without an edited file is no failure, and names the key that marks it`() throws {
    let fixture = try ExerciseFixture("intro")
    fixture.allowAndCheck(at: 1)
    try fixture.wait()
    let screen = fixture.screen(at: 5)

    #expect(screen.contains("│ Passed, but you have not edited a file."))
    #expect(screen.contains("x marks it as done."))
    #expect(!screen.contains("✗"))
  }

  @Test func `the output has the keys after Tab, is taller then, and starts at the first failure`() throws {
    let fixture = try ExerciseFixture("tests")
    fixture.allowAndCheck(at: 1)
    try fixture.wait()
    let failed = fixture.screen(at: 5)
    fixture.press(.tab, at: 6)
    let focused = fixture.screen(at: 7)
    fixture.press(.tab, at: 8)

    #expect(failed.contains("│ ✗ 1 of 1 tests failed."))
    #expect(failed.contains("│ ____ test ____") && !failed.contains("│ line 9"))
    #expect(
      focused.split(separator: "\n").count { $0.contains("│") } > failed.split(separator: "\n").count {
        $0.contains("│")
      } + 4)
    #expect(focused.contains("Back to the task"))
    #expect(fixture.screen(at: 9) == failed)
  }

  @Test func `before the first check, no file is observed and nothing is drawn`() throws {
    let fixture = try ExerciseFixture()
    _ = fixture.screen(at: 60)

    #expect(fixture.browser.stage.nextFrameTime == nil)
  }

  // MARK: - Hints and files

  @Test func `hints are shown one after the other, and the solution after a question`() throws {
    let fixture = try ExerciseFixture()
    fixture.press("t", at: 1)
    let first = fixture.screen(at: 2)
    fixture.press("t", at: 3)
    let second = fixture.screen(at: 4)
    fixture.press(.escape, at: 5)
    _ = fixture.screen(at: 6)
    fixture.press("t", at: 7)
    let question = fixture.screen(at: 8)
    fixture.press("t", at: 9)
    let solution = fixture.screen(at: 10)

    #expect(first.contains("It is more than 40.") && !first.contains("It is even."))
    #expect(second.contains("It is even."))
    #expect(question.contains("You have not passed this exercise. t shows the solution."))
    #expect(!question.contains("The sum is 42."))
    #expect(solution.contains("The sum is 42."))
  }

  @Test func `a second key directly after the question does not show the solution`() throws {
    let fixture = try ExerciseFixture()
    for time in [1, 2, 3, 3.2] { fixture.press("t", at: time) }
    let question = fixture.screen(at: 4)
    fixture.press("t", at: 5)

    #expect(question.contains("You have not passed this exercise."))
    #expect(!question.contains("The sum is 42."))
    #expect(fixture.screen(at: 6).contains("The sum is 42."))
  }

  @Test func `an exercise that was passed with other files says so`() throws {
    let first = try ExerciseFixture()
    try first.browser.navigation.progress.record(
      .exerciseChecked(ExerciseCheck(isPassed: true, isChanged: true, seconds: 1, files: "", revision: 1)),
      in: .text("lab/goal/lesson/sum"))
    let second = try ExerciseFixture(after: first)

    #expect(second.screen(at: 1).contains("Passed with other files"))
  }

  @Test func `starting again keeps the learner's file, and undo brings it back`() throws {
    let fixture = try ExerciseFixture()
    fixture.press("y", at: 1)
    try fixture.write("mine\n")

    fixture.press("r", at: 2)
    let original = fixture.answer
    let notice = fixture.browser.screen.notice
    fixture.press("U", at: 3)

    #expect(fixture.activities.copied == [fixture.folder + "/answer.py"])
    #expect(original == "The answer is missing.\n")
    #expect(notice == "Started again. U brings your files back.")
    #expect(fixture.answer == "mine\n")
  }

  @Test func `an editor gets the terminal, and the files are in the work folder`() throws {
    let fixture = try ExerciseFixture()
    var uses = 0
    fixture.browser.context.editor = WorkEditor(setting: "vi") { _ in nil }
    fixture.browser.context.onTerminal = { _ in uses += 1 }

    fixture.press("o", at: 1)

    #expect(uses == 1)
    #expect(fixture.answer == "The answer is missing.\n")
  }

  @Test func `an editor that fails is named with the folder`() throws {
    let fixture = try ExerciseFixture()
    fixture.browser.context.editor = WorkEditor(setting: "false") { _ in nil }

    fixture.press("o", at: 1)

    #expect(
      fixture.browser.screen.notice
        == "Could not open the files in '\(fixture.folder)' with 'false': it failed. Change the setting 'editor', or open the files yourself."
    )
  }
}
