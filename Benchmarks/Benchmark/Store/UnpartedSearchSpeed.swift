import CourseKit
import TestSupport

/// The time of a search among 100,000 nodes whose texts have no blanks.
struct UnpartedSearchSpeed {
  let path: String
  let language: Words
  let seed: UInt64

  func table() throws -> Table {
    let library = try CourseLibrary(databaseAt: path)
    var random = SplitMix64(seed: seed)
    let kinds: [(String, Int, (inout SplitMix64) -> String)] = [
      ("one letter", 100, { [language] in String(language.next(&$0).prefix(1)) }),
      ("a word, by frequency", 300, { [language] in language.next(&$0) }),
      ("a word of any frequency", 200, { [language] in language.all[$0.below(20_000)] }),
      ("two words without a space", 200, { [language] in language.next(&$0) + language.next(&$0) }),
      ("two words with a space", 200, { [language] in language.next(&$0) + " " + language.next(&$0) }),
    ]
    var table = Table(
      "Store: search among 100,000 nodes with texts without spaces",
      note: "Seeded queries, each in its own read transaction; processor time including the kernel.",
      columns: ["what", "queries", "median", "99 %", "with hits"])
    var all = Samples()
    for (name, count, make) in kinds {
      var samples = Samples(reserving: count)
      var foundCount = 0
      for _ in 0..<count {
        let query = make(&random)
        var hits = 0
        try samples.measure(.process) { hits = try library.search(query).hits.count }
        if hits > 0 { foundCount += 1 }
      }
      all.add(samples)
      table.add(name, "\(count)", samples.median.asTime, samples.p99.asTime, "\(foundCount)")
    }
    table.add(
      "all", "\(all.count)", all.median.asTime, all.p99.asTime, "", target: "≤ 10 ms, 99 % ≤ 60 ms",
      isMet: all.median <= 10_000_000 && all.p99 <= 60_000_000)
    return table
  }
}
