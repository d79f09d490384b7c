import Foundation
import TerminalHarness
import TestSupport

/// Exports of a long history and the check of its database, compared with SQLite's shell on the same rows.
struct Exporting {
  let databases: Databases
  let grown: GrownDatabases
  let program: String

  static let steps = 200_000
  private static let sqlite = "/usr/bin/sqlite3"

  func table() throws -> Table {
    let guest = try Guest(program: program, database: databases.copy(grown.history(Self.steps)))
    try guest.expect(["database", "rebuild"])
    var table = Table(
      "Program: exports of \(Self.steps.grouped) steps",
      note:
        "Processor time of the whole process; its output is discarded. "
        + "The references are `sqlite3 -csv` for the rows of "
        + "the log, and `PRAGMA integrity_check`.",
      columns: ["what", "time", "reference", "ratio", "peak memory"])
    let rows = try reference(["-csv", guest.database ?? "", "SELECT * FROM navigationEvent ORDER BY id DESC"])
    let check = try reference([guest.database ?? "", "PRAGMA integrity_check"])
    let everyone = ["--learner", "all"]
    for (arguments, reference, most) in [
      (["history", "export", "--as", "csv"] + everyone, rows, 3.0),
      (["history", "export", "--as", "jsonl"] + everyone, rows, 3),
      (["history", "export", "--as", "xapi"] + everyone, rows, 6),
      (["learners", "export", "often"], rows, .infinity),
      (["database", "check"], check, 4),
    ] {
      let usage = try guest.usage(arguments)
      let ratio = usage.processorSeconds / reference
      let isRatioMet = ratio.isNaN || ratio <= most
      table.add(
        "`waymark " + arguments.joined(separator: " ") + "`", (usage.processorSeconds * 1e9).asTime,
        (reference * 1e9).asTime, ratio.asRatio, usage.memory.asMegabytes,
        target: (most.isFinite ? "≤ \(Int(most)) ×, " : "") + "≤ 100 MB",
        isMet: isRatioMet && usage.memory <= max(100_000_000, usage.ownMemory))
    }
    return table
  }

  /// Returns the processor time of SQLite's shell in seconds, or NaN if it is not installed.
  private func reference(_ arguments: [String]) throws -> Double {
    guard FileManager.default.isExecutableFile(atPath: Self.sqlite) else { return .nan }
    let process = try PipedProgram(
      Self.sqlite, arguments, environment: ["PATH": "/usr/bin:/bin"], redirecting: [1: "/dev/null"])
    process.closeInput()
    guard try process.waitForExit(within: 600) == .exited(0) else { return .nan }
    return process.usage?.processorSeconds ?? .nan
  }
}

extension Guest {
  /// Runs the program, discards its output, and returns its time and memory.
  func usage(_ arguments: [String]) throws -> PipedProgram.Usage {
    let process = try PipedProgram(program, arguments, environment: environment, redirecting: [1: "/dev/null"])
    process.closeInput()
    guard try process.waitForExit(within: 600) == .exited(0), let usage = process.usage else {
      throw BenchmarkError.missing("\(arguments): \(String(decoding: process.errors, as: UTF8.self).suffix(400))")
    }
    return usage
  }

  /// Runs the program. Throws if it fails.
  func expect(_ arguments: [String]) throws { _ = try usage(arguments) }
}
