import Foundation
import GRDB
import NavigationKit
import Testing

/// Runs the queries of `Documentation/asking-in-sql.md` literally on the data of a small class.
struct AskingInSQLTests {
  /// The queries of the page by their headings.
  private static let questions: [String: String] = {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Documentation/asking-in-sql.md")
    let sections = (try? String(contentsOf: page.standardized, encoding: .utf8))?.components(separatedBy: "\n## ") ?? []
    return Dictionary(
      uniqueKeysWithValues: sections.dropFirst().compactMap { section in
        let query = section.components(separatedBy: "```sql\n").dropFirst().first?.components(separatedBy: "```").first
        return query.map { (String(section.prefix { $0 != "\n" }), $0) }
      })
  }()

  private func answer(_ question: String, on fixture: NavigationFixture) throws -> [String] {
    let query = try #require(Self.questions[question])
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabaseQueue(path: fixture.database, configuration: configuration).read { database in
      try Row.fetchAll(database, sql: query).map { row in
        row.databaseValues.map { $0.description.trimmingCharacters(in: ["\""]) }.joined(separator: " | ")
      }
    }
  }

  @Test func `the page has five queries with the expected results`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    try ada.perform(.open("english/meetings/opening/agenda"))
    fixture.advance(seconds: 120)
    try ada.progress.record(.seenToEnd, in: "english/meetings/opening/agenda")
    let hello = try ada.perform(.next).to.place
    try ada.progress.save(ReadingPosition(block: 1, fraction: 0, heading: nil, savedAt: fixture.now), in: hello)
    fixture.advance(seconds: 60)
    try ada.perform(.pop)
    let ben = try fixture.service("ben")
    try ben.perform(.open("rust/start/hello"))
    let world = try ben.perform(.push("world")).to.place
    try ben.progress.save(ReadingPosition(block: 1, fraction: 0, heading: nil, savedAt: fixture.now), in: world)
    fixture.advance(seconds: 30)
    try ben.perform(.pop)
    try ben.perform(.push("world"))

    #expect(Self.questions.count == 5)
    #expect(
      try answer("Who is stuck where?", on: fixture) == [
        "ben | World | 2 | 2026-11-20T10:03:30.000Z", "ada | Hello | 1 | 2026-11-20T10:02:00.000Z",
      ])
    #expect(
      try answer("How far is everyone in each course?", on: fixture) == [
        "english | ada | 1 | 8 | 13.0", "rust | ben | 0 | 1 | 0.0",
      ])
    #expect(
      try answer("Where does the time go?", on: fixture) == [
        "2026-11-20 | Opening | 3.0", "2026-11-20 | Hello | 0.5",
      ])
    #expect(
      try answer("What do people do next after a place?", on: fixture) == [
        "rust/start/hello | push | rust/start/hello/world | 2"
      ])
    #expect(
      try answer("Which activities were never opened?", on: fixture) == [
        "english/meetings/closing/thanks | Thanks", "english/meetings/middle/rounds/circle | Circle",
        "english/meetings/middle/turns | Turns", "english/meetings/middle/votes | Votes",
        "english/negotiating/offers/anchor | Anchor", "english/negotiating/offers/range | Range",
      ])
  }

  @Test func `the page lists exactly the columns of each view`() throws {
    let fixture = try NavigationFixture()
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Documentation/asking-in-sql.md")
    let lines = try String(contentsOf: page.standardized, encoding: .utf8).components(separatedBy: "\n")

    for view in ["visit", "place", "learnerProgress"] {
      let columns = try fixture.write { try String.fetchAll($0, sql: "SELECT name FROM pragma_table_info('\(view)')") }
      let line = try #require(lines.first { $0.hasPrefix("| `\(view)` |") })
      let named = line.matches(of: /`(\w+)`/).map { String($0.output.1) }.dropFirst()
      #expect(Array(named) == columns)
    }
  }
}
