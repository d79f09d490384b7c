import GRDB
import LearningModel
import TestSupport
import Testing

@testable import LearningStore

/// However much of a course comes, changes or goes, everybody else has a turn in between. Time is not counted here, since
/// that is the machine's: what is counted is how much each transaction writes.
struct ShortTransactionTests {
  let folder: TemporaryFolder
  let store: LearningStore

  init() throws {
    folder = try TemporaryFolder()
    store = try LearningStore.open(at: folder.file("waymark.sqlite"))
  }

  /// 20,221 nodes in two hundred lessons and twenty goals.
  private static let goals = 20
  private static let lessons = 10
  private static let activities = 100

  /// What there is of the course: the goals from one on, and what its places say.
  private func nodes(goals: ClosedRange<Int>, version: Int = 1) -> [PlannedNode] {
    func node(_ parent: Int?, _ kind: ContentKind, _ position: Int, _ key: String) -> PlannedNode {
      PlannedNode(
        id: nil, parent: parent, key: key, kind: kind, position: position, slug: key, title: "Title of \(key)",
        summary: "Version \(version).", minutes: nil, changes: [])
    }
    var nodes = [node(nil, .course, 0, "large")]
    for (place, goal) in goals.enumerated() {
      let above = nodes.count
      nodes.append(node(0, .goal, place, "g\(goal)"))
      for lesson in 0..<Self.lessons {
        let top = nodes.count
        nodes.append(node(above, .lesson, lesson, "g\(goal)l\(lesson)"))
        for activity in 0..<Self.activities {
          nodes.append(node(top, .activity, activity, "g\(goal)l\(lesson)a\(activity)"))
        }
      }
    }
    return nodes
  }

  /// Makes the course that, as an import does that compares it with what is there.
  private func bring(_ wanted: [PlannedNode]) throws {
    let course = try store.read { try $0.course(withKey: "large") }
    let known = try store.read { snapshot in try course.map { try snapshot.everyNode(of: $0.id) } ?? [] }
    let before = Dictionary(uniqueKeysWithValues: known.map { ($0.key, $0) })
    var nodes = wanted
    for index in nodes.indices {
      guard let old = before[nodes[index].key] else { continue }
      nodes[index].id = old.id
      if old.isRemoved {
        nodes[index].changes = [.placement, .description, .content]
      } else {
        if old.position != nodes[index].position { nodes[index].changes.insert(.placement) }
        if old.summary != nodes[index].summary { nodes[index].changes.formUnion([.description, .content]) }
      }
    }
    let stays = Set(nodes.map(\.key))
    let plan = CoursePlan(
      key: "large", base: course?.revision, format: "test", sourceName: "test", sourceDigest: "", language: nil,
      nodes: nodes, removed: known.filter { !$0.isRemoved && !stays.contains($0.key) }.map(\.id),
      counts: DifferenceCounts())
    try store.importing { writer in
      for (index, node) in nodes.enumerated()
      where node.kind == .activity && (node.id == nil || node.changes.contains(.content)) {
        try writer.stage(
          StoredContent(.reading([.paragraph([.text("\(node.summary) Words of \(node.key).")])])), at: index)
      }
      _ = try writer.commit(plan, at: Timestamp(milliseconds: 1_000))
    }
  }

  /// How many pages each transaction has written that a work has made.
  private func pages(of work: () throws -> Void) throws -> [Int] {
    // Somebody who reads keeps the log from beginning anew.
    let reader = try DatabaseQueue(path: store.path)
    return try reader.read { database in
      _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM course")
      let before = try WriteAheadLog(of: store.path).pages.count
      try work()
      return Array(try WriteAheadLog(of: store.path).pages.dropFirst(before))
    }
  }

  private static let all = 1...goals
  private static let half = 1...goals / 2

  @Test func `no transaction writes much, whatever comes, changes, goes and comes back`() throws {
    let works: [(name: String, work: () throws -> Void)] = [
      ("a first import", { try bring(nodes(goals: Self.half)) }),
      ("everything changes", { try bring(nodes(goals: Self.half, version: 2)) }),
      ("as much is added", { try bring(nodes(goals: Self.all, version: 2)) }),
      ("half of it goes", { try bring(nodes(goals: Self.half, version: 2)) }),
      (
        "all of it is removed",
        {
          let course = try #require(try store.read { try $0.course(withKey: "large") })
          #expect(try store.removeCourse(course.id, at: Timestamp(milliseconds: 2_000)) == 10_111)
        }
      ),
      ("the index forgets it", { try store.indexSearch() }),
      ("all of it comes back", { try bring(nodes(goals: Self.half, version: 2)) }),
      ("the other half goes on", { try bring(nodes(goals: Self.all, version: 3)) }),
    ]

    for (name, work) in works {
      // Of 500 nodes a piece, on any machine.
      let written = try CourseEdition.$habits.withValue(CourseEdition.Habits(mostNodes: 500)) { try pages(of: work) }
      print(
        "\(name): \(written.count) transactions, the largest of \(written.max() ?? 0) pages, of \(written.reduce(0, +))"
      )
      #expect(written.count >= 20, "\(name)")
      #expect(written.max() ?? 0 <= 150, "\(name): \(written.sorted().suffix(5))")
    }
    #expect(try store.read { try $0.fileProblems() + $0.contentProblems() } + store.checkLogs() == [])
  }
}
