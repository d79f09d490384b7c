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

    #expect(answer.code == 0 && answer.errors.contains("Recorded the answers and due dates of "), "\(answer)")
    #expect(try home.waymark("review", "list", "--format", "jsonl").output.contains("knots"))
    #expect(try home.waymark("database", "check").output == "No problems found.\n")
  }

  @Test func `an unchanged course is not written again, but its progress is recorded`() throws {
    let home = try HomeFixture()
    try #require(home.waymark("import", Fixtures.path("anki/knots-anki2.apkg")).code == 0)

    let answer = try home.waymark("import", "--with-progress", Fixtures.path("anki/knots-anki2.apkg"))

    #expect(answer.output.contains("no changes") && answer.errors.contains("Recorded the answers"), "\(answer)")
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
