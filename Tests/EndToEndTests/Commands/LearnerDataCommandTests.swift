import Foundation
import GRDB
import TestSupport
import Testing

/// The commands that export, import and erase a learner.
struct LearnerDataCommandTests {
  @Test func `a learner is exported, erased and imported again`() throws {
    let home = try HomeFixture.walked()
    let file = home.path("ada.json")

    let written = try home.waymark("learners", "export", "ada", "--output", file)
    let printed = try home.waymark("learners", "export", "ada")
    let again = try home.waymark("learners", "import", file, "--format", "jsonl")
    let unconfirmed = try home.waymark("learners", "erase", "ada")
    let erased = try home.waymark("learners", "erase", "ada", "--yes")
    let none = try home.waymark("learners", "--format", "json")
    let back = try home.waymark("learners", "import", file, "--format", "jsonl")

    #expect(written == Answer(code: 0, output: "Wrote the data of learner “ada” to '\(file)'.\n"))
    #expect(printed.output == (try String(contentsOfFile: file, encoding: .utf8)))
    #expect(
      again.output
        == #"{"learner":"ada","sessions":0,"steps":0,"activities":0,"unknownPlaces":0}"# + "\n")
    expectAnswer(
      unconfirmed, code: 1,
      errors:
        "Could not erase learner 'ada': confirmation is required, and there is no terminal to ask for it. Add --yes.\n")
    #expect(erased == Answer(code: 0, output: "Erased 4 steps and 0 activity events of learner “ada”.\n"))
    #expect(none.output == "[]\n")
    #expect(
      back.output
        == #"{"learner":"ada","sessions":1,"steps":4,"activities":0,"unknownPlaces":0}"# + "\n")
  }

  @Test func `recorded exports can be imported and exported again unchanged`() throws {
    let home = try HomeFixture()
    let course = Fixtures.path("earlier-version/course.json")
    let learner = Fixtures.path("earlier-version/learner.json")

    let courseImport = try home.waymark("import", course)
    let learnerImport = try home.waymark("learners", "import", learner, "--format", "jsonl")

    #expect(courseImport.code == 0, "\(courseImport)")
    #expect(
      learnerImport.output == #"{"learner":"ada","sessions":4,"steps":17,"activities":6,"unknownPlaces":0}"# + "\n")
    #expect(try home.waymark("export", "knots").output == String(contentsOfFile: course, encoding: .utf8))
    #expect(try home.waymark("learners", "export", "ada").output == String(contentsOfFile: learner, encoding: .utf8))
    #expect(try home.waymark("database", "check").code == 0)
  }

  @Test func `an import adds the session that a copy of the database has begun instead of an open one`() throws {
    let home = try HomeFixture.walked()
    let copy = home.path("copy.sqlite")
    _ = try home.waymark("database", "backup", copy)
    _ = try home.waymark("nav", "open", "english-for-business/meetings", "--database", copy)
    let file = home.path("b.json")
    _ = try home.waymark("learners", "export", "ada", "--output", file, "--database", copy)

    let imported = try home.waymark("learners", "import", file, "--format", "jsonl")
    let again = try home.waymark("learners", "import", file, "--format", "jsonl")
    let resumed = try home.waymark("nav", "open", "english-for-business/negotiating", "--format", "json")

    #expect(
      imported
        == Answer(
          code: 0, output: #"{"learner":"ada","sessions":1,"steps":2,"activities":0,"unknownPlaces":0}"# + "\n"))
    #expect(again.output == #"{"learner":"ada","sessions":0,"steps":0,"activities":0,"unknownPlaces":0}"# + "\n")
    #expect(resumed.code == 0, "\(resumed)")
    #expect(try home.waymark("database", "check").code == 0)
  }

  @Test func `unknown learners and missing files are reported`() throws {
    let home = try HomeFixture.walked()

    let exported = try home.waymark("learners", "export", "adda", "--output", home.path("a.json"))
    let erased = try home.waymark("learners", "erase", "adda", "--yes")
    let imported = try home.waymark("learners", "import", home.path("none.json"))
    let broken = try home.waymark("learners", "import", home.write("{", to: "broken.json"))

    #expect(exported.code == 66 && exported.errors.contains("Did you mean 'ada'?"))
    #expect(!FileManager.default.fileExists(atPath: home.path("a.json")))
    #expect(erased.code == 66)
    #expect(imported.code == 66 && broken.code == 65)
  }

  @Test func `thirty learner files are imported as a class and show who is stuck`() throws {
    let member = try HomeFixture.withBundledCourse()
    let offers = "english-for-business/negotiating/opening-offers"
    var files: [String] = []
    for number in 1...30 {
      let name = "learner-\(number)"
      // Every third learner visits the quiz several times. The others have completed the previous activity.
      let visits = number.isMultiple(of: 3) ? 4 : 1
      let steps =
        #"{"operation": "open", "place": "\#(offers)/who-speaks-first"}"# + "\n" + #"{"operation": "pop"}"# + "\n"
      _ = try member.waymark(["nav", "run", "--learner", name], input: String(repeating: steps, count: visits))
      if visits == 1 {
        _ = try member.waymark("progress", "mark", offers + "/read-the-brief", "done", "--learner", name)
      }
      files.append(member.path("\(name).json"))
      _ = try member.waymark("learners", "export", name, "--output", files[number - 1])
    }
    let school = try HomeFixture.withBundledCourse()

    let first = try school.waymark(["learners", "import"] + files + ["--format", "jsonl"])
    let before = try school.waymark("history", "--learner", "all", "--format", "jsonl")
    let second = try school.waymark(["learners", "import"] + files + ["--format", "jsonl"])
    let progress = try school.waymark("progress", offers, "--by", "learner", "--format", "json")
    let visits = try school.waymark(
      "history", "stats", "--by", "learner", "--under", offers + "/who-speaks-first", "--format", "json")

    #expect(first.code == 0 && first.output.lines.count == 30 && before.output.lines.count == 30 * 3 + 10 * 6)
    #expect(second.output.lines.allSatisfy { $0.contains(#""sessions":0,"steps":0,"activities":0"#) })
    #expect(try school.waymark("history", "--learner", "all", "--format", "jsonl") == before)
    let done = try #require(progress.output.json as? [[String: Any]]).filter { $0["path"] as? String == offers }
    // The others have opened the quiz, but begun nothing.
    #expect(done.count == 20)
    #expect(done.filter { $0["done"] as? Int == 1 }.count == 20)
    let stuck = try #require(visits.output.json as? [[String: Any]])
    #expect(stuck.count == 30)
    #expect(stuck.filter { $0["visits"] as? Int == 4 }.count == 10)
  }

  @Test func `erasing a learner also erases the learner from copies made before updates`() throws {
    let home = try HomeFixture.walked()
    let copy = home.database.path + ".before-0009_later"
    _ = try home.waymark("database", "backup", copy)
    let broken = home.database.path + ".before-0010_later"
    try Data("no database".utf8).write(to: URL(filePath: broken))

    let history = try home.waymark("history", "erase", "--since", "now", "--yes")
    let erased = try home.waymark("learners", "erase", "ada", "--yes")
    let learners = try home.waymark("--database", copy, "learners", "--format", "json")

    #expect(history.code == 0 && history.errors.lines.count == 2)
    #expect(history.errors.contains("The copy was made before an update. Delete it when you no longer need it."))
    #expect(
      erased.steadied(home).output == """
        Erased 4 steps and 0 activity events of learner “ada”.
        Erased the same data in the copy 'HOME/.local/share/waymark/waymark.sqlite.before-0009_later'.

        """)
    #expect(erased.code == 1 && erased.errors.contains("before-0010_later': the file is not a SQLite database"))
    #expect(learners.output == "[]\n")
  }

  @Test func `a sweep blocked by another program is reported, and the next rebuild completes it`() throws {
    let home = try HomeFixture.walked()
    _ = try home.waymark("nav", "open", "english-for-business", "--learner", "Zacharias Quuxbury")
    func isStored() -> Bool {
      ["", "-wal"].contains { end in
        (FileManager.default.contents(atPath: home.database.path + end) ?? Data()).range(of: Data("Quuxbury".utf8))
          != nil
      }
    }
    let reader = try DatabaseQueue(path: home.database.path)

    let erased = try reader.read { database in
      _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM learner")
      return try home.waymark("learners", "erase", "Zacharias Quuxbury", "--yes")
    }
    let wasStored = isStored()
    let rebuilt = try home.waymark("database", "rebuild")

    #expect(erased.code == 75 && erased.output.hasPrefix("Erased 2 steps"))
    #expect(
      erased.errors.hasPrefix(
        "Waiting: another program is using the database, perhaps an import.\n"
          + "Could not overwrite all erased data: another program is reading the database"))
    #expect(wasStored && !isStored())
    expectAnswer(
      rebuilt, code: 0, output: "Rebuilt the data derived from the logs and courses.\n")
  }

  @Test func `the history is erased from a point in time on`() throws {
    let home = try HomeFixture.walked()

    let unconfirmed = try home.waymark("history", "erase", "--since", "2001-02-03T04:05", "--time-zone", "UTC")
    let before = try home.waymark("history", "--format", "json").output
    let answer = try home.waymark("history", "erase", "--since", "20h", "--yes")

    expectAnswer(
      unconfirmed, code: 1,
      errors:
        "Could not erase the history since 2001-02-03 04:05: "
        + "confirmation is required, and there is no terminal to ask "
        + "for it. Add --yes.\n")
    #expect(before.contains("who-speaks-first"))
    #expect(answer == Answer(code: 0, output: "Erased 4 steps and 0 activity events of learner “ada”.\n"))
    #expect(try home.waymark("history", "--format", "json").output == "[]\n")
    #expect(try home.waymark("history", "erase").code == 64)
  }

  @Test func `xAPI statements are valid and exported as an array`() throws {
    let home = try HomeFixture.walked()
    _ = try home.waymark(
      "progress", "mark", "english-for-business/negotiating/opening-offers/read-the-brief", "done")

    let answer = try home.waymark("history", "export", "--as", "xapi")
    let none = try home.waymark("history", "export", "--as", "xapi", "--since", "2999-01-01")

    let statements = try #require(answer.output.json as? [[String: Any]])
    #expect(statements.count == 4)
    #expect(answer.output.lines.count == 6)
    #expect(statements.flatMap { StatementRules.problems(in: $0) } == [])
    #expect(none.output == "[]\n")
  }

  @Test func `the report on leaving lists how activities were left`() throws {
    let home = try HomeFixture.walked()

    let answer = try home.waymark("history", "leaving", "--format", "jsonl")

    #expect(
      answer.output
        == #"{"path":"english-for-business/negotiating/opening-offers/read-the-brief","kind":"activity","#
        + #""title":"Read the brief","left":1,"done":0,"popped":0,"abandoned":1}"# + "\n")
  }
}
