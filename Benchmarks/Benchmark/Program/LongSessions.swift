import Foundation
import TerminalHarness
import TestSupport

/// The instructions and the memory of queries in a database with one long session, compared with a short one.
struct LongSessions {
  let databases: Databases
  let grown: GrownDatabases
  let program: String

  private static let steps = (short: 2_000, long: 200_000)
  private static let valgrind = "/usr/bin/valgrind"

  func table() throws -> Table {
    var table = Table(
      "Program: one session of \(Self.steps.long.grouped) steps",
      note:
        "Instructions counted by callgrind, and peak memory without it, compared with a session of "
        + "\(Self.steps.short.grouped) steps.",
      columns: ["what", "instructions", "reference", "ratio", "peak memory", "reference", "ratio"])
    guard FileManager.default.isExecutableFile(atPath: Self.valgrind) else { return table }
    let guests = try [Self.steps.short, Self.steps.long].map { steps in
      let guest = try Guest(program: program, database: databases.copy(grown.session(steps)))
      // The steps are moved to end now, so that all of them are in this week.
      try Shell.run(in: guest.database ?? "") { try GrownHistory.move(to: Date(), $0) }
      try guest.expect(["database", "rebuild"])
      return guest
    }
    let questions: [(name: String, arguments: [String], script: String)] = [
      ("where", ["where"], #"exec "$@""#), ("where --short", ["where", "--short"], #"exec "$@""#),
      ("history replay, the first line", ["history", "replay", "--session", "shell"], #""$@" | head -1"#),
      ("history leaving", ["history", "leaving"], #"exec "$@""#),
    ]
    for question in questions {
      let costs = try guests.map { try cost(of: question.arguments, by: question.script, for: $0) }
      add(question.name, costs, to: &table)
    }
    add("the History tab", try guests.map(costOfTab), to: &table)
    return table
  }

  private func add(_ name: String, _ costs: [(instructions: Double, memory: Double)], to table: inout Table) {
    let ratios = (costs[1].instructions / costs[0].instructions, costs[1].memory / costs[0].memory)
    table.add(
      name, Self.millions(costs[1].instructions), Self.millions(costs[0].instructions), ratios.0.asRatio,
      Int(costs[1].memory).asMegabytes, Int(costs[0].memory).asMegabytes, ratios.1.asRatio, target: "≤ 1.5 ×, 1.5 ×",
      isMet: ratios.0 <= 1.5 && ratios.1 <= 1.5)
  }

  private static func millions(_ instructions: Double) -> String {
    (instructions / 1_000_000).rounded(digits: 4) + " million"
  }

  private static let callgrind = ["--tool=callgrind", "--callgrind-out-file=/dev/null"]

  /// Runs a command of the program with a shell script.
  private func cost(
    of arguments: [String], by script: String, for guest: Guest
  ) throws -> (instructions: Double, memory: Double) {
    func run(_ arguments: [String]) throws -> PipedProgram {
      let process = try PipedProgram(
        "/bin/sh", ["-c", script, "sh"] + arguments, environment: guest.environment, redirecting: [1: "/dev/null"])
      process.closeInput()
      _ = try process.waitForExit(within: 900)
      return process
    }
    let counted = try run([Self.valgrind] + Self.callgrind + [guest.program] + arguments)
    return (
      try Self.instructions(counted.errors), Double(try run([guest.program] + arguments).usage?.memory ?? 0)
    )
  }

  /// Opens the browser and its History tab, and quits.
  private func costOfTab(for guest: Guest) throws -> (instructions: Double, memory: Double) {
    let errors = guest.home.file("callgrind")
    func visit(_ program: String, _ arguments: [String]) throws -> Double {
      let terminal = try PseudoTerminal(columns: 100, rows: 30)
      try terminal.launch(program, arguments, environment: guest.environment)
      try terminal.waitUntil("the first frame") { terminal.output.holds(Array("History".utf8)) }
      terminal.type("3")
      try terminal.waitUntil("the history") { terminal.output.holds(Array("this week".utf8)) }
      try terminal.waitUntilQuiet(for: 1)
      let memory = Double(ProcessFacts.peakMemory(of: terminal.processIdentifier))
      try guest.leave(terminal)
      return memory
    }
    let arguments = Self.callgrind + ["--log-file=\(errors)", guest.program, "--motion", "none"]
    _ = try visit(Self.valgrind, arguments)
    let counted = Array((Machine.contents(errors) ?? "").utf8)
    return (try Self.instructions(counted), try visit(guest.program, ["--motion", "none"]))
  }

  /// Parses the number of instructions from callgrind's report.
  private static func instructions(_ report: [UInt8]) throws -> Double {
    let text = String(decoding: report, as: UTF8.self)
    guard let digits = text.firstMatch(of: /Collected : ([0-9]+)/)?.1, let count = Double(digits) else {
      throw BenchmarkError.missing("callgrind: \(text.suffix(400))")
    }
    return count
  }
}
