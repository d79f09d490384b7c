import Foundation
import Testing

@Suite(.timeLimit(.minutes(3))) struct ExerciseCommandTests {
  private static let place = "bees/hive/count/boxes"

  /// A learner's home folder with a course of two exercises.
  private func home() throws -> HomeFixture {
    let home = try HomeFixture()
    let files = [
      "bees/course.yml": "key: bees\ntitle: Bees\n", "bees/1-hive/goal.yml": "title: Hive\n",
      "bees/1-hive/1-count/lesson.yml": "title: Count\n",
      "bees/1-hive/1-count/1-boxes/exercise.md": """
      ---
      title: Boxes
      language: sh
      check: [sh boxes_test.sh]
      ---
      Print the number of boxes.

      ## Hint

      A hive in spring has two.

      """,
      "bees/1-hive/1-count/1-boxes/boxes.sh": "echo 0\n",
      "bees/1-hive/1-count/1-boxes/boxes_test.sh": "echo checking; test \"$(sh boxes.sh)\" = 2\n",
      "bees/1-hive/1-count/1-boxes/solution/boxes.sh": "echo 2\n",
      "bees/1-hive/1-count/2-frames/exercise.md":
        "---\ntitle: Frames\ncheck: {argv: [waymark-no-such-program]}\n---\nCount the frames.\n",
      "bees/1-hive/1-count/2-frames/frames.sh": "",
    ]
    for (path, text) in files {
      let url = URL(filePath: home.path(path))
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    let answer = try home.waymark("import", home.path("bees"))
    try #require(answer.code == 0, "\(answer)")
    return home
  }

  @Test func `an exercise is started, checked, passed and shown as passed`() throws {
    let home = try home()
    let started = try home.waymark("exercise", "start", Self.place)
    let file = try #require(started.output.split(separator: "\n").last.map(String.init))
    #expect(file == home.database.deletingLastPathComponent().appending(path: "work/\(Self.place)/boxes.sh").path)
    #expect(started.output.contains("Print the number of boxes."))

    let failed = try home.waymark("exercise", "check", Self.place, "--trust", "--unprotected")
    expectAnswer(
      failed, code: 1, output: "checking\n", errors: "The check ended with the code 1 instead of 0.\n")
    #expect(try home.waymark("exercise", "next").output == Self.place + "\n")
    try Data("echo 2\n".utf8).write(to: URL(filePath: file))
    let passed = try home.waymark("exercise", "check", Self.place, "--unprotected")

    expectAnswer(passed, code: 0, output: "checking\n“Boxes”: passed.\n", errors: "")
    #expect(try home.waymark("exercise", "next").output == "bees/hive/count/frames\n")
    #expect(
      try home.waymark("exercise", "list", "--format", "csv").output
        == """
        path,kind,title,state
        \(Self.place),activity,Boxes,passed
        bees/hive/count/frames,activity,Frames,notChecked

        """)
    #expect(try home.waymark("attempts", "--format", "csv").output.contains("exerciseChecked"))
  }

  @Test func `a check of the author's files alone does not pass, and leaves them`() throws {
    let home = try home()
    try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: home.path("bees/1-hive/1-count/1-boxes/boxes_test.sh")))
    #expect(try home.waymark("update", "bees").code == 0)

    let answer = try home.waymark("exercise", "check", Self.place, "--trust", "--unprotected")

    expectAnswer(answer, code: 1, output: "“Boxes”: passed without an edited file.\n", errors: "")
  }

  @Test func `nothing runs before the commands are allowed, and changed commands need a new permission`() throws {
    let home = try home()

    let refused = try home.waymark("exercise", "check", Self.place, "--unprotected")
    #expect(refused.code == 77 && refused.output == "" && refused.errors.contains("  sh boxes_test.sh\n"))
    #expect(
      refused.errors.hasSuffix(
        "Could not check 'Boxes': you have not allowed the commands of its course. Read them with 'waymark exercise trust', and allow them there or with --trust.\n"
      ))
    #expect(try home.waymark("exercise", "trust", Self.place, "--yes").code == 0)
    #expect(try home.waymark("exercise", "check", Self.place, "--unprotected").code == 1)
    let exercise = URL(filePath: home.path("bees/1-hive/1-count/1-boxes/exercise.md"))
    let text = String(decoding: try Data(contentsOf: exercise), as: UTF8.self)
    try Data(text.replacing("sh boxes_test.sh", with: "sh -e boxes_test.sh").utf8).write(to: exercise)
    #expect(try home.waymark("update", "bees").code == 0)
    #expect(try home.waymark("exercise", "check", Self.place, "--unprotected").code == 77)
    #expect(try home.waymark("exercise", "trust", Self.place, "--yes").code == 0)
    #expect(try home.waymark("exercise", "trust", Self.place, "--revoke").code == 0)
    #expect(try home.waymark("exercise", "check", Self.place, "--unprotected").code == 77)
  }

  @Test func `hints, the solution, starting again and the errors`() throws {
    let home = try home()
    #expect(try home.waymark("exercise", "hint", Self.place).output == "A hive in spring has two.\n")
    try expectAnswer(
      home.waymark("exercise", "hint", Self.place, "--number", "2"), code: 66,
      errors: "Could not show hint 2: the exercise has hints from 1 to 1.\n")
    try expectAnswer(
      home.waymark("exercise", "hint", "bees/hive/count/frames"), code: 66,
      errors: "Could not show a hint: the exercise has none.\n")
    try expectAnswer(
      home.waymark("exercise", "solution", Self.place), code: 1,
      errors: "Could not show the solution: you have not passed the exercise. To see it nevertheless, use --anyway.\n")
    #expect(try home.waymark("exercise", "solution", Self.place, "--anyway").output.contains("echo 2"))
    try expectAnswer(
      home.waymark("exercise", "solution", "bees/hive/count/frames", "--anyway"), code: 66,
      errors: "Could not show the solution: the author gives none.\n")
    try expectAnswer(
      home.waymark("exercise", "check", "bees/hive/count/frames", "--trust", "--unprotected"), code: 69,
      errors:
        "Could not check the exercise: the program 'waymark-no-such-program' is not installed. Install it and try again.\n"
    )
    try expectAnswer(
      home.waymark("exercise", "path", "bees/hive"), code: 66,
      errors: "Could not use 'bees/hive': it is no exercise. Name one of those that 'waymark exercise list' lists.\n")
    try expectAnswer(
      home.waymark("exercise", "path"), code: 66,
      errors:
        "Could not find an exercise: the current folder is no work folder. Name one of those that 'waymark exercise list' lists.\n"
    )

    let folder = try home.waymark("exercise", "path", Self.place).output.split(separator: "\n").map(String.init)[0]
    try Data("echo mine\n".utf8).write(to: URL(filePath: folder + "/boxes.sh"))
    let reset = try home.waymark("exercise", "reset", Self.place)
    let kept = try #require(reset.output.split(separator: " ").first { $0.contains("/kept/") }).dropLast()
    #expect(try String(contentsOfFile: folder + "/boxes.sh", encoding: .utf8) == "echo 0\n")
    #expect(try home.waymark("exercise", "reset", Self.place, "--restore", String(kept)).code == 0)
    #expect(try String(contentsOfFile: folder + "/boxes.sh", encoding: .utf8) == "echo mine\n")
  }
}
