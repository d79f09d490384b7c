import TerminalHarness
import TestSupport

/// The time from a letter typed into Find to its echo and to its results.
struct Finding {
  let seed: UInt64
  let language: Words

  /// The kinds of queries, with the number of queries of each kind.
  private static let kinds: [(name: String, rounds: Int, words: @Sendable (Words, inout SplitMix64) -> String)] = [
    ("a word", 14, { $0.longWord(&$1) }),
    ("two words", 8, { $0.longWord(&$1) + " " + $0.longWord(&$1) }),
    ("a misspelt word", 14, { SearchSpeed.misspell($0.longWord(&$1), &$1) }),
  ]

  /// The number of words typed while the index is incomplete. Their letters arrive before the index is complete.
  private static let earlyRounds = 3

  func table(_ visits: [Visit], unfinished: Visit) throws -> Table {
    var table = Table(
      "Program: typing in Find",
      note:
        "Seeded words of four to nine letters, typed letter by letter. The results are the last bytes after a letter. "
        + "The last column has the slowest queries: the typed text, and the word that it begins.",
      columns: ["what", "letters", "median", "99 %", "slowest", "slowest queries"])
    for visit in visits {
      let (terminal, _) = try visit.guest.browse()
      try terminal.waitUntilQuiet(for: 0.3)
      var (echoes, all) = (Letters(), Letters())
      var random = SplitMix64(seed: seed)
      for kind in Self.kinds {
        var results = Letters()
        for round in 1...kind.rounds {
          terminal.type("/")
          try terminal.waitUntilQuiet(for: 0.3)
          try type(kind.words(language, &random), in: round, into: terminal, &echoes, &results)
          terminal.press(.escape)
          try terminal.waitUntilQuiet(for: 0.3)
        }
        all.add(results)
        table.add("\(kind.name), to its results, \(visit.name)", results)
      }
      table.add(
        "letter to its echo, \(visit.name)", echoes, target: "≤ 2 ms, 99 % ≤ 8 ms",
        isMet: echoes.samples.median <= 2_000_000 && echoes.samples.p99 <= 8_000_000)
      table.add(
        "letter to its results, \(visit.name)", all, target: "≤ 50 ms",
        isMet: all.samples.quantile(1) <= 50_000_000)
      try visit.guest.leave(terminal)
    }
    try addEarly(unfinished, to: &table)
    return table
  }

  /// Types into Find as soon as a page is visible, while the index is being completed.
  private func addEarly(_ visit: Visit, to table: inout Table) throws {
    let (terminal, _) = try visit.guest.browse()
    try terminal.waitUntilQuiet(for: 0.3)
    var (echoes, results) = (Letters(), Letters())
    var random = SplitMix64(seed: seed)
    for round in 1...Self.earlyRounds {
      terminal.type("/")
      try terminal.waitUntilQuiet(for: 0.3)
      try type(language.longWord(&random), in: round, into: terminal, &echoes, &results, first: true)
      terminal.press(.escape)
      try terminal.waitUntilQuiet(for: 0.3)
    }
    let peak = ProcessFacts.peakMemory(of: terminal.processIdentifier)
    table.add(
      "letter to its first results, \(visit.name), \(peak.asMegabytes) of memory", results, target: "≤ 50 ms, 60 MB",
      isMet: results.samples.quantile(1) <= 50_000_000 && peak <= 60_000_000)
    try visit.guest.leave(terminal)
  }

  /// Types words letter by letter. The last bytes after a letter are its results, because nothing else changes on
  /// screen.
  private func type(
    _ text: String, in round: Int, into terminal: PseudoTerminal, _ echoes: inout Letters, _ results: inout Letters,
    first isFirst: Bool = false
  ) throws {
    var typed = ""
    for letter in text {
      typed.append(letter)
      let reads = terminal.reads.count
      let start = terminal.elapsed
      terminal.type(String(letter))
      try terminal.waitUntil("an echo") { terminal.reads.count > reads }
      try terminal.waitUntilQuiet(for: 0.25)
      echoes.add((terminal.reads[reads].time - start) * 1e9, typed, in: round)
      // While the index is being completed, more results appear later.
      let result = isFirst ? terminal.reads[min(reads + 1, terminal.reads.count - 1)] : terminal.reads.last
      results.add(((result?.time ?? .nan) - start) * 1e9, typed, in: round)
    }
  }
}

extension Words {
  /// Returns a random word of four to nine letters, with the frequencies of the language.
  func longWord(_ random: inout SplitMix64) -> String {
    while true {
      let word = next(&random)
      if (4...9).contains(word.count) { return word }
    }
  }
}
