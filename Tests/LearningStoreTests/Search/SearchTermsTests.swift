import GRDB
import LearningModel
import Migrations
import TestSupport
import Testing

@testable import LearningStore

/// Tests that the table of search terms contains exactly the words of the index.
struct SearchTermsTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let texts = [
    "Negotiating in English: don't hurry", "CAFÉ, naïve — Ærøskøbing", "Привет, МИР! Ёлка", "日本語 テスト 123abc",
    "x²+y² e=mc^2 C++ C# .NET", "e\u{301}te\u{301} \u{301}x", "", "a\u{2}b\u{3}c d", "Straße İstanbul ıI",
    "under_score-dash’apostrophe“quotes”", "Ελληνικά ΣΊΣΥΦΟΣ", "emoji 🏔 here", "١٢٣ ½ Ⅷ",
  ]

  private func write(to store: LearningStore) throws {
    var nodes = [ContentKind.course, .goal, .lesson].enumerated().map { index, kind in
      PlannedNode(
        id: nil, parent: index == 0 ? nil : index - 1, key: index == 0 ? "terms" : "\(kind)", kind: kind, position: 0,
        slug: "\(kind)", title: "\(kind)", summary: Self.texts[index], minutes: nil, changes: [])
    }
    nodes += Self.texts.indices.map { index in
      PlannedNode(
        id: nil, parent: 2, key: "activity-\(index)", kind: .activity, position: index, slug: "activity-\(index)",
        title: Self.texts[(index + 1) % Self.texts.count] + "!", summary: "", minutes: nil, changes: [])
    }
    let plan = CoursePlan(
      key: "terms", base: nil, format: "test", sourceName: "terms", sourceDigest: "", language: nil, nodes: nodes,
      removed: [], counts: DifferenceCounts(added: nodes.count))
    try store.importing { writer in
      for (index, text) in Self.texts.enumerated() {
        try writer.stage(StoredContent(.reading([.paragraph([.text(text)])])), at: index + 3)
      }
      _ = try writer.commit(plan, at: Timestamp(milliseconds: 0))
    }
    try store.indexSearch()
  }

  private static let ofTheIndex =
    "SELECT term || ' ' || max(col = 'title') FROM searchWord WHERE col <> 'scope' GROUP BY term ORDER BY term"
  private static let besideIt = "SELECT term || ' ' || inTitle FROM searchTerm ORDER BY term"

  /// Returns the words of the index, without the letter pairs of scripts without spaces.
  private func wordsOfTheIndex(_ snapshot: StoreSnapshot) throws -> [String] {
    try String.fetchAll(snapshot.database, sql: Self.ofTheIndex).filter { !LetterPairs.areNeeded(for: $0) }
  }

  @Test func `every word of the index is in the table of search terms`() throws {
    let store = try LearningStore.open(at: folder.file("waymark.sqlite"))

    try write(to: store)

    let (index, table) = try store.read { snapshot in
      (
        try wordsOfTheIndex(snapshot),
        try String.fetchAll(snapshot.database, sql: Self.besideIt)
      )
    }
    #expect(table == index)
    #expect(index.contains("привет 1") && index.contains("cafe 1") && index.contains("lesson 1"))
  }

  @Test func `a word that occurs in a later title is marked as a title word`() throws {
    let store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    // More nodes than the first batch contains.
    let nodes = [ContentKind.course, .goal, .lesson].enumerated().map { index, kind in
      PlannedNode(
        id: nil, parent: index == 0 ? nil : index - 1, key: "\(kind)", kind: kind, position: 0, slug: "\(kind)",
        title: "\(kind)", summary: "", minutes: nil, changes: [])
    }
    let activities = (0..<300).map { number in
      PlannedNode(
        id: nil, parent: 2, key: "activity-\(number)", kind: .activity, position: number, slug: "activity-\(number)",
        title: number == 290 ? "Seldom" : "Reading \(number % 7)", summary: "", minutes: nil, changes: [])
    }
    let plan = CoursePlan(
      key: "course", base: nil, format: "test", sourceName: "", sourceDigest: "", language: nil,
      nodes: nodes + activities, removed: [], counts: DifferenceCounts(added: 303))
    try store.importing { writer in
      for number in 0..<300 {
        let text = number % 2 == 0 ? "seldom and reading" : "other \(number)"
        try writer.stage(StoredContent(.reading([.paragraph([.text(text)])])), at: number + 3)
      }
      _ = try writer.commit(plan, at: Timestamp(milliseconds: 0))
    }

    try store.indexSearch()

    let (index, table) = try store.read { snapshot in
      (
        try wordsOfTheIndex(snapshot),
        try String.fetchAll(snapshot.database, sql: Self.besideIt)
      )
    }
    #expect(table == index)
    #expect(index.contains("seldom 1") && index.contains("and 0"))
  }

  @Test func `a word that no text contains any more is not suggested as correction`() throws {
    let store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    try write(to: store)
    #expect(try store.read { try $0.search("negotiatin ") }.didYouMean == "negotiating")
    let course = try #require(try store.read { try $0.courses() }.first)

    _ = try store.removeCourse(course.id, at: Timestamp(milliseconds: 1))
    try store.indexSearch()

    #expect(
      try store.read { try Bool.fetchOne($0.database, sql: "SELECT 1 FROM searchTerm WHERE term = 'negotiating'") }
        == true)
    #expect(
      try store.read { try $0.search("negotiatin ") }
        == SearchFindings(hits: [], didYouMean: nil, searchedFor: "negotiatin "))
  }
}
