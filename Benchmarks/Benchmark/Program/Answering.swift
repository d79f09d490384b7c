import TerminalHarness
import TestSupport

/// From a key to the first byte that answers it, and how evenly frames follow each other.
struct Answering {
  private static let keys = 200
  private static let transitions = 60
  let seed: UInt64
  let idleSeconds: Double

  func table(_ small: Guest, large: Guest) throws -> Table {
    var table = Table(
      "Program: answers, frames, memory",
      note: "At 80 × 24 and as quick as the terminal reads; by the clock on the wall.",
      columns: ["what", "number", "median", "99 %", "slowest"])
    for (name, guest) in [("the bundled course", small), ("a course of 100,111 nodes", large)] {
      let (terminal, _) = try guest.browse()
      try terminal.waitUntilQuiet(for: 0.3)
      try add(atRest(terminal), "key to first byte at rest, \(name)", to: &table)
      var times: [[Double]] = []
      try add(inMotion(terminal, &times), "key to its answer in mid-transition, \(name)", to: &table)
      addPacing(times, name, to: &table)
      let peak = ProcessMemory.peak(of: terminal.processIdentifier)
      table.add(
        "memory, \(name)", "", ProcessMemory.present(of: terminal.processIdentifier).asMegabytes, "",
        peak.asMegabytes, target: "≤ 60 MB", isMet: peak <= 60_000_000)
      try addIdle(terminal, name, to: &table)
      try guest.leave(terminal)
    }
    return table
  }

  private func add(_ samples: Samples, _ name: String, to table: inout Table) {
    table.add(
      name, "\(samples.count)", samples.median.asTime, samples.p99.asTime, samples.quantile(1).asTime,
      target: "≤ 2 ms, 99 % ≤ 8 ms", isMet: samples.median <= 2_000_000 && samples.p99 <= 8_000_000)
  }

  // MARK: Keys

  /// Chooses cards up and down.
  private func atRest(_ terminal: PseudoTerminal) throws -> Samples {
    terminal.press(.enter)
    try terminal.waitUntilQuiet(for: 0.3)
    var samples = Samples()
    for number in 0..<Self.keys {
      let reads = terminal.reads.count
      let start = terminal.elapsed
      terminal.press(number % 2 == 0 ? .down : .up)
      try terminal.waitUntil("an answer to a key") { terminal.reads.count > reads }
      samples.add(nanoseconds: (terminal.reads[reads].time - start) * 1e9)
      try terminal.waitUntilQuiet(for: 0.06)
    }
    return samples
  }

  /// Copies the path of the place while its page is still on its way: the answer is a line at the bottom, which nothing
  /// else writes.
  private func inMotion(_ terminal: PseudoTerminal, _ times: inout [[Double]]) throws -> Samples {
    var random = SplitMix64(seed: seed)
    var samples = Samples()
    let row = terminal.emulator.rows - 2
    func said() -> String { terminal.emulator.cells(row: row).map(\.text).joined() }
    for number in 0..<Self.transitions {
      let first = terminal.reads.count
      terminal.press(number % 2 == 0 ? .enter : .left)
      try terminal.waitUntil("motion") { terminal.reads.count > first }
      terminal.pump(for: 0.03 + Double(random.below(60)) / 1000)
      let before = said()
      let start = terminal.elapsed
      terminal.type("y")
      try terminal.waitUntil("an answer in motion") { said() != before && said().contains("Copied") }
      samples.add(nanoseconds: ((terminal.reads.last?.time ?? .nan) - start) * 1e9)
      try terminal.waitUntilQuiet(for: 0.25)
      times.append(terminal.reads[first...].map(\.time))
    }
    return samples
  }

  // MARK: Frames

  /// How many frames come a sixtieth of a second, or whole ones of it, after the one before. What is read within four
  /// milliseconds is one frame.
  private func addPacing(_ times: [[Double]], _ name: String, to table: inout Table) {
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
      all.median.asTime, all.p99.asTime, all.quantile(1).asTime, target: "≥ 99 %", isMet: share >= 0.99)
  }

  private func addIdle(_ terminal: PseudoTerminal, _ name: String, to table: inout Table) throws {
    // A notice that is still shown goes by itself.
    try terminal.waitUntilQuiet(for: 4.5, within: 20)
    let bytes = terminal.output.count
    let before = terminal.contextSwitches
    terminal.pump(for: idleSeconds)
    let after = terminal.contextSwitches
    let woken = after.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }
    table.add(
      "idle for \(Int(idleSeconds)) s, \(name): \(terminal.output.count - bytes) bytes, \(woken) wake-ups", "", "", "",
      "", target: "none", isMet: terminal.output.count == bytes && woken == 0)
  }
}
