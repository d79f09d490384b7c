import GRDB
import LearningModel
import TestSupport
import Testing

@testable import LearningStore

/// Tests that the index has few segments, and that merging them does not delay other writes.
struct SegmentMergeTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func segments(of store: LearningStore) throws -> Int {
    try store.read { try $0.value("SELECT count(DISTINCT segid) FROM nodeSearch_idx") ?? 0 }
  }

  private func found(_ word: String, in store: LearningStore) throws -> Int {
    try store.read { try $0.value("SELECT count(*) FROM nodeSearch WHERE nodeSearch MATCH ?", word) ?? 0 }
  }

  /// Fails if the index is inconsistent with the texts.
  private func check(_ store: LearningStore) throws {
    try store.write { try $0.database.execute(sql: "INSERT INTO nodeSearch (nodeSearch) VALUES ('integrity-check')") }
  }

  @Test func `many small imports leave few segments and every word is found`() throws {
    let store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    for number in 0..<40 { try write("course-\(number)", ["Activity \(number)"], number, to: store) }

    // Of 40 segments, two groups of sixteen are merged into one segment each, and eight remain.
    #expect(try segments(of: store) == 10)
    #expect(try found("activity", in: store) == 40)
    try check(store)
  }

  @Test func `an interrupted merge is continued by the next run`() throws {
    let store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    for number in 0..<15 { try write("course-\(number)", ["Activity \(number)"], number, to: store) }
    var merge = SegmentMerge()
    try write("course-15", ["Activity 15"], 15, to: store, indexed: false)
    _ = try store.write { try IndexBatch(of: 100, from: $0.snapshot).write(in: $0) }

    try merge.run(on: store, until: IndexingDeadline(deadline: .now))
    #expect(try segments(of: store) == 16)
    try merge.run(on: store, until: IndexingDeadline())

    #expect(try segments(of: store) == 1)
    try check(store)
  }

  @Test func `the segments of a large index are merged in several steps`() throws {
    let store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    let titles = (0..<2_000).map { "Activity \($0) \(String(repeating: "word\($0 % 300) ", count: 20))" }

    try write("large", titles, 0, to: store)

    #expect(try segments(of: store) < 31)
    #expect(try found("activity", in: store) == 2_000)
    try check(store)
  }

  @Test func `automatic merging of the search index is disabled`() throws {
    let store = try LearningStore.open(at: folder.file("waymark.sqlite"))

    let settings = try store.read { snapshot in
      try String.fetchAll(
        snapshot.database, sql: "SELECT k || ' ' || v FROM nodeSearch_config WHERE k <> 'version' ORDER BY k")
    }

    #expect(settings == ["automerge 0", "crisismerge 64", "usermerge 16"])
  }

  /// Writes a course whose activities have the given titles.
  private func write(
    _ key: String, _ titles: [String], _ position: Int, to store: LearningStore, indexed: Bool = true
  ) throws {
    func node(_ parent: Int?, _ kind: ContentKind, _ number: Int, _ title: String) -> PlannedNode {
      PlannedNode(
        id: nil, parent: parent, key: parent == nil ? key : "\(kind)-\(number)", kind: kind,
        position: parent == nil ? position : number, slug: parent == nil ? key : "\(kind)-\(number)", title: title,
        summary: "", minutes: nil, changes: [])
    }
    let nodes =
      [node(nil, .course, 0, key), node(0, .goal, 0, "Goal"), node(1, .lesson, 0, "Lesson")]
      + titles.enumerated().map { node(2, .activity, $0, $1) }
    let plan = CoursePlan(
      key: key, base: nil, format: "test", sourceName: key, sourceDigest: "", language: nil, nodes: nodes,
      removed: [], counts: DifferenceCounts(added: nodes.count))
    _ = try store.importing { try $0.commit(plan, at: Timestamp(milliseconds: 0)) }
    if indexed { try store.indexSearch() }
  }
}
