import TerminalHarness

/// The time from a key that begins a transition to its first byte. The step is recorded before the transition begins.
struct Stepping {
  /// The number of rounds in which each terminal goes down, to a sibling, and up again.
  private static let rounds = 100
  /// The time without output after which a transition has ended, in seconds. At the end it may move by less than a cell
  /// for longer than 0.1 s.
  private static let rest = 0.4

  /// Measures each visit separately and prints a table for each.
  func tables(_ visits: [Visit], _ print: (Table) -> Void) throws {
    for (index, visit) in visits.enumerated() { print(try table(visit, isReference: index == 0)) }
  }

  /// Opens a card, goes to its sibling, and goes up again. Unchanged cells are not written, so every byte belongs to a
  /// change.
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
      note: "At 80 × 24, from a key that starts a transition on an idle screen to its first byte; elapsed time, with "
        + "\(turns.terminals.count) browsers in turn.",
      columns: ["what", "number", "median", "99 %", "slowest"])
    for (name, samples) in [("Enter on a card", down), ("next and previous", beside), ("back to the parent", up)] {
      table.addAnswer("\(name) to the first changed byte, \(visit.name)", samples, isReference: isReference)
    }
    return table
  }
}

extension Table {
  /// Adds a row with answer times and their target.
  mutating func addAnswer(_ name: String, _ samples: Samples, isReference: Bool) {
    add(
      name, "\(samples.count)", samples.median.asTime, samples.p99.asTime, samples.quantile(1).asTime,
      target: isReference ? "" : "≤ 2 ms, 99 % ≤ 8 ms",
      isMet: isReference ? nil : samples.median <= 2_000_000 && samples.p99 <= 8_000_000)
  }
}
