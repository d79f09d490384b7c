import Foundation
import Testing

/// Exercises of other programs, from the import to a check.
@Suite(.timeLimit(.minutes(3))) struct ExerciseImportTests {
  /// A home folder with a collection of two exercises in Python, of which the learner has passed the first.
  private func home() throws -> HomeFixture {
    let home = try HomeFixture()
    try home.write(
      """
      [[exercises]]
      name = "water1"
      path = "exercises/water/water1.py"
      hint = "Warm it."

      [[exercises]]
      name = "water2"
      path = "exercises/water/water2.py"
      hint = "Cool it."
      """, to: "bread/info.toml")
    try home.write("{\"completed\": [\"water1\"]}", to: "bread/.pythonlings/state.json")
    for name in ["water1", "water2"] {
      try home.write("# Set a to 30.\na = 0\n", to: "bread/exercises/water/\(name).py")
      try home.write("assert a == 30\n", to: "bread/checks/water/\(name).py")
    }
    return home
  }

  @Test func `passed exercises are marked as done, once`() throws {
    let home = try home()

    let first = try home.waymark("import", home.path("bread"), "--with-progress")
    let second = try home.waymark("import", home.path("bread"), "--with-progress")

    #expect(first.output.contains("  format   rustlings\n"), "\(first)")
    #expect(first.code == 0 && first.errors == "Marked 1 of 1 passed exercises as done.\n", "\(first)")
    #expect(second.errors == "Marked 0 of 1 passed exercises as done.\n", "\(second)")
    #expect(
      try home.waymark("exercise", "list", "--format", "csv").output == """
        path,kind,title,state
        bread/exercises/water/water1,activity,water1,marked
        bread/exercises/water/water2,activity,water2,notChecked

        """)
  }

  @Test func `a folder without a state has no progress`() throws {
    let home = try home()
    try FileManager.default.removeItem(atPath: home.path("bread/.pythonlings"))

    let answer = try home.waymark("import", home.path("bread"), "--with-progress")

    #expect(answer.code == 0 && answer.errors == "The source contains no progress.\n", "\(answer)")
  }

  @Test func `the work folder is one project with all exercises, and each is checked on its own`() throws {
    let home = try home()
    try #require(home.waymark("import", home.path("bread")).code == 0)
    let place = "bread/exercises/water/water1"

    let folder = try home.waymark("exercise", "path", place).output.trimmingCharacters(in: .newlines)
    let other = folder + "/exercises/water/water2.py"
    #expect(FileManager.default.fileExists(atPath: other))
    try Data("a = 30\n".utf8).write(to: URL(filePath: folder + "/exercises/water/water1.py"))
    try Data("a = 1\n".utf8).write(to: URL(filePath: other))
    let answer = try home.waymark("exercise", "check", place, "--trust", "--unprotected")

    #expect(answer.code == 0, "\(answer)")
    #expect(try home.waymark("exercise", "check", "bread/exercises/water/water2", "--unprotected").code == 1)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "a = 1\n")

    #expect(
      try home.waymark("tree", "bread", "--format", "csv").output == """
        path,kind,title,depth,position,progress,exercises,passed
        bread,course,Bread,0,0,0.5,2,1
        bread/exercises,goal,Exercises,1,0,0.5,2,1
        bread/exercises/water,lesson,Water,2,0,0.5,2,1
        bread/exercises/water/water1,activity,water1,3,0,1,1,1
        bread/exercises/water/water2,activity,water2,3,1,0,1,0

        """)
    #expect(
      try home.waymark("tree", "/", "--depth", "0", "--format", "jsonl").output
        == #"{"path":"/","kind":"root","title":"Courses","depth":0,"position":0,"progress":0.5,"exercises":2,"passed":1}"#
        + "\n")
    #expect(try home.waymark("tree", "bread", "--depth", "0").output.lines.first?.contains("passed") == true)
    #expect(try home.waymark("tree", "bread", "--depth", "0").output.contains("1 of 2"))
    for arguments in [[], ["--by", "learner"]] {
      let progress = try home.waymark(["progress", "bread/exercises/water", "--format", "csv"] + arguments).output
      #expect(progress.lines[0] == "path,kind,title,done,total,learner,exercises,passed")
      #expect(
        progress.lines[1].hasPrefix("bread/exercises/water,lesson,Water,1,2,") && progress.lines[1].hasSuffix(",2,1"))
      #expect(progress.lines[2].hasSuffix(",1,1"), "\(progress)")
    }
    #expect(try home.waymark("progress", "bread").output.contains("passed"))
    #expect(try home.waymark("import", "--bundled").code == 0)
    #expect(try !home.waymark("progress", "english-for-business").output.contains("passed"))
    #expect(try !home.waymark("tree", "english-for-business", "--depth", "1").output.contains("passed"))
  }
}
