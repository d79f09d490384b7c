import TerminalHarness

/// From a key that begins a motion to the first byte of it: the step is recorded before anything moves.
struct Stepping {
  /// How often each terminal goes down, to a neighbour, and up again.
  private static let rounds = 100
  /// The end of a motion is slow: it may move by less than a cell for longer than a tenth of a second.
  private static let rest = 0.4

  /// Measures each visit by itself; a table each.
  func tables(_ visits: [Visit], _ print: (Table) -> Void) throws {
    for (index, visit) in visits.enumerated() { print(try table(visit, isReference: index == 0)) }
  }

  /// Opens a card, goes to its neighbour, and goes up again. What is not changed is not written, so every byte is a change.
  private func table(_ visit: Visit, isReference: Bool) throws -> Table {
    var (down, beside, up) = (Samples(), Samples(), Samples())
    let turns = try Turns(try visit.guests(), list: visit.list)
    for round in 0..<Self.rounds {
      func each(_ samples: inout Samples, _ press: (PseudoTerminal) -> Void) throws {
        for _ in turns.terminals {
          let terminal = try turns.next(quietFor: Self.rest)
          samples.add(nanoseconds: try terminal.time(to: "motion") { press(terminal) })
        }
      }
      try each(&down) { $0.press(.enter) }
      try each(&beside) { $0.type(round % 2 == 0 ? "n" : "p") }
      try each(&up) { $0.press(.left) }
    }
    try turns.leave()
    var table = Table(
      "Program: steps in \(visit.name)",
      note: "At 80 × 24, from a key that begins a motion on a screen at rest to its first byte; by the clock on the "
        + "wall, \(turns.terminals.count) browsers by turns.",
      columns: ["what", "number", "median", "99 %", "slowest"])
    for (name, samples) in [("Enter on a card", down), ("next and previous", beside), ("the way up", up)] {
      table.addAnswer("\(name) to the first changed byte, \(visit.name)", samples, isReference: isReference)
    }
    return table
  }
}

extension Table {
  /// Adds how long answers took to come, beside what is asked of them.
  mutating func addAnswer(_ name: String, _ samples: Samples, isReference: Bool) {
    add(
      name, "\(samples.count)", samples.median.asTime, samples.p99.asTime, samples.quantile(1).asTime,
      target: isReference ? "" : "≤ 2 ms, 99 % ≤ 8 ms",
      isMet: isReference ? nil : samples.median <= 2_000_000 && samples.p99 <= 8_000_000)
  }
}
