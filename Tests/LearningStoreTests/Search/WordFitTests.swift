import GRDB
import LearningModel
import TestSupport
import Testing

@testable import LearningStore

/// Tests the SQL function `wordFit`, which rates how well a text matches a query.
struct WordFitTests {
  let fixture: SearchFixture

  init() throws { fixture = try SearchFixture() }

  private static let words = ["hill", "hills", "hillside", "river", "rivers", "stone", "moss", "owl", "fern", "lake"]

  /// Writes activities of random words. Words at the beginning of the list are the most common.
  private func write(_ count: Int, seed: UInt64 = 5) throws {
    var random = SplitMix64(seed: seed)
    func word() -> String { Self.words[min(random.below(10), random.below(10))] }
    func text(_ count: Int) -> String { (0..<count).map { _ in word() }.joined(separator: " ") }
    try fixture.write("walks", (0..<count).map { _ in (text(1 + random.below(3)), text(random.below(12))) })
  }

  /// Returns the score of each matching row according to SQLite's `bm25` and to `wordFit`.
  private func fits(_ expression: String, asking wordFitExpression: String? = nil, scopes: Int = 0, words: Int) throws
    -> (
      theirs: [Int64: Double], ours: [Int64: Double]
    )
  {
    try fixture.store.read { snapshot in
      func all(_ function: String, _ expression: String) throws -> [Int64: Double] {
        let rows = try Row.fetchAll(
          snapshot.database, sql: "SELECT rowid, \(function) FROM nodeSearch WHERE nodeSearch MATCH ?",
          arguments: [expression])
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as Int64, $0[1] as Double) })
      }
      return (
        try all("bm25(nodeSearch, 8.0, 3.0, 1.0, 0.0)", expression),
        try all(
          "wordFit(nodeSearch, (SELECT max(node) FROM searchText), \(scopes), \(words), 8.0, 3.0, 1.0)",
          wordFitExpression ?? expression)
      )
    }
  }

  private func differences(_ fits: (theirs: [Int64: Double], ours: [Int64: Double])) -> [Double] {
    fits.theirs.map { abs($0.value - (fits.ours[$0.key] ?? .infinity)) }
  }

  @Test(arguments: [
    ("\"owl\"", 0, 1), ("\"hill\" \"owl\"", 0, 2), ("\"ri\" *", 0, 1), ("{title} : (\"stone\" \"h\" *)", 0, 2),
    ("\"hill river\" \"moss\"", 0, 2), ("scope : \"kindactivity\" AND {title text} : (\"fern\" \"lake\")", 1, 2),
  ])
  func `if all occurrences are counted, wordFit returns the same as bm25`(expression: String, scopes: Int, words: Int)
    throws
  {
    try write(300)

    let fits = try fits(expression, scopes: scopes, words: words)

    #expect(fits.theirs.count > 3 && fits.theirs.keys == fits.ours.keys)
    #expect(differences(fits).allSatisfy { $0 < 1e-9 })
  }

  @Test func `words that replace a prefix are scored like the prefix`() throws {
    try write(300)

    let fits = try fits("\"owl\" \"river\" *", asking: "\"owl\" AND (\"river\" OR \"rivers\")", words: 1)

    #expect(fits.theirs.count > 3 && fits.theirs.keys == fits.ours.keys)
    // A text with both words is counted twice, so the words seem slightly more common than the prefix.
    #expect(differences(fits).allSatisfy { $0 < 0.5 })
    let best = { (fits: [Int64: Double]) in fits.sorted { $0.value < $1.value }.prefix(3).map(\.key) }
    #expect(best(fits.theirs) == best(fits.ours))
  }

  @Test func `the frequency of common words is estimated from the first occurrences`() throws {
    try write(6_000)

    let fits = try fits("\"moss\" \"stone\"", words: 2)

    #expect(fits.theirs.count > 1_000 && fits.theirs.keys == fits.ours.keys)
    #expect(zip(fits.theirs.values, fits.theirs.keys.map { fits.ours[$0] ?? 0 }).allSatisfy { abs($1 / $0 - 1) < 0.2 })
  }

  @Test func `calling wordFit with wrong arguments throws`() throws {
    try write(3)

    #expect(throws: LearningDatabaseError.self) {
      try fixture.store.read { snapshot in
        _ = try Row.fetchAll(
          snapshot.database, sql: "SELECT wordFit(nodeSearch, 1) FROM nodeSearch WHERE nodeSearch MATCH 'hill'")
      }
    }
  }

  @Test func `replacing a four-letter prefix by its words loses no matches`() throws {
    try write(300)

    for text in ["rive", "hill", "owl rive", "moss hill", "hill hills"] {
      let results = try fixture.store.read { snapshot in
        try (
          snapshot.search(text, limit: 400).hits.map(\.node.id),
          Vocabulary(snapshot: snapshot).completions(of: SearchQuery(text))
        )
      }
      let expected = try fixture.store.read { snapshot in
        let expression = SearchQuery(text).expression(in: "title summary text")
        return try Int64.fetchAll(
          snapshot.database, sql: "SELECT rowid FROM nodeSearch WHERE nodeSearch MATCH ?", arguments: [expression])
      }

      #expect(try #require(results.1).count > 1)
      #expect(Set(results.0.map(\.rawValue)).isSuperset(of: expected), "\(text)")
    }
  }
}
