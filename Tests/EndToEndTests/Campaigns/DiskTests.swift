import Foundation
import TerminalHarness
import TestSupport
import Testing

/// The data of users when the disk is full, read-only or missing.
struct DiskTests {
  private static let course = GeneratedCourse(key: "small", goals: 2, lessons: 2, activities: 3)
  /// A database with the small course.
  private static let small = Result {
    try HomeFixture.original { home in
      try #require(home.waymark("import", home.write(course.json, to: "small.json")).code == 0)
    }
  }
  private static let large = GeneratedCourse(key: "large", goals: 10, lessons: 20, activities: 40)

  @Test(.enabled(if: SmallDisk.isPossible, "Only root can mount a small disk."))
  func `on a full disk a step is refused until space is freed`() throws {
    let home = try HomeFixture()
    let disk = try SmallDisk(in: home, megabytes: 4)
    try #require(home.waymark("import", home.write(Self.course.json, to: "small.json")).code == 0)
    try #require(home.waymark("nav", "open", "small/goal-1").code == 0)
    let steps = try Self.steps(home)
    try disk.fill()

    var answers: [Answer] = []
    for place in Self.course.activityPaths where answers.last?.code ?? 0 == 0 {
      answers.append(try home.waymark("nav", "open", place))
    }

    expectAnswer(
      answers.last?.steadied(home), code: 74,
      errors: "Could not write the database at 'HOME/disk/waymark.sqlite': the disk is full. "
        + "Free some disk space and try again. No data was lost.\n")
    try disk.clear()
    #expect(try home.waymark("database", "check").output == "No problems found.\n")
    #expect(
      try Self.steps(home) == steps + answers.count - 1, "each acknowledged step is stored, the refused one is not")
    #expect(try home.waymark("nav", "open", "small/goal-2").code == 0)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "Only root can mount a small disk."))
  func `a nav session reports the full disk in each answer until space is freed`() throws {
    let home = try HomeFixture()
    let disk = try SmallDisk(in: home, megabytes: 4)
    try #require(home.waymark("import", home.write(Self.course.json, to: "small.json")).code == 0)
    let nav = try NavRun(home, learner: "ada", session: "shell")
    let first = try nav.ask(NavLine(operation: "open", place: "small/goal-1"))
    try disk.fill()

    var refused: NavAnswer?
    var random = SplitMix64(seed: 1)
    for _ in 0..<2_000 where refused == nil {
      let answer = try nav.ask(.random(among: Self.course.activityPaths, &random))
      if answer.error != nil { refused = answer }
    }
    try disk.clear()
    let next = try nav.ask(NavLine(operation: "open", place: "small/goal-2"))
    nav.program.closeInput()

    #expect(refused?.error?.code == 74)
    #expect(try nav.program.waitForExit() == .exited(74))
    #expect(next.performed)
    let performed = nav.answers.compactMap(\.event?.sequence)
    #expect(performed == Array((first.event?.sequence ?? 0)..<(first.event?.sequence ?? 0) + performed.count))
    #expect(try home.waymark("database", "check").output == "No problems found.\n")
  }

  @Test(.enabled(if: SmallDisk.isPossible, "Only root can mount a small disk."))
  func `an import that does not fit on the disk changes nothing and succeeds on a larger disk`() throws {
    let home = try HomeFixture()
    let disk = try SmallDisk(in: home, megabytes: 2)
    try #require(home.waymark("import", home.write(Self.course.json, to: "small.json")).code == 0)
    // The rows of eight thousand places need more than a megabyte.
    try disk.fill(leaving: 1 << 20)
    let source = try home.write(Self.large.json, to: "large.json")
    let before = try home.waymark("tree").output

    let answer = try home.waymark("import", source)

    #expect(answer.code == 74)
    #expect(
      answer.errors.normalized(home)
        == "Could not write the database at 'HOME/disk/waymark.sqlite': the disk is full. "
        + "Free some disk space and try again. No data was lost.\n")
    #expect(try home.waymark("tree").output == before)
    #expect(try home.waymark("database", "check").output == "No problems found.\n")
    try #require(home.run("/bin/mount", ["-o", "remount,size=64m", disk.path]).code == 0)
    #expect(try home.waymark("import", source).code == 0)
    #expect(try home.waymark("database", "check").output == "No problems found.\n")
  }

  @Test(.enabled(if: SmallDisk.isPossible, "Only root can mount a small disk."))
  func `an import succeeds if its search index does not fit, and the index is completed later`() throws {
    let home = try HomeFixture()
    // The rows need 7 megabytes including their log, and the index 15 more.
    let disk = try SmallDisk(in: home, megabytes: 10)
    let source = try home.write(Self.large.json, to: "large.json")

    let answer = try home.waymark("import", source)

    #expect(answer.code == 0)
    // The result depends on when the log is checkpointed. Without a message, the search must find everything.
    let isReported = answer.errors.contains("The course was imported, but cannot be searched yet.")
    let isFound = try home.waymark("search", "Activity 10 20 40").output.contains("Activity 10 20 40")
    #expect(isReported || isFound)
    try #require(home.run("/bin/mount", ["-o", "remount,size=64m", disk.path]).code == 0)
    // Each search continues the index for a limited time, by at least one place.
    var output = ""
    for _ in 0..<Self.large.count where output.isEmpty {
      output = try home.waymark("search", "Activity 10 20 40").output
    }
    #expect(output.contains("Activity 10 20 40"))
    #expect(try home.waymark("database", "check").output == "No problems found.\n")
  }

  @Test(.enabled(if: SmallDisk.isPossible, "Only root can mount a small disk."))
  func `on a full disk no database is created`() throws {
    let home = try HomeFixture()
    let disk = try SmallDisk(in: home, megabytes: 1)
    try disk.fill()

    let answer = try home.waymark("nav", "resume")

    expectAnswer(
      answer.steadied(home), code: 74,
      errors: "Could not write the database at 'HOME/disk/waymark.sqlite': the disk is full. "
        + "Free some disk space and try again. No data was lost.\n")
    try disk.clear()
    #expect(try home.waymark("nav", "resume").code == 0)
  }

  @Test func `a step is refused if the database's folder was removed`() throws {
    let home = try HomeFixture()
    try #require(home.waymark("import", home.write(Self.course.json, to: "small.json")).code == 0)
    let nav = try NavRun(home, learner: "ada", session: "shell")
    try nav.ask(NavLine(operation: "open", place: "small/goal-1"))

    try FileManager.default.removeItem(at: home.database.deletingLastPathComponent())
    let answer = try nav.ask(NavLine(operation: "next"))
    nav.program.closeInput()

    #expect(!answer.performed)
    #expect(answer.error?.code == 74)
    #expect(
      answer.error?.message.normalized(home)
        == "Could not use the database at 'HOME/.local/share/waymark/waymark.sqlite': "
        + "the file was deleted, emptied or replaced while it was open. Open the database again.")
    #expect(try nav.program.waitForExit() == .exited(74))
    #expect(try home.waymark("nav", "resume").code == 0, "the next start creates a new database")
  }

  @Test(arguments: [["import", "--bundled"], ["nav", "next"], ["where"], ["database", "check"], ["history"]])
  func `truncated and damaged databases are refused by every command and not changed`(
    command: [String]
  ) throws {
    let home = try HomeFixture(copying: Self.small)
    let intact = try Data(contentsOf: home.database)
    var garbage = intact
    for index in 4096..<garbage.count { garbage[index] = UInt8(truncatingIfNeeded: index &* 31) }

    for bytes in [intact.prefix(intact.count / 2), intact.prefix(intact.count - 1000), garbage, Data(garbage[4096...])]
    {
      try bytes.write(to: home.database)
      let answer = try home.waymark(command)

      #expect(answer.code == 65)
      #expect(answer.output == "")
      #expect(answer.errors.lines.count == 1)
      #expect(try Data(contentsOf: home.database) == bytes)
    }
  }

  private static func steps(_ home: HomeFixture) throws -> Int {
    let answer = try home.waymark("history", "--format", "jsonl")
    guard answer.code == 0 else { throw Unexpected(answer: answer) }
    return answer.output.lines.count
  }
}
