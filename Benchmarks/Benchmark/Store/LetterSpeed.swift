import CourseKit
import TestSupport

/// The time of each letter of a word typed into Find, without a terminal and a screen. Unlike with a terminal, the
/// slowest beginnings are the same in every run.
struct LetterSpeed {
  private static let words = 150
  let path: String
  let language: Words
  let seed: UInt64

  func table() throws -> Table {
    let library = try CourseLibrary(databaseAt: path)
    var random = SplitMix64(seed: seed)
    var table = Table(
      "Store: search letter by letter",
      note:
        "All prefixes of \(Self.words) seeded words and of as many misspelt words, queried as in Find; processor time "
        + "including the kernel.",
      columns: ["what", "letters", "median", "99 %", "slowest", "slowest queries"])
    let kinds: [(String, (inout SplitMix64) -> String)] = [
      ("a word", { [language] in language.longWord(&$0) }),
      ("a second word", { [language] in language.longWord(&$0) + " " + language.longWord(&$0) }),
      ("a misspelt word", { [language] in SearchSpeed.misspell(language.longWord(&$0), &$0) }),
    ]
    for (name, make) in kinds {
      var letters = Letters()
      for round in 1...Self.words {
        let word = make(&random)
        let first = word.firstIndex(of: " ").map { word.distance(from: word.startIndex, to: $0) + 2 } ?? 1
        for count in first...word.count {
          let typed = String(word.prefix(count))
          var time = Samples()
          try time.measure(.process) { _ = try library.search(typed, limit: 50, snippets: 2, length: 24) }
          letters.add(time.median, typed, in: round)
        }
      }
      table.add(name, letters)
    }
    return table
  }
}
