import GRDB
import LearningModel
import TestSupport
import Testing

@testable import LearningStore

/// Tests that removing a course removes everything derived from it, and that importing it again restores it.
struct CourseRemovalTests {
  let folder: TemporaryFolder
  let store: LearningStore
  let course: NodeID
  let learner: LearnerID

  init() throws {
    folder = try TemporaryFolder()
    store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    try CourseOutlines.sample.write(to: store)
    course = try Self.atlas.write(to: store, position: 1)
    try store.indexSearch()
    learner = try Self.live(in: store)
  }

  private static let atlas = CourseOutlines(
    "atlas\n  maps\n"
      + (1...12).map { lesson in
        "    l\(lesson)\n" + (1...100).map { "      map\(lesson)x\($0)\n" }.joined()
      }.joined())

  private static let places = [
    "atlas", "atlas/maps/l1", "atlas/maps/l1/map1x1", "english/meetings", "atlas/maps/l7/map7x3",
  ]

  /// Adds a learner who navigates, completes activities and sets bookmarks, and stays in the course.
  private static func live(in store: LearningStore) throws -> LearnerID {
    try store.write { transaction in
      try transaction.database.execute(
        sql: """
          INSERT INTO learner (id, name, createdAt) VALUES (1, 'ada', 0);
          INSERT INTO session (id, uuid, learner, name, timeZone, startedAt, lastInputAt, replica)
          SELECT 1, '00000000-0000-0000-0000-000000000001', 1, 'shell', 'UTC', 0, 0, uuid FROM replica;
          """)
      let record = try #require(try transaction.snapshot.session(SessionID(rawValue: 1)))
      for (number, place) in places.enumerated() {
        let node = try transaction.snapshot.node(at: place)
        let last = try transaction.snapshot.lastNavigationEvent(of: record.session.id)
        let draft = PendingEvent(
          uuid: "00000000-0000-0000-0001-00000000000\(number)", session: record.session, operation: .open,
          transition: last == nil ? nil : .crossFade, isAnimated: false, cause: .shell,
          stack: try transaction.snapshot.chain(to: node.id), at: Timestamp(milliseconds: Int64(1_100 + number)),
          courseRevision: 1)
        _ = try transaction.append(draft, after: last, presence: record.presence)
        _ = try transaction.setBookmark(true, at: node.id, for: record.session.learner, at: draft.at)
      }
      // Former paths of two nodes of this course and two of the other one.
      try transaction.database.execute(
        sql: """
          INSERT INTO formerPath (parent, slug, node)
          SELECT spot.parent, spot.slug, other.id FROM contentNode AS spot JOIN contentNode AS other
          ON (spot.key, other.key) IN (VALUES ('map1x1', 'map9x9'), ('map1x2', 'brief'), ('l3', 'l4'), ('l5', 'loffers'))
          """)
      for number in [1, 2, 50] {
        _ = try transaction.append(
          PendingActivityEvent(
            uuid: "00000000-0000-0000-0002-0000000000\(10 + number)", session: record.session,
            node: try transaction.snapshot.node(at: "atlas/maps/l1/map1x\(number)").id, kind: .markedDone, detail: nil,
            score: nil, at: Timestamp(milliseconds: 1_200)))
      }
      return record.session.learner
    }
  }

  private func remove() throws -> Int { try store.removeCourse(course, at: Timestamp(milliseconds: 2_000)) }

  /// Returns the results of all queries, without the random UUIDs of repair events.
  private func sight() throws -> [String] {
    try store.read { snapshot in
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
      lines += try nodes.prefix(30).map { "nearest \(try snapshot.nearestExisting(of: $0.id))" }
      lines += try ["map1x1 ", "atlas ", "read ", "maps l1 ", "agenda "].map { query in
        "found for \(query): \(try snapshot.search(query).hits.map(\.node.key))"
      }
      lines.append("counts \(try snapshot.counts(of: course)) \(String(describing: try snapshot.course(course)))")
      lines.append("all \(try snapshot.progress(of: nil, for: learner))")
      lines += try snapshot.scoredPlaces(of: learner, at: Timestamp(milliseconds: .max), limit: nil).map {
        "scored \($0.node)"
      }
      lines += try snapshot.bookmarks(of: learner).map { "mark \($0.node) \(try snapshot.node($0.node)!.isRemoved)" }
      let unfinished = try snapshot.unfinishedActivity(of: learner, under: nil, at: Timestamp(milliseconds: .max))
      lines.append("unfinished \(String(describing: unfinished))")
      let session = SessionID(rawValue: 1)
      lines.append("stack \(try snapshot.stack(of: session))")
      for after in [true, false] {
        lines.append(
          "beside \(String(describing: try snapshot.nearestVisit(of: session, after: after, otherThan: .root)))")
      }
      for sql in [
        "SELECT * FROM place", "SELECT * FROM learnerProgress", "SELECT * FROM courseRevision",
        "SELECT learner, session, sequence, operation, kind, path, title FROM visit",
        "SELECT id, living, removedInRevision FROM contentNode",
      ] {
        lines += try Row.fetchAll(snapshot.database, sql: sql).map { "\(sql): \($0)" }
      }
      return lines
    }
  }

  private func problems() throws -> [String] {
    try store.read { try $0.fileProblems() + $0.contentProblems() + $0.miscounted() }
      + store.checkLogs().map(\.description)
  }

  @Test func `a removed course is removed from all derived data`() throws {
    let removed = try remove()

    #expect(removed == Self.atlas.nodes.count)
    #expect(try store.read { try $0.courses().map(\.node.key) } == ["english"])
    #expect(try store.read { try $0.counts(of: course) } == ContentCounts())
    #expect(try store.read { try $0.progress(of: nil, for: learner).total } == 5)
    #expect(
      try store.read { try $0.stack(of: SessionID(rawValue: 1)) } == [], "the learner is moved to the list of courses")
    #expect(try store.read { try $0.bookmarks(of: learner).count } == 5, "bookmarks are kept")
    #expect(try problems() == [])
    let before = try sight()
    try store.write { try $0.rebuildProjections() }
    #expect(try sight() == before)
    try store.indexSearch()
    #expect(try store.read { try $0.search("map1x1 ").hits.map(\.node.key) } == [])
    #expect(try problems() == [])
    #expect(
      try folder.names == ["waymark.sqlite", "waymark.sqlite-sessions", "waymark.sqlite-shm", "waymark.sqlite-wal"])
    #expect(try remove() == 0, "a removed course cannot be removed again")
  }

  /// Imports the course again from its unchanged source.
  private func importAgain(_ store: LearningStore) throws {
    try store.importing { writer in
      let storedNodes = try store.read { try $0.everyNode(of: course) }
      let ids = Dictionary(uniqueKeysWithValues: storedNodes.map { ($0.key, $0) })
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

  @Test func `a course that is imported again is restored`() throws {
    _ = try remove()
    try store.indexSearch()

    try importAgain(store)

    #expect(try problems() == [])
    #expect(try store.read { try $0.course(course)?.node.isRemoved } == false)
    #expect(try store.read { try $0.progress(of: course, for: learner).done } == 3)
    try store.indexSearch()
    #expect(try problems() == [])
    #expect(try store.read { try $0.search("map12x100 ").hits.map(\.node.key) } == ["map12x100"])
  }

  @Test func `an activity completed while its course was removed counts after its restoration`() throws {
    _ = try remove()
    let node = try store.read { try $0.node(withKey: "map3x3", inCourse: course) }!

    try store.write { transaction in
      let session = try #require(try transaction.snapshot.session(SessionID(rawValue: 1))).session
      _ = try transaction.append(
        PendingActivityEvent(
          uuid: "00000000-0000-0000-0003-000000000001", session: session, node: node.id, kind: .markedDone, detail: nil,
          score: nil, at: Timestamp(milliseconds: 2_500)))
    }

    #expect(try problems() == [])
    try importAgain(store)
    #expect(try problems() == [])
    #expect(try store.read { try $0.progress(of: course, for: learner).done } == 4)
  }
}
