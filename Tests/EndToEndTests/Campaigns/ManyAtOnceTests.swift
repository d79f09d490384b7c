import Foundation
import GRDB
import TerminalHarness
import Testing

/// Eight people walk while a large course comes in and questions are asked, all on one database.
struct ManyAtOnceTests {
  private enum Part: Sendable {
    case walk(Crowd.Walk)
    case complaints([String])
  }

  @Test func `eight programs, an import and questions share a database, and nobody waits for long`() throws {
    let home = try Home()
    let walked = GeneratedCourse(key: "walked", goals: 4, lessons: 4, activities: 6)
    let long = CampaignLength.isLong
    let large = GeneratedCourse(key: "large", goals: 10, lessons: long ? 100 : 10, activities: long ? 99 : 20)
    try #require(home.waymark("import", home.write(walked.json, to: "walked.json")).code == 0)
    let source = try home.write(large.json, to: "large.json")
    let crowd = Crowd(in: home)

    var works: [@Sendable () throws -> Part] = (0..<8).map { number in
      let operations = long ? 10_000 : 100
      return {
        .walk(
          try crowd.walk(
            "learner-\(number / 2)", "sitting-\(number)", among: walked.activityPaths, operations: operations,
            seed: UInt64(number)))
      }
    }
    works.append {
      // Whatever happens, the others do not wait for ever.
      defer { crowd.isOver.raise() }
      let program = try crowd.start(["import", source])
      program.closeInput()
      let answer = Answer(try program.waitForExit(within: 1200), program)
      return .complaints(answer.code == 0 ? [] : ["import: \(answer)"])
    }
    works.append {
      .complaints(
        try crowd.ask([
          ["history", "--learner", "all", "--limit", "50", "--format", "jsonl"],
          ["history", "stats", "--learner", "all", "--by", "operation"],
          ["history", "--learner", "learner-1", "--under", "walked/goal-2", "--limit", "20"],
          ["where", "--learner", "learner-2"], ["courses"], ["search", "words"],
        ]))
    }
    let parts = try together(works)

    var walks: [Crowd.Walk] = []
    var complaints: [String] = []
    for part in parts {
      switch part {
      case .walk(let walk):
        walks.append(walk)
        complaints += walk.complaints
      case .complaints(let words): complaints += words
      }
    }
    #expect(complaints == [], "no error surfaces that a retry would cure")
    try expectEverything(of: walks, in: home)
    #expect(
      try home.waymark(["database", "check"], within: 600) == Answer(code: 0, output: "The database is in order.\n"))
    let waits = Waits(walks.flatMap(\.waits))
    print("Many at once, beside an import of \(large.count) nodes: \(waits)")
    guard long else {
      // On a machine that builds and tests besides, a process may be kept from running for longer than it waits.
      #expect(waits.longest <= 1_000, "\(waits)")
      return
    }
    #expect(waits.quantile(0.999) <= 200, "\(waits)")
    #expect(waits.longest <= 1_500, "\(waits)")
    // Where others want the processors too, whoever has the database is kept from running, and those who wait add up
    // what each of them is kept.
    withKnownIssue("Eight programs on a loaded machine wait for each other's delays.", isIntermittent: true) {
      #expect(waits.longest <= 200, "\(waits)")
    }
  }

  /// Each answered step is in the log under its number, and no session has a hole.
  private func expectEverything(of walks: [Crowd.Walk], in home: Home) throws {
    let database = try DatabaseQueue(path: home.database.path)
    for walk in walks {
      let kept = try database.read { database in
        try Row.fetchAll(
          database,
          sql: """
            SELECT event.id, sequence FROM navigationEvent AS event JOIN session ON session.id = event.session
            WHERE session.name = ? ORDER BY sequence
            """, arguments: [walk.session]
        ).map { NavAnswer.Event(id: $0[0], sequence: $0[1]) }
      }
      #expect(kept.map(\.sequence) == Array(1..<kept.count + 1), "no hole")
      // The first row is the resume that began the session.
      #expect(Array(kept.dropFirst()) == walk.steps, "nothing is lost, nothing is twice")
    }
  }
}
