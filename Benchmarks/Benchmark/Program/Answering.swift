import TerminalHarness
import TestSupport

/// The time from a key to the first byte of its answer, at rest and during a transition.
struct Answering {
  private static let keys = 200
  let seed: UInt64

  func table(_ visits: [Visit]) throws -> Table {
    var table = Table(
      "Program: answers",
      note:
        "At 80 × 24, as fast as the terminal reads. Elapsed time: the first rows are the share of the machine and of "
        + "the measurement.",
      columns: ["what", "number", "median", "99 %", "slowest"])
    for (index, visit) in visits.enumerated() {
      let turns = try Turns(try visit.guests(), list: visit.list)
      table.addAnswer("key to first byte on an idle screen, \(visit.name)", try atRest(turns), isReference: index == 0)
      table.addAnswer(
        "key to its answer during a transition, \(visit.name)", try inMotion(turns), isReference: index == 0)
      try turns.leave()
    }
    return table
  }

  /// Moves the selection up and down.
  private func atRest(_ turns: Turns) throws -> Samples {
    var samples = Samples()
    for number in 0..<Self.keys {
      // Without this pause, all keys would arrive at the same moment of a frame.
      let terminal = try turns.next(quietFor: 0.12)
      samples.add(
        nanoseconds: try terminal.time(to: "an answer to a key") {
          terminal.press(number / turns.terminals.count % 2 == 0 ? .down : .up)
        })
    }
    return samples
  }

  /// Copies the path of the place while its transition is running. The clipboard sequence is written each time; the
  /// line at the bottom may be unchanged.
  private func inMotion(_ turns: Turns) throws -> Samples {
    var random = SplitMix64(seed: seed)
    var samples = Samples()
    for number in 0..<Self.keys {
      let terminal = try turns.next(quietFor: 0.25)
      _ = try terminal.time(to: "motion") {
        terminal.press(number / turns.terminals.count % 2 == 0 ? .enter : .left)
      }
      terminal.pump(for: 0.03 + Double(random.below(60_000)) / 1_000_000)
      let (written, start) = (terminal.output.count, terminal.elapsed)
      terminal.type("y")
      // The reference program has no clipboard and prints `Copied` with a count instead.
      try terminal.waitUntil("an answer in motion") {
        ["\u{1B}]52;", "Copied"].contains { terminal.output[written...].holds(Array($0.utf8)) }
      }
      samples.add(nanoseconds: ((terminal.reads.last?.time ?? .nan) - start) * 1e9)
    }
    return samples
  }
}
