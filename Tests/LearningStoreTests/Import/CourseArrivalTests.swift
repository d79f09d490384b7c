import Foundation
import GRDB
import LearningModel
import Migrations
import TestSupport
import Testing

@testable import LearningStore

/// A new course comes in pieces: seen by nobody until the last one, and gone without a trace where it never comes.
struct CourseArrivalTests {
  private struct GivenUp: Error {}

  let folder: TemporaryFolder
  let store: LearningStore

  init() throws {
    folder = try TemporaryFolder()
    store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    try Outline.sample.write(to: store)
    try store.indexSearch()
  }

  /// Imports the large course; `watch` looks at what is there behind each piece but the last.
  private func bring(_ watch: (_ written: Int) throws -> Void) throws {
    let nodes = Outline.atlas.nodes
    let plan = CoursePlan(
      key: "atlas", base: nil, format: "outline", sourceName: "outline", sourceDigest: "0", language: "en",
      nodes: nodes, removed: [], counts: DifferenceCounts(added: nodes.count))
    _ = try store.importing { writer in
      for (index, node) in nodes.enumerated() where node.kind == .activity {
        try writer.stage(StoredContent(.reading([.paragraph([.text("Read \(node.title) on paper.")])])), at: index)
      }
      return try writer.commit(plan, at: Timestamp(milliseconds: 2_000), progress: watch)
    }
  }

  /// Everything that somebody could see of the courses.
  private func sight(_ snapshot: StoreSnapshot) throws -> [String] {
    let paths = ["atlas", "atlas/maps", "atlas/maps/l1/map1x1", "map1x1", "english"]
    return try snapshot.courses().map { "course \($0)" } + snapshot.children(of: .root).map { "child \($0.key)" }
      + snapshot.subtree(from: .root).map { "\($0.depth) \($0.node.key)" }
      + paths.map { "at \($0): \(String(describing: try snapshot.place(at: PlacePath($0))))" }
      + paths.map { "near \($0): \(try snapshot.suggestions(for: PlacePath($0)))" }
      + ["by key: \(String(describing: try snapshot.course(withKey: "atlas")?.node.id))"]
      + snapshot.search("map1x1 ").hits.map { "hit \($0.node.key)" }
      + snapshot.search("paper ").hits.map { "hit \($0.node.key)" }
      + ["\(try snapshot.progress(of: nil, for: nil))"]
      + ["SELECT * FROM place", "SELECT * FROM course", "SELECT * FROM courseRevision", "SELECT * FROM arrivedNode"]
      .flatMap { sql in try Row.fetchAll(snapshot.database, sql: sql).map { "\(sql): \($0)" } }
  }

  /// Every row of the tables that an import writes to.
  private func rows(_ store: LearningStore? = nil) throws -> [String] {
    try (store ?? self.store).read { snapshot in
      try [
        "contentNode", "course", "courseRevision", "activityContent", "placeTotal", "searchQueue", "searchText",
        "arrival",
        "searchRange",
      ].flatMap { table in
        try Row.fetchAll(snapshot.database, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }
      }
    }
  }

  @Test func `nobody sees a course before its last piece is there, and then all of it`() throws {
    let before = try store.read(sight)
    var written: [Int] = []

    try bring { done in
      written.append(done)
      try store.indexSearch()
      #expect(try store.read(sight) == before)
      #expect(try store.read { try $0.fileProblems() + $0.contentProblems() } + store.checkLogs() == [])
    }

    #expect(written.count >= 3 && written.first == 0 && written.last == Outline.atlas.nodes.count)
    try store.indexSearch()
    let keys = try store.read { try $0.subtree(from: .root).map(\.node.key) }
    #expect(keys == Outline.sample.nodes.map(\.key) + Outline.atlas.nodes.map(\.key))
    #expect(try store.read { try $0.search("map12x100 ").hits.map(\.node.key) } == ["map12x100"])
    #expect(try store.read { try $0.fileProblems() + $0.contentProblems() } + store.checkLogs() == [])
    #expect(try folder.names == ["waymark.sqlite", "waymark.sqlite-shm", "waymark.sqlite-wal"])
  }

  @Test(arguments: [0, 1, 700, 1214])
  func `a course that is given up leaves no row`(enough: Int) throws {
    let before = try rows()

    #expect(throws: GivenUp.self) { try bring { if $0 >= enough { throw GivenUp() } } }

    #expect(try rows() == before)
    #expect(try folder.names == ["waymark.sqlite", "waymark.sqlite-shm", "waymark.sqlite-wal"])
    try bring { _ in }
    #expect(try store.read { try $0.course(withKey: "atlas")?.revision } == 1)
  }

  @Test func `what a killed import has left is taken away by the next`() throws {
    let before = try rows()
    let copy = folder.file("copy.sqlite")
    // Of the copy nobody holds the lock, as if whoever brought the course had been killed at that moment.
    try bring { if $0 > 0, !FileManager.default.fileExists(atPath: copy) { try store.backUp(to: copy) } }

    let left = try DatabaseQueue(path: copy).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM contentNode") }
    #expect(try #require(left) > Outline.sample.nodes.count)
    let other = try LearningStore.open(at: copy)
    try other.importing { _ in }

    #expect(try rows(other) == before)
    #expect(try other.read { try $0.fileProblems() + $0.contentProblems() } == [])
  }

  @Test func `whoever opens the database takes some of it away, until nothing is left`() throws {
    let copy = folder.file("copy.sqlite")
    try bring { if $0 > 0, !FileManager.default.fileExists(atPath: copy) { try store.backUp(to: copy) } }
    func left() throws -> Int {
      try DatabaseQueue(path: copy).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM contentNode") ?? 0 }
    }

    var counts = [try left()]
    while try #require(counts.last) > Outline.sample.nodes.count, counts.count < 100 {
      try withExtendedLifetime(LearningStore.open(at: copy)) { counts.append(try left()) }
    }

    #expect(counts == counts.sorted(by: >), "each opening takes some away")
    #expect(counts.last == Outline.sample.nodes.count)
  }

  @Test func `what is on its way is left alone by everybody else who imports`() throws {
    var others = 0
    try bring { _ in
      others += 1
      try Outline("other\(others)\n  goal").write(to: store, position: 1)
    }

    #expect(try store.read { try $0.courses().map(\.node.position) } == Array(0...others + 1))
    #expect(try store.read { try $0.course(withKey: "atlas")?.node.isRemoved } == false)
    #expect(try store.read { try $0.fileProblems() + $0.contentProblems() } == [])
  }

  @Test func `of two who bring the same course the first one wins, and nothing is left of the other`() throws {
    var isFirst = true
    var after: [String] = []

    let error = #expect(throws: LearningStoreError.self) {
      try bring { _ in
        guard isFirst else { return }
        isFirst = false
        try bring { _ in }
        after = try rows()
      }
    }

    #expect(error == .changedMeanwhile(path: store.path, course: "atlas"))
    #expect(try rows() == after)
  }

  @Test func `pieces are as long as the time allows`() {
    var size = PieceSize(from: 100, to: 400)
    var sizes: [Int] = []
    for milliseconds in [1, 1, 10, 1, 1, 1, 20, 20, 20, 20, 20, 20] {
      size.adapt(to: .milliseconds(milliseconds))
      sizes.append(size.rows)
    }

    #expect(sizes == [150, 225, 225, 337, 400, 400, 200, 100, 50, 25, 20, 20])
  }

  static let attacks: [(sql: String, refusal: String)] = [
    ("INSERT INTO arrival VALUES (1, 12)", "a course that is there is not on its way"),
    ("INSERT INTO arrival VALUES (2, 12)", "a course that is there is not on its way"),
    ("INSERT INTO arrival VALUES (99, 100)", "FOREIGN KEY constraint failed"),
    ("INSERT INTO arrival VALUES (99, 98)", "CHECK constraint failed: lastNode >= course"),
    ("DELETE FROM contentNode WHERE id = 12", "a node is never deleted: set removedInRevision"),
    ("UPDATE contentNode SET key = 'x' WHERE id = 1", "a node keeps its id, its course and its key"),
  ]

  @Test(arguments: attacks)
  func `nobody takes a course that is there for one on its way`(sql: String, refusal: String) throws {
    #expect(try refusals(of: sql) == refusal)
  }

  /// Why hand-written SQL is refused.
  private func refusals(of sql: String) throws -> String? {
    let shell = try DatabaseQueue(path: store.path)
    return #expect(throws: DatabaseError.self) { try shell.write { try $0.execute(sql: sql) } }?.message
  }

  @Test func `a course on its way is not named, changed or counted as one`() throws {
    try bring { done in
      guard let course = try store.read({ try Int64.fetchOne($0.database, sql: "SELECT course FROM arrival") }) else {
        #expect(done == 0)
        return
      }
      #expect(
        try refusals(of: "INSERT INTO course VALUES (\(course), NULL, 'x', 1)") == "the course is still on its way")
      #expect(try refusals(of: "UPDATE arrival SET lastNode = lastNode + 1") == "an arrival does not change")
    }
  }

  @Test func `a database of the migrations before is brought to this one, and keeps its courses`() throws {
    let path = folder.file("old.sqlite")
    let older = Migrations.all.filter { $0.name < "0004" }
    let old = try LearningStore.open(at: path, migrations: older)
    // As an older program wrote it.
    try old.write { transaction in
      try transaction.database.execute(
        sql: """
          INSERT INTO contentNode (id, course, key, kind, position, slug, title) VALUES (1, 1, 'k', 'course', 0, 's', 'T');
          INSERT INTO courseRevision VALUES (1, 1, 0, 'x', 'x', 'x', 1, 0, 0, 0, 0, 0);
          INSERT INTO course VALUES (1, NULL, 'x', 1);
          INSERT INTO searchQueue VALUES (1, 1);
          """)
    }
    try old.close()
    let moved = folder.file("moved.sqlite")
    try FileManager.default.moveItem(atPath: path, toPath: moved)

    let new = try LearningStore.open(at: moved)

    #expect(try new.read { try $0.courses().map(\.node.title) } == ["T"])
    try Outline.sample.write(to: new, position: 1)
    try new.indexSearch()
    #expect(try new.read { try $0.fileProblems() + $0.contentProblems() } == [])
    #expect(try new.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM searchQueue, searchRange") } == 0)
  }
}
