import Foundation
import GRDB
import TerminalHarness
import TestSupport
import Testing

/// Eight programs navigate in one database while a large course is imported and other commands read.
struct ManyAtOnceTests {
  private enum Part: Sendable {
    case walk(ConcurrentPrograms.Walk)
    case echo([ConcurrentPrograms.WaitTime])
    case works([(name: String, begun: ContinuousClock.Instant)], complaints: [String])
    case complaints([String])
  }

  /// The successive changes of the large course.
  private static let works = [
    "a first import", "an import of 1 % changed", "an import of all changed", "an import without half of it",
    "an import with another half", "its removal", "an import of what was removed",
  ]

  @Test func `navigation, imports and queries share a database without long waits`() throws {
    let home = try HomeFixture()
    let walked = GeneratedCourse(key: "walked", goals: 4, lessons: 4, activities: 6)
    let long = Tier.isLong
    var large = GeneratedCourse(key: "large", goals: 10, lessons: long ? 100 : 6, activities: long ? 99 : 15)
    try #require(home.waymark("import", home.write(walked.json, to: "walked.json")).code == 0)
    var commands: [(String, [String])] = []
    for (number, work) in Self.works.enumerated() {
      large.hundredth = number == 1 ? 2 : nil
      if number == 2 { large.version = 4 }
      var course = large
      if number == 3 { course.lessons /= 2 }
      // With other keys, the lessons are removed and the same number of lessons is added.
      if number == 4 || number == 6 { course.hasNewLessons = true }
      let isRemoval = number == 5
      let source = isRemoval ? "" : try home.write(course.json, to: "large-\(number).json")
      commands.append((work, isRemoval ? ["remove", "large", "--yes"] : ["import", source, "--replace"]))
    }
    let programs = ConcurrentPrograms(in: home)

    var tasks: [@Sendable () throws -> Part] = (0..<8).map { number in
      let operations = long ? 10_000 : 100
      return {
        .walk(
          try programs.walk(
            "learner-\(number / 2)", "sitting-\(number)", among: walked.activityPaths, operations: operations,
            seed: UInt64(number)))
      }
    }
    tasks.append { .echo(try programs.listenToEcho()) }
    tasks.append { [commands] in
      // The other programs must end even if this one fails.
      defer { programs.isOver.raise() }
      var begun: [(name: String, begun: ContinuousClock.Instant)] = []
      var complaints: [String] = []
      for (work, arguments) in commands {
        begun.append((work, .now))
        let program = try programs.start(arguments)
        program.closeInput()
        let answer = Answer(try program.waitForExit(within: 1200), program)
        if answer.code != 0 { complaints.append("\(work): \(answer)") }
      }
      return .works(begun, complaints: complaints)
    }
    tasks.append {
      .complaints(
        try programs.ask([
          ["history", "--learner", "all", "--limit", "50", "--format", "jsonl"],
          ["history", "stats", "--learner", "all", "--by", "operation"],
          ["history", "--learner", "learner-1", "--under", "walked/goal-2", "--limit", "20"],
          ["where", "--learner", "learner-2"], ["courses"], ["search", "words"],
        ]))
    }
    let results = try together(tasks)

    var walks: [ConcurrentPrograms.Walk] = []
    var complaints: [String] = []
    var echo: [ConcurrentPrograms.WaitTime] = []
    var phases: [(name: String, begun: ContinuousClock.Instant)] = []
    for result in results {
      switch result {
      case .walk(let walk):
        walks.append(walk)
        complaints += walk.complaints
      case .echo(let waits): echo = waits
      case .works(let begun, let messages):
        phases = begun
        complaints += messages
      case .complaints(let messages): complaints += messages
      }
    }
    #expect(complaints == [], "no program reports an error")
    try expectEverything(of: walks, in: home)
    try expectAnswer(home.waymark(["database", "check"], within: 600), code: 0, output: "No problems found.\n")
    let waits = walks.flatMap(\.waits)
    for (index, phase) in phases.enumerated() {
      let end = index + 1 < phases.count ? phases[index + 1].begun : nil
      let isWithin = { (wait: ConcurrentPrograms.WaitTime) in
        wait.begun >= phase.begun && end.map { wait.begun < $0 } ?? true
      }
      let (steps, machine) = (Waits(waits.filter(isWithin)), Waits(echo.filter(isWithin)))
      print("Many at once, during \(phase.name) of \(large.count) nodes: \(steps); an echo: \(machine)")
      // Delays of the echo program are caused by the machine, not by the database. Durations are only checked in long
      // runs, which have the machine for themselves.
      #expect(!long || steps.longest - machine.longest <= 3_000, "during \(phase.name): \(steps); \(machine)")
    }
  }

  /// Expects that each acknowledged event is in the log under its number, and that no session has a gap.
  private func expectEverything(of walks: [ConcurrentPrograms.Walk], in home: HomeFixture) throws {
    let database = try DatabaseQueue(path: home.database.path)
    for walk in walks {
      let stored = try database.read { database in
        try Row.fetchAll(
          database,
          sql: """
            SELECT event.id, sequence, operation FROM navigationEvent AS event JOIN session ON session.id = event.session
            WHERE session.name = ? ORDER BY sequence
            """, arguments: [walk.session]
        ).map { (event: NavAnswer.Event(id: $0[0], sequence: $0[1]), isRepair: $0[2] == "repair") }
      }
      #expect(stored.map(\.event.sequence) == Array(1..<stored.count + 1), "the sequence numbers have no gap")
      // The first row is the resume that started the session. An import that removes a session's place adds a repair
      // event.
      let steps = stored.dropFirst().filter { !$0.isRepair }.map(\.event)
      #expect(steps == walk.steps, "each acknowledged event is stored exactly once")
    }
  }
}
