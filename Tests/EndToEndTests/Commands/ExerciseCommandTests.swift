import Foundation
import TerminalHarness
import TestSupport
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

  @Test func `an exercise is found by its name, and a course stands for its next exercise`() throws {
    let home = try home()
    let folder = home.database.deletingLastPathComponent().appending(path: "work/\(Self.place)").path

    #expect(try home.waymark("exercise", "path", "boxes").output == folder + "\n")
    #expect(try home.waymark("exercise", "path", "bees/boxes", "--files").output == folder + "/boxes.sh\n")
    #expect(try home.waymark("exercise", "hint", "bees").output == "A hive in spring has two.\n")
    #expect(try home.waymark("exercise", "trust", "bees", "--yes").code == 0)
    try Data("echo 2\n".utf8).write(to: URL(filePath: folder + "/boxes.sh"))
    #expect(try home.waymark("exercise", "check", "bees", "--unprotected").output == "checking\n“Boxes”: passed.\n")
    #expect(try home.waymark("exercise", "start", "bees").output.hasSuffix("/frames/frames.sh\n"))
    #expect(try home.waymark("exercise", "path", "box").code == 66)
    #expect(try home.waymark("exercise", "path", "hive/hive/boxes").code == 66)
    #expect(try home.waymark("exercise", "reset", Self.place).code == 0)
    #expect(
      try home.waymark("exercise", "show", Self.place).output.contains(
        "Passed with other files: those on this machine are the author's. Your code is on another machine, or you have started again.\n"
      ))
  }

  @Test func `in a shared folder, the exercise is the one whose file is there`() throws {
    let home = try home()
    let info = ["a", "b", "c"].map {
      "[[exercises]]\nname = \"\($0)\"\npath = \"exercises/\($0 == "c" ? "2" : "1")/\($0).py\"\n"
    }
    try home.write(info.joined(separator: "\n"), to: "snakes/info.toml")
    for path in ["1/a", "1/b", "2/c"] { try home.write("print(1)\n", to: "snakes/exercises/\(path).py") }
    #expect(try home.waymark("import", home.path("snakes")).code == 0)
    let file = try home.waymark("exercise", "path", "a", "--files").output.dropLast()
    let folder = String(file.dropLast("/1/a.py".count))
    func path(in inner: String) throws -> Answer {
      try home.run("/bin/sh", ["-c", "cd \(folder)/\(inner) && exec \(BuiltProgram.path) exercise path --files"])
    }

    #expect(try path(in: "2").output == folder + "/2/c.py\n")
    try expectAnswer(
      path(in: "1"), code: 66,
      errors:
        "Could not find the exercise: several share this folder. Name one of those that 'waymark exercise list' lists.\n"
    )
  }

  @Test func `a check that cannot run is no attempt`() throws {
    let home = try home()

    let answer = try home.waymark("exercise", "check", "frames", "--trust", "--unprotected")

    #expect(answer.code == 69)
    #expect(try home.waymark("exercise", "list", "--format", "csv").output.contains("Frames,notChecked"))
    #expect(try home.waymark("attempts", "--format", "csv").output.contains("exerciseChecked") == false)
  }

  @Test func `while a watched exercise is checked, a saved change ends the check and starts another`() throws {
    let home = try home()
    let folder = try home.waymark("exercise", "path", Self.place).output.split(separator: "\n").map(String.init)[0]
    try Data("echo begun >&2; sleep 60\n".utf8).write(to: URL(filePath: folder + "/boxes.sh"))
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    try terminal.launch(
      BuiltProgram.path, ["exercise", "check", Self.place, "--trust", "--unprotected", "--watch"],
      environment: home.environment, directory: home.folder)
    try terminal.waitFor("begun")
    try Data("echo 2\n".utf8).write(to: URL(filePath: folder + "/boxes.sh"))
    try terminal.waitFor("“Boxes”: passed.")
    terminal.type("\u{3}")

    #expect(try terminal.waitForExit() == .signalled(Int(SIGINT)))
  }

  @Test func `all started exercises are checked with one line each, and one that fails sets the exit code`() throws {
    let home = try home()
    try expectAnswer(
      home.waymark("exercise", "check", "--all"), code: 66,
      errors:
        "Could not check exercises: you have started none there, and edited no file in a shared folder. Start one with 'waymark exercise start'.\n"
    )
    let folder = try home.waymark("exercise", "path", Self.place).output.split(separator: "\n").map(String.init)[0]

    let failed = try home.waymark("exercise", "check", "bees", "--all", "--trust", "--unprotected")
    expectAnswer(
      failed, code: 1, output: "\(Self.place): The check ended with the code 1 instead of 0.\n0 of 1 passed.\n",
      errors: "")
    try Data("echo 2\n".utf8).write(to: URL(filePath: folder + "/boxes.sh"))
    let passed = try home.waymark("exercise", "check", "--all", "--unprotected")
    expectAnswer(passed, code: 0, output: "\(Self.place): passed.\n1 of 1 passed.\n", errors: "")
    #expect(try home.waymark("exercise", "start", "bees/hive/count/frames").code == 0)
    let both = try home.waymark("exercise", "check", "bees/hive", "--all", "--unprotected")
    expectAnswer(
      both, code: 1,
      output: """
        \(Self.place): passed.
        bees/hive/count/frames: Could not check the exercise: the program 'waymark-no-such-program' is not installed. Install it and try again.
        1 of 2 passed.

        """, errors: "")
    #expect(try home.waymark("exercise", "check", "--all", "--watch").code == 64)
  }

  @Test func `a watched exercise is checked after each save until Ctrl-C`() throws {
    let home = try home()
    let folder = try home.waymark("exercise", "path", Self.place).output.split(separator: "\n").map(String.init)[0]
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    let settings = terminal.settings
    try terminal.launch(
      BuiltProgram.path, ["exercise", "check", Self.place, "--trust", "--unprotected", "--watch"],
      environment: home.environment, directory: home.folder)
    try terminal.waitFor("Each saved change is checked. Press Ctrl-C to stop.")
    try Data("echo 2\n".utf8).write(to: URL(filePath: folder + "/boxes.sh"))
    try terminal.waitFor("“Boxes”: passed.")
    try Data("echo 3\n".utf8).write(to: URL(filePath: folder + "/boxes.sh"))
    try terminal.waitUntil("the third result") { terminal.text.components(separatedBy: "instead of 0.").count == 3 }
    terminal.type("\u{3}")

    #expect(try terminal.waitForExit() == .signalled(Int(SIGINT)))
    #expect(terminal.settings == settings)
    #expect(
      terminal.text.split(separator: "\n").map(String.init).filter {
        !$0.hasPrefix("^C") && !$0.allSatisfy(\.isWhitespace)
      }
      .map { $0.trimmingCharacters(in: .whitespaces) } == [
        "checking", "The check ended with the code 1 instead of 0.",
        "Each saved change is checked. Press Ctrl-C to stop.", "checking", "“Boxes”: passed.", "checking",
        "The check ended with the code 1 instead of 0.",
      ])
  }

  @Test func `while an exercise is checked, another program reports that it is in use`() throws {
    let home = try home()
    let folder = try home.waymark("exercise", "path", Self.place).output.split(separator: "\n").map(String.init)[0]
    try Data("echo begun >&2; sleep 60\n".utf8).write(to: URL(filePath: folder + "/boxes.sh"))
    let first = try home.start(["exercise", "check", Self.place, "--trust", "--unprotected"])
    _ = try first.readLine()

    let second = try home.waymark("exercise", "check", Self.place, "--unprotected")

    expectAnswer(
      second, code: 75,
      errors:
        "Could not use '\(folder)': another program checks the exercise. Wait until the check has ended, and try again.\n"
    )
    first.signal(SIGTERM)
    #expect(try first.waitForExit() == .signalled(Int(SIGTERM)))
  }

  @Test func `an exercise is prepared after a question of its own, and commands with sudo are only shown`() throws {
    let home = try home()
    let folder = "bees/1-hive/1-count/3-packages/"
    try home.write("echo 0\n", to: folder + "a.sh")
    try home.write(
      "---\ntitle: Packages\nprepare: [sudo apt install x, \"echo fetched; touch fetched\"]\ncheck: test -e fetched\n---\nx\n",
      to: folder + "exercise.md")
    #expect(try home.waymark("update", "bees").code == 0)
    let place = "bees/hive/count/packages"
    #expect(try home.waymark("exercise", "trust", place, "--yes").code == 0)

    let refused = try home.waymark("exercise", "prepare", place, "--unprotected")
    #expect(refused.code == 77 && refused.output == "")
    #expect(
      refused.errors.hasPrefix(
        """
        The exercises of this course are prepared with these commands:
          sudo apt install x
          echo fetched; touch fetched
        They can change
        """))
    #expect(refused.errors.contains("They use the network: they can send what they can read"))
    #expect(
      refused.errors.hasSuffix(
        "Could not prepare 'Packages': you have not allowed the commands that use the network. Read them above, and allow them with --trust.\n"
      ))
    let prepared = try home.waymark("exercise", "prepare", place, "--trust", "--unprotected")
    expectAnswer(
      prepared, code: 0, output: "fetched\n“Packages” is prepared.\n",
      errors: "Not run, because it needs the administrator: sudo apt install x\n")
    #expect(
      try home.waymark("exercise", "check", place, "--unprotected").output
        == "“Packages”: passed without an edited file.\n")
    try expectAnswer(
      home.waymark("exercise", "prepare", Self.place), code: 0, output: "“Boxes” needs no preparation.\n", errors: "")
    #expect(try home.waymark("exercise", "trust", place, "--revoke").code == 0)
    #expect(try home.waymark("exercise", "prepare", place, "--unprotected").code == 77)
  }

  private static let hasNPM = ["npm", "node"].allSatisfy { name in
    ["/usr/bin", "/usr/local/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
  }

  @Test(.enabled(if: hasNPM, "npm is not installed"))
  func `an exercise in JavaScript is checked after its packages were installed`() throws {
    let home = try HomeFixture()
    let folder = "js/exercises/practice/two/"
    func package(_ dependency: String) -> String { #"{"private": true, "devDependencies": {\#(dependency)}}"# }
    for (path, text) in [
      "js/config.json":
        #"{"slug": "javascript", "language": "JavaScript", "exercises": {"practice": [{"slug": "two", "difficulty": 1}]}}"#,
      folder + ".docs/instructions.md": "# Instructions\n\nReturn 2.\n",
      folder + ".meta/config.json": #"{"files": {"solution": ["two.js"], "test": ["two.spec.js"]}}"#,
      folder + "two.js": "exports.two = () => 1;\n",
      folder + "two.spec.js": "xtest('two', () => { if (require('./two').two() !== 2) process.exit(3); });\n",
      // Runs the tests that are not skipped, as Jest does.
      folder + "runner/jest.js": """
      #!/usr/bin/env node
      globalThis.test = (name, run) => run();
      globalThis.xtest = () => {};
      require(process.cwd() + "/two.spec.js");

      """,
      folder + "runner/package.json": #"{"name": "jest", "version": "1.0.0", "bin": {"jest": "jest.js"}}"#,
      folder + "package.json": package(#""waymark-missing": "1.0.0""#),
    ] { try home.write(text, to: path) }
    try #require(home.waymark("import", home.path("js")).code == 0)
    let place = "javascript/practice/difficulty-1/two"
    home.environment["NPM_CONFIG_REGISTRY"] = "http://127.0.0.1:9/"
    func exercise(_ command: String) throws -> Answer {
      try home.waymark("exercise", command, place, "--trust", "--unprotected")
    }

    let unprepared = try exercise("check")
    let unreachable = try exercise("prepare")
    try home.write(package(#""jest": "file:./runner""#), to: folder + "package.json")
    try #require(home.waymark("update", "javascript").code == 0)
    let prepared = try exercise("prepare")
    let failed = try exercise("check")
    try home.write("exports.two = () => 2;\n", to: ".local/share/waymark/work/\(place)/two.js")
    let passed = try exercise("check")

    expectAnswer(
      unprepared, code: 69, output: "",
      errors:
        "Could not check the exercise: its packages are not installed. Install them with: waymark exercise prepare "
        + "\(place)\n")
    #expect(unreachable.code == 1 && unreachable.output.contains("ECONNREFUSED"), "\(unreachable)")
    #expect(
      unreachable.errors.hasSuffix(
        "The preparation ended with the code 1 instead of 0. It needs the network. Its output names the cause.\n"),
      "\(unreachable)")
    #expect(prepared.code == 0 && prepared.output.hasSuffix("“two” is prepared.\n"), "\(prepared)")
    #expect(failed.code == 1 && failed.errors.contains("code 3"), "\(failed)")
    expectAnswer(passed, code: 0, output: "“two”: passed.\n", errors: "")
  }

  @Test(arguments: TestUser.possible)
  func `a check and a preparation with a tool of the home folder read no credentials`(_ user: TestUser) throws {
    let home = try HomeFixture()
    let secrets = [
      ".cargo/credentials.toml", ".cargo/credentials", ".netrc", ".npmrc", ".pypirc", ".config/gh/hosts.yml", ".ssh/id",
      ".gem/credentials", ".local/share/gem/credentials", "go/pkg/mod/private.go", ".docker/config.json",
      ".git-credentials", ".config/pip/pip.conf",
    ]
    for name in secrets { try home.write("secret\n", to: name) }
    let paths = (secrets.map(home.path) + [home.database.path]).joined(separator: " ")
    try home.write(
      "#!/bin/sh\nfor file in \(paths); do head -c 1 \"$file\" 2>/dev/null && echo \"$file\"; done; echo ran \"$1\"\n",
      to: ".cargo/bin/cargo")
    home.environment["PATH"] = home.path(".cargo/bin") + ":/usr/bin:/bin"
    for (name, text) in [
      "course.yml": "key: c\ntitle: C\n", "g/goal.yml": "title: G\n", "g/l/lesson.yml": "title: L\n",
      "g/l/e/exercise.md":
        "---\ntitle: E\nprepare: {argv: [cargo, fetch]}\ncheck: {argv: [cargo, test]}\npassesUnchanged: true\n---\nx\n",
      "g/l/e/a.rs": "",
    ] { try home.write(text, to: "c/" + name) }
    _ = try home.run("/bin/chmod", ["-R", "a+rwX,a+x", home.folder.path])
    func waymark(_ arguments: String...) throws -> Answer {
      try user == .nobody
        ? home.asNobody(arguments)
        : home.waymark(arguments + (arguments[0] == "exercise" && getuid() == 0 ? ["--unprotected"] : []))
    }
    #expect(try waymark("import", home.path("c")).code == 0)

    let prepared = try waymark("exercise", "prepare", "c/g/l/e", "--trust")
    let checked = try waymark("exercise", "check", "c/g/l/e", "--trust")

    expectAnswer(prepared, code: 0, output: "ran fetch\n“E” is prepared.\n", errors: "")
    expectAnswer(checked, code: 0, output: "ran test\n“E”: passed without an edited file.\n", errors: "")
  }

  @Test(.enabled(if: SmallDisk.isPossible, "Only root can create a disk."))
  func `on a full disk nothing of the learner is lost, and each command names the cause`() throws {
    let home = try home()
    let disk = try SmallDisk(in: home, megabytes: 8)
    #expect(try home.waymark("import", home.path("bees")).code == 0)
    let folder = "\(disk.path)/work/\(Self.place)"
    try disk.fill()
    let started = try home.waymark("exercise", "start", Self.place)
    #expect(started.code == 74 && started.errors.contains("No space left on device"), "\(started)")
    try disk.clear()
    #expect(try home.waymark("exercise", "start", Self.place).code == 0)
    let mine = String(repeating: "echo mine\n", count: 1_000)
    try Data(mine.utf8).write(to: URL(filePath: folder + "/boxes.sh"))
    try disk.fill()

    for command in [["reset"], ["check", "--trust", "--unprotected"]] {
      let answer = try home.waymark(["exercise", command[0], Self.place] + command.dropFirst())
      #expect(answer.code == 74, "\(answer)")
      #expect(answer.errors.contains("No space left on device") || answer.errors.contains("disk"), "\(answer)")
      #expect(try String(contentsOfFile: folder + "/boxes.sh", encoding: .utf8) == mine)
    }
    try disk.clear()
    #expect(try home.waymark("database", "check").output == "No problems found.\n")
    #expect(try home.waymark("exercise", "check", Self.place, "--trust", "--unprotected").code == 1)
  }

  @Test func `an exercise is shown with its files and state, and with the solution only after it is passed`() throws {
    let home = try home()
    func shown() throws -> [String: Any] {
      let output = try home.waymark("exercise", "show", Self.place, "--format", "json").output
      return try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    }
    let folder = home.database.deletingLastPathComponent().appending(path: "work/\(Self.place)").path
    #expect(
      try home.waymark("exercise", "show", Self.place).output == """
        Boxes

        Print the number of boxes.

        State: not checked yet
        Work folder: \(folder) (not started)
        boxes.sh (edit)
        boxes_test.sh (test)

        """)
    #expect(!FileManager.default.fileExists(atPath: folder))
    #expect(try shown()["solution"] is NSNull)

    #expect(try home.waymark("exercise", "start", Self.place).code == 0)
    try Data("echo 2\n".utf8).write(to: URL(filePath: folder + "/boxes.sh"))
    #expect(try home.waymark("exercise", "check", Self.place, "--trust", "--unprotected").code == 0)

    let object = try shown()
    #expect(object["state"] as? String == "passed" && object["started"] as? Bool == true)
    #expect(object["folder"] as? String == folder && object["hints"] as? Int == 1)
    #expect(
      (object["files"] as? [[String: String]])?.map { [$0["path"], $0["role"], $0["text"]] } == [
        ["boxes.sh", "edit", "echo 2\n"],
        ["boxes_test.sh", "test", "echo checking; test \"$(sh boxes.sh)\" = 2\n"],
        ["solution/boxes.sh", "solution", "echo 2\n"],
      ])
    #expect(object["solution"] as? String == "")
  }

  @Test func `an assistant checks an exercise only after the user has allowed its commands`() throws {
    let home = try home()
    _ = try home.run("/bin/chmod", ["-R", "a+rwX", home.folder.path])
    let binary = home.path("waymark")
    _ = try home.run("/bin/cp", [BuiltProgram.path, binary])
    // Checks of root need an option that assistants cannot set.
    let asUser =
      getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : ["/usr/bin/env"]
    func run(_ command: String...) throws -> Answer { try home.run(asUser[0], asUser.dropFirst() + command) }
    func call(_ tool: String, _ arguments: String) throws -> String {
      let start =
        #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#
      let call =
        #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
      let script = "printf '%s\\n' \"$2\" \"$3\" | \"$1\" mcp --write"
      let lines = try run("/bin/sh", "-c", script, "sh", binary, start, call).output.split(separator: "\n")
      return lines.last.map(String.init) ?? ""
    }
    let place = #"{"place":"\#(Self.place)"}"#

    #expect(try call("exercise_check", place).contains("you have not allowed the commands of its course"))
    #expect(
      try call("exercise_check", #"{"place":"\#(Self.place)","trust":true}"#).contains("there is no argument 'trust'"))
    #expect(try call("exercise_check", place).contains("you have not allowed the commands of its course"))
    #expect(try run(binary, "exercise", "trust", Self.place, "--yes").code == 0)
    #expect(try call("exercise_check", place).contains("The check ended with the code 1 instead of 0."))
    #expect(try !call("exercise_show", place).contains("echo 2"))
    let folder = try run(binary, "exercise", "path", Self.place).output.split(separator: "\n")[0]
    #expect(try run("/bin/sh", "-c", "echo echo 2 > \(folder)/boxes.sh").code == 0)
    #expect(try call("exercise_check", place).contains(#"“Boxes”: passed.\n"}],"isError":false"#))
    #expect(try call("exercise_show", place).contains("solution/boxes.sh"))
  }
}
