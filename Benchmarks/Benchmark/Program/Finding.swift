import TerminalHarness
import TestSupport

/// From a letter typed into Find to its echo, and to its results.
struct Finding {
  let seed: UInt64
  let language: Words

  /// What somebody types, and how often.
  private static let kinds: [(name: String, rounds: Int, words: @Sendable (Words, inout SplitMix64) -> String)] = [
    ("a word", 14, { $0.longWord(&$1) }),
    ("two words", 8, { $0.longWord(&$1) + " " + $0.longWord(&$1) }),
    ("a word with a slip", 14, { SearchSpeed.misspell($0.longWord(&$1), &$1) }),
  ]

  func table(_ visits: [Visit]) throws -> Table {
    var table = Table(
      "Program: Find as somebody types",
      note:
        "Every letter of seeded words of four to nine letters, one after the other; results are the last bytes that "
        + "a letter causes.",
      columns: ["what", "letters", "median", "99 %", "slowest"])
    for visit in visits {
      let (terminal, _) = try visit.guest.browse()
      try terminal.waitUntilQuiet(for: 0.3)
      var (echoes, all) = (Samples(), Samples())
      var random = SplitMix64(seed: seed)
      for kind in Self.kinds {
        var results = Samples()
        for _ in 0..<kind.rounds {
          terminal.type("/")
          try terminal.waitUntilQuiet(for: 0.3)
          try type(kind.words(language, &random), into: terminal, &echoes, &results)
          terminal.press(.escape)
          try terminal.waitUntilQuiet(for: 0.3)
        }
        all.add(results)
        table.add(
          "\(kind.name), to its results, \(visit.name)", "\(results.count)", results.median.asTime,
          results.p99.asTime, results.quantile(1).asTime)
      }
      table.add(
        "letter to its echo, \(visit.name)", "\(echoes.count)", echoes.median.asTime, echoes.p99.asTime,
        echoes.quantile(1).asTime, target: "≤ 2 ms, 99 % ≤ 8 ms",
        isMet: echoes.median <= 2_000_000 && echoes.p99 <= 8_000_000)
      table.add(
        "letter to its results, \(visit.name)", "\(all.count)", all.median.asTime, all.p99.asTime,
        all.quantile(1).asTime, target: "≤ 50 ms", isMet: all.quantile(1) <= 50_000_000)
      try visit.guest.leave(terminal)
    }
    return table
  }

  /// Types words letter by letter. The last bytes that a letter causes are its results; nothing moves by itself here.
  private func type(
    _ words: String, into terminal: PseudoTerminal, _ echoes: inout Samples, _ results: inout Samples
  ) throws {
    for letter in words {
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

extension Words {
  /// A word of four to nine letters, as often as it is used.
  fileprivate func longWord(_ random: inout SplitMix64) -> String {
    while true {
      let word = next(&random)
      if (4...9).contains(word.count) { return word }
    }
  }
}
