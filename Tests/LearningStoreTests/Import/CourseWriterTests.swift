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
    try CourseOutlines.sample.write(to: store)
  }

  private func plan(base: Int?) -> CoursePlan {
    CoursePlan(
      key: "english", base: base, format: "outline", sourceName: "outline", sourceDigest: "0", language: nil,
      nodes: CourseOutlines.sample.nodes, removed: [], counts: DifferenceCounts())
  }

  @Test(arguments: [nil, 2, 7])
  func `a plan for another revision is rejected`(base: Int?) throws {
    let error = #expect(throws: LearningDatabaseError.self) {
      try store.importing { try $0.commit(plan(base: base), at: Timestamp(milliseconds: 2_000)) }
    }

    #expect(error == .changedMeanwhile(path: store.path, course: "english"))
    #expect(try store.read { try $0.courses() }.map(\.revision) == [1])
  }

  /// Returns a plan for the current course with one additional activity.
  private func planWithOneMore() throws -> CoursePlan {
    let course = try #require(try store.read { try $0.course(withKey: "english") })
    let storedNodes = try store.read { try $0.everyNode(of: course.id) }
    var plan = plan(base: course.revision)
    for index in plan.nodes.indices {
      let old = storedNodes.first { $0.key == plan.nodes[index].key }
      plan.nodes[index].id = old?.id
      if old?.isRemoved == true { plan.nodes[index].changes = [.placement, .description, .content] }
    }
    let parent = try #require(plan.nodes.firstIndex { $0.key == "loffers" })
    plan.nodes.append(
      PlannedNode(
        id: storedNodes.first { $0.key == "more" }?.id, parent: parent, key: "more", kind: .activity, position: 1,
        slug: "more",
        title: "More", summary: "", minutes: nil, changes: [.placement, .description, .content]))
    return plan
  }

  private func commit(_ plan: CoursePlan) throws {
    try store.importing { writer in
      for (index, node) in plan.nodes.enumerated() where node.kind == .activity && node.changes.contains(.content) {
        try writer.stage(StoredContent(.reading([])), at: index)
      }
      _ = try writer.commit(plan, at: Timestamp(milliseconds: 2_000))
    }
  }

  @Test func `a plan is rejected after a merge has added one of its nodes`() throws {
    let plan = try planWithOneMore()
    // Ada has added a bookmark to the new activity in another database.
    var record = LearnerRecord(
      uuid: RandomIdentifier.make(), name: "ada", createdAt: Timestamp(milliseconds: 0))
    for (parent, key, kind) in [(nil, "english", PlaceKind.course), (0, "more", .activity)] {
      record.nodes.append(
        LearnerRecord.Node(course: "english", key: key, parent: parent, kind: kind, slug: key, title: "Ada's \(key)"))
    }
    record.bookmarks.append(LearnerRecord.BookmarkRow(node: 1, createdAt: Timestamp(milliseconds: 5)))
    record.changes.append(LearnerRecord.FactChangeRow(kind: .bookmark, node: 1, stamp: 5, replica: ""))
    _ = try store.write { try $0.merge(record, at: Timestamp(milliseconds: 5)) }

    let error = #expect(throws: LearningDatabaseError.self) { try commit(plan) }

    #expect(error == .changedMeanwhile(path: store.path, course: "english"))
    #expect(try store.read { try $0.courses() }.map(\.revision) == [1])
    try commit(planWithOneMore())
    #expect(try store.read { try $0.node(at: "english/negotiating/loffers/more").title } == "More")
    #expect(try store.read { try $0.fileProblems() + $0.contentProblems() } == [])
  }

  @Test func `restoring a removed course fails if its slug was taken in the meantime`() throws {
    let course = try #require(try store.read { try $0.course(withKey: "english") })
    _ = try store.removeCourse(course.id, at: Timestamp(milliseconds: 1_500))
    var plan = try planWithOneMore()
    var rival = CourseOutlines("rival\n  goal\n").nodes
    rival[0].slug = "english"
    try CourseOutlines(of: rival).write(to: store)

    let error = #expect(throws: LearningDatabaseError.self) { try commit(plan) }

    #expect(error == .changedMeanwhile(path: store.path, course: "english"))
    (plan.nodes[0].slug, plan.nodes[0].position) = ("english-2", 1)
    try commit(plan)
    #expect(try store.read { try $0.courses() }.map(\.node.slug) == ["english", "english-2"])
  }

  @Test func `an import that is not committed leaves no file`() throws {
    let before = try folder.names

    try store.importing { try $0.stage(StoredContent(.reading([])), at: 0) }

    #expect(try folder.names == before)
  }

  @Test func `an import records its source and its counts`() throws {
    let rows = try store.read { snapshot in
      try Row.fetchAll(snapshot.database, sql: "SELECT * FROM courseRevision").map { Array($0.databaseValues) }
    }

    let expected: [any DatabaseValueConvertible] = [1, 1, 1_000, "outline", "outline", "0", 12, 0, 0, 0, 0, 0]
    #expect(rows == [expected.map(\.databaseValue)])
  }

  @Test func `equal contents are stored as equal texts with their letter counts`() throws {
    let content = ActivityContent.reading([.paragraph([.text("Naïve "), .strong([.text("words")])])])

    #expect(try StoredContent(content) == StoredContent(content))
    #expect(try StoredContent(content).properties.letters == 11)
    #expect(try StoredContent(content).properties.type == .reading)
  }
}
