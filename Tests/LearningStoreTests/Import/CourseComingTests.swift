import Foundation
import GRDB
import LearningModel
import Migrations
import TestSupport
import Testing

@testable import LearningStore

/// Much of a course comes, or comes back, in pieces: nobody sees anything of it until one moment, and all of it from then
/// on.
struct CourseComingTests {
  private struct Killed: Error {}

  let edited: EditedCourse

  init() throws { edited = try EditedCourse(Self.half) }

  private static func lessons(_ numbers: ClosedRange<Int>) -> String {
    numbers.map { lesson in
      "    l\(lesson)\n" + (1...100).map { "      map\(lesson)x\($0)\n" }.joined()
    }.joined()
  }
  private static let half = Outline("atlas\n  maps\n" + lessons(1...6))
  /// The same with as much again, also in a goal of its own, and a few in a lesson that was there.
  private static let whole = Outline(
    "atlas\n  seas\n" + lessons(13...14) + "  maps\n" + lessons(1...3) + "      map3x101\n    l3x1\n      map3x102\n"
      + lessons(4...12))

  private static let paths = [
    "atlas", "atlas/maps/l1/map1x1", "atlas/maps/l3/map3x101", "atlas/seas", "atlas/seas/l13/map13x3", "map7x3",
    "atlas/maps/l9", "atlas/maps/l3/l3x1/map3x102",
  ]

  private func sight(in store: LearningStore? = nil) throws -> [String] {
    try edited.sight(at: Self.paths, searchingFor: ["map7x3 "], in: store)
  }

  /// How many nodes are written that have not come, or have come and still have the mark.
  private func marked(in store: LearningStore? = nil) throws -> Int {
    try edited.count("goneSince IS NOT NULL", in: store)
  }

  /// What comes: much that is new, a part of it that was there before, or the whole course that was removed.
  enum Work: CaseIterable {
    case added
    case back
    case removed
  }

  private func prepare(_ work: Work) throws {
    switch work {
    case .added: break
    case .back:
      try edited.bring(Self.whole)
      try edited.bring(Self.half)
    case .removed:
      try edited.bring(Self.whole)
      _ = try edited.store.removeCourse(edited.course, at: Timestamp(milliseconds: 2_000))
    }
    try edited.store.indexSearch()
  }

  @Test(arguments: Work.allCases)
  func `what comes is seen by nobody until one moment, and by everybody from then on`(work: Work) throws {
    try prepare(work)
    let (before, base) = try (sight(), try #require(try edited.revision()))
    var published: [[String]] = []
    var counts: [Int] = []

    try edited.bring(Self.whole) {
      #expect(try edited.problems() == [])
      counts.append(try marked())
      // What is worked out anew meanwhile is as it was.
      try edited.store.write { try $0.rebuildProjections() }
      let now = try sight()
      if try edited.revision() == base { #expect(now == before) } else { published.append(now) }
    }

    let after = try sight()
    #expect(
      published.count >= 2 && published.allSatisfy { $0 == after }, "\(published.map { $0.difference(from: after) })")
    #expect(Set(counts).count >= 3 && (counts.max() ?? 0) > (work == .removed ? 1_400 : 700))
    #expect(try marked() == 0)
    #expect(try edited.problems() == [])
    #expect(try edited.keys() == Self.whole.nodes.map(\.key))
    try edited.store.indexSearch()
    #expect(try edited.store.read { try $0.search("map14x100 ").hits.map(\.node.key) } == ["map14x100"])
    #expect(try edited.problems() == [])
  }

  @Test(arguments: Work.allCases, [1, 2, 3, 4])
  func `what is given up before it has come leaves nothing`(work: Work, enough: Int) throws {
    try prepare(work)
    let before = try edited.rows()
    var pieces = 0

    #expect(throws: Killed.self) {
      try edited.bring(Self.whole) {
        pieces += 1
        if pieces == enough { throw Killed() }
      }
    }

    #expect(try edited.rows() == before)
    try edited.bring(Self.whole)
    #expect(try edited.keys() == Self.whole.nodes.map(\.key))
  }

  @Test(arguments: Work.allCases, [2, 3, 5, 7])
  func `what somebody who was killed has left is finished by the next, whenever it was`(work: Work, pieces: Int) throws
  {
    try prepare(work)
    let (before, base) = try (edited.rows(), edited.revision())
    let copy = edited.folder.file("copy.sqlite")
    var done = 0
    try edited.bring(Self.whole) {
      done += 1
      if done == pieces { try edited.store.backUp(to: copy) }
    }
    // On a quick machine there are fewer.
    if done < pieces { try edited.store.backUp(to: copy) }

    // Each who opens it does some of it.
    var other = try LearningStore.open(at: copy)
    let hasCome = try edited.revision(in: other) != base
    let seen = try sight(in: other)
    #expect(try edited.problems(in: other) == [])
    other = try LearningStore.open(at: copy)
    #expect(try sight(in: other) == seen)
    #expect(try edited.problems(in: other) == [])
    try other.importing { _ in }

    #expect(try marked(in: other) == 0)
    #expect(try sight(in: other) == seen)
    #expect(try edited.problems(in: other) == [])
    if !hasCome {
      #expect(try edited.rows(in: other) == before)
      try edited.bring(Self.whole, to: other)
    }
    #expect(try edited.keys(in: other) == Self.whole.nodes.map(\.key))
    #expect(try edited.problems(in: other) == [])
  }

  /// Ada's record from elsewhere, of a place that is only coming here.
  private func adopt() throws {
    var record = LearnerRecord(name: "ada", createdAt: Timestamp(milliseconds: 0))
    let way: [(String, ContentKind)] = [("atlas", .course), ("maps", .goal), ("l9", .lesson), ("map9x9", .activity)]
    for (number, (key, kind)) in way.enumerated() {
      record.nodes.append(
        LearnerRecord.Node(
          course: "atlas", key: key, parent: number == 0 ? nil : number - 1, kind: kind, slug: key,
          title: "Ada's \(key)"))
    }
    record.bookmarks.append(LearnerRecord.Mark(node: 3, createdAt: Timestamp(milliseconds: 5)))
    _ = try edited.store.write { try $0.merge(record) }
  }

  @Test(arguments: [false, true])
  func `what somebody has been to elsewhere is kept, whether it comes after all or not`(comes: Bool) throws {
    var isKept = false
    func keep() throws {
      guard !isKept,
        try edited.store.read({ try $0.value("SELECT 1 FROM contentNode WHERE key = 'map9x9'") as Int? }) != nil
      else { return }
      isKept = true
      try adopt()
      #expect(try edited.problems() == [])
      if !comes { throw Killed() }
    }

    do { try edited.bring(Self.whole, keep) } catch is Killed {}

    #expect(isKept)
    #expect(try edited.problems() == [])
    #expect(try marked() == 0)
    let marks = try edited.store.read { snapshot in
      try snapshot.bookmarks(of: LearnerID(rawValue: 1)).map { try snapshot.node($0.node) }
    }
    #expect(marks.map { $0?.key } == ["map9x9"] && marks.first??.isRemoved == !comes)
    // Nobody but it and those above it.
    let kept = try edited.store.read { try $0.everyNode(of: edited.course).filter(\.isRemoved).map(\.key).sorted() }
    #expect(kept == (comes ? [] : ["l9", "map9x9"]))
    if !comes { try edited.bring(Self.whole) }
    #expect(try edited.keys() == Self.whole.nodes.map(\.key))
    #expect(try edited.problems() == [])
  }

  @Test func `what comes below somebody who is to be of another kind waits for that`() throws {
    // An activity becomes a lesson, with hundreds of activities and a lesson in it.
    let split = Outline(
      "atlas\n  maps\n    l1\n      map1x1\n    map2x1\n"
        + (1...600).map { "      part\($0)\n" }.joined() + "      linner\n        word\n")
    var nodes = split.nodes
    for index in nodes.indices where nodes[index].key == "map2x1" { nodes[index].kind = .lesson }

    try edited.bring(Outline(of: nodes))

    #expect(try edited.problems() == [])
    #expect(try edited.keys() == split.nodes.map(\.key))
    #expect(try edited.store.read { try $0.node(withKey: "map2x1", inCourse: edited.course)?.kind } == .lesson)
    try edited.bring(Self.whole)
    #expect(try edited.problems() == [])
    #expect(try edited.keys() == Self.whole.nodes.map(\.key))
  }

  @Test func `only what has not come may be taken away`() throws {
    try prepare(.back)
    let copy = edited.folder.file("copy.sqlite")
    try edited.bring(Self.whole) {
      guard try marked() > 0, !FileManager.default.fileExists(atPath: copy) else { return }
      try edited.store.backUp(to: copy)
    }
    let shell = try DatabaseQueue(path: copy)
    try shell.write { database in
      // It has been there once.
      let coming = try #require(try Int64.fetchOne(database, sql: "SELECT id FROM comingNode"))
      for condition in ["id = \(coming)", "goneSince IS NULL AND kind = 'activity' AND living = 1"] {
        let error = #expect(throws: DatabaseError.self) {
          try database.execute(sql: "DELETE FROM contentNode WHERE \(condition)")
        }
        #expect(error?.message == "a node is never deleted: set removedInRevision")
      }
    }
  }

  @Test func `a database of the migrations before is brought to this one, and what was on its way in it is finished`()
    throws
  {
    let path = edited.folder.file("old.sqlite")
    let old = try LearningStore.open(at: path, migrations: Migrations.all.filter { $0.name < "0012" })
    // As an older program wrote it, which was killed before it had published.
    try old.write { transaction in
      try transaction.database.execute(
        sql: """
          INSERT INTO contentNode (id, course, key, kind, position, slug, title) VALUES (1, 1, 'k', 'course', 0, 's', 'T');
          INSERT INTO contentNode (id, course, parent, key, kind, position, slug, title, nextTitle, nextSummary, goesIn)
          VALUES (2, 1, 1, 'g', 'goal', 0, 'g', 'G', 'H', '', NULL), (3, 1, 1, 'h', 'goal', 1, 'h', 'H', NULL, NULL, 2);
          INSERT INTO courseRevision VALUES (1, 1, 0, 'x', 'x', 'x', 1, 0, 0, 0, 0, 0);
          INSERT INTO course VALUES (1, NULL, 'x', 1);
          INSERT INTO placeTotal VALUES (1, 0, 0), (2, 0, 0), (3, 0, 0);
          INSERT INTO edition (course, nextNode, lastNode) VALUES (1, 1, 9);
          PRAGMA defer_foreign_keys = ON;
          """)
    }
    try old.close()
    let shell = try DatabaseQueue(path: path, configuration: Configuration.withoutForeignKeys)
    try shell.write { try $0.execute(sql: "INSERT INTO placeTotal VALUES (8, 1, 60)") }
    try shell.close()
    let moved = edited.folder.file("moved.sqlite")
    try FileManager.default.moveItem(atPath: path, toPath: moved)

    let new = try LearningStore.open(at: moved)
    try new.importing { _ in }
    try new.indexSearch()

    #expect(try new.read { try $0.subtree(from: .root).map(\.node.title) } == ["T", "G", "H"])
    #expect(try String.fetchAll(of: new, "SELECT node FROM placeTotal ORDER BY node") == ["1", "2", "3"])
    #expect(try String.fetchAll(of: new, "SELECT course FROM edition") == [])
  }
}

extension Configuration {
  fileprivate static var withoutForeignKeys: Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    return configuration
  }
}

extension String {
  fileprivate static func fetchAll(of store: LearningStore, _ sql: String) throws -> [String] {
    try store.read { try String.fetchAll($0.database, sql: sql) }
  }
}
