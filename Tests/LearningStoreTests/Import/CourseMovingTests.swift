import LearningModel
import TestSupport
import Testing

@testable import LearningStore

/// Tests that all moved nodes of a course have their new positions, regardless of their number and order.
struct CourseMovingTests {
  private static let lessonCount = 8
  private static let activityCount = 32

  /// Creates a course of lessons with the given activities.
  private static func course(_ activities: (_ lesson: Int) -> [String]) -> CourseOutlines {
    CourseOutlines(
      "atlas\n  maps\n"
        + (1...lessonCount).map { lesson in
          "    l\(lesson)\n" + activities(lesson).map { "      \($0)\n" }.joined()
        }.joined())
  }
  private static func own(_ lesson: Int) -> [String] { (1...activityCount).map { "map\(lesson)x\($0)" } }
  private static func after(_ lesson: Int) -> Int { lesson % lessonCount + 1 }

  private static let base = course(own)

  /// The kind of change to the course.
  enum Work: CaseIterable {
    /// Moves the second half of each lesson to the next one, where each position is still occupied.
    case moved
    /// Reverses every lesson.
    case turned
    /// Inserts a new first activity into each lesson.
    case pushed
    /// Inserts a new activity after each activity.
    case added
    /// Restores removed activities, some of them in other lessons.
    case returned
    /// Removes half of each lesson.
    case gone
    /// All of these changes in one import: activities are removed, added, restored and moved, one lesson is moved,
    /// another is moved into a lesson, and a removed lesson is restored.
    case mixed

    var outline: CourseOutlines {
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
        CourseOutlines(
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
    private func course(_ activities: (Int) -> [String]) -> CourseOutlines { CourseMovingTests.course(activities) }
    private func own(_ lesson: Int) -> [String] { CourseMovingTests.own(lesson) }
    private func after(_ lesson: Int) -> Int { CourseMovingTests.after(lesson) }
  }

  private static let paths = [
    "atlas/maps/l1/map1x1", "atlas/maps/l1/map1x32", "atlas/maps/l8/map1x32", "atlas/maps/l1/map2x32",
    "atlas/maps/l3/first3", "atlas/maps/l4/newmap4x7", "atlas/seas/l2/map2x32", "atlas/maps/l5/l3/map3x9", "map7x3",
  ]

  let edited: EditedCourse

  init() throws { edited = try EditedCourse(Self.base) }

  /// Adds a learner with progress in two lessons, and brings the course into the state before the change.
  private func prepare(_ work: Work) throws {
    if work == .returned || work == .mixed {
      try edited.bring(Self.course { lesson in lesson == 4 ? [] : Array(Self.own(lesson).prefix(24)) })
    }
    try edited.store.write { transaction in
      for key in ["map1x1", "map1x20", "map5x20"] {
        let node = try transaction.snapshot.node(withKey: key, inCourse: edited.course)!
        let ada = LearnerID(rawValue: 1)
        try transaction.recordOpening(of: node.id, by: ada, at: Timestamp(milliseconds: 10))
      }
      try transaction.rebuildProjections()
    }
    try edited.store.indexSearch()
  }

  private func sight() throws -> [String] { try edited.sight(at: Self.paths) }

  @Test(arguments: Work.allCases)
  func `every node has its planned position and nothing else has changed`(work: Work) throws {
    try prepare(work)

    try edited.bring(work.outline)

    let after = try sight()
    #expect(try edited.keys() == work.outline.nodes.map(\.key))
    #expect(try edited.problems() == [])
    try edited.store.write { try $0.rebuildProjections() }
    try edited.store.indexSearch()
    #expect(try edited.problems() == [])
    // New search terms may be found now. Everything else must be unchanged.
    let differences = Set(try sight()).symmetricDifference(after).filter { !$0.hasPrefix("found for") }
    #expect(differences == [], "\(differences)")
  }

  @Test(arguments: Work.allCases)
  func `a rejected import changes nothing`(work: Work) throws {
    try prepare(work)
    let before = try edited.rows()
    var broken = work.outline.nodes
    broken[broken.count - 1].slug = broken[broken.count - 2].slug

    #expect(throws: LearningDatabaseError.self) { try edited.bring(CourseOutlines(of: broken)) }

    #expect(try edited.rows() == before)
    try edited.bring(work.outline)
    #expect(try edited.keys() == work.outline.nodes.map(\.key))
  }
}
