import Foundation
import Snapshots
import TerminalHarness
import Testing

/// The messages about wrong arguments and unknown names.
struct UsageErrorTests {
  /// Runs commands that fail, and compares the commands and their messages with the snapshot of the calling test.
  private func expectMessages(of commands: [[String]], code: Int, in home: HomeFixture, test: String = #function) throws
  {
    let rows = try commands.map { command in
      let answer = try home.waymark(command)
      #expect(answer.code == code && answer.output == "", "\(command): \(answer)")
      return "\(command)\n" + answer.errors
    }
    expectSnapshot(rows, test: test)
  }

  @Test func `arguments and variables that are not UTF-8 are refused, and no file is created`() throws {
    let home = try HomeFixture()
    let script = #"""
      "$0" import "$(printf 'r\351sum\351.md')"; echo $?
      "$0" courses --database "$(printf 'caf\351/w.sqlite')"; echo $?
      WAYMARK_DATABASE="$(printf 'caf\351.sqlite')" "$0" courses; echo $?
      """#

    let answer = try home.run("/bin/sh", ["-c", script, BuiltProgram.path])

    expectAnswer(
      answer, code: 0, output: "64\n64\n64\n",
      errors: #"""
        Could not read the argument 'r\xE9sum\xE9.md': it is not UTF-8. Rename the file, or use the path of its folder.
        Could not read the argument 'caf\xE9/w.sqlite': it is not UTF-8. Rename the file, or use the path of its folder.
        Could not read the variable WAYMARK_DATABASE: its value 'caf\xE9.sqlite' is not UTF-8. Set it to UTF-8 text.

        """#)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.path) == [])
  }

  @Test func `wrong arguments are usage errors`() throws {
    let commands = [
      ["courses", "--nonsense"],
      ["courses", "--format", "xml"],
      ["search"],
      ["import"],
      ["import", "--from", "scroll", "x"],
      ["import", "--key", "k", "a", "b"],
      ["import", "--watch", "a", "b"],
      ["import", "--watch", "a", "--format", "csv"],
      ["tree", "--depth", "-1"],
      ["courses", "--limit", "-1"],
      ["history", "--limit", "0"],
      ["history", "--since", "soon"],
      ["history", "--time-zone", "Atlantis"],
      ["nav", "next", "--learner", "all"],
      ["browse", "--frame-rate", "1000"],
      ["courses", "--database", ""],
      ["nav", "open", ""],
      ["nav", "select", " "],
      ["history", "--under", ""],
      ["nav", "next", "--session", ""],
      ["import", "--bundled", "--key", ""],
      ["nav", "psh", "x"],
      ["nav", "--session", "left", "jump"],
      ["nav", "jump"],
      ["history", "replya", "--session", "1"],
      ["database", "chekc"],
      ["--learner", "ada", "learners", "erace", "bob"],
      ["nav", "next", "--learner", " "],
      ["learners", "import", "a", "b", "--as", "c"],
      ["bookmarks", "english-for-business"],
      ["history", "--since", "2026-11-20", "--until", "2026-11-19"],
      ["history", "--query", "after:2026-11-20 before:2026-11-19"],
      ["help", "nope"],
      ["help", "serach"],
      ["help", "nav", "psh"],
      ["help", "courses", "all"],
      ["--linear", "--record", "session.cast"],
    ]

    try expectMessages(of: commands, code: 64, in: HomeFixture())
  }

  @Test func `a period of ages whose end is before its start is a usage error`() throws {
    let answer = try HomeFixture().waymark("history", "stats", "--by", "lesson", "--since", "1h", "--until", "2h")

    #expect(answer.code == 64)
    #expect(answer.errors.hasPrefix("Could not search the history from 20"))
    #expect(answer.errors.hasSuffix(": the end is before the start. Swap the two times; 2h ago is before 1h ago.\n"))
  }

  @Test func `the error about an unknown name suggests the most similar known name`() throws {
    let commands = [
      ["tree", "english-for-busines"],
      ["show", "english-for-business/negotiation"],
      ["nav", "open", "english-for-business/metings"],
      ["history", "--under", "nowhere"],
      ["history", "--learner", "ad"],
      ["search", "x", "--course", "nowhere"],
      ["courses", "--learner", "nobody"],
      ["where", "--learner", "nobody"],
      ["import", "nowhere"],
      ["export", "nowhere"],
    ]

    try expectMessages(of: commands, code: 66, in: HomeFixture.withBundledCourse())
  }

  @Test func `the error about an unknown first word contains a suggestion`() throws {
    let commands = [
      ["histroy", "--since", "7d"],
      ["crouses"],
      ["push", "negotiating"],
      ["opne", "english-for-business"],
      ["list"],
      ["english-for-bussiness"],
      ["browse", "english-for-bussiness"],
      ["/history"],
      ["settings"],
      ["undo"],
      ["completions"],
      ["version"],
    ]

    try expectMessages(of: commands, code: 66, in: HomeFixture.withBundledCourse())
  }

  @Test func `the error about an unknown option suggests the most similar option of the program`() throws {
    let home = try HomeFixture()

    let answers = try ["--hlep", "--verison", "--peke"].map { try home.waymark($0) }

    #expect(answers.map(\.code) == [64, 64, 64])
    #expect(
      answers.map(\.errors) == [
        "Could not read '--hlep': there is no such option. Did you mean '--help'?\n",
        "Could not read '--verison': there is no such option. Did you mean '--version'?\n",
        "Could not read '--peke': there is no such option. Did you mean '--peek'?\n",
      ])
  }

  @Test func `an empty place from an unset variable does not navigate`() throws {
    let home = try HomeFixture.withBundledCourse()
    _ = try home.waymark("nav", "open", "english-for-business/writing")

    let stream = try home.waymark("nav", "run", input: "{\"operation\": \"open\", \"place\": \"\"}\n")

    #expect(stream.code == 1 && stream.output.contains("Could not perform 'open': the place is missing."))
    #expect(try home.waymark("where", "--short").output == "English for Business › Writing\n")
  }

  @Test func `a leading slash selects a place even if a command has that name`() throws {
    let home = try HomeFixture()
    try home.write("title: History\n", to: "history/course.yml")
    try home.write("title: Rome\n", to: "history/01-rome/goal.yml")
    try home.write("title: Kings\n", to: "history/01-rome/01-kings/lesson.yml")
    try home.write("---\ntitle: Romulus\n---\nA wolf.\n", to: "history/01-rome/01-kings/01-romulus.md")
    #expect(try home.waymark("import", "history").code == 0)

    // The place exists, but the browser needs a terminal.
    #expect(try home.waymark("/history").code == 69)
    #expect(try home.waymark("history", "--format", "json") == Answer(code: 0, output: "[]\n"))
  }

  @Test(arguments: [
    ["where", "--session", "none"], ["where", "--short", "--session", "none"], ["history", "--session", "none"],
    ["history", "--session", "999"], ["history", "stats", "--by", "lesson", "--session", "none"],
    ["history", "export", "--as", "csv", "--session", "none"],
  ])
  func `an unknown session is reported even for a learner without sessions`(_ arguments: [String]) throws {
    let answer = Answer(
      code: 66,
      errors: "Could not find session '\(arguments.last ?? "")': no session has this number or name. "
        + "List the sessions with 'waymark history stats --by session --learner all'.\n")

    #expect(try HomeFixture.withBundledCourse().waymark(arguments) == answer)
    #expect(try HomeFixture.walked().waymark(arguments) == answer)
  }

  @Test func `a malformed course is refused with file and line, and nothing changes`() throws {
    let home = try HomeFixture()
    let course = try home.writeCourse()
    #expect(try home.waymark("import", course).code == 0)
    try home.write("---\ntitle: [unclosed\n---\nText.\n", to: "course/01-one/01-first/02-second.md")
    let before = try home.waymark("tree", "--format", "csv")

    let answer = try home.waymark("import", course)

    #expect(answer.code == 65)
    #expect(answer.output == "")
    #expect(
      answer.errors.lines.map { $0.replacing(/The YAML is invalid: .*/, with: "The YAML is invalid") } == [
        "01-one/01-first/02-second.md:3: error: The YAML is invalid",
        "Could not import 'course': it has an error. "
          + "Correct it and import again. Nothing was changed.",
      ])
    #expect(try home.waymark("tree", "--format", "csv") == before)
  }

  @Test func `at most twenty diagnostics are printed, followed by the number of further ones`() throws {
    let home = try HomeFixture()
    let course = try home.writeCourse()
    for number in 10..<35 { try home.write("---\ntitle: [\n---\nx\n", to: "course/01-one/01-first/\(number)-bad.md") }

    let answer = try home.waymark("import", course)
    let json = try home.waymark("import", course, "--format", "json")

    #expect(answer.code == 65)
    #expect(answer.errors.lines.count == 22)
    #expect(answer.errors.lines[20] == "… and 5 more")
    let report = try #require((json.output.json as? [[String: Any]])?.first)
    #expect(report["imported"] as? Bool == false)
    #expect((report["diagnostics"] as? [Any])?.count == 25)
  }

  @Test func `a source that fails does not prevent the import of others`() throws {
    let home = try HomeFixture()
    let course = try home.writeCourse()

    let answer = try home.waymark("import", "nowhere", course)

    #expect(answer.code == 66)
    #expect(answer.output.hasPrefix("Small: imported as 'small'\n"))
    #expect(answer.errors == "Could not import 'nowhere': there is no such file or folder. Check the path.\n")
  }

  @Test func `an import that removes most of a course requires a confirmation`() throws {
    let home = try HomeFixture()
    let course = try home.writeCourse()
    try home.write("key: small\ntitle: Small\n", to: "course/course.yml")
    #expect(try home.waymark("import", course).code == 0)
    try FileManager.default.removeItem(atPath: home.path("course/01-one"))
    try home.write("---\ntitle: Unlike\n---\nWords of another course.\n", to: "course/01-other/01-new/01-new.md")

    let refused = try home.waymark("import", course)
    let replaced = try home.waymark("import", course, "--replace")

    #expect(refused.code == 65)
    #expect(refused.errors.contains("Use --replace if this is intended, or --key to import it as another course."))
    #expect(replaced.code == 0)
  }

  @Test func `if there is no terminal, the browser does not start and creates no database`() throws {
    let home = try HomeFixture()

    let answer = try home.waymark()

    expectAnswer(
      answer, code: 69,
      errors: "Could not open the browser: standard output is not a terminal. "
        + "Run it in a terminal, use --linear for plain lines, or print content with 'waymark tree' and 'waymark "
        + "show'.\n"
    )
    #expect(!FileManager.default.fileExists(atPath: home.database.path))
  }

  @Test func `a closed output pipe ends the program without an error`() throws {
    let home = try HomeFixture.withBundledCourse()

    let program = try home.start(["export", "english-for-business"])
    let first = try program.readLine()
    program.closeOutput()
    let ending = try program.waitForExit()
    let pipeline = try home.run(
      "/bin/sh", ["-c", "'\(BuiltProgram.path)' tree --format json | head -n 1; '\(BuiltProgram.path)' courses >&-"])

    #expect(first == #"{"waymark": 1,"#)
    #expect(Answer(ending, program).errors == "")
    #expect(ending == .exited(0))
    #expect(pipeline.output == "[\n")
    #expect(!pipeline.errors.contains("pipe"))
  }

  @Test(arguments: [
    (
      "/dev/full", 74,
      "Could not write '/dev/full': no space left on device. Check the disk and its free space, or choose another path.\n"
    ),
    (
      "nowhere/course.json", 73,
      "Could not create 'nowhere/course.json': no such file or directory. Choose another path.\n"
    ),
  ])
  func `the error about a file that cannot be written names the file`(file: String, code: Int, error: String) throws {
    let answer = try HomeFixture.withBundledCourse().waymark("export", "english-for-business", "--output", file)

    expectAnswer(answer, code: code, errors: error)
  }
}
