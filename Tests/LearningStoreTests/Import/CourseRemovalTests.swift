import Foundation
import GRDB
import LearningModel
import Migrations
import TestSupport
import Testing

@testable import LearningStore

/// A large course goes in pieces: it is there for everybody until one moment, and gone for everybody from then on.
struct CourseRemovalTests {
  private struct Killed: Error {}

  let folder: TemporaryFolder
  let store: LearningStore
  let course: NodeID
  let learner: LearnerID

  init() throws {
    folder = try TemporaryFolder()
    store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    try Outline.sample.write(to: store)
    course = try Self.atlas.write(to: store, position: 1)
    try store.indexSearch()
    learner = try Self.live(in: store)
  }

  /// More nodes than one piece holds.
  private static let atlas = Outline(
    "atlas\n  maps\n"
      + (1...12).map { lesson in
        "    l\(lesson)\n" + (1...100).map { "      map\(lesson)x\($0)\n" }.joined()
      }.joined())

  private static let places = [
    "atlas", "atlas/maps/l1", "atlas/maps/l1/map1x1", "english/meetings", "atlas/maps/l7/map7x3",
  ]

  /// Somebody walks, is done with some, marks some, and stays in the course.
  private static func live(in store: LearningStore) throws -> LearnerID {
    try store.write { transaction in
      try transaction.database.execute(
        sql: """
          INSERT INTO learner (id, name, createdAt) VALUES (1, 'ada', 0);
          INSERT INTO session (id, uuid, learner, name, timeZone, startedAt, lastInputAt)
          VALUES (1, '00000000-0000-0000-0000-000000000001', 1, 'shell', 'UTC', 0, 0);
          """)
      let record = try #require(try transaction.snapshot.session(SessionID(rawValue: 1)))
      for (number, place) in places.enumerated() {
        let node = try transaction.snapshot.node(at: place)
        let last = try transaction.snapshot.lastStep(of: record.session.id)
        let draft = StepDraft(
          uuid: "00000000-0000-0000-0001-00000000000\(number)", session: record.session, operation: .open,
          transition: last == nil ? nil : .crossFade, isAnimated: false, cause: .shell,
          stack: try transaction.snapshot.chain(to: node.id), at: Timestamp(milliseconds: Int64(1_100 + number)),
          courseRevision: 1)
        _ = try transaction.append(draft, after: last, presence: record.presence)
        _ = try transaction.setBookmark(true, at: node.id, for: record.session.learner, at: draft.at)
      }
      // Where others stood before: one that goes too, and one that stays.
      try transaction.database.execute(
        sql: """
          INSERT INTO formerPath (parent, slug, node)
          SELECT spot.parent, spot.slug, other.id FROM contentNode AS spot JOIN contentNode AS other
          ON (spot.key, other.key) IN (VALUES ('map1x1', 'map9x9'), ('map1x2', 'brief'), ('l3', 'l4'), ('l5', 'loffers'))
          """)
      for number in [1, 2, 50] {
        _ = try transaction.append(
          ActivityDraft(
            uuid: "00000000-0000-0000-0002-0000000000\(10 + number)", session: record.session,
            node: try transaction.snapshot.node(at: "atlas/maps/l1/map1x\(number)").id, kind: .markedDone, detail: nil,
            score: nil, at: Timestamp(milliseconds: 1_200)))
      }
      return record.session.learner
    }
  }

  private func remove(_ store: LearningStore? = nil, _ watch: () throws -> Void = {}) throws -> Int {
    try (store ?? self.store).removeCourse(course, at: Timestamp(milliseconds: 2_000), progress: watch)
  }

  /// Everything that somebody could see, whichever way they look. What a repair says of itself is named by chance.
  private func sight(_ store: LearningStore? = nil) throws -> [String] {
    try (store ?? self.store).read { snapshot in
      let paths =
        Self.places + [
          "atlas/maps/l1/map1x2", "atlas/maps/l3", "atlas/maps/l3/map3x1", "atlas/maps/l5", "atlas/maps/l5/brief",
          "map1x1",
          "atlas/l1", "atlas/maps/map1x1",
        ]
      let nodes = try snapshot.everyNode(of: course).sorted { $0.id < $1.id }
      var lines = nodes.map { "node \($0)" }
      lines += try snapshot.courses().map { "course \($0)" } + snapshot.subtree(from: .root).map { "\($0)" }
      lines += try snapshot.subtree(from: .node(course)).map { "below \($0)" }
      lines += try nodes.dropFirst().prefix(1).flatMap { try snapshot.children(of: .node($0.id)) }.map {
        "child \($0.key)"
      }
      lines += try paths.map { "at \($0): \(String(describing: try snapshot.place(at: PlacePath($0))))" }
      lines += try paths.map { "near \($0): \(try snapshot.suggestions(for: PlacePath($0)))" }
      lines += try nodes.prefix(30).map { "nearest \(try snapshot.nearestLiving(of: $0.id))" }
      lines += try ["map1x1 ", "atlas ", "read ", "maps l1 ", "agenda "].map { words in
        "found for \(words): \(try snapshot.search(words).hits.map(\.node.key))"
      }
      lines.append("counts \(try snapshot.counts(of: course)) \(String(describing: try snapshot.course(course)))")
      lines.append("all \(try snapshot.progress(of: nil, for: learner))")
      lines += try snapshot.scoredPlaces(of: learner, limit: nil).map { "scored \($0.node)" }
      lines += try snapshot.bookmarks(of: learner).map { "mark \($0.node) \(try snapshot.node($0.node)!.isRemoved)" }
      lines.append("unfinished \(String(describing: try snapshot.unfinishedActivity(of: learner, under: nil)))")
      let session = SessionID(rawValue: 1)
      lines.append("stack \(try snapshot.stack(of: session))")
      for after in [true, false] {
        lines.append(
          "beside \(String(describing: try snapshot.nearestVisit(of: session, after: after, otherThan: .root)))")
      }
      for sql in [
        "SELECT * FROM place", "SELECT * FROM learnerProgress", "SELECT * FROM courseRevision",
        "SELECT learner, session, sequence, operation, kind, path, title FROM visit",
        "SELECT id, living, removedInRevision FROM arrivedNode",
      ] {
        lines += try Row.fetchAll(snapshot.database, sql: sql).map { "\(sql): \($0)" }
      }
      return lines
    }
  }

  /// Every row of the tables that a removal writes to.
  private func rows(_ store: LearningStore? = nil) throws -> [String] {
    try (store ?? self.store).read { snapshot in
      try [
        "contentNode", "course", "courseRevision", "formerPath", "placeTotal", "placeProgress", "edition",
        "searchQueue",
        "stackEntry", "bookmark", "progress",
      ].flatMap { table in
        try Row.fetchAll(snapshot.database, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }
      }
    }
  }

  private func problems(_ store: LearningStore? = nil) throws -> [String] {
    let store = store ?? self.store
    return try store.read { try $0.fileProblems() + $0.contentProblems() + $0.miscounted() } + store.checkLogs()
  }

  private func isThere(_ store: LearningStore? = nil) throws -> Bool {
    try (store ?? self.store).read { try $0.courses().count == 2 }
  }

  /// How many nodes are marked to go and are not written as removed.
  private func marked(_ store: LearningStore? = nil) throws -> Int {
    try (store ?? self.store).read { try $0.value("SELECT count(*) FROM contentNode WHERE goesIn IS NOT NULL") ?? 0 }
  }

  @Test func `a course is there for everybody until one moment, and gone for everybody from then on`() throws {
    let before = try sight()
    var gone: [[String]] = []
    var counts: [Int] = []

    let removed = try remove {
      #expect(try problems() == [])
      counts.append(try marked())
      let now = try sight()
      if try isThere() { #expect(now == before) } else { gone.append(now) }
    }

    let after = try sight()
    #expect(removed == Self.atlas.nodes.count)
    #expect(gone.count >= 3 && gone.allSatisfy { $0 == after }, "\(gone.map { $0.difference(from: after) })")
    #expect(Set(counts).count >= 5 && counts.max() == removed)
    #expect(try marked() == 0)
    #expect(try problems() == [])
    try store.indexSearch()
    #expect(try problems() == [])
    #expect(try folder.names == ["waymark.sqlite", "waymark.sqlite-shm", "waymark.sqlite-wal"])
    #expect(try remove() == 0, "what has gone is not there to be removed")
  }

  @Test(arguments: [1, 2, 3])
  func `a removal that is given up before the course has gone leaves no trace`(enough: Int) throws {
    let before = try rows()
    var pieces = 0

    #expect(throws: Killed.self) {
      _ = try remove {
        pieces += 1
        if pieces == enough { throw Killed() }
      }
    }

    #expect(try rows() == before)
    #expect(try remove() == Self.atlas.nodes.count)
  }

  /// A copy of the database behind so many pieces of the removal, of which nobody holds the lock: as if that moment had
  /// been the last.
  private func killed(behind pieces: Int) throws -> LearningStore {
    let copy = folder.file("copy.sqlite")
    var done = 0
    _ = try remove {
      done += 1
      if done == pieces { try store.backUp(to: copy) }
    }
    // On a quick machine there are fewer.
    if done < pieces { try store.backUp(to: copy) }
    // Opened by its own way: whoever opens it by ours begins to finish it.
    return try LearningStore.open(at: copy)
  }

  @Test(arguments: 1...9)
  func `what somebody who was killed has left is finished by the next, whenever it was`(pieces: Int) throws {
    let before = try (sight: sight(), rows: rows())
    let other = try killed(behind: pieces)
    let wasThere = try isThere(other)
    let seen = try sight(other)
    #expect(try problems(other) == [])

    try other.importing { _ in }

    #expect(try marked(other) == 0)
    #expect(try sight(other) == seen)
    #expect(try problems(other) == [])
    if wasThere {
      #expect(seen == before.sight)
      #expect(try rows(other) == before.rows)
      #expect(try remove(other) == Self.atlas.nodes.count)
    }
    // However it came about, it is as if nobody had been killed.
    #expect(try sight(other) == sight())
    #expect(try problems(other) == [])
  }

  @Test func `whoever opens the database writes some of it, until nothing is left, and nobody sees a difference`()
    throws
  {
    let copy = folder.file("copy.sqlite")
    try CourseEdition.$habits.withValue(CourseEdition.Habits(putsInPlace: false)) { _ = try remove() }
    #expect(try marked() == Self.atlas.nodes.count)
    try store.backUp(to: copy)

    var sights: Set<[String]> = []
    var counts = [Self.atlas.nodes.count]
    while counts.last != 0, counts.count < 100 {
      let other = try LearningStore.open(at: copy)
      sights.insert(try sight(other))
      #expect(try problems(other) == [])
      counts.append(try marked(other))
    }

    #expect(counts == counts.sorted(by: >), "each opening writes some of it")
    #expect(sights.count == 1)
    #expect(sights.first == (try sight()))
  }

  /// The course as its author has it, to be imported again.
  private func importAgain(_ store: LearningStore) throws {
    try store.importing { writer in
      let known = try store.read { try $0.everyNode(of: course) }
      let ids = Dictionary(uniqueKeysWithValues: known.map { ($0.key, $0) })
      let nodes = Self.atlas.nodes.map { node in
        var node = node
        let before = ids[node.key]
        node.id = before?.id
        if node.parent == nil { node.position = 1 }
        node.changes = before?.isRemoved == true ? [.placement, .description, .content] : []
        return node
      }
      for (index, node) in nodes.enumerated() where node.kind == .activity && !node.changes.isEmpty {
        try writer.stage(StoredContent(.reading([.paragraph([.text("Read \(node.title).")])])), at: index)
      }
      let plan = CoursePlan(
        key: "atlas", base: try store.read { try $0.course(course)?.revision }, format: "outline",
        sourceName: "outline",
        sourceDigest: "2", language: "en", nodes: nodes, removed: [], counts: DifferenceCounts())
      _ = try writer.commit(plan, at: Timestamp(milliseconds: 3_000))
    }
  }

  @Test func `a course that is imported again while it is still going comes back as itself`() throws {
    let copy = folder.file("whole.sqlite")
    try store.backUp(to: copy)
    let whole = try LearningStore.open(at: copy)
    _ = try remove(whole)
    try importAgain(whole)

    try CourseEdition.$habits.withValue(CourseEdition.Habits(putsInPlace: false)) { _ = try remove() }
    try importAgain(store)

    #expect(try problems() == [])
    #expect(try sight() == sight(whole))
    #expect(try store.read { try $0.course(course)?.node.isRemoved } == false)
    #expect(try store.read { try $0.progress(of: course, for: learner).done } == 3)
    try store.indexSearch()
    #expect(try problems() == [])
    #expect(try store.read { try $0.search("map12x100 ").hits.map(\.node.key) } == ["map12x100"])
  }

  @Test func `what is done meanwhile in a place that has gone is kept, and counts when it comes back`() throws {
    try CourseEdition.$habits.withValue(CourseEdition.Habits(putsInPlace: false)) { _ = try remove() }
    let node = try store.read { try $0.node(withKey: "map3x3", inCourse: course) }!

    try store.write { transaction in
      let session = try #require(try transaction.snapshot.session(SessionID(rawValue: 1))).session
      _ = try transaction.append(
        ActivityDraft(
          uuid: "00000000-0000-0000-0003-000000000001", session: session, node: node.id, kind: .markedDone, detail: nil,
          score: nil, at: Timestamp(milliseconds: 2_500)))
    }

    #expect(try problems() == [])
    try importAgain(store)
    #expect(try problems() == [])
    #expect(try store.read { try $0.progress(of: course, for: learner).done } == 4)
  }

  @Test func `what is worked out from the logs can be worked out anew while a course is going`() throws {
    try CourseEdition.$habits.withValue(CourseEdition.Habits(putsInPlace: false)) { _ = try remove() }
    let before = try sight()

    try store.write { try $0.rebuildProjections() }
    try store.write { try $0.rebuildSearch() }
    try store.indexSearch()

    #expect(try problems() == [])
    #expect(try sight() == before)
    try store.importing { _ in }
    try store.indexSearch()
    #expect(try problems() == [])
  }

  @Test func `a database of the migrations before is brought to this one, and its courses can go`() throws {
    let path = folder.file("old.sqlite")
    let old = try LearningStore.open(at: path, migrations: Migrations.all.filter { $0.name < "0009" })
    // As an older program wrote it.
    try old.write { transaction in
      try transaction.database.execute(
        sql: """
          INSERT INTO contentNode (id, course, key, kind, position, slug, title) VALUES (1, 1, 'k', 'course', 0, 's', 'T');
          INSERT INTO contentNode (id, course, parent, key, kind, position, slug, title, nextTitle, nextSummary)
          VALUES (2, 1, 1, 'g', 'goal', 0, 'g', 'G', 'H', '');
          INSERT INTO courseRevision VALUES (1, 1, 0, 'x', 'x', 'x', 1, 0, 0, 0, 0, 0);
          INSERT INTO course VALUES (1, NULL, 'x', 1);
          INSERT INTO placeTotal VALUES (1, 0, 0), (2, 0, 0);
          INSERT INTO edition (course, isPublished, nextNode, lastNode) VALUES (1, 1, 1, 2);
          """)
    }
    try old.close()
    let moved = folder.file("moved.sqlite")
    try FileManager.default.moveItem(atPath: path, toPath: moved)

    let new = try LearningStore.open(at: moved)

    #expect(try new.read { try $0.subtree(from: .root).map(\.node.title) } == ["T", "H"])
    #expect(
      try new.read { try String.fetchAll($0.database, sql: "SELECT title FROM place ORDER BY id") } == ["T", "H"])
    #expect(try new.removeCourse(NodeID(rawValue: 1), at: Timestamp(milliseconds: 9)) == 2)
    let gone = try new.read { try Row.fetchAll($0.database, sql: "SELECT title, removedInRevision FROM place") }
    #expect(gone == [["title": "T", "removedInRevision": 2], ["title": "H", "removedInRevision": 2]])
    try new.indexSearch()
    #expect(try problems(new) == [])
  }
}
