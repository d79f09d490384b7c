import TerminalHarness
import TestSupport

/// From a key to the first byte that answers it, and how evenly frames follow each other.
struct Answering {
  private static let keys = 200
  private static let transitions = 60
  private static let rounds = 40
  let seed: UInt64

  func table(_ visits: [Visit]) throws -> Table {
    var table = Table(
      "Program: answers and frames",
      note: "At 80 × 24 and as quick as the terminal reads; by the clock on the wall, so the first rows say what the "
        + "machine and the measuring take.",
      columns: ["what", "number", "median", "99 %", "slowest"])
    for (index, visit) in visits.enumerated() {
      let isReference = index == 0
      let (terminal, _) = try visit.guest.browse([visit.list])
      try terminal.waitUntilQuiet(for: 0.5)
      try add(atRest(terminal), "key to first byte at rest, \(visit.name)", isReference, to: &table)
      for (name, samples) in try ofMotions(terminal) {
        add(samples, "\(name) to the first changed byte, \(visit.name)", isReference, to: &table)
      }
      try add(inMotion(terminal), "key to its answer in mid-transition, \(visit.name)", isReference, to: &table)
      try addPacing(motions(terminal), visit.name, isReference, to: &table)
      try visit.guest.leave(terminal)
    }
    return table
  }

  private func press(_ key: NamedKey, on terminal: PseudoTerminal) throws {
    terminal.press(key)
    try terminal.waitUntilQuiet(for: 0.3)
  }

  private func add(_ samples: Samples, _ name: String, _ isReference: Bool, to table: inout Table) {
    table.add(
      name, "\(samples.count)", samples.median.asTime, samples.p99.asTime, samples.quantile(1).asTime,
      target: isReference ? "" : "≤ 2 ms, 99 % ≤ 8 ms",
      isMet: isReference ? nil : samples.median <= 2_000_000 && samples.p99 <= 8_000_000)
  }

  // MARK: Keys

  /// Chooses cards up and down.
  private func atRest(_ terminal: PseudoTerminal) throws -> Samples {
    var samples = Samples()
    for number in 0..<Self.keys {
      let reads = terminal.reads.count
      let start = terminal.elapsed
      terminal.press(number % 2 == 0 ? .down : .up)
      try terminal.waitUntil("an answer to a key") { terminal.reads.count > reads }
      samples.add(nanoseconds: (terminal.reads[reads].time - start) * 1e9)
      // Nobody types at the same moment of every frame.
      try terminal.waitUntilQuiet(for: 0.12)
    }
    return samples
  }

  /// Opens a card, goes to its neighbour and back, and goes up again: from each key to the first byte of its motion, which
  /// has come to rest when the next one is pressed. What is not changed is not written, so every byte is a change.
  private func ofMotions(_ terminal: PseudoTerminal) throws -> [(String, Samples)] {
    var (down, beside, up) = (Samples(), Samples(), Samples())
    func press(_ key: () -> Void) throws -> Double {
      // The end of a motion is slow: it may move by less than a cell for longer than a tenth of a second.
      try terminal.waitUntilQuiet(for: 0.4)
      let reads = terminal.reads.count
      let start = terminal.elapsed
      key()
      try terminal.waitUntil("motion") { terminal.reads.count > reads }
      return (terminal.reads[reads].time - start) * 1e9
    }
    for _ in 0..<Self.rounds {
      down.add(nanoseconds: try press { terminal.press(.enter) })
      beside.add(nanoseconds: try press { terminal.type("n") })
      beside.add(nanoseconds: try press { terminal.type("p") })
      up.add(nanoseconds: try press { terminal.press(.left) })
    }
    try terminal.waitUntilQuiet(for: 0.5)
    return [("Enter on a card", down), ("next and previous", beside), ("the way up", up)]
  }

  /// Copies the path of the place while its page is still on its way: the answer is a line at the bottom, which nothing
  /// else writes.
  private func inMotion(_ terminal: PseudoTerminal) throws -> Samples {
    var random = SplitMix64(seed: seed)
    var samples = Samples()
    let row = terminal.emulator.rows - 2
    func said() -> String { terminal.emulator.cells(row: row).map(\.text).joined() }
    for number in 0..<Self.transitions {
      let first = terminal.reads.count
      terminal.press(number % 2 == 0 ? .enter : .left)
      try terminal.waitUntil("motion") { terminal.reads.count > first }
      terminal.pump(for: 0.03 + Double(random.below(60_000)) / 1_000_000)
      let before = said()
      let start = terminal.elapsed
      terminal.type("y")
      try terminal.waitUntil("an answer in motion") { said() != before && said().contains("Copied") }
      samples.add(nanoseconds: ((terminal.reads.last?.time ?? .nan) - start) * 1e9)
      try terminal.waitUntilQuiet(for: 0.25)
    }
    return samples
  }

  // MARK: Frames

  /// When bytes came, in one motion after the other.
  private func motions(_ terminal: PseudoTerminal) throws -> [[Double]] {
    // What is still said goes by itself.
    terminal.pump(for: 4.5)
    return try (0..<Self.transitions).map { number in
      let first = terminal.reads.count
      try press(number % 2 == 0 ? .enter : .left, on: terminal)
      return terminal.reads[first...].map(\.time)
    }
  }

  /// How many frames come a sixtieth of a second, or whole ones of it, after the one before: where nothing changes in a
  /// frame, nothing is written. What is read within four milliseconds is one frame.
  private func addPacing(_ times: [[Double]], _ name: String, _ isReference: Bool, to table: inout Table) {
    var even = 0
    var all = Samples()
    for times in times {
      var starts: [Double] = []
      for (index, time) in times.enumerated() where index == 0 || time - times[index - 1] > 0.004 {
        starts.append(time)
      }
      for (one, next) in zip(starts, starts.dropFirst()) where next - one < 0.06 {
        let frames = max(1, ((next - one) * 60).rounded())
        all.add(nanoseconds: (next - one) / frames * 1e9)
        if abs((next - one) - frames / 60) <= 0.002 { even += 1 }
      }
    }
    let share = Double(even) / Double(max(1, all.count))
    table.add(
      "frames within 2 ms of a sixtieth, \(name): \((share * 100).rounded(digits: 3)) %", "\(all.count)",
      all.median.asTime, all.p99.asTime, all.quantile(1).asTime, target: isReference ? "" : "≥ 99 %",
      isMet: isReference ? nil : share >= 0.99)
  }
}

extension PseudoTerminal {
  /// Lets the terminal read until the condition holds, for so long at most; says whether it does.
  func waits(_ seconds: Double, until condition: () -> Bool) -> Bool {
    (try? waitUntil("", within: seconds, condition)) != nil
  }
}
