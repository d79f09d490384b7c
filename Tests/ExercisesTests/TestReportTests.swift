import LearningModel
import Testing

@testable import Exercises

struct TestReportTests {
  @Test(
    arguments: [
      ("FAILED a.py::t - assert\n=== 2 failed, 1 passed, 3 warnings in 0.05s ===\n", "2 of 3 tests failed."),
      ("6 failed in 0.41s\n", "6 of 6 tests failed."), ("1 error in 0.10s\n", "1 of 1 tests failed."),
      (
        "test result: ok. 2 passed; 0 failed; 0 ignored\ntest result: FAILED. 1 passed; 3 failed; 0 ignored\n",
        "3 of 6 tests failed."
      ), ("Tests:       1 failed, 1 skipped, 4 passed, 6 total\n", "1 of 5 tests failed."),
      ("1..3\nok 1 a\nnot ok 2 b\n# (in test file a)\nnot ok 3 c\n", "2 of 3 tests failed."),
      ("Ran 4 tests in 0.001s\n\nFAILED (failures=1, errors=2)\n", "3 of 4 tests failed."),
      ("error[E0425]: cannot find\nerror: could not compile `a` (bin \"a\")\n", "The code does not compile."),
      ("error: aborting due to 1 previous error\n", "The code does not compile."),
      ("3 passed in 0.05s\n", nil), ("I have 3 failed plans\n", nil), ("", nil),
    ] as [(String, String?)])
  func `the number of failed tests is read from the output`(_ output: String, _ sentence: String?) {
    #expect(TestReport.sentence(in: output) == sentence)
  }

  @Test func `the first line of a failure is found in the output of programs for tests and of compilers`() {
    let lines = [
      "____ LeapTest.test_year ____", "error[E0425]: cannot find value", "error: expected", "a.c:3:1: error: unknown",
      "---- tests::two stdout ----", "not ok 2 year", "  ● leap › year", "FAIL: test_year (leap.LeapTest)",
      "--- FAIL: TestLeap (0.00s)",
    ]
    let others = ["", "____", "=== FAILURES ===", "no error: here", "warning: unused", "test tests::two ... FAILED"]

    #expect(lines.filter { !TestReport.beginsFailure($0) } == [])
    #expect(others.filter { TestReport.beginsFailure($0) } == [])
  }

  @Test func `a failed check of pytest shows the number of failed tests, and no warnings about marks`() throws {
    let fixture = try ExerciseFixture(
      [
        "a.py": "def a(): return 1\n",
        "test:a_test.py":
          "import pytest\nfrom a import a\n@pytest.mark.task(taskno=1)\ndef test_a(): assert a() == 2\ndef test_b(): pass\n",
      ], recipe: "pytest")

    let result = try fixture.check()

    if case .missing(let tools) = result.outcome { return print("skipped: \(MissingTool.text(tools, at: .root))") }
    #expect(result.outcome == .failed(reason: "1 of 2 tests failed."))
    #expect(!result.output.text.contains("PytestUnknownMarkWarning"))
  }
}
