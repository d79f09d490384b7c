import TerminalHarness

/// Scrolling of a long list with a repeating key.
struct Scrolling {
  private static let rate = 60.0
  let seconds: Double

  func table(_ visit: Visit) throws -> Table {
    var table = Table(
      "Program: scrolling \(visit.name)",
      note: "A key that repeats 60 times per second; each repetition must be answered by a frame before the next one.",
      columns: ["what", "keys", "answered in time", "median", "99 %", "processor"])
    let keys: [(String, NamedKey)] = [("down", .down), ("page down", .pageDown), ("up", .up), ("page up", .pageUp)]
    for (name, key) in keys {
      let (terminal, _) = try visit.guest.browse([visit.list])
      try terminal.waitUntilQuiet(for: 0.3)
      if key == .up || key == .pageUp {
        terminal.press(.end)
        try terminal.waitUntilQuiet(for: 0.3)
      }
      add(name, try hold(key, on: terminal), to: &table)
      try visit.guest.leave(terminal)
    }
    return table
  }

  private struct Held {
    var times = Samples()
    var inTime = 0
    var processor = 0.0
  }

  private func hold(_ key: NamedKey, on terminal: PseudoTerminal) throws -> Held {
    var result = Held()
    let before = ProcessFacts.processorTime(of: terminal.processIdentifier)
    let start = terminal.elapsed
    let count = Int(seconds * Self.rate)
    for number in 0..<count {
      let next = start + Double(number + 1) / Self.rate
      let reads = terminal.reads.count
      let pressed = terminal.elapsed
      terminal.press(key)
      if terminal.waits(max(0.0001, next - pressed), until: { terminal.reads.count > reads }) {
        result.inTime += 1
        result.times.add(nanoseconds: (terminal.reads[reads].time - pressed) * 1e9)
      }
      terminal.pump(for: max(0, next - terminal.elapsed))
    }
    let passed = terminal.elapsed - start
    result.processor = (ProcessFacts.processorTime(of: terminal.processIdentifier) - before) / passed
    return result
  }

  private func add(_ name: String, _ result: Held, to table: inout Table) {
    let count = Int(seconds * Self.rate)
    let fraction = Double(result.inTime) / Double(count)
    table.add(
      name, "\(count)", "\((fraction * 100).rounded(digits: 3)) %", result.times.median.asTime, result.times.p99.asTime,
      "\((result.processor * 100).rounded(digits: 2)) %", target: "60 frames per second", isMet: fraction >= 0.99)
  }
}
