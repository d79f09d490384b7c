import Foundation
import GRDB
import LearningModel
import Migrations
import TestSupport
import Testing

@testable import LearningStore

/// Whatever of a course gets another place is seen there by nobody until one moment, and by everybody from then on, although
/// it is put there in pieces.
struct CourseMovingTests {
  private struct Killed: Error {}

  private static let lessonCount = 8
  private static let activityCount = 32

  /// A course of lessons, each of which holds what the function says.
  private static func course(_ activities: (_ lesson: Int) -> [String]) -> Outline {
    Outline(
      "atlas\n  maps\n"
        + (1...lessonCount).map { lesson in
          "    l\(lesson)\n" + activities(lesson).map { "      \($0)\n" }.joined()
        }.joined())
  }
  private static func own(_ lesson: Int) -> [String] { (1...activityCount).map { "map\(lesson)x\($0)" } }
  private static func after(_ lesson: Int) -> Int { lesson % lessonCount + 1 }

  private static let base = course(own)

  /// What becomes of the course.
  enum Work: CaseIterable {
    /// The second half of each lesson goes to the next one, and everybody there is in somebody's way.
    case moved
    /// Every lesson is turned round.
    case turned
    /// One comes first in each lesson.
    case pushed
    /// As much again comes into lessons that are there, in between.
    case added
    /// What was removed from lessons comes back into them, a part of it elsewhere.
    case returned
    /// Half of each lesson goes.
    case gone
    /// All of it at once: some go, some come, some return and all others change places; a lesson moves, one becomes part of
    /// another and one that was removed is there again.
    case mixed

    var outline: Outline {
      switch self {
      case .moved: course { own($0).prefix(16) + own(after($0)).suffix(16) }
      case .turned: course { own($0).reversed() }
      case .pushed: course { ["first\($0)"] + own($0) }
      case .added: course { lesson in own(lesson).flatMap { [$0, "new" + $0] } }
      case .returned:
        course { lesson in
          own(lesson).prefix(24) + own(after(lesson)).suffix(4) + own(lesson).suffix(8).prefix(4)
        }
      case .gone: course { lesson in own(lesson).enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element) }
      case .mixed:
        Outline(
          "atlas\n  seas\n    l2\n"
            + lines(3, CourseMovingTests.own(5).prefix(12) + CourseMovingTests.own(2).suffix(12))
            + "  maps\n    l5\n" + lines(3, (1...16).map { "new\($0)" } + CourseMovingTests.own(2).prefix(20))
            + "      l3\n" + lines(4, CourseMovingTests.own(3).reversed().prefix(24))
            + lines(3, CourseMovingTests.own(5).suffix(12))
            + "    l1\n" + lines(3, CourseMovingTests.own(7).suffix(28) + CourseMovingTests.own(1).prefix(12))
            + "    l7\n" + lines(3, CourseMovingTests.own(1).suffix(20) + CourseMovingTests.own(8).prefix(16))
            + "    l8\n" + lines(3, CourseMovingTests.own(8).suffix(16) + CourseMovingTests.own(4).suffix(16)))
      }
    }

    private func lines(_ depth: Int, _ keys: some Sequence<String>) -> String {
      keys.map { String(repeating: "  ", count: depth) + $0 + "\n" }.joined()
    }
    private func course(_ activities: (Int) -> [String]) -> Outline { CourseMovingTests.course(activities) }
    private func own(_ lesson: Int) -> [String] { CourseMovingTests.own(lesson) }
    private func after(_ lesson: Int) -> Int { CourseMovingTests.after(lesson) }
  }

  private static let paths = [
    "atlas/maps/l1/map1x1", "atlas/maps/l1/map1x32", "atlas/maps/l8/map1x32", "atlas/maps/l1/map2x32",
    "atlas/maps/l3/first3", "atlas/maps/l4/newmap4x7", "atlas/seas/l2/map2x32", "atlas/maps/l5/l3/map3x9", "map7x3",
  ]

  let edited: EditedCourse

  init() throws { edited = try EditedCourse(Self.base) }

  /// Lets somebody have been in two lessons, and brings the course to where the work begins.
  private func prepare(_ work: Work) throws {
    if work == .returned || work == .mixed {
      try edited.bring(Self.course { lesson in lesson == 4 ? [] : Array(Self.own(lesson).prefix(24)) })
    }
    try edited.store.write { transaction in
      for key in ["map1x1", "map1x20", "map5x20"] {
        let node = try transaction.snapshot.node(withKey: key, inCourse: edited.course)!
        let ada = LearnerID(rawValue: 1)
        try transaction.begin(node.id, for: ada, at: Timestamp(milliseconds: 10))
      }
      try transaction.rebuildProjections()
    }
    try edited.store.indexSearch()
  }

  private func sight(in store: LearningStore? = nil) throws -> [String] {
    try edited.sight(at: Self.paths, in: store)
  }

  @Test(arguments: Work.allCases)
  func `who gets another place is seen there from one moment on`(work: Work) throws {
    try prepare(work)
    let (before, base) = try (sight(), try #require(try edited.revision()))
    var published: [[String]] = []
    var waiting: [Int] = []

    try CourseEdition.$habits.withValue(CourseEdition.Habits(fewestNodes: 40, mostNodes: 50)) {
      try edited.bring(work.outline) {
        #expect(try edited.problems() == [])
        try edited.store.indexSearch()
        // What is worked out anew meanwhile is as it was.
        try edited.store.write { try $0.rebuildProjections() }
        let now = try sight()
        let revision = try edited.revision()
        if revision == base { #expect(now == before) } else { published.append(now) }
        waiting.append(try edited.count("nextParent IS NOT NULL OR goesIn IS NOT NULL"))
      }
    }

    let after = try sight()
    #expect(
      published.count >= 2 && published.allSatisfy { $0 == after }, "\(published.map { $0.difference(from: after) })")
    #expect(waiting.max() ?? 0 >= 60 && Set(waiting).count >= 3, "\(waiting)")
    #expect(try edited.count("nextParent IS NOT NULL OR goesIn IS NOT NULL OR goneSince IS NOT NULL") == 0)
    #expect(try edited.problems() == [])
    #expect(try edited.keys() == work.outline.nodes.map(\.key))
  }

  @Test(arguments: Work.allCases)
  func `it stands as if it had been moved at once`(work: Work) throws {
    try prepare(work)
    let other = try EditedCourse(Self.base)
    let twin = Self(edited: other)
    try twin.prepare(work)

    try CourseEdition.$habits.withValue(CourseEdition.Habits(fewestNodes: 40, mostNodes: 50)) {
      try edited.bring(work.outline)
    }
    try CourseEdition.$habits.withValue(CourseEdition.Habits(fewestNodes: 100_000, fewestBytes: 1 << 30)) {
      try other.bring(work.outline)
    }
    try edited.store.indexSearch()
    try other.store.indexSearch()

    let (ours, theirs) = try (sight(), twin.sight())
    #expect(ours == theirs, "\(ours.difference(from: theirs))")
    // Former paths may have come in another order.
    let (rows, others) = try (edited.rows(), other.rows())
    #expect(rows.filter { !$0.hasPrefix("formerPath") } == others.filter { !$0.hasPrefix("formerPath") })
  }

  private init(edited: EditedCourse) { self.edited = edited }

  @Test(arguments: Work.allCases, [1, 2, 3])
  func `what is given up before it has happened leaves nothing`(work: Work, enough: Int) throws {
    try prepare(work)
    let before = try edited.rows()
    var pieces = 0

    #expect(throws: Killed.self) {
      try CourseEdition.$habits.withValue(CourseEdition.Habits(fewestNodes: 40, mostNodes: 50)) {
        try edited.bring(work.outline) {
          pieces += 1
          if pieces == enough { throw Killed() }
        }
      }
    }

    #expect(try edited.rows() == before)
    try edited.bring(work.outline)
    #expect(try edited.keys() == work.outline.nodes.map(\.key))
  }

  @Test(arguments: Work.allCases, [2, 5, 9])
  func `what somebody who was killed has left is finished by the next`(work: Work, pieces: Int) throws {
    try prepare(work)
    let (before, base) = try (edited.rows(), edited.revision())
    let copy = edited.folder.file("copy.sqlite")
    var done = 0
    try CourseEdition.$habits.withValue(CourseEdition.Habits(fewestNodes: 40, mostNodes: 50)) {
      try edited.bring(work.outline) {
        done += 1
        if done == pieces { try edited.store.backUp(to: copy) }
      }
    }
    if done < pieces { try edited.store.backUp(to: copy) }

    // Each who opens it does some of it.
    var other = try LearningStore.open(at: copy)
    let hasHappened = try edited.revision(in: other) != base
    let seen = try sight(in: other)
    #expect(try edited.problems(in: other) == [])
    other = try LearningStore.open(at: copy)
    #expect(try sight(in: other) == seen)
    try other.importing { _ in }

    #expect(try sight(in: other) == seen)
    #expect(try edited.problems(in: other) == [])
    #expect(try edited.count("nextParent IS NOT NULL", in: other) == 0)
    if !hasHappened {
      #expect(try edited.rows(in: other) == before)
      try edited.bring(work.outline, to: other)
    }
    #expect(try edited.keys(in: other) == work.outline.nodes.map(\.key))
    #expect(try edited.problems(in: other) == [])
  }

  @Test func `a database of the migrations before is brought to this one, and who stood in it stands there`() throws {
    let path = edited.folder.file("old.sqlite")
    let old = try LearningStore.open(at: path, migrations: Migrations.all.filter { $0.name < "0015" })
    // As an older program wrote it, which was killed when it had published.
    try old.write { transaction in
      try transaction.database.execute(
        sql: """
          INSERT INTO contentNode (id, course, key, kind, position, slug, title) VALUES (1, 1, 'k', 'course', 0, 's', 'T');
          INSERT INTO contentNode (id, course, parent, key, kind, position, slug, title, nextTitle, nextSummary, goesIn)
          VALUES (2, 1, 1, 'g', 'goal', 0, 'g', 'G', 'H', '', NULL), (3, 1, 1, 'h', 'goal', 1, 'h', 'H', NULL, NULL, 2);
          INSERT INTO courseRevision VALUES (1, 1, 0, 'x', 'x', 'x', 1, 0, 0, 0, 0, 0);
          INSERT INTO courseRevision VALUES (1, 2, 0, 'x', 'x', 'x', 1, 0, 0, 0, 1, 0);
          INSERT INTO course VALUES (1, NULL, 'x', 2);
          INSERT INTO placeTotal VALUES (1, 0, 0), (2, 0, 0), (3, 0, 0);
          INSERT INTO edition (course, isPublished, nextNode, lastNode) VALUES (1, 1, 1, 3);
          UPDATE contentNode SET removedInRevision = 2 WHERE id = 3;
          """)
    }
    try old.close()
    let moved = edited.folder.file("moved.sqlite")
    try FileManager.default.moveItem(atPath: path, toPath: moved)

    let new = try LearningStore.open(at: moved)
    try new.importing { _ in }
    try new.indexSearch()

    #expect(try new.read { try $0.subtree(from: .root).map(\.node.title) } == ["T", "H"])
    #expect(try new.read { try $0.value("SELECT count(*) FROM edition") } == 0)
    #expect(try new.read { try $0.fileProblems() } == [])
  }
}
