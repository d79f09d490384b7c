import Foundation
import TerminalHarness
import Testing

/// `waymark doctor`.
struct DoctorCommandTests {
  /// Returns an object of the JSON answer.
  private func object(_ answer: Answer, _ key: String) throws -> [String: Any] {
    let report = try #require(answer.output.json as? [String: Any])
    return try #require(report[key] as? [String: Any])
  }

  @Test func `the report in a pipe has every key and no names or paths`() throws {
    let home = try HomeFixture.walked()

    let answer = try home.waymark("doctor", "--format", "json")
    let table = try home.waymark("doctor")

    #expect(answer.code == 0 && answer.errors == "")
    let report = try #require(answer.output.json as? [String: Any])
    #expect(
      Set(report.keys) == [
        "version", "system", "terminal", "colors", "images", "locale", "database", "settings", "programs",
        "internalErrors",
      ])
    #expect(report["version"] as? String == "0.1.0")
    #expect(report["colors"] as? String == "none")
    #expect(report["images"] as? String == "none")
    #expect(report["internalErrors"] as? Int == 0)
    let terminal = try object(answer, "terminal")
    #expect(
      Set(terminal.keys) == [
        "type", "program", "columns", "rows", "queried", "answered", "name", "background", "cellWidth", "cellHeight",
        "ambiguousWidth", "supports", "within",
      ])
    #expect(terminal["queried"] as? Bool == false)
    #expect(
      try NSDictionary(dictionary: object(answer, "locale")) == [
        "variable": "LANG", "value": "C.UTF-8", "unicode": true,
      ])
    let database = try object(answer, "database")
    #expect(database["courses"] as? Int == 1)
    #expect(database["problemCount"] as? Int == 0)
    #expect(database["journal"] as? String == "WAL")
    #expect(database["path"] is NSNull && database["problems"] is NSNull)
    #expect(try #require(database["bytes"] as? Int) > 100_000)
    for text in [answer.output, table.output] {
      for name in [home.folder.path, "ada", "english-for-business", "English"] {
        #expect(!text.contains(name), "\(name)")
      }
    }
    #expect(table.output.contains("\nsettings        the defaults\n"))
    #expect(table.output.contains("\n                no problems\n"))
  }

  @Test func `the report creates no database and changes none`() throws {
    let home = try HomeFixture()
    let answer = try home.waymark("doctor")
    #expect(answer.code == 0)
    #expect(answer.output.contains("\ndatabase        none yet"))
    #expect(!FileManager.default.fileExists(atPath: home.database.path))

    let walked = try HomeFixture.walked()
    let before = try Data(contentsOf: walked.database)
    #expect(try walked.waymark("doctor").code == 0)
    #expect(try Data(contentsOf: walked.database) == before)
  }

  @Test func `paths and texts of problems are shown only with names`() throws {
    let home = try HomeFixture()
    try FileManager.default.createDirectory(
      at: home.database.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("no database".utf8).write(to: home.database)

    let plain = try home.waymark("doctor")
    let named = try home.waymark("doctor", "--with-names")

    #expect(plain.code == 0 && named.code == 0)
    #expect(plain.output.contains("\n                1 problem; --with-names shows the texts\n"))
    #expect(!plain.output.contains(home.folder.path))
    #expect(named.output.contains("\n                1 problem\n                Could not"))
    #expect(named.output.contains(home.database.path))
  }

  @Test func `settings without an effect are listed with the reason`() throws {
    let home = try HomeFixture()
    try home.write(
      "theme: purple\nmotion: none\nframe-rate: 30\ncolor: 256\nlayout: list\nsync: htp://my.school\n",
      to: ".config/waymark/config.yml")
    home.environment["WAYMARK_LAYOUT"] = "cards"
    home.environment["WAYMARK_MOTON"] = "none"
    home.environment["NO_COLOR"] = "1"
    home.environment["WAYMARK_PICTURES"] = "sixel"

    let answer = try home.waymark("doctor", "--format", "json")

    let settings = try object(answer, "settings")
    #expect(
      settings["changed"] as? [String] == [
        "motion=none", "frame-rate=30", "color=none", "layout=cards", "pictures=sixel",
      ])
    #expect(
      settings["withoutEffect"] as? [String] == [
        "Could not read 'theme' at config.yml:1: 'purple' is not a valid value. Write one of auto, dark, light, "
          + "high-contrast, high-contrast-light.",
        "Could not read 'sync' at config.yml:6: '…' is not a valid value. Write a server's address, such as "
          + "https://school.example, or off.",
        "color in config.yml, because NO_COLOR replaces it",
        "layout in config.yml, because WAYMARK_LAYOUT replaces it",
        "frame-rate, because there is no motion",
        "pictures, because the terminal does not support sixel, or too few colors or symbols",
        "WAYMARK_MOTON, because there is no such setting; did you mean WAYMARK_MOTION?",
      ])
    home.environment["WAYMARK_LINEAR"] = "on"
    let linear = try object(home.waymark("doctor", "--format", "json"), "settings")["withoutEffect"] as? [String]
    #expect(linear?.contains("motion, because linear mode does not use it") == true)
  }

  @Test func `the answers of a terminal are reported and the terminal is restored`() throws {
    let session = try BrowserSession(
      in: HomeFixture(), ["doctor"], columns: 100, variables: ["TERM": "xterm-256color", "TERM_PROGRAM": "Test"])

    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))
    session.expectRestored()

    let rows = session.rows
    #expect(rows.contains("terminal        TERM=xterm-256color, Test, 100 × 24"))
    #expect(rows.contains { $0.contains("answers: background #101218, synchronized output, kitty keyboard") })
    #expect(rows.contains("colors          256"))
    #expect(rows.contains("images          blocks"))
  }

  @Test func `a report to a file is made of the terminal on standard input`() throws {
    let home = try HomeFixture()
    let session = try BrowserSession(
      in: home, ["doctor", "--format", "json"], variables: ["TERM": "xterm-256color"],
      redirecting: [1: home.path("report.json")])

    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))
    session.expectRestored()

    let report = try String(contentsOfFile: home.path("report.json"), encoding: .utf8).json as? [String: Any]
    let terminal = try #require(report?["terminal"] as? [String: Any])
    #expect(terminal["answered"] as? Bool == true)
    #expect(terminal["columns"] as? Int == 80)
    #expect(terminal["background"] as? String == "#101218")
  }

  @Test(arguments: [
    (Personality.silent, "xterm", "                no answers within 0.7 seconds"),
    (.modern, "dumb", "                not queried"),
  ])
  func `a terminal without answers is reported as such`(personality: Personality, type: String, line: String) throws {
    let session = try BrowserSession(
      in: HomeFixture(), ["doctor"], personality: personality, variables: ["TERM": type])

    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))

    session.expectRestored()
    #expect(session.rows.contains(line))
  }
}
