import Foundation
import GRDB
import TerminalHarness
import TestSupport
import Testing

extension KillCampaign {
  /// Kills `import` somewhere on its way.
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
    let found = try read(Found.init)
    let isWritten = found.summaries == [edited.summary]
    if !isWritten {
      try #require(killed.wasRunning, "an answered import is there")
      edited = old
    }
    try #require(found == Found(whole: edited), "all or nothing")
    note("import", isInside: killed.isInside, isWritten: isWritten)
  }

  /// Imports the course once more, and lets it end: whatever was left undone is done.
  func finishImport() throws {
    let answer = try home.waymark("import", home.path("edited.json"), "--learner", "ada")

    try #require(answer.code == 0, "\(answer)")
    edited.version = try #require(
      read { try Int.fetchOne($0, sql: "SELECT substr(summary, 9) + 0 FROM contentNode WHERE key = 'edited'") })
    try #require(read(Found.init) == Found(whole: edited))
    for table in ["searchQueue", "edition", "nextContent", "arrival"] {
      try #require(read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") } == 0, "\(table)")
    }
  }

  /// What the database has of the course.
  private struct Found: Equatable {
    var summaries: [String]
    var count: Int
    var otherTexts: Int

    init(whole course: GeneratedCourse) {
      summaries = [course.summary]
      count = course.count
      otherTexts = 0
    }

    init(_ database: Database) throws {
      let living = """
        FROM place WHERE removedInRevision IS NULL AND course = (SELECT id FROM contentNode WHERE key = 'edited')
        """
      summaries = try String.fetchAll(database, sql: "SELECT DISTINCT summary \(living)")
      count = try Int.fetchOne(database, sql: "SELECT count(*) \(living)") ?? 0
      otherTexts =
        try Int.fetchOne(
          database,
          sql: """
            SELECT count(*) FROM (SELECT id \(living) AND kind = 'activity')
            LEFT JOIN currentContent ON node = id WHERE content IS NULL OR instr(content, ?) = 0
            """, arguments: [summaries.first ?? ""]) ?? 0
    }
  }
}
