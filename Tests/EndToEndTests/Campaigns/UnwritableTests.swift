import Foundation
import TerminalHarness
import Testing

/// A full disk and a read-only database: reading works, and nothing is recorded.
struct UnwritableTests {
  private static let activity = "english-for-business/negotiating/opening-offers/read-the-brief"
  private static let reading = [
    ["courses"], ["tree"], ["show", activity], ["search", "meeting"], ["where"], ["where", "--short"], ["history"],
    ["history", "stats", "--by", "lesson"], ["progress"], ["recents"], ["bookmarks"], ["notes"], ["attempts"],
    ["learners", "list"], ["export", "english-for-business"], ["learners", "export", "ada"],
    ["history", "export", "--as", "csv"], ["render", "english-for-business"], ["nav", "next", "--dry-run"],
    ["database", "check"],
  ]

  /// Creates a home whose database is on a full disk, without a write-ahead log.
  private static func onFullDisk() throws -> (home: HomeFixture, disk: SmallDisk) {
    let home = try HomeFixture.walked()
    let disk = try SmallDisk(in: home, megabytes: 8)
    try FileManager.default.copyItem(atPath: home.database.path, toPath: disk.path + "/waymark.sqlite")
    try disk.fill()
    return (home, disk)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "Only root can mount a small disk."))
  func `on a full disk, all reading commands give the same answers`() throws {
    let (home, disk) = try Self.onFullDisk()
    let full = try Self.reading.map { try home.waymark($0) }
    try disk.clear()

    for (command, answer) in zip(Self.reading, full) {
      #expect(answer == (try home.waymark(command)), "\(command)")
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "Only root can mount a small disk."))
  func `a database on a full disk can be exported to another disk`() throws {
    let (home, disk) = try Self.onFullDisk()

    #expect(try home.waymark("database", "backup", home.path("copy.sqlite")).code == 0)
    #expect(try home.waymark("export", "english-for-business", "--output", home.path("course.json")).code == 0)
    #expect(try home.waymark("learners", "export", "ada", "--output", home.path("ada.json")).code == 0)

    #expect(try home.waymark("--database", home.path("copy.sqlite"), "where").output == home.waymark("where").output)
    withExtendedLifetime(disk) {}
  }

  @Test(
    .enabled(if: SmallDisk.isPossible, "Only root can mount a small disk."),
    arguments: [
      ["nav", "next"], ["progress", "mark", activity, "done"], ["bookmarks", "add", "english-for-business"],
      ["import", "--bundled"], ["remove", "english-for-business", "--yes"], ["database", "rebuild"],
    ])
  func `on a full disk, a writing command is refused`(command: [String]) throws {
    let (home, disk) = try Self.onFullDisk()

    try expectAnswer(
      home.waymark(command).steadied(home), code: 74,
      errors: "Could not write the database at 'HOME/disk/waymark.sqlite': the disk is full. "
        + "Free some disk space and try again. No data was lost.\n")
    withExtendedLifetime(disk) {}
  }

  @Test(.enabled(if: SmallDisk.isPossible, "Only root can mount a small disk."))
  func `on a full disk, linear mode works without recording`() throws {
    let (home, disk) = try Self.onFullDisk()
    let before = try home.waymark("history", "--format", "jsonl").output

    let answer = try home.waymark(["--linear", Self.activity], input: "next\nback\ncourses\nquit\n")

    #expect(answer.code == 0 && answer.errors == "")
    let notice =
      "Nothing is recorded: the disk of the database is full. Free some disk space, then start Waymark again."
    #expect(answer.output.replacing("\n", with: " ").contains(notice))
    for line in ["\nNext. ", "\nBack. ", "\nUp. "] { #expect(answer.output.contains(line), "\(answer.output)") }
    try disk.clear()
    #expect(try home.waymark("history", "--format", "jsonl").output == before)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "Only root can mount a small disk."))
  func `if a disk becomes full during a session, recording stops but reading does not`() throws {
    let (home, disk) = try Self.onFullDisk()
    try disk.clear()
    let reader = try home.start(["--linear", Self.activity])
    /// Sends a word, and returns the lines up to its answer.
    func answer(to word: String, _ beginning: String) throws -> String {
      try reader.write(word + "\n")
      var lines = ""
      while !lines.contains(beginning) {
        let line = try reader.readLine()
        lines += try #require(line) + "\n"
      }
      return lines
    }
    #expect(try !answer(to: "next", "Next. ").contains("Nothing is recorded"))
    try disk.fill()

    // Each step writes some pages, so a write soon fails.
    var output = ""
    for _ in 0..<1_000 where !output.contains("Nothing is recorded") {
      output = try answer(to: "previous", "Previous. ") + answer(to: "next", "Next. ")
    }
    try reader.write("courses\nquit\n")
    reader.closeInput()

    #expect(try reader.waitForExit() == .exited(0))
    let all = String(decoding: reader.output, as: UTF8.self)
    #expect(all.contains("Nothing is recorded: the disk of the database is full."))
    #expect(all.contains("Up. "))
    try disk.clear()
    #expect(try home.waymark("database", "check").output == "No problems found.\n")
  }

  @Test(.enabled(if: SmallDisk.isPossible, "Only root can mount a small disk."))
  func `on a full disk, the browser works and reports that nothing is recorded`() throws {
    let (home, disk) = try Self.onFullDisk()

    let session = try BrowserSession(in: home, ["english-for-business/negotiating"])
    try session.waitForPage("Negotiating")
    #expect(session.rows.contains { $0.contains("Nothing is recorded: the disk of the database is full.") })
    session.press(.enter)
    try session.waitForPage("Opening offers")
    session.type("q")

    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))
    session.expectRestored()
    withExtendedLifetime(disk) {}
  }

  @Test(.enabled(if: getuid() == 0, "Only root can run the program as another user."))
  func `a read-only database can be read in linear mode and checked`() throws {
    let home = try HomeFixture.walked()
    try home.makeReadOnly()
    let before = try Data(contentsOf: home.database)

    let check = try home.asNobody("database", "check")
    let linear = try home.asNobody("--linear", Self.activity)

    #expect(check == Answer(code: 0, output: "No problems found.\n"))
    #expect(linear.code == 0 && linear.errors == "")
    #expect(
      linear.output.contains(
        "Nothing is recorded: the database can be read, but not written. Check the\n"
          + "permissions of the file and of its folder."
      ))
    #expect(linear.output.contains("Read the brief"))
    #expect(try Data(contentsOf: home.database) == before)
  }
}
