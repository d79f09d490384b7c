import ExternalPrograms
import Foundation
import LearningModel
import Testing

@testable import Exercises

@Suite(.timeLimit(.minutes(5))) struct RecipeTests {
  /// For each recipe, files with a wrong solution, and the path and the text of a right one.
  static let samples: [(recipe: String, files: [String: String], path: String, right: String)] = [
    ("bash", ["a.sh": "exit 1\n"], "a.sh", "exit 0\n"),
    (
      "bats",
      [
        "a.sh": "echo false\n",
        "test:a.bats": """
        @test "one" { true; }
        @test "two" { [[ $BATS_RUN_SKIPPED == true ]] || skip; run bash a.sh; [[ $output == yes ]]; }

        """,
      ], "a.sh", "echo yes\n"
    ),
    ("c", ["a.c": "int main(void) { return 1; }\n"], "a.c", "int main(void) { return 0; }\n"),
    (
      "cargo",
      [
        "support:Cargo.toml": "[package]\nname = \"leap\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        "src/lib.rs": "pub fn two() -> u8 { 1 }\n",
        "test:tests/two.rs": "#[test]\n#[ignore]\nfn two() { assert_eq!(leap::two(), 2); }\n",
      ], "src/lib.rs", "pub fn two() -> u8 { 2 }\n"
    ),
    (
      "go",
      [
        "support:go.mod": "module two\n\ngo 1.19\n", "two.go": "package two\n\nfunc Two() int { return 1 }\n",
        "test:two_test.go":
          "package two\n\nimport \"testing\"\n\nfunc TestTwo(t *testing.T) {\n\tif Two() != 2 {\n\t\tt.Fatal(\"not 2\")\n\t}\n}\n",
      ], "two.go", "package two\n\nfunc Two() int { return 2 }\n"
    ),
    (
      "java",
      [
        "Two.java": "class Two { static int two() { return 1; } }\n",
        "test:TwoTest.java":
          "class TwoTest { public static void main(String[] a) { if (Two.two() != 2) System.exit(1); } }\n",
      ], "Two.java", "class Two { static int two() { return 2; } }\n"
    ),
    (
      "javascript",
      [
        "two.mjs": "export const two = 1;\n",
        "test:test.mjs":
          "import assert from 'node:assert';\nimport { two } from './two.mjs';\nassert.equal(two, 2);\n",
      ], "two.mjs", "export const two = 2;\n"
    ),
    (
      "make",
      [
        "a.c": "int two(void) { return 1; }\n",
        "test:test.c":
          "int two(void);\n#define TEST_IGNORE() return 0\nint main(void) { TEST_IGNORE();\n return two() != 2; }\n",
        "support:makefile": "test:\n\tcc -o tests a.c test.c\n\t./tests\n",
      ], "a.c", "int two(void) { return 2; }\n"
    ),
    (
      "perl",
      [
        "Two.pm": "package Two;\nsub two { 1 }\n1;\n",
        "test:two.t": "use lib '.';\nuse Test::More tests => 1;\nuse Two;\nis(Two::two(), 2);\n",
      ], "Two.pm", "package Two;\nsub two { 2 }\n1;\n"
    ),
    (
      "pytest",
      [
        "two.py": "def two(): return 1\n",
        "test:two_test.py": "from two import two\ndef test_two(): assert two() == 2\n",
      ],
      "two.py", "def two(): return 2\n"
    ),
    ("python", ["a.py": "raise SystemExit(1)\n"], "a.py", "print('done')\n"),
    ("ruby", ["a.rb": "exit 1\n"], "a.rb", "puts 'done'\n"),
    (
      "rustlings",
      [
        "support:Cargo.toml":
          "[package]\nname = \"exercises\"\nedition = \"2021\"\n\n[[bin]]\nname = \"two\"\npath = \"exercises/two.rs\"\n",
        "exercises/two.rs": "fn main() {}\n\n#[test]\nfn two() {\n    assert_eq!(\"1\".parse(), Ok(2));\n}\n",
      ], "exercises/two.rs", "fn main() {}\n\n#[test]\nfn two() {\n    assert_eq!(\"2\".parse(), Ok(2));\n}\n"
    ),
    (
      "rustc", ["a.rs": "#[test]\n#[ignore]\nfn t() { assert_eq!(1, 2); }\n"], "a.rs",
      "#[test]\n#[ignore]\nfn t() { assert_eq!(2, 2); }\n"
    ),
    (
      "swift",
      [
        "support:Package.swift": """
        // swift-tools-version: 5.9
        import PackageDescription
        let package = Package(name: "Two", targets: [
          .target(name: "Two", path: "Sources"), .testTarget(name: "TwoTests", dependencies: ["Two"], path: "Tests")])

        """,
        "Sources/Two.swift": "public func two() -> Int { 1 }\n",
        "test:Tests/TwoTests.swift": """
        import Foundation
        import XCTest
        import Two
        class TwoTests: XCTestCase {
          func testTwo() throws {
            try XCTSkipIf(ProcessInfo.processInfo.environment["RUNALL"] != "true")
            XCTAssertEqual(two(), 2)
          }
        }

        """,
      ], "Sources/Two.swift", "public func two() -> Int { 2 }\n"
    ),
    (
      "unittest",
      [
        "two.py": "two = 1\n",
        "test:test_two.py":
          "import unittest\nfrom two import two\nclass T(unittest.TestCase):\n  def test(self): self.assertEqual(two, 2)\n",
      ], "two.py", "two = 2\n"
    ),
  ]

  @Test(arguments: samples) func `a wrong solution fails, and a right one passes with all tests enabled`(
    _ sample: (recipe: String, files: [String: String], path: String, right: String)
  ) throws {
    let fixture = try ExerciseFixture(sample.files, recipe: sample.recipe)
    let wrong = try fixture.check()
    if case .missing(let tools) = wrong.outcome {
      print("skipped: \(sample.recipe) needs \(MissingTool.text(tools, at: .root))")
      return
    }
    #expect(wrong.outcome != .passed, "\(wrong.output.text)")
    try fixture.edit(sample.path, sample.right)
    let right = try fixture.check()
    #expect(right.outcome == .passed, "\(right.output.text)")
    #expect(right.protection != .unprotected)
    // A plugin of pytest that some systems have makes a folder.
    #expect(right.removedFiles.filter { $0 != ".benchmarks" } == [])
  }

  @Test func `each recipe has a sample, except those that need the network`() {
    #expect(Recipe.all.map(\.name) == Recipe.all.map(\.name).sorted())
    #expect(Set(Recipe.all.map(\.name)).subtracting(Self.samples.map(\.recipe)) == ["jest"])
  }

  @Test func `the names in braces stand for the files of the exercise`() throws {
    let exercise = try ExerciseFixture(["a b.py": "", "-c.py": "", "test:t's.py": "", "support:s.py": ""]).exercise
    let untested = try ExerciseFixture(["src/Main.java": ""]).exercise

    #expect(
      Exercise.Run(.argv(["python3", "{edit}", "{test}", "x{test}"])).arguments(for: exercise)
        == ["python3", "-c.py", "a b.py", "t's.py", "x{test}"])
    #expect(
      Exercise.Run(.shell("run {edit} {run}")).arguments(for: exercise)
        == ["/bin/sh", "-c", "run ./-c.py 'a b.py' 't'\\''s.py'"])
    #expect(
      Exercise.Run(.argv(["java", "{run}", "{main}"])).arguments(for: untested) == ["java", "src/Main.java", "Main"])
  }

  @Test(arguments: [
    ("sudo apt install x", true), ("echo a && doas x", true), ("echo pseudo", false), ("/usr/bin/sudo x", true),
  ])
  func `a command that asks for the administrator's rights is recognised`(_ line: String, _ expected: Bool) {
    #expect(Exercise.Run(.shell(line)).needsAdministrator == expected)
    #expect(
      Exercise.Run(.argv(line.split(separator: " ").map(String.init))).needsAdministrator
        == (expected && line.first != "e"))
  }
}
