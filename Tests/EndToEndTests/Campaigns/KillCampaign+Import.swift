import Foundation
import GRDB
import TerminalHarness
import Testing

extension KillCampaign {
  /// Kills an import at a random time.
  func killImport() throws {
    let old = edited
    edited.version += 1
    try home.write(edited.json, to: "edited.json")
    let program = try home.start(["import", home.path("edited.json"), "--learner", "ada"])
    program.closeInput()

    let killed = kill(program.processIdentifier, within: 1.2 * importSeconds) { usleep(useconds_t($0 * 1e6)) }
    let ending = try program.waitForExit()

    try #require(ending == (killed.wasRunning ? .signalled(9) : .exited(0)), "\(Answer(ending, program))")
    try expectOrder("import of version \(edited.version), inside a write: \(killed.isInside)")
    let rows = try read(Found.init)
    let isWritten = rows.summaries == [edited.summary]
    if isWritten {
      isEditedThere = true
    } else {
      try #require(killed.wasRunning, "an acknowledged import is stored")
      edited = old
    }
    try #require(rows == expected, "the course is stored completely or not at all")
    note("import", isInside: killed.isInside, isWritten: isWritten)
  }

  /// Kills a removal at a random time.
  func killRemoval() throws {
    if !isEditedThere { try finishImport() }
    let program = try home.start(["remove", "edited", "--yes", "--learner", "ada"])
    program.closeInput()

    let start = ContinuousClock.now
    let killed = kill(program.processIdentifier, within: 1.2 * removalSeconds) { usleep(useconds_t($0 * 1e6)) }
    let ending = try program.waitForExit()
    if !killed.wasRunning { removalSeconds = start.duration(to: .now) / .seconds(1) }

    try #require(ending == (killed.wasRunning ? .signalled(9) : .exited(0)), "\(Answer(ending, program))")
    let isThere = try home.waymark("tree", "edited").code == 0
    if killed.wasRunning {
      removalSeconds *= isThere ? 1.02 : 0.99
    } else {
      try #require(!isThere, "an acknowledged removal is stored")
    }
    isEditedThere = isThere
    try expectOrder("removal, inside a write: \(killed.isInside)")
    try #require(read(Found.init) == expected, "the course is stored completely or not at all")
    note("remove", isInside: killed.isInside, isWritten: !isThere)
  }

  private var expected: Found { isEditedThere ? Found(whole: edited) : Found(whole: nil) }

  /// Repeats the import without killing it, which must complete everything that a killed program left undone.
  func finishImport() throws {
    let answer = try home.waymark("import", home.path("edited.json"), "--learner", "ada")

    try #require(answer.code == 0, "\(answer)")
    isEditedThere = true
    edited.version = try #require(
      read { try Int.fetchOne($0, sql: "SELECT substr(summary, 9) + 0 FROM contentNode WHERE key = 'edited'") })
    try #require(read(Found.init) == Found(whole: edited))
    try #require(read { try Int.fetchOne($0, sql: "SELECT count(*) FROM searchQueue") } == 0)
  }

  /// The rows of the edited course in the database.
  private struct Found: Equatable {
    var summaries: [String]
    var count: Int
    var otherTexts: Int

    init(whole course: GeneratedCourse?) {
      summaries = course.map { [$0.summary] } ?? []
      count = course?.count ?? 0
      otherTexts = 0
    }

    init(_ database: Database) throws {
      let currentPlaces = """
        FROM place WHERE removedInRevision IS NULL AND course = (SELECT id FROM contentNode WHERE key = 'edited')
        """
      summaries = try String.fetchAll(database, sql: "SELECT DISTINCT summary \(currentPlaces)")
      count = try Int.fetchOne(database, sql: "SELECT count(*) \(currentPlaces)") ?? 0
      otherTexts =
        try Int.fetchOne(
          database,
          sql: """
            SELECT count(*) FROM (SELECT id \(currentPlaces) AND kind = 'activity')
            LEFT JOIN activityContent ON node = id WHERE content IS NULL OR instr(content, ?) = 0
            """, arguments: [summaries.first ?? ""]) ?? 0
    }
  }
}
