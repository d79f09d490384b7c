import TerminalHarness
import TestSupport

/// From a letter typed into Find to its echo, and to the first results.
struct Finding {
  private static let rounds = 60
  let seed: UInt64
  let language: Words

  func table(_ visits: [Visit]) throws -> Table {
    var table = Table(
      "Program: Find as somebody types",
      note: "The first letters of seeded words, one after the other; what is shown is what was found for all of them.",
      columns: ["what", "letters", "median", "99 %", "slowest"])
    for visit in visits {
      let (terminal, _) = try visit.guest.browse()
      try terminal.waitUntilQuiet(for: 0.3)
      var (echoes, results) = (Samples(), Samples())
      var random = SplitMix64(seed: seed)
      for _ in 0..<Self.rounds {
        terminal.type("/")
        try terminal.waitUntilQuiet(for: 0.3)
        try type(String(language.next(&random).prefix(3)), into: terminal, &echoes, &results)
        terminal.press(.escape)
        try terminal.waitUntilQuiet(for: 0.3)
      }
      table.add(
        "letter to its echo, \(visit.name)", "\(echoes.count)", echoes.median.asTime, echoes.p99.asTime,
        echoes.quantile(1).asTime, target: "≤ 2 ms, 99 % ≤ 8 ms",
        isMet: echoes.median <= 2_000_000 && echoes.p99 <= 8_000_000)
      table.add(
        "letter to its results, \(visit.name)", "\(results.count)", results.median.asTime, results.p99.asTime,
        results.quantile(1).asTime, target: "≤ 50 ms", isMet: results.p99 <= 50_000_000)
      try visit.guest.leave(terminal)
    }
    return table
  }

  /// Types a word letter by letter. The last bytes that a letter causes are its results; nothing moves by itself here.
  private func type(
    _ word: String, into terminal: PseudoTerminal, _ echoes: inout Samples, _ results: inout Samples
  ) throws {
    for letter in word {
      let reads = terminal.reads.count
      let start = terminal.elapsed
      terminal.type(String(letter))
      try terminal.waitUntil("an echo") { terminal.reads.count > reads }
      try terminal.waitUntilQuiet(for: 0.25)
      echoes.add(nanoseconds: (terminal.reads[reads].time - start) * 1e9)
      results.add(nanoseconds: ((terminal.reads.last?.time ?? .nan) - start) * 1e9)
    }
  }
}
