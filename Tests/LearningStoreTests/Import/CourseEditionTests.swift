import Foundation
import GRDB
import LearningModel
import Migrations
import Synchronization
import TestSupport
import Testing

@testable import LearningStore

/// Much of a course changes in pieces: seen by nobody until one row publishes them all, and then by everybody.
struct CourseEditionTests {
  private struct GivenUp: Error {}

  let folder: TemporaryFolder
  let store: LearningStore

  init() throws {
    folder = try TemporaryFolder()
    store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    try Outline.atlas.write(to: store)
    try store.indexSearch()
  }

  /// Changes every title and every text; `watch` looks at what is there behind each piece.
  private func change(_ watch: (_ done: Int) throws -> Void = { _ in }) throws {
    let known = try store.read { snapshot in
      let course = try #require(try snapshot.course(withKey: "atlas"))
      return try Dictionary(uniqueKeysWithValues: snapshot.everyNode(of: course.node.id).map { ($0.key, $0.id) })
    }
    let nodes = Outline.atlas.nodes.map { node in
      var node = node
      node.id = known[node.key]
      node.title = "New \(node.key)"
      node.summary = "Newly summed up."
      node.minutes = 3
      node.changes = node.kind == .activity ? [.description, .content] : .description
      return node
    }
    let plan = CoursePlan(
      key: "atlas", base: 1, format: "outline", sourceName: "outline", sourceDigest: "1", language: "en", nodes: nodes,
      removed: [], counts: DifferenceCounts(changed: nodes.count))
    _ = try store.importing { writer in
      for (index, node) in nodes.enumerated() where node.kind == .activity {
        try writer.stage(StoredContent(.reading([.paragraph([.text("Newly drawn \(node.key).")])])), at: index)
      }
      return try writer.commit(plan, at: Timestamp(milliseconds: 2_000), progress: watch)
    }
  }

  /// What somebody can see of the course, whichever way they look.
  private func sight(_ snapshot: StoreSnapshot) throws -> [String] {
    let nodes = try snapshot.subtree(from: .root).map(\.node)
    let last = try #require(nodes.last)
    return try nodes.map { "\($0.title) \($0.summary) \(String(describing: $0.minutes))" }
      + nodes.filter { $0.kind == .activity }.map { try snapshot.storedContent(of: $0.id) ?? "none" }
      + ["\(try snapshot.courses())", "\(String(describing: try snapshot.card(of: last.id, for: nil)))"]
      + ["SELECT * FROM place", "SELECT * FROM currentContent ORDER BY node", "SELECT * FROM courseRevision"]
      .flatMap { sql in try Row.fetchAll(snapshot.database, sql: sql).map { "\($0)" } }
  }

  /// Every row of the tables that an edition writes to.
  private func rows(_ store: LearningStore? = nil) throws -> [String] {
    try (store ?? self.store).read { snapshot in
      try ["contentNode", "course", "activityContent", "placeTotal", "edition", "nextContent", "searchQueue"].flatMap {
        table in try Row.fetchAll(snapshot.database, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }
      }
    }
  }

  private func problems(_ store: LearningStore) throws -> [String] {
    try store.read { try $0.fileProblems() + $0.contentProblems() + $0.miscounted() } + store.checkLogs()
  }

  /// How many nodes have something of an edition.
  private func written(_ snapshot: StoreSnapshot) throws -> Int {
    try snapshot.value("SELECT count(*) FROM contentNode WHERE nextTitle IS NOT NULL") ?? 0
  }

  @Test func `nobody sees anything of it before its last piece is there, and then all of it`() throws {
    let before = try store.read(sight)
    var counts: [Int] = []
    var published: [[String]] = []

    try change { _ in
      try store.indexSearch()
      #expect(try problems(store) == [])
      let now = try store.read(sight)
      guard try store.read({ try $0.course(withKey: "atlas")?.revision }) == 1 else { return published.append(now) }
      #expect(now == before)
      counts.append(try store.read(written))
    }

    let after = try store.read(sight)
    #expect(published.count >= 3 && published.allSatisfy { $0 == after })
    #expect(counts.first == 0 && counts.last == Outline.atlas.nodes.count && Set(counts).count >= 3)
    let nodes = try store.read { try $0.subtree(from: .root).map(\.node) }
    #expect(nodes.map(\.title) == Outline.atlas.nodes.map { "New \($0.key)" })
    #expect(nodes.allSatisfy { $0.summary == "Newly summed up." && $0.minutes == 3 })
    try store.indexSearch()
    #expect(try store.read { try $0.search("drawn map12x100 ").hits.map(\.node.key) } == ["map12x100"])
    #expect(try store.read(written) == 0)
    #expect(try rows().filter { $0.hasPrefix("edition") || $0.hasPrefix("nextContent") } == [])
    #expect(try problems(store) == [])
    #expect(try folder.names == ["waymark.sqlite", "waymark.sqlite-shm", "waymark.sqlite-wal"])
  }

  @Test(arguments: [0, 1, 700, 1214])
  func `one that is given up leaves nothing`(enough: Int) throws {
    let before = try rows()

    #expect(throws: GivenUp.self) { try change { if $0 >= enough { throw GivenUp() } } }

    #expect(try rows() == before)
    #expect(try folder.names == ["waymark.sqlite", "waymark.sqlite-shm", "waymark.sqlite-wal"])
    try change()
    #expect(try store.read { try $0.course(withKey: "atlas")?.revision } == 2)
  }

  /// A copy of the database from the midst of it, of which nobody holds the lock: as if that moment had been the last.
  private func copyOnTheWay() throws -> String {
    let copy = folder.file("copy.sqlite")
    try change { if $0 > 0, !FileManager.default.fileExists(atPath: copy) { try store.backUp(to: copy) } }
    return copy
  }

  @Test func `what was not published when somebody was killed is taken away by the next import`() throws {
    let before = try rows()
    let copy = try copyOnTheWay()
    #expect(try DatabaseQueue(path: copy).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM nextContent") } != 0)

    let other = try LearningStore.open(at: copy)
    try other.importing { _ in }

    #expect(try rows(other) == before)
    #expect(try problems(other) == [])
  }

  @Test func `what was published counts at once, and is put in its place by those who open the database`() throws {
    let copy = try copyOnTheWay()
    try DatabaseQueue(path: copy).write { try $0.execute(sql: "UPDATE edition SET isPublished = 1") }
    // The totals come with the transaction that publishes, which this is not.
    let queue = try DatabaseQueue(path: copy)
    let expected = try queue.read { database in
      try String.fetchAll(
        database, sql: "SELECT ifnull(nextTitle, title) FROM contentNode ORDER BY id"
      )
    }
    #expect(expected.contains { $0.hasPrefix("New ") })
    try queue.close()

    var sights: Set<[String]> = []
    var left = 1
    for _ in 0..<100 where left > 0 {
      let other = try LearningStore.open(at: copy)
      sights.insert(try other.read(sight))
      #expect(try other.read { try $0.fileProblems() + $0.contentProblems() } == [])
      left = try other.read(written)
    }

    #expect(left == 0)
    #expect(sights.count == 1, "nobody sees a difference")
    let other = try LearningStore.open(at: copy)
    #expect(try other.read { try String.fetchAll($0.database, sql: "SELECT title FROM place ORDER BY id") } == expected)
    try other.indexSearch()
    #expect(try other.read { try $0.fileProblems() + $0.contentProblems() } == [])
  }

  @Test func `who would change a course waits for the edition that is on its way, and then looks at it again`() throws {
    let known = try store.read { snapshot in
      try snapshot.everyNode(of: try #require(try snapshot.course(withKey: "atlas")).node.id)
    }
    var renamed = Outline.atlas.nodes
    for index in renamed.indices { renamed[index].id = known.first { $0.key == renamed[index].key }?.id }
    renamed[0].title = "Globe"
    renamed[0].changes = .description
    let small = CoursePlan(
      key: "atlas", base: 1, format: "outline", sourceName: "outline", sourceDigest: "2", language: "en",
      nodes: renamed, removed: [], counts: DifferenceCounts(renamed: 1))
    let changing = DispatchGroup()
    let refusal = Mutex<LearningStoreError?>(nil)
    var isBegun = false

    try change { done in
      guard done > 1_000, !isBegun else { return }
      isBegun = true
      changing.enter()
      Thread.detachNewThread { [store] in
        do {
          _ = try store.importing { try $0.commit(small, at: Timestamp(milliseconds: 3_000)) }
        } catch {
          refusal.withLock { $0 = error as? LearningStoreError }
        }
        changing.leave()
      }
      #expect(changing.wait(timeout: .now() + .milliseconds(100)) == .timedOut)
    }
    changing.wait()

    #expect(refusal.withLock { $0 } == .changedMeanwhile(path: store.path, course: "atlas"))
    let titles = try store.read { try $0.subtree(from: .root).map(\.node.title) }
    #expect(titles == Outline.atlas.nodes.map { "New \($0.key)" })
    #expect(try problems(store) == [])
  }

  @Test(arguments: [0, 1_001])
  func `a course that somebody changes who does not wait stays as it has become`(done: Int) throws {
    let before = try store.read { try $0.subtree(from: .root).map(\.node) }

    let error = #expect(throws: LearningStoreError.self) {
      try change { now in
        guard now >= done, try store.read({ try $0.course(withKey: "atlas")?.revision }) == 1 else { return }
        try store.write { transaction in
          try transaction.database.execute(
            sql: """
              INSERT INTO courseRevision VALUES (1, 2, 0, 'x', 'x', 'x', 0, 0, 0, 0, 0, 0);
              UPDATE course SET revision = 2 WHERE node = 1;
              """)
        }
      }
    }

    #expect(error == .changedMeanwhile(path: store.path, course: "atlas"))
    #expect(try store.read { try $0.subtree(from: .root).map(\.node) } == before)
    #expect(try store.read(written) == 0)
    #expect(try problems(store) == [])
  }

  @Test func `who would remove a course waits for the edition that is on its way`() throws {
    let course = try #require(try store.read { try $0.course(withKey: "atlas") }).node
    let removing = DispatchGroup()
    let removed = Mutex<Int?>(nil)
    var isBegun = false

    try change { done in
      guard done > 1_000, !isBegun else { return }
      isBegun = true
      removing.enter()
      Thread.detachNewThread { [store] in
        let count = try? store.removeCourse(course.id, at: Timestamp(milliseconds: 3_000))
        removed.withLock { $0 = count }
        removing.leave()
      }
      #expect(removing.wait(timeout: .now() + .milliseconds(100)) == .timedOut)
    }
    removing.wait()

    #expect(removed.withLock { $0 } == Outline.atlas.nodes.count)
    let found = try #require(try store.read { try $0.course(course.id) })
    #expect(found.node.isRemoved && found.node.title == "New atlas" && found.revision == 3)
    #expect(try problems(store) == [])
  }

  @Test func `what is published stays so`() throws {
    let copy = try copyOnTheWay()
    let shell = try DatabaseQueue(path: copy)
    try shell.write { try $0.execute(sql: "UPDATE edition SET isPublished = 1") }

    for sql in ["UPDATE edition SET isPublished = 0", "UPDATE edition SET course = 7"] {
      let error = #expect(throws: DatabaseError.self) { try shell.write { try $0.execute(sql: sql) } }
      #expect(error?.message == "what is published stays so")
    }
  }

  @Test func `a database of the migrations before is brought to this one, and keeps what it says`() throws {
    let path = folder.file("old.sqlite")
    let old = try LearningStore.open(at: path, migrations: Migrations.all.filter { $0.name < "0006" })
    // As an older program wrote it.
    try old.write { transaction in
      try transaction.database.execute(
        sql: """
          INSERT INTO contentNode (id, course, key, kind, position, slug, title, summary, minutes)
          VALUES (1, 1, 'k', 'course', 0, 's', 'T', 'S', 5);
          INSERT INTO courseRevision VALUES (1, 1, 0, 'x', 'x', 'x', 1, 0, 0, 0, 0, 0);
          INSERT INTO course VALUES (1, NULL, 'x', 1);
          INSERT INTO placeTotal VALUES (1, 0, 0);
          """)
    }
    try old.close()
    let moved = folder.file("moved.sqlite")
    try FileManager.default.moveItem(atPath: path, toPath: moved)

    let new = try LearningStore.open(at: moved)

    let course = try #require(try new.read { try $0.courses() }.first?.node)
    #expect([course.title, course.summary, "\(course.minutes ?? 0)"] == ["T", "S", "5"])
    let views = try new.read { try Row.fetchAll($0.database, sql: "SELECT title, summary, minutes, path FROM place") }
    #expect(views == [["title": "T", "summary": "S", "minutes": 5, "path": "s"]])
    for view in ["visit", "learnerProgress", "currentContent"] {
      #expect(try new.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM \(view)") } == 0)
    }
  }
}
