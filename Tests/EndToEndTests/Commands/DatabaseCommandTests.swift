import Foundation
import TerminalHarness
import Testing

/// `waymark database`.
struct DatabaseCommandTests {
  @Test func `the database is created at the environment's path as a private file`() throws {
    let home = try HomeFixture.withBundledCourse()
    func permissions(_ file: URL) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    #expect(try home.waymark("database", "path").output == home.database.path + "\n")
    #expect(try permissions(home.database) == 0o600)
    #expect(try permissions(home.database.deletingLastPathComponent()) == 0o700)
  }

  @Test func `a database that others may read is reported once with its remedy`() throws {
    let home = try HomeFixture.withBundledCourse()
    _ = try home.run("/bin/chmod", ["644", home.database.path])

    let first = try home.waymark("where", "--short")
    let second = try home.waymark("where", "--short")
    let command = try #require(first.errors.firstMatch(of: /run: (chmod .*)\n/)?.1)
    _ = try home.run("/bin/sh", ["-c", String(command)])

    expectAnswer(
      first.steadied(home), code: 0, output: "Courses\n",
      errors: "Other users of this machine can access the database at 'HOME/.local/share/waymark/waymark.sqlite', "
        + "which contains your history. "
        + "To prevent this, run: chmod 600 HOME/.local/share/waymark/waymark.sqlite\n")
    #expect(second == Answer(code: 0, output: "Courses\n"))
    let mode = try FileManager.default.attributesOfItem(atPath: home.database.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `a flag overrides a variable, and a variable overrides the data folder`() throws {
    let home = try HomeFixture()

    home.environment["XDG_DATA_HOME"] = home.path("data")
    #expect(try home.waymark("database", "path").output == home.path("data/waymark/waymark.sqlite") + "\n")
    home.environment["WAYMARK_DATABASE"] = home.path("mine.sqlite")
    #expect(try home.waymark("database", "path").output == home.path("mine.sqlite") + "\n")
    #expect(try home.waymark("--database", "x.sqlite", "database", "path").output == "x.sqlite\n")
    #expect(try home.waymark("database", "path", "--database", "y.sqlite").output == "y.sqlite\n")
  }

  @Test func `the info command counts courses, activities and learners`() throws {
    let home = try HomeFixture.withBundledCourse()

    let answer = try home.waymark("database", "info", "--format", "json")
    let table = try home.waymark("database", "info").output

    let info = try #require(answer.output.json as? [String: Any])
    #expect(Set(info.keys) == ["path", "bytes", "courses", "activities", "learners"])
    #expect(info["courses"] as? Int == 1)
    #expect(info["activities"] as? Int == 52)
    #expect(info["learners"] as? Int == 0)
    let bytes = try #require(info["bytes"] as? Int)
    let match = try #require(table.firstMatch(of: /\nsize {8}([0-9]+) KiB\n/))
    // The log may have grown by a few pages between the two commands.
    #expect(abs(try #require(Int(match.1)) - bytes / 1024) <= 8)
    #expect(table.hasSuffix("\ncourses     1\nactivities  52\nlearners    0\n"))
  }

  @Test func `a valid database passes the check, even after a rebuild`() throws {
    let home = try HomeFixture.withBundledCourse()
    _ = try home.waymark("nav", "open", "english-for-business/writing")
    let sound = Answer(code: 0, output: "{\n  \"ok\": true,\n  \"problems\": []\n}\n")

    #expect(try home.waymark("database", "check", "--format", "json") == sound)
    #expect(try home.waymark("database", "rebuild").code == 0)
    #expect(try home.waymark("database", "check", "--format", "json") == sound)
    #expect(try home.waymark("where", "--short").output == "English for Business › Writing\n")
    #expect(try home.waymark("search", "anchors", "--format", "jsonl").output.lines.count > 0)
  }

  @Test func `a check names the log of program faults if it exists`() throws {
    let home = try HomeFixture.withBundledCourse()
    let plain = try home.waymark("database", "check").output

    try home.write("one\ntwo\n", to: ".local/state/waymark/issues.log")
    let named = try home.waymark("database", "check")
    home.environment["XDG_STATE_HOME"] = home.path("state")
    let elsewhere = try home.waymark("database", "check").output

    #expect(plain == "No problems found.\n")
    expectAnswer(
      named, code: 0,
      output: plain + "The browser logged 2 internal errors in "
        + home.path(".local/state/waymark/issues.log") + ". Send this file with a bug report, then delete it.\n")
    #expect(elsewhere == plain)
  }

  @Test func `a backup is restored after a crash, and the replaced database is kept`() throws {
    let home = try HomeFixture.walked()
    let copy = home.path("monday.sqlite")
    try #require(home.waymark("database", "backup", copy).code == 0)
    let monday = try home.waymark("history", "--format", "jsonl").output
    let reader = try home.start(["nav", "run"])
    for operation in ["next", "next", "previous"] {
      try reader.write(#"{"operation": "\#(operation)"}"# + "\n")
      _ = try reader.readLine()
    }
    reader.signal(SIGKILL)
    let ending = try reader.waitForExit()
    try #require(ending == .signalled(Int(SIGKILL)))
    try #require(FileManager.default.fileExists(atPath: home.database.path + "-wal"))

    let answer = try home.waymark("database", "restore", copy).steadied(home)

    #expect(answer.code == 0 && answer.errors == "")
    #expect(
      answer.output.replacing(/last step at [0-9-]+ [0-9:]+/, with: "last step at TIME")
        == """
        Restored 'HOME/.local/share/waymark/waymark.sqlite' from 'HOME/monday.sqlite': 1 course, 1 learner, 4 steps, \
        last step at TIME.
        The replaced database had 1 course, 1 learner, 7 steps, last step at TIME. It is kept as \
        'HOME/.local/share/waymark/waymark.sqlite.before-restore'.

        """)
    // Restoring ends the copied session, and thereby its last visit.
    func steps(_ history: String) -> [String] { history.lines.map { $0.components(separatedBy: "\"leftAt\"")[0] } }
    #expect(try steps(home.waymark("history", "--format", "jsonl").output) == steps(monday))
    #expect(try home.waymark("database", "check").output == "No problems found.\n")
    let replacedPath = home.database.path + ".before-restore"
    #expect(try home.waymark("--database", replacedPath, "history", "--format", "jsonl").output.lines.count == 7)
  }

  @Test func `a restored session is not continued, because another database may have continued it`() throws {
    let home = try HomeFixture.walked()
    let copy = home.path("monday.sqlite")
    try #require(home.waymark("database", "backup", copy).code == 0)
    try #require(home.waymark("database", "restore", copy).code == 0)

    try #require(home.waymark("nav", "next").code == 0)

    let sessions = try home.waymark("history", "stats", "--by", "session", "--format", "jsonl").output.lines
    #expect(sessions.count == 2)
  }

  @Test func `a database that another program uses is not replaced`() throws {
    let home = try HomeFixture.walked()
    let copy = home.path("monday.sqlite")
    try #require(home.waymark("database", "backup", copy).code == 0)
    let reader = try home.start(["nav", "run"])
    try reader.write(#"{"operation": "next"}"# + "\n")
    _ = try reader.readLine()

    let refused = try home.waymark("database", "restore", copy)
    reader.closeInput()
    _ = try reader.waitForExit()

    expectAnswer(
      refused.steadied(home), code: 75,
      errors:
        "Could not restore the database at 'HOME/.local/share/waymark/waymark.sqlite': another program is using "
        + "it. Close it, or stop the server, and try again. Nothing was changed.\n")
    #expect(try home.waymark("history", "--format", "jsonl").output.lines.count == 5)
    #expect(try home.waymark("database", "restore", copy).code == 0)
  }

  @Test func `a backup contains courses and history and does not replace a file`() throws {
    let home = try HomeFixture.withBundledCourse()
    _ = try home.waymark("nav", "open", "english-for-business/writing")
    let copy = home.path("copy.sqlite")

    let made = try home.waymark("database", "backup", copy)
    let history = try home.waymark("--database", copy, "history", "--format", "jsonl")
    let again = try home.waymark("database", "backup", copy)

    #expect(made.steadied(home) == Answer(code: 0, output: "Copied to HOME/copy.sqlite.\n"))
    #expect(history.output == (try home.waymark("history", "--format", "jsonl").output))
    expectAnswer(
      again.steadied(home), code: 73,
      errors: "Could not create 'HOME/copy.sqlite': the file already exists. "
        + "Choose another name, or replace it with --force.\n")
  }
}
