import GRDB
import GRDBSQLite
import LearningModel
import TestSupport
import Testing

@testable import LearningStore
@testable import NavigationKit

/// Tests the cost of queries about a long session, in steps of SQLite's virtual machine.
@Suite(.serialized) struct LongSessionTests {
  private static let short = Result { try fixtures(steps: 500) }
  private static let long = Result { try fixtures(steps: 10_000) }

  private static func fixtures(steps: Int) throws -> [LongSession.Kind: NavigationFixture] {
    try Dictionary(
      uniqueKeysWithValues: LongSession.Kind.allCases.map { ($0, try LongSession.fixture(steps: steps, $0)) })
  }

  typealias Question = (name: String, ask: @Sendable (NavigationService) throws -> Void)

  static let questions: [Question] = [
    ("where", { _ = try $0.currentLocation() }),
    ("where --short", { _ = try $0.currentStack() }),
    (
      "where in any session",
      {
        _ = try $0.session.read {
          try NavigationState.newestPlace(
            of: $0.learner(named: "ada"), in: $0, at: Timestamp(milliseconds: 2_000_000_000_000))
        }
      }
    ),
    ("the first step of replay", { try $0.history.forEachRow(ofSession: "shell") { _ in false } }),
    ("the first page of the history", { _ = try $0.history.page(limit: 300) }),
    ("a week", { _ = try $0.history.visitTimes(HistoryFilter(since: Timestamp(milliseconds: 0).date), limit: 300) }),
    (
      "the time of a session",
      { _ = try $0.session.read { try $0.activeMilliseconds(of: SessionID(rawValue: 1), limit: 300) } }
    ),
  ]

  @Test(arguments: questions.indices, LongSession.Kind.allCases)
  func `a query costs as much for 10,000 steps as for 500`(
    index: Int, kind: LongSession.Kind
  ) throws {
    let (name, ask) = Self.questions[index]
    let short = try #require(try Self.short.get()[kind]).service()
    let long = try #require(try Self.long.get()[kind]).service()

    let costs = try [short, long].map { service in try QueryCostTests.cost(service) { try ask(service) }.steps }

    #expect(costs[1] <= costs[0] * 3 / 2, "\(name), \(kind): \(costs)")
    #expect(costs[0] > 0, "\(name)")
  }

  @Test(arguments: LongSession.Kind.allCases)
  func `each exported statement has a bounded cost in long sessions`(
    kind: LongSession.Kind
  ) throws {
    let service = try #require(try Self.long.get()[kind]).service()
    var count = 0

    let cost = try QueryCostTests.cost(service) {
      count = 0
      try service.history.forEachStatement {
        count += 1
        _ = $0
        return true
      }
    }

    #expect(count > 10_000)
    #expect(cost.steps <= 150 * count, "\(cost.steps) steps for \(count) statements")
  }

  /// A random walk along the visits of a session by new steps, back and forward.
  private struct Walk {
    var visits: [(sequence: Int, node: Int64)] = []
    var current = -1

    /// Returns the operation of the next step, the visit that it returns to, and its place.
    mutating func step(
      _ sequence: Int, _ node: Int64, _ random: inout SplitMix64
    ) -> (operation: String, returnsTo: Int?, node: Int64) {
      switch random.below(10) {
      case 0..<3 where current > 0:
        current -= 1 + random.below(min(3, current))
        return ("back", visits[current].sequence, visits[current].node)
      case 3..<5 where current + 1 < visits.count:
        current += 1
        return ("forward", visits[current].sequence, visits[current].node)
      case 5 where current >= 0:
        visits[current] = (sequence, node)
        return ("repair", nil, node)
      default:
        visits.removeSubrange((current + 1)...)
        visits.append((sequence, node))
        current += 1
        return ("open", nil, node)
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `the path taken ends at the current visit, also after back and repair operations`(
    seed: UInt64
  ) throws {
    let fixture = try LongSession.fixture(steps: 400, .ended)
    let service = try fixture.service()
    let session = try #require(try service.history.sessions().first)
    var random = SplitMix64(seed: seed)
    var walk = Walk()
    var expected: [[Int64]] = []
    try fixture.write { database in
      let activities = try Int64.fetchAll(database, sql: "SELECT id FROM contentNode WHERE kind = 'activity'")
      try database.execute(sql: "DROP TRIGGER navigationEventStays")
      for sequence in 1...400 {
        let (operation, visit, node) = walk.step(sequence, activities[random.below(activities.count)], &random)
        try database.execute(
          sql: """
            UPDATE navigationEvent SET operation = ?, returnsTo = ?, toNode = ?, toKind = 'activity' WHERE sequence = ?
            """, arguments: [operation, visit, node, sequence])
        expected.append(walk.visits[...walk.current].map(\.node))
      }
    }

    let all = try service.session.read { try $0.visitedPath(in: session, limit: 1000) }
    let last = try service.session.read { try $0.visitedPath(in: session, limit: 5) }

    #expect(all.compactMap { $0.node?.rawValue } == expected.last)
    #expect(last == Array(all.suffix(5)))
    #expect(!all.isEmpty)
  }

  @Test func `checking the logs takes less than 400 SQLite steps per history step`() throws {
    let service = try #require(try Self.long.get()[.ended]).service()
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    defer { count.deallocate() }
    count.initialize(to: 0)
    let pointer = UnsafeMutableRawPointer(count)
    func countOperations(_ isCounting: Bool) {
      service.session.store.database.writeWithoutTransaction { database in
        let count: (@convention(c) (UnsafeMutableRawPointer?) -> CInt)? =
          isCounting
          ? {
            $0?.assumingMemoryBound(to: Int.self).pointee += 100
            return 0
          } : nil
        sqlite3_progress_handler(database.sqliteConnection, isCounting ? 100 : 0, count, isCounting ? pointer : nil)
      }
    }

    countOperations(true)
    let problems = try service.check()
    countOperations(false)

    #expect(problems == [])
    #expect(count.pointee < 400 * 10_000, "\(count.pointee)")
  }
}
