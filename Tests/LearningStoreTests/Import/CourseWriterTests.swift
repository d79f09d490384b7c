import GRDB
import LearningModel
import TestSupport
import Testing

@testable import LearningStore

struct CourseWriterTests {
  let folder: TemporaryFolder
  let store: LearningStore

  init() throws {
    folder = try TemporaryFolder()
    store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    try Outline.sample.write(to: store)
  }

  private func plan(base: Int?) -> CoursePlan {
    CoursePlan(
      key: "english", base: base, format: "outline", sourceName: "outline", sourceDigest: "0", language: nil,
      nodes: Outline.sample.nodes, removed: [], counts: DifferenceCounts())
  }

  @Test(arguments: [nil, 2, 7])
  func `a plan that was made of another revision is refused`(base: Int?) throws {
    let error = #expect(throws: LearningStoreError.self) {
      try store.importing { try $0.commit(plan(base: base), at: Timestamp(milliseconds: 2_000)) }
    }

    #expect(error == .changedMeanwhile(path: store.path, course: "english"))
    #expect(try store.read { try $0.courses() }.map(\.revision) == [1])
  }

  @Test func `while contents are staged everybody else writes`() throws {
    try store.importing { writer in
      try writer.stage(StoredContent(.reading([])), at: 0)

      try store.write(waitingAtMost: 20) { _ = try $0.makeLearner(named: "ada", at: Timestamp(milliseconds: 1_000)) }
    }
  }

  @Test func `a writer that gives up leaves nothing behind`() throws {
    let before = try folder.names

    try store.importing { try $0.stage(StoredContent(.reading([])), at: 0) }

    #expect(try folder.names == before)
  }

  @Test func `an import notes what it was of and what it did`() throws {
    let rows = try store.read { snapshot in
      try Row.fetchAll(snapshot.database, sql: "SELECT * FROM courseRevision").map { Array($0.databaseValues) }
    }

    let expected: [any DatabaseValueConvertible] = [1, 1, 1_000, "outline", "outline", "0", 12, 0, 0, 0, 0, 0]
    #expect(rows == [expected.map(\.databaseValue)])
  }

  @Test func `equal contents are stored as equal texts, and count their letters`() throws {
    let content = ActivityContent.reading([.paragraph([.text("Naïve "), .strong([.text("words")])])])

    #expect(try StoredContent(content) == StoredContent(content))
    #expect(try StoredContent(content).letters == 11)
    #expect(try StoredContent(content).type == .reading)
  }
}
