import Foundation
import GRDB
import TestSupport
import Testing

/// `waymark import --with-progress`.
struct AnkiProgressTests {
  /// Writes a copy of a package whose collection was changed with SQL, as the folder of its files.
  private func package(changedBy sql: String, in home: HomeFixture) throws -> String {
    let unpacked = try home.run(
      "/usr/bin/unzip", ["-q", Fixtures.path("anki/knots-anki2.apkg"), "-d", home.path("knots")])
    try #require(unpacked.code == 0, "\(unpacked)")
    try DatabaseQueue(path: home.path("knots/collection.anki2")).writeWithoutTransaction { try $0.execute(sql: sql) }
    return home.path("knots")
  }

  @Test func `the progress is recorded together with the course`() throws {
    let home = try HomeFixture()

    let answer = try home.waymark("import", "--with-progress", Fixtures.path("anki/knots-anki2.apkg"))

    #expect(answer.code == 0 && answer.errors.contains("Added "), "\(answer)")
    #expect(try home.waymark("review", "list", "--format", "jsonl").output.contains("knots"))
    #expect(try home.waymark("database", "check").output == "No problems found.\n")
  }

  @Test func `a deck with progress is in Review at once, and the list of courses shows its progress`() throws {
    let home = try HomeFixture()
    let package = Fixtures.path("anki/knots-anki2.apkg")

    let plain = try home.waymark("import", package)
    let before = try home.waymark("review", "due", "--format", "jsonl").output
    _ = try home.waymark("import", package, "--with-progress")

    #expect(
      plain.errors == "The source contains the progress of 2 cards, which was not imported. To import it too: "
        + "waymark import \(package) --with-progress\n")
    #expect(before == "")
    #expect(try home.waymark("review", "due", "--format", "jsonl").output.contains("\"notMet\":5"))
    #expect(try home.waymark("courses", "--format", "csv").output.contains("0.25"))
  }

  @Test func `the preset of a deck is printed and used, and can be reset`() throws {
    let home = try HomeFixture()
    let package = try package(
      changedBy: """
        UPDATE col SET dconf = '{"7": {"new": {"perDay": 7}, "desiredRetention": 0.85}}', decks = (
          SELECT json_group_object(key, json_set(value, '$.conf', 7)) FROM json_each(col.decks))
        """, in: home)

    let answer = try home.waymark("import", package)
    func settings() throws -> String {
      String(try home.waymark("review", "set", "knots", "--format", "json").output.prefix { $0 != "h" })
    }

    #expect(
      answer.errors.hasPrefix(
        "The course uses the options of its deck: new 7, retention 0.85. 'waymark review set knots --reset' removes them.\n"
      ),
      "\(answer)")
    #expect(try settings().contains("\"retention\": 0.85,\n  \"newCards\": 7,"))
    let reset = try home.waymark("review", "set", "knots", "--reset")
    #expect(reset.code == 0 && reset.output.contains("new cards a day    20"), "\(reset)")
    let both = try home.waymark("review", "set", "knots", "--reset", "--new", "3")
    #expect(both.code == 64 && both.errors.contains("--reset cannot be combined with other settings."), "\(both)")
  }

  @Test(arguments: [
    (
      "UPDATE cards SET data = '{' WHERE id = 2001",
      "'data' in row 2 of its table 'cards' is not JSON as Anki writes it but '{'."
    ),
    (
      "UPDATE cards SET ivl = -3 WHERE id = 2000",
      "'ivl' in row 1 of its table 'cards' is not an interval of 0 or more days but '-3'."
    ),
  ]) func `a wrong value of a card is named, and nothing is imported`(_ sql: String, _ problem: String) throws {
    let home = try HomeFixture()

    let answer = try home.waymark("import", "--with-progress", package(changedBy: sql, in: home))

    #expect(answer.code == 65 && answer.errors.contains("collection.anki2: error: \(problem)"), "\(answer)")
    #expect(try home.waymark("courses", "--format", "json").output == "[]\n")
  }

  @Test func `an unchanged course is not written again, but its progress is recorded`() throws {
    let home = try HomeFixture()
    try #require(home.waymark("import", Fixtures.path("anki/knots-anki2.apkg")).code == 0)

    let answer = try home.waymark("import", "--with-progress", Fixtures.path("anki/knots-anki2.apkg"))

    #expect(answer.output.contains("no changes") && answer.errors.contains("Added "), "\(answer)")
  }

  @Test func `the progress of decks whose numbers have changed is recorded in the same cards`() throws {
    let home = try HomeFixture()
    try #require(home.waymark("import", Fixtures.path("anki/knots-anki2.apkg"), "--key", "knots").code == 0)
    let decks = (10...13).reduce("decks") { #"replace(\#($0), '"\#($1)"', '"9\#($1)"')"# }
    let package = try package(changedBy: "UPDATE col SET decks = \(decks); UPDATE cards SET did = 900 + did", in: home)

    let answer = try home.waymark("import", "--with-progress", package, "--key", "knots")

    #expect(answer.output.contains("renamed places keep their history"), "\(answer)")
    #expect(answer.errors.contains(/\. ([1-9][0-9]*) of \1 cards with progress changed/), "\(answer)")
  }

  @Test func `invalid progress is an error of the source, and nothing is imported`() throws {
    let home = try HomeFixture()
    let package = try package(changedBy: "UPDATE col SET crt = 1e300", in: home)

    let answer = try home.waymark("import", "--with-progress", package)

    #expect(answer.code == 65)
    #expect(
      answer.errors.contains(
        "collection.anki2: error: 'crt' in row 1 of its table 'col' is not a whole number but '1.0e+300'."),
      "\(answer)")
    #expect(!answer.errors.contains("database at"))
    #expect(try home.waymark("courses", "--format", "json").output == "[]\n")
    // Without the progress, the course can be imported.
    #expect(try home.waymark("import", package).code == 0)
  }

  @Test func `if the progress cannot be recorded, the course is not imported`() throws {
    let home = try HomeFixture.withDatabase()
    try DatabaseQueue(path: home.database.path).writeWithoutTransaction {
      try $0.execute(
        sql: "CREATE TRIGGER refusal BEFORE INSERT ON activityEvent BEGIN SELECT raise(ABORT, 'refused'); END")
    }

    let answer = try home.waymark("import", "--with-progress", Fixtures.path("anki/knots-anki2.apkg"))

    #expect(answer.code != 0, "\(answer)")
    #expect(try home.waymark("courses", "--format", "json").output == "[]\n")
  }

  @Test(.enabled(if: SmallDisk.isPossible, "Only root can mount a small disk."))
  func `a full temporary folder is reported as such by imports and exports`() throws {
    let home = try HomeFixture.withBundledCourse()
    let database = home.database.path
    let disk = try SmallDisk(in: home, megabytes: 1)
    home.environment["WAYMARK_DATABASE"] = database
    home.environment["TMPDIR"] = disk.path
    try disk.fill(leaving: 16_384)
    try home.write(
      "# A course\n\n" + (0..<20_000).map { "## Part \($0)\n\nSome words.\n\n" }.joined(), to: "course.md")

    for command in [
      ["export", "english-for-business", "--as", "apkg", "--output", home.path("out.apkg")],
      ["import", home.path("course.md")],
    ] {
      let answer = try home.waymark(command)

      #expect(answer.code == 74, "\(answer)")
      #expect(
        answer.errors.contains("Could not store the course temporarily: ")
          && answer.errors.contains("Set TMPDIR to a folder that you can write, on a disk with free space."),
        "\(answer)")
    }
  }
}
