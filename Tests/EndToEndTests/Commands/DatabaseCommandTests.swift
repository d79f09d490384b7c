import Foundation
import Testing

/// `waymark database`.
struct DatabaseCommandTests {
  @Test func `the database is made where the environment says, readable by its owner alone`() throws {
    let home = try Home.withBundledCourse()
    func permissions(_ file: URL) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    #expect(try home.waymark("database", "path").output == home.database.path + "\n")
    #expect(try permissions(home.database) == 0o600)
    #expect(try permissions(home.database.deletingLastPathComponent()) == 0o700)
  }

  @Test func `a database that others may read is told of once, with the command that mends it`() throws {
    let home = try Home.withBundledCourse()
    _ = try home.run("/bin/chmod", ["644", home.database.path])

    let first = try home.waymark("where", "--short")
    let second = try home.waymark("where", "--short")
    let command = try #require(first.errors.firstMatch(of: /run: (chmod .*)\n/)?.1)
    _ = try home.run("/bin/sh", ["-c", String(command)])

    #expect(
      first.steadied(home)
        == Answer(
          code: 0, output: "Courses\n",
          errors: "Others on this machine may use the database at 'HOME/.local/share/waymark/waymark.sqlite', "
            + "and what you did is in it. "
            + "To keep it to yourself, run: chmod 600 'HOME/.local/share/waymark/waymark.sqlite'\n"))
    #expect(second == Answer(code: 0, output: "Courses\n"))
    let mode = try FileManager.default.attributesOfItem(atPath: home.database.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `a flag goes before a variable, a variable before the data folder`() throws {
    let home = try Home()

    home.environment["XDG_DATA_HOME"] = home.path("data")
    #expect(try home.waymark("database", "path").output == home.path("data/waymark/waymark.sqlite") + "\n")
    home.environment["WAYMARK_DATABASE"] = home.path("mine.sqlite")
    #expect(try home.waymark("database", "path").output == home.path("mine.sqlite") + "\n")
    #expect(try home.waymark("--database", "x.sqlite", "database", "path").output == "x.sqlite\n")
    #expect(try home.waymark("database", "path", "--database", "y.sqlite").output == "y.sqlite\n")
  }

  @Test func `what is in it is counted`() throws {
    let home = try Home.withBundledCourse()

    let answer = try home.waymark("database", "info", "--format", "json")
    let table = try home.waymark("database", "info").output

    let info = try #require(answer.output.json as? [String: Any])
    #expect(Set(info.keys) == ["path", "bytes", "courses", "activities", "learners"])
    #expect(info["courses"] as? Int == 1)
    #expect(info["activities"] as? Int == 52)
    #expect(info["learners"] as? Int == 0)
    let bytes = try #require(info["bytes"] as? Int)
    let match = try #require(table.firstMatch(of: /\nsize {8}([0-9]+) KiB\n/))
    // The log may have grown by a page or two since.
    #expect(abs(try #require(Int(match.1)) - bytes / 1024) <= 8)
    #expect(table.hasSuffix("\ncourses     1\nactivities  52\nlearners    0\n"))
  }

  @Test func `a sound database is in order, before and after everything is worked out anew`() throws {
    let home = try Home.withBundledCourse()
    _ = try home.waymark("nav", "open", "english-for-business/writing")
    let sound = Answer(code: 0, output: "{\n  \"ok\": true,\n  \"problems\": []\n}\n")

    #expect(try home.waymark("database", "check", "--format", "json") == sound)
    #expect(try home.waymark("database", "rebuild").code == 0)
    #expect(try home.waymark("database", "check", "--format", "json") == sound)
    #expect(try home.waymark("where", "--short").output == "English for Business › Writing\n")
    #expect(try home.waymark("search", "anchors", "--format", "jsonl").output.lines.count > 0)
  }

  @Test func `a check names the log of faults where there is one`() throws {
    let home = try Home.withBundledCourse()
    let plain = try home.waymark("database", "check").output

    try home.write("one\ntwo\n", to: ".local/state/waymark/issues.log")
    let named = try home.waymark("database", "check")
    home.environment["XDG_STATE_HOME"] = home.path("state")
    let elsewhere = try home.waymark("database", "check").output

    #expect(plain == "The database is in order.\n")
    #expect(
      named
        == Answer(
          code: 0,
          output: plain + "The screens have noted 2 faults of the program in "
            + home.path(".local/state/waymark/issues.log") + ": send it with a bug report, then remove it.\n"))
    #expect(elsewhere == plain)
  }

  @Test func `a copy has the courses and the history, and takes nobody's place`() throws {
    let home = try Home.withBundledCourse()
    _ = try home.waymark("nav", "open", "english-for-business/writing")
    let copy = home.path("copy.sqlite")

    let made = try home.waymark("database", "backup", copy)
    let history = try home.waymark("--database", copy, "history", "--format", "jsonl")
    let again = try home.waymark("database", "backup", copy)

    #expect(made.steadied(home) == Answer(code: 0, output: "Copied to HOME/copy.sqlite.\n"))
    #expect(history.output == (try home.waymark("history", "--format", "jsonl").output))
    #expect(
      again.steadied(home)
        == Answer(
          code: 73,
          errors: "Could not create 'HOME/copy.sqlite': there is a file of this name already. "
            + "Choose another name, or replace it with --force.\n"))
  }
}
