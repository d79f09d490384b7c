import TerminalHarness

/// From the start of the program to its first whole frame.
struct Starting {
  let rounds: Int

  func table(_ guests: [(name: String, guest: Guest)]) throws -> Table {
    var table = Table(
      "Program: start",
      note:
        "By the clock on the wall, from starting the process to reading the last row of the first frame at 80 × 24. "
        + "The reference is `/bin/echo` under the same terminal, by turns.",
      columns: ["what", "median", "slowest", "reference", "without it"])
    for (name, guest) in guests {
      try guest.leave(guest.browse().terminal)
      var ours = Samples()
      var reference = Samples()
      for _ in 0..<rounds {
        let (terminal, seconds) = try guest.browse()
        ours.add(nanoseconds: seconds * 1e9)
        try guest.leave(terminal)
        reference.add(nanoseconds: try output(of: "/bin/echo", ["quit"], guest) * 1e9)
      }
      table.add(
        "first frame on \(name)", ours.median.asTime, ours.quantile(1).asTime, reference.median.asTime,
        (ours.median - reference.median).asTime, target: "≤ 30 ms", isMet: ours.median <= 30_000_000)
    }
    var help = Samples()
    var reference = Samples()
    for _ in 0..<rounds {
      help.add(nanoseconds: try output(of: guests[0].guest.program, ["--help"], guests[0].guest) * 1e9)
      reference.add(nanoseconds: try output(of: "/bin/echo", ["quit"], guests[0].guest) * 1e9)
    }
    table.add(
      "`--help`", help.median.asTime, help.quantile(1).asTime, reference.median.asTime,
      (help.median - reference.median).asTime)
    return table
  }

  /// Seconds until the first output of a program.
  private func output(of program: String, _ arguments: [String], _ guest: Guest) throws -> Double {
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    try terminal.launch(program, arguments, environment: guest.environment)
    try terminal.waitUntil("output") { !terminal.output.isEmpty }
    let seconds = terminal.reads[0].time
    _ = try terminal.waitForExit()
    return seconds
  }
}
