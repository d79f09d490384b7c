import TerminalHarness

/// How evenly the frames of a motion follow each other.
struct Pacing {
  private static let transitions = 60

  func table(_ visits: [Visit]) throws -> Table {
    var table = Table(
      "Program: frames",
      note: "At 80 × 24 and as quick as the terminal reads; by the clock on the wall, so the first row says what the "
        + "machine and the measuring take.",
      columns: ["what", "number", "median", "99 %", "slowest"])
    for (index, visit) in visits.enumerated() {
      let (terminal, _) = try visit.guest.browse([visit.list])
      try terminal.waitUntilQuiet(for: 0.5)
      add(try motions(terminal), visit.name, index == 0, to: &table)
      try visit.guest.leave(terminal)
    }
    return table
  }

  /// When bytes came, in one motion after the other.
  private func motions(_ terminal: PseudoTerminal) throws -> [[Double]] {
    try (0..<Self.transitions).map { number in
      let first = terminal.reads.count
      terminal.press(number % 2 == 0 ? .enter : .left)
      try terminal.waitUntilQuiet(for: 0.3)
      return terminal.reads[first...].map(\.time)
    }
  }

  /// How many frames come a sixtieth of a second, or whole ones of it, after the one before: where nothing changes in a
  /// frame, nothing is written. What is read within four milliseconds is one frame.
  private func add(_ times: [[Double]], _ name: String, _ isReference: Bool, to table: inout Table) {
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
