import TerminalHarness

/// The time from the start of the program to its first complete frame.
struct Starting {
  let rounds: Int

  func table(_ visits: [Visit], _ reference: Visit) throws -> Table {
    var table = Table(
      "Program: start",
      note:
        "Elapsed time from starting the process to reading the last row of the first frame at 80 × 24, with cached "
        + "files. The reference is a program in C that draws one frame, in the same terminal, alternately.",
      columns: ["what", "starts", "median", "99 %", "reference", "without it"])
    for visit in visits {
      try visit.guest.leave(visit.guest.browse().terminal)
      var ours = Samples()
      var others = Samples()
      for _ in 0..<rounds {
        ours.add(nanoseconds: try start(visit.guest) * 1e9)
        others.add(nanoseconds: try start(reference.guest) * 1e9)
      }
      table.add(
        "first frame on \(visit.name)", "\(rounds)", ours.median.asTime, ours.p99.asTime, others.median.asTime,
        (ours.median - others.median).asTime, target: "≤ 20 ms, or 8 × the reference",
        isMet: ours.median <= max(20_000_000, 8 * others.median))
    }
    var help = Samples()
    for _ in 0..<rounds { help.add(nanoseconds: try output(of: ["--help"], visits[0].guest) * 1e9) }
    table.add("`--help`", "\(rounds)", help.median.asTime, help.p99.asTime, "", "")
    return table
  }

  private func start(_ guest: Guest) throws -> Double {
    let (terminal, seconds) = try guest.browse()
    try guest.leave(terminal)
    return seconds
  }

  /// Returns the seconds until the first output of the program.
  private func output(of arguments: [String], _ guest: Guest) throws -> Double {
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    try terminal.launch(guest.program, arguments, environment: guest.environment)
    try terminal.waitUntil("output") { !terminal.output.isEmpty }
    let seconds = terminal.reads[0].time
    _ = try terminal.waitForExit()
    return seconds
  }
}
