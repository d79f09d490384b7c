import TerminalHarness

/// Memory and wake-ups of the idle program, as counted by the kernel.
struct Resting {
  let idleSeconds: Double

  func table(_ visits: [Visit]) throws -> Table {
    var table = Table(
      "Program: memory and idling",
      note: "After opening a course, a goal and an activity, Find, History and returning, at 200 × 60.",
      columns: ["what", "memory", "anonymous", "peak", "bytes", "wake-ups"])
    for (index, visit) in visits.enumerated() {
      let (terminal, _) = try visit.guest.browse(columns: 200, rows: 60)
      try terminal.waitUntilQuiet(for: 0.3)
      if index > 0 { try walk(terminal) }
      // A notice that is still visible disappears by itself within this time.
      terminal.pump(for: 4.5)
      let process = terminal.processIdentifier
      let peak = ProcessFacts.peakMemory(of: process)
      let bytes = terminal.output.count
      let before = terminal.sleep.switches
      terminal.pump(for: idleSeconds)
      let wakeUps = terminal.sleep.switches.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }
      let written = terminal.output.count - bytes
      table.add(
        "\(visit.name), idle for \(Int(idleSeconds)) s", ProcessFacts.memory(of: process).asMegabytes,
        ProcessFacts.ownMemory(of: process).asMegabytes, peak.asMegabytes, "\(written)", "\(wakeUps)",
        target: index == 0 ? "" : "≤ 60 MB, none, none",
        isMet: index == 0 ? nil : peak <= 60_000_000 && written == 0 && wakeUps == 0)
      try visit.guest.leave(terminal)
    }
    return table
  }

  private func walk(_ terminal: PseudoTerminal) throws {
    func settle() throws { try terminal.waitUntilQuiet(for: 0.4) }
    for _ in 0..<5 {
      terminal.press(.enter)
      try settle()
      terminal.press(.end)
      try settle()
    }
    for key in ["3", "1", "?", "q", "/", "s", "t"] {
      terminal.type(key)
      try settle()
    }
    terminal.press(.escape)
    for _ in 0..<3 {
      try settle()
      terminal.press(.left)
    }
    try settle()
  }
}
