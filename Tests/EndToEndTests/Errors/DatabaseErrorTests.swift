import Foundation
import GRDB
import TerminalHarness
import Testing

/// The messages about an unusable database.
struct DatabaseErrorTests {
  @Test func `a file that is not a database is refused and not changed`() throws {
    let home = try HomeFixture()
    let file = try home.write(String(repeating: "These are my notes on the course.\n", count: 300), to: "notes.txt")
    let before = try Data(contentsOf: URL(filePath: file))

    let answer = try home.waymark("nav", "resume", "--database", file)

    expectAnswer(
      answer.steadied(home), code: 65,
      errors: "Could not open the database at 'HOME/notes.txt': the file is not a SQLite database. "
        + "Choose another with --database, or move the file away to create a new database.\n")
    #expect(try Data(contentsOf: URL(filePath: file)) == before)
  }

  @Test func `a database of another program is refused and not changed`() throws {
    let home = try HomeFixture()
    let file = home.path("photos.sqlite")
    let photos = try DatabaseQueue(path: file)
    try photos.write { try $0.execute(sql: "CREATE TABLE photo (id INTEGER PRIMARY KEY)") }
    try photos.close()
    let before = try Data(contentsOf: URL(filePath: file))

    let answer = try home.waymark("nav", "resume", "--database", file)

    expectAnswer(
      answer.steadied(home), code: 65,
      errors: "Could not open the database at 'HOME/photos.sqlite': it belongs to another program. "
        + "Choose another with --database.\n")
    #expect(try Data(contentsOf: URL(filePath: file)) == before)
  }

  @Test func `a database of a newer version is refused without changing a byte`() throws {
    let home = try HomeFixture.withDatabase()
    let queue = try DatabaseQueue(path: home.database.path)
    try queue.write {
      try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9000_far_future'); PRAGMA user_version = 7")
    }
    try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try queue.close()
    let before = try Data(contentsOf: home.database)

    let answer = try home.waymark("nav", "resume")

    expectAnswer(
      answer.steadied(home), code: 65,
      errors: "Could not open the database at 'HOME/.local/share/waymark/waymark.sqlite': "
        + "a newer version of waymark has changed it (9000_far_future). "
        + "Install that version, or choose another database with --database. Nothing was changed.\n")
    #expect(try Data(contentsOf: home.database) == before)
  }

  @Test func `a truncated database is refused as damaged`() throws {
    let home = try HomeFixture.withDatabase()
    let bytes = try Data(contentsOf: home.database)
    try bytes.prefix(bytes.count / 2).write(to: home.database)

    let answer = try home.waymark("nav", "resume")

    #expect(answer.code == 65)
    #expect(answer.output == "")
    #expect(
      answer.errors.normalized(home).hasPrefix(
        "Could not use the database at 'HOME/.local/share/waymark/waymark.sqlite': it is damaged ("))
    #expect(
      answer.errors.hasSuffix(
        "Restore a copy of it with 'waymark database restore FILE', or recover the readable data with 'sqlite3 "
          + home.database.path + " .recover'.\n"))
  }

  @Test func `a database with garbage pages is refused as damaged`() throws {
    let home = try HomeFixture.withDatabase()
    var bytes = try Data(contentsOf: home.database)
    for index in 4096..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
    try bytes.write(to: home.database)

    let answer = try home.waymark("nav", "resume")

    #expect(answer.code == 65)
    #expect(answer.output == "")
    #expect(answer.errors.contains("it is damaged ("))
  }

  @Test(.timeLimit(.minutes(10)))
  func `a database that stays busy is reported after ten seconds`() throws {
    let home = try HomeFixture.withDatabase()
    let queue = try DatabaseQueue(path: home.database.path)

    // Another connection holds a write transaction.
    let answer = try queue.inDatabase { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      defer { try? database.execute(sql: "ROLLBACK") }
      return try home.waymark("nav", "resume")
    }

    expectAnswer(
      answer, code: 75,
      errors: "Waiting: another program is using the database, perhaps an import.\n"
        + "Could not write to the database: another program is keeping it busy. Try again when it has finished.\n")
    #expect(try home.waymark("nav", "resume").code == 0)
  }

  @Test func `commands that start together on a new database wait for the one that creates it`() throws {
    for _ in 0..<5 {
      let home = try HomeFixture()
      let programs = try [["courses"], ["import", "--bundled"], ["where"], ["nav", "resume"]].map { try home.start($0) }

      for program in programs {
        program.closeInput()
        let answer = try Answer(program.waitForExit(within: harnessTimeout), program)
        #expect(answer.code == 0, "\(answer.errors)")
      }
    }
  }

  @Test(arguments: [
    ["where"], ["courses"], ["tree"], ["history"], ["progress"], ["search", "anchors"],
    ["render", "english-for-business"],
    ["nav", "next", "--dry-run"], ["database", "info"],
  ])
  func `an idle database is read while another program holds its write lock`(_ arguments: [String]) throws {
    let home = try HomeFixture.walked()
    let expected = try home.waymark(arguments)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: home.database.path, configuration: configuration)
    try other.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }

    let answer = try home.waymark(arguments)
    try other.inDatabase { try $0.execute(sql: "ROLLBACK") }

    #expect(answer == expected)
  }

  @Test(arguments: [
    (
      ":memory:",
      "this name means a database in memory, not a file. Name a file, or write './:memory:' for a file of this name."
    ),
    ("file:a.sqlite", "it is a URI. Name a file by its path."),
    (
      "~ben/a.sqlite",
      "'~' is only replaced before a slash. Name the file by its full path, or write './~ben/a.sqlite' for a file of "
        + "this "
        + "name."
    ),
  ])
  func `a name that SQLite does not use as a path is refused, and no file is created`(name: String, reason: String)
    throws
  {
    let home = try HomeFixture()
    let before = try FileManager.default.contentsOfDirectory(atPath: home.folder.path).sorted()

    for arguments in [["courses"], ["nav", "resume"], ["database", "path"], ["database", "check"]] {
      expectAnswer(
        try home.waymark(arguments + ["--database", name]), code: 1,
        errors: "Could not open the database '\(name)': \(reason)\n")
    }
    expectAnswer(
      try home.waymark("database", "backup", name), code: 1,
      errors: "Could not open the database '\(name)': \(reason)\n")

    let after = try FileManager.default.contentsOfDirectory(atPath: home.folder.path).sorted()
    #expect(after.filter { !before.contains($0) && $0 != ".local" } == [])
  }

  @Test func `a tilde in the name of the database stands for the home folder`() throws {
    let home = try HomeFixture()

    let answer = try home.waymark("nav", "resume", "--database", "~/below/a.sqlite")

    #expect(answer.code == 0)
    #expect(FileManager.default.fileExists(atPath: home.folder.path + "/below/a.sqlite"))
    #expect(try home.waymark("database", "path", "--database", "~/a").output == home.folder.path + "/a\n")
  }

  private static let readOnly =
    "Could not write the database at 'HOME/.local/share/waymark/waymark.sqlite': this user has no permission to write "
    + "the file or its folder. Change their permissions, or choose another with --database.\n"

  @Test(arguments: [
    ["courses"], ["tree"], ["show", "english-for-business/meetings/opening/why-are-we-here"], ["search", "anchors"],
    ["where"], ["history"], ["history", "stats", "--by", "lesson"], ["progress"], ["recents"], ["bookmarks"],
    ["learners", "list"], ["export", "english-for-business"],
    ["render", "english-for-business"], ["nav", "next", "--dry-run"],
  ])
  func `a read-only database gives the same answers and creates no file`(
    _ arguments: [String]
  ) throws {
    let home = try HomeFixture.walked()
    try home.makeReadOnly()
    let folder = home.database.deletingLastPathComponent().path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)

    let answer = try home.asNobody(arguments)

    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == files)
    #expect(answer.code == 0 && answer.errors == "")
    #expect(answer.output == (try home.waymark(arguments).output))
  }

  @Test func `a read-only database shows the newest state while its owner writes`()
    throws
  {
    let home = try HomeFixture.withBundledCourse()
    let owner = try home.start(["nav", "run"])
    try owner.write(#"{"operation": "open", "place": "english-for-business/writing"}"# + "\n")
    _ = try owner.readLine()
    try home.makeReadOnly()

    let answer = try home.asNobody("where", "--short")
    let refused = try home.asNobody("nav", "next")
    try owner.write(#"{"operation": "open", "place": "english-for-business/meetings"}"# + "\n")
    _ = try owner.readLine()

    #expect(answer == Answer(code: 0, output: "English for Business › Writing\n"))
    #expect(refused.steadied(home) == Answer(code: 77, errors: Self.readOnly))
    #expect(try home.asNobody("where", "--short").output == "English for Business › Meetings\n")
  }

  @Test(arguments: [
    ["nav", "resume"], ["nav", "next"], ["import", "--bundled"], ["bookmarks", "add", "english-for-business"],
    ["database", "rebuild"],
    ["history", "erase", "--since", "1d", "--yes"], ["remove", "english-for-business", "--yes"],
  ])
  func `a command that writes does not change a read-only database`(_ arguments: [String]) throws {
    let home = try HomeFixture.walked()
    try home.makeReadOnly()
    let before = try Data(contentsOf: home.database)

    let answer = try home.asNobody(arguments)

    #expect(answer.steadied(home) == Answer(code: 77, errors: Self.readOnly))
    #expect(try Data(contentsOf: home.database) == before)
  }

  @Test func `a database that this user may not read is refused`() throws {
    let home = try HomeFixture.withDatabase()
    try home.makeReadOnly()
    _ = try home.run("/bin/chmod", ["600", home.database.path])

    try expectAnswer(
      home.asNobody("courses").steadied(home), code: 77,
      errors: "Could not open the database at 'HOME/.local/share/waymark/waymark.sqlite': "
        + "this user has no permission to read it. Change its permissions, or choose another with --database.\n")
  }

  @Test func `the error about a folder that cannot be created names the folder`() throws {
    let home = try HomeFixture()
    try home.write("I am a file.", to: "file")

    let answer = try home.waymark("nav", "resume", "--database", home.path("file/folder/waymark.sqlite"))

    #expect(answer.code == 73)
    #expect(answer.output == "")
    #expect(
      answer.errors.normalized(home).hasPrefix("Could not create the database at 'HOME/file/folder/waymark.sqlite': "))
    #expect(
      answer.errors.hasSuffix("Create the folder yourself, or choose another path with --database.\n"))
  }

  @Test(arguments: [
    ["courses"], ["search", "anchor"], ["history", "list"], ["--help"], ["--version"], ["help", "nav"],
    ["nav", "--help"],
    ["--generate-completion-script", "bash"], ["--experimental-dump-help"],
  ])
  func `an output error is reported and has its own exit code`(arguments: [String]) throws {
    let home = try HomeFixture.withBundledCourse()

    let answer = try home.waymark(arguments, redirecting: [1: "/dev/full"])

    expectAnswer(
      answer, code: 74,
      errors: "Could not write the output: no space left on device. Free some disk space and try again.\n")
  }

  @Test(arguments: [
    ["nav", "open", "english-for-business/writing"], ["nav", "run"],
    ["progress", "mark", "english-for-business/writing/tone/softer-please", "done"],
    ["review", "add", "english-for-business"],
    ["notes", "add", "english-for-business/negotiating/opening-offers/read-the-brief", "a note"],
    ["bookmarks", "add", "english-for-business"], ["rename", "english-for-business", "English"],
    ["remove", "english-for-business", "--yes"], ["import", Fixtures.path("anki/knots.apkg"), "--with-progress"],
    ["database", "rebuild"], ["database", "backup", "copy.sqlite"],
  ])
  func `an output error after a change says that the change was recorded`(arguments: [String]) throws {
    let home = try HomeFixture.walked()

    let answer = try home.waymark(
      arguments, input: #"{"operation": "pop"}"# + "\n", redirecting: [1: "/dev/full"])

    #expect(answer.code == 74, "\(answer)")
    #expect(
      answer.errors.hasSuffix(
        "Could not write the output: no space left on device. The changes were recorded, so do not repeat the command.\n"
      ),
      "\(answer)")
  }
}
