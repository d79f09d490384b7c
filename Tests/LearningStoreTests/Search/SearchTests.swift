import Foundation
import GRDB
import LearningModel
import TestSupport
import Testing

@testable import LearningStore

struct SearchTests {
  let fixture: SearchFixture

  init() throws { fixture = try SearchFixture() }

  private let offers = [
    ("Anchors", "Whoever names a number first drops an anchor."),
    ("The first offer", "An offer that is too high closes doors; one too low closes none."),
    ("Closing", "Say the offer back in your own words. Don't hurry."),
    ("Café talk", "Naïve questions are welcome."),
  ]

  @Test func `a word is found in titles before texts, ignoring case and accents`() throws {
    try fixture.write("Negotiating", offers)

    #expect(try fixture.titles("OFFER") == ["The first offer", "Closing"])
    #expect(try fixture.titles("cafe") == ["Café talk"])
    #expect(try fixture.titles("naive ") == ["Café talk"])
    #expect(try fixture.titles("naïve") == ["Café talk"])
  }

  @Test(arguments: ["Über alles", "Йод и ёлка", "Ελλάδα", "각 나", "がっこう", "Việt Nam"])
  func `titles are found in all forms of Unicode, and a whole title comes first`(title: String) throws {
    let forms = [title.precomposedStringWithCanonicalMapping, title.decomposedStringWithCanonicalMapping]
    for form in forms {
      let fixture = try SearchFixture()
      try fixture.write("Course", [("More: \(form) \(form)", ""), (form, "")])

      for query in forms + forms.map({ $0.lowercased() }) {
        #expect(try fixture.titles(query) == [form, "More: \(form) \(form)"], "\(query)")
      }
    }
  }

  @Test func `all words must match, the last one as a prefix`() throws {
    try fixture.write("Negotiating", offers)

    #expect(try fixture.titles("high clo") == ["The first offer"])
    #expect(try fixture.titles("high clo ") == [])
    #expect(try fixture.titles("anchor") == ["Anchors"])
    #expect(try fixture.titles("offer anchor") == [])
  }

  @Test func `words in quotation marks must be adjacent`() throws {
    try fixture.write("Negotiating", offers)

    #expect(try fixture.titles("\"own words\"") == ["Closing"])
    #expect(try fixture.titles("\"words own\"") == [])
    #expect(try fixture.titles("“own words”") == ["Closing"])
    #expect(try fixture.titles("don't") == ["Closing"])
  }

  @Test func `a query that is too long is cut after a whole word`() throws {
    try fixture.write("Negotiating", offers)
    // The query has 498 letters before the last word, which would be cut to two letters.
    let query = String(repeating: "offer ", count: 83)

    let (fitting, cut) = try fixture.store.read { snapshot in
      (try snapshot.search(query + "of"), try snapshot.search(query + "nowhere and nothing"))
    }

    #expect(cut.hits.map(\.node.title) == ["The first offer", "Closing"])
    #expect(cut.hits.map(\.node.title) == fitting.hits.map(\.node.title))
    #expect(SearchQuery(query + "nowhere").phrases == Array(repeating: "offer", count: 83))
    // A query of one long word is cut within the word.
    #expect(SearchQuery(String(repeating: "x", count: 10_000)).phrases == [String(repeating: "x", count: 500)])
  }

  @Test(arguments: [
    "", " ", "\"", "\"\"", "*", "-", "(", ")", "a OR", "NOT", "AND", "NEAR(", "title:", "title : x", "{a b}", "^x",
    "a^2",
    "'; DROP TABLE contentNode; --", "\0", "a\0b", "🏔", "++", ":-)", "x*y*", "\\", "%", "\"a\"\"b\"", "a + b",
    "col:\"x", "²",
  ])
  func `any text is a valid query`(text: String) throws {
    try fixture.write("Negotiating", offers)

    _ = try fixture.titles(text)

    #expect(try fixture.store.read { try $0.courses() }.count == 1)
  }

  @Test func `a search can be limited to a course and a kind`() throws {
    let one = try fixture.write("Negotiating", goal: "An offer", offers)
    let two = try fixture.write("Trading", position: 1, [("Another offer", "Take it.")])

    #expect(try fixture.titles("offer", course: two) == ["Another offer"])
    #expect(try fixture.titles("offer", kind: .goal) == ["An offer"])
    #expect(Set(try fixture.titles("offer", course: one)) == ["An offer", "The first offer", "Closing"])
    #expect(try fixture.titles("offer", course: one, kind: .activity, limit: 1) == ["The first offer"])
    // The index marks courses and kinds with words, which must not be found as text.
    #expect(try fixture.titles("course\(one.rawValue)") == [])
    #expect(try fixture.titles("kindgoal") == [])
  }

  @Test(arguments: [
    ("ofer", "offer"), ("offfer", "offer"), ("ofefr", "offer"), ("pffer", "offer"), ("ffer", "offer"),
    ("xoffer", "offer"), ("foofer", nil), ("fofer", "offer"), ("questinos", "questions"), ("kuestoins", "questions"),
    ("of", nil), ("zzzzz", nil),
  ])
  func `a misspelt word is corrected`(typed: String, meant: String?) throws {
    try fixture.write("Negotiating", offers)

    let findings = try fixture.store.read { try $0.search(typed + " ") }

    #expect(findings.didYouMean == meant)
    #expect(findings.hits.isEmpty == (meant == nil))
  }

  @Test func `a query with enough results is not corrected`() throws {
    try fixture.write("Negotiating", [("Ofer the dog", "Ofer barks"), ("Ofer again", ""), ("Ofer", ""), ("Offer", "")])

    #expect(try fixture.store.read { try $0.search("ofer ") }.didYouMean == nil)
  }

  @Test func `a removed course is not found any more`() throws {
    let course = try fixture.write("Negotiating", offers)
    _ = try fixture.store.removeCourse(course, at: Timestamp(milliseconds: 1))

    #expect(try fixture.titles("offer") == [])
    #expect(try fixture.store.indexSearch())
    #expect(try fixture.titles("offer") == [])
    #expect(try fixture.store.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM searchText") } == 0)
    #expect(
      try fixture.store.read {
        try Int.fetchOne($0.database, sql: "SELECT count(*) FROM nodeSearch WHERE nodeSearch MATCH 'offer'")
      }
        == 0)
  }

  @Test func `interrupted indexing continues where it stopped`() throws {
    try fixture.write("Negotiating", [])
    let many = (0..<500).map { ("Activity \($0)", "word\($0) common") }
    try fixture.write("Long", position: 1, many)
    try fixture.store.write { try $0.rebuildSearch() }

    #expect(try fixture.store.indexSearch(for: 0) == false)
    let batch = try fixture.store.read { try IndexBatch(of: 100, from: $0) }
    try fixture.store.write { _ = try batch.write(in: $0) }
    #expect(try fixture.titles("word0 ") == ["Activity 0"])
    #expect(try !fixture.titles("word499 ").contains("Activity 499"))
    var remaining: [Int] = []
    #expect(try fixture.store.indexSearch { done, total in remaining.append(total - done) })

    #expect(remaining.last == 0)
    #expect(try fixture.titles("word499 ") == ["Activity 499"])
    #expect(
      try fixture.store.read {
        try Int.fetchOne($0.database, sql: "SELECT count(*) FROM nodeSearch WHERE nodeSearch MATCH 'common'")
      } == 500)
  }

  @Test func `indexing stops when interrupted and reports that it is incomplete`() throws {
    try fixture.write("Long", (0..<500).map { ("Activity \($0)", "word\($0)") })
    #expect(try fixture.store.read { try $0.isIndexComplete() })
    try fixture.store.write { try $0.rebuildSearch() }
    let interruption = Interruption()
    var batches = 0

    let isWhole = try fixture.store.indexSearch(until: interruption) { _, _ in
      batches += 1
      if batches == 2 { interruption.interrupt() }
    }

    #expect((isWhole, batches) == (false, 2))
    #expect(try !fixture.store.read { try $0.isIndexComplete() })
    #expect(try fixture.titles("word0 ") == ["Activity 0"])
    #expect(try fixture.store.indexSearch())
    #expect(try fixture.store.read { try $0.isIndexComplete() })
    #expect(try fixture.titles("word499 ") == ["Activity 499"])
  }

  @Test func `a batch skips nodes that were changed after the batch was read`() throws {
    let course = try fixture.write("Negotiating", offers)
    try fixture.store.write { try $0.rebuildSearch() }
    let batch = try fixture.store.read { try IndexBatch(of: 100, from: $0) }
    _ = try fixture.store.removeCourse(course, at: Timestamp(milliseconds: 1))

    try fixture.store.write { _ = try batch.write(in: $0) }

    #expect(try fixture.store.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM searchText") } == 0)
    #expect(try fixture.store.indexSearch())
    #expect(try fixture.store.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM searchQueue") } == 0)
    #expect(try fixture.store.read { try $0.contentProblems() } == [])
  }

  @Test func `a rebuilt index returns the same results`() throws {
    try fixture.write("Negotiating", offers)
    let before = try fixture.store.read { try $0.search("offer") }

    try fixture.store.write { try $0.rebuildSearch() }
    #expect(try fixture.store.read { try $0.search("offer") }.hits == [])
    try fixture.store.indexSearch()

    #expect(try fixture.store.read { try $0.search("offer") } == before)
    #expect(!before.hits.isEmpty)
  }
}

struct EditDistanceTests {
  @Test(arguments: [
    ("offer", "offer", 0), ("offer", "ofer", 1), ("offer", "offfer", 1), ("offer", "ofefr", 1), ("offer", "affer", 1),
    ("offer", "foefr", 2), ("offer", "", nil), ("", "ab", 2), ("offer", "closing", nil), ("ab", "ba", 1),
  ])
  func `the distance counts letters added, deleted, replaced or swapped`(first: String, second: String, distance: Int?)
  {
    #expect(EditDistance.distance(Array(first.unicodeScalars), Array(second.unicodeScalars), limit: 2) == distance)
    #expect(EditDistance.distance(Array(second.unicodeScalars), Array(first.unicodeScalars), limit: 2) == distance)
  }
}
