import Foundation
import GRDB
import Testing

/// The candidates that the program returns for shell completion.
@Suite struct CompletionTests {
  /// Requests completions like the shells' scripts do.
  private func names(
    _ home: HomeFixture, _ command: [String], _ argument: String, _ line: String, word index: Int? = nil
  ) throws -> Answer {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let index = index ?? words.count - 1
    let arguments = ["---completion"] + command + ["--", argument, String(index), String(words[index].count)] + words
    // If a completion takes longer than half a second, the program returns no candidates, and a user would press Tab
    // again.
    var answer = try home.waymark(arguments)
    for _ in 0..<5 where answer == Answer(code: 0) { answer = try home.waymark(arguments) }
    return answer
  }

  private func places(_ home: HomeFixture, _ typed: String) throws -> [String] {
    let answer = try names(home, ["show"], "positional@0", "waymark show " + typed)
    #expect(answer.code == 0 && answer.errors == "")
    return answer.output.split(separator: "\n").map(String.init)
  }

  @Test func `places are completed level by level, and a single match together with its children`() throws {
    let home = try HomeFixture.withBundledCourse()
    let goals = ["meetings", "negotiating", "writing", "presenting"].map { "english-for-business/" + $0 }

    #expect(try places(home, "eng") == ["english-for-business"] + goals)
    #expect(try places(home, "english-for-business/") == goals)
    #expect(try places(home, "/english-for-business/") == goals.map { "/" + $0 })
    #expect(
      try places(home, "'english-for-business/neg")
        == [goals[1]]
        + ["preparing", "opening-offers", "counter-offers", "closing-the-deal"].map { goals[1] + "/" + $0 })
    #expect(try places(home, "nothing") == [])
    #expect(try places(home, "no/such/place") == [])
  }

  @Test func `courses and learners are completed, as is the word at the cursor`() throws {
    let home = try HomeFixture.withBundledCourse()
    for learner in ["ada", "adam", "grace", "$(reboot)"] {
      _ = try home.waymark("nav", "open", "english-for-business", "--learner", learner)
    }

    #expect(try names(home, ["export"], "positional@0", "waymark export ").output == "english-for-business\n")
    #expect(try names(home, ["export"], "positional@0", "waymark export english-for-business/").output == "")
    #expect(
      try names(home, ["learners", "erase"], "positional@0", "waymark learners erase ad").output == "ada\nadam\n")
    #expect(try names(home, ["where"], "--learner", "waymark where --learner ").output == "ada\nadam\ngrace\n")
    #expect(
      try names(home, ["search"], "--course", "waymark search --course eng --limit 3", word: 3).output
        == "english-for-business\n")
  }

  @Test func `completion uses the named database and does not create one`() throws {
    let home = try HomeFixture.withBundledCourse()
    let elsewhere = home.path("elsewhere/w.sqlite")

    for option in ["--database \(elsewhere)", "--database=\(elsewhere)", "--database ~/elsewhere/w.sqlite"] {
      try expectAnswer(names(home, ["show"], "positional@0", "waymark show \(option) "), code: 0)
    }
    #expect(!FileManager.default.fileExists(atPath: home.path("elsewhere")))
    try FileManager.default.createDirectory(atPath: home.path("elsewhere"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: home.database.path, toPath: elsewhere)
    try FileManager.default.removeItem(at: home.database)
    #expect(
      try names(home, ["export"], "positional@0", "waymark export --database ~/elsewhere/w.sqlite ").output
        == "english-for-business\n")
  }

  @Test func `completion changes neither a database of another version nor any other file`() throws {
    let home = try HomeFixture.withBundledCourse()
    let queue = try DatabaseQueue(path: home.database.path)
    try queue.write {
      try $0.execute(sql: "DELETE FROM grdb_migrations WHERE identifier > '0003'; PRAGMA user_version = 7")
    }
    try queue.close()
    let before = try Data(contentsOf: home.database)
    let folder = home.database.deletingLastPathComponent().path

    let older = try names(home, ["show"], "positional@0", "waymark show ")

    #expect(older == Answer(code: 0))
    #expect(try Data(contentsOf: home.database) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("before") } == [])

    try home.write("These are my notes.\n", to: ".local/share/waymark/waymark.sqlite")
    #expect(try names(home, ["show"], "positional@0", "waymark show ") == Answer(code: 0))
    #expect(try String(contentsOf: home.database, encoding: .utf8) == "These are my notes.\n")
  }

  @Test func `a completion script of another version prints nothing to standard output`() throws {
    let answer = try HomeFixture().waymark(
      "---completion", "no-such-command", "--", "positional@0", "1", "0", "waymark", "")

    #expect(answer == Answer(code: 64, output: ""))
  }

  @Test func `an unknown shell is refused`() throws {
    let answer = try HomeFixture().waymark("--generate-completion-script", "tcsh")

    #expect(answer.code == 64 && answer.output == "" && answer.errors.contains("tcsh"))
  }

  // MARK: - In bash

  /// Returns the candidates that bash offers for a line. Other shells only complete interactively.
  private func offered(_ line: String, in home: HomeFixture) throws -> [String] {
    try FileManager.default.createSymbolicLink(atPath: home.path("waymark"), withDestinationPath: BuiltProgram.path)
    defer { try? FileManager.default.removeItem(atPath: home.path("waymark")) }
    home.environment["PATH"] = home.folder.path + ":/usr/bin:/bin"
    let script = try home.write(try home.waymark("--generate-completion-script", "bash").output, to: "completions")
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    let commands = """
      source \(script)
      COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}; COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " ")))
      COMP_CWORD=\(words.count - 1)
      _waymark waymark "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let answer = try home.run("/bin/bash", ["-c", commands])
    #expect(answer.code == 0 && answer.errors == "")
    return answer.output.split(separator: "\n").map(String.init)
  }

  @Test func `bash offers commands, options, places and learners`() throws {
    let home = try HomeFixture.withBundledCourse()
    _ = try home.waymark("nav", "open", "english-for-business")

    #expect(try offered("waymark exp", in: home) == ["export"])
    #expect(try offered("waymark browse eng", in: home).contains("english-for-business/meetings"))
    #expect(try offered("waymark browse --mot", in: home) == ["--motion"])
    #expect(try Set(offered("waymark browse --motion ", in: home)) == ["full", "reduced", "none"])
    #expect(try offered("waymark show --learner a", in: home) == ["ada"])
    #expect(
      try offered("waymark nav open english-for-business/p", in: home).first
        == "english-for-business/presenting")
    #expect(try offered("waymark bookmarks ad", in: home) == ["add"])
    #expect(try offered("waymark history list --since 1h --unti", in: home) == ["--until"])
    #expect(try offered("waymark history stats --b", in: home) == ["--by"])
  }

  @Test func `bash completes names with backslashes and other special characters`() throws {
    let home = try HomeFixture.withBundledCourse()
    for learner in ["back\\slash", "o'neil", "$(reboot)", "ada lovelace"] {
      _ = try home.waymark("nav", "open", "english-for-business", "--learner", learner)
    }

    #expect(try offered(#"waymark where --learner back\\s"#, in: home) == [#"back\slash"#])
    #expect(try offered("waymark where --learner $", in: home) == ["$(reboot)"])
    #expect(try offered("waymark where --learner o", in: home) == ["o'neil"])
    #expect(try offered("waymark where --learner ad", in: home) == ["ada lovelace"])
  }
}
