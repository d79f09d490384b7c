import GRDB
import LearningModel
import TestSupport
import Testing

@testable import LearningStore

/// Tests nodes of kinds that only a later version of the program supports.
struct UnknownKindsTests {
  @Test func `nodes of unknown kinds are merged as known kinds and exported unchanged`() throws {
    let folder = try TemporaryFolder()
    let store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    let recorded: [(key: String, parent: Int?, kind: PlaceKind)] = [
      ("book", nil, .other("book")), ("part", 0, .other("part")), ("module", 1, .other("module")),
      ("text", 2, .activity),
    ]
    var record = LearnerRecord(
      uuid: RandomIdentifier.make(), name: "ada", createdAt: Timestamp(milliseconds: 0))
    record.nodes = recorded.map {
      LearnerRecord.Node(
        course: "book", key: $0.key, parent: $0.parent, kind: $0.kind, slug: $0.key, title: "Ada's \($0.key)")
    }
    record.bookmarks = [LearnerRecord.BookmarkRow(node: 3, createdAt: Timestamp(milliseconds: 5))]
    record.changes = [LearnerRecord.FactChangeRow(kind: .bookmark, node: 3, stamp: 5, replica: "")]

    let merged = try store.write { try $0.merge(record, at: Timestamp(milliseconds: 5)) }

    let chain = try store.read { snapshot in
      try snapshot.chain(to: snapshot.place(at: PlacePath(slugs: recorded.map(\.key)))?.node)
    }
    #expect(chain.map(\.kind) == [.course, .goal, .lesson, .activity])
    let again = try store.read { try $0.record(of: merged.learner.id) }
    #expect(again?.nodes == record.nodes && again?.bookmarks == record.bookmarks)
    #expect(try store.read { try $0.fileProblems() + $0.contentProblems() } == [])
  }
}
