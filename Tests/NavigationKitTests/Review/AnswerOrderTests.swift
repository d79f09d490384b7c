import Foundation
import GRDB
import LearningModel
import LearningStore
@testable import NavigationKit
import Synchronization
import TestSupport
import Testing

/// Three databases of one learner that synchronise now and then, and whose clocks jump by years in both directions.
private struct ClockWalk {
  var random: SplitMix64
  let replicas: [ReviewFixture]
  /// The UUIDs of the card events that each database knows, in their order.
  private var known: [[String]]

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    replicas = try (0..<3).map { _ in try ReviewFixture() }
    known = replicas.map { _ in [] }
    try replicas[0].begin("words")
    for replica in replicas { try replica.service.cards.include(from: ReviewFixture.path("words")) }
  }

  mutating func walk(_ steps: Int) throws {
    for _ in 0..<steps {
      let index = random.below(replicas.count)
      let service = replicas[index].service
      switch random.below(12) {
      case 0, 1: jump(index)
      case 2: try service.endSession()
      case 3, 4: try synchronise(index, (index + 1 + random.below(2)) % 3)
      case 5:
        let isDone = random.oneIn(2)
        try service.progress.record(isDone ? .markedDone : .markedNotDone, in: ReviewFixture.path("more"))
        #expect(try service.progress.rows(of: ReviewFixture.path("more")).map(\.progress.done) == [isDone ? 1 : 0])
      case 6: try service.changes.undo()
      default:
        let cards = try service.cards.all(in: ReviewFixture.path("words"))
        let answer = try service.reviews.answer(
          cards[random.below(cards.count)].id, CardRating.allCases[random.below(4)])
        // A new answer follows all others.
        #expect(try events(index).last?.uuid == answer.event)
      }
      replicas[index].navigation.advance(seconds: Double(random.below(90)))
      try check(index)
    }
  }

  /// Synchronises all databases with each other, twice.
  mutating func synchroniseAll() throws {
    for _ in 0..<2 { for (first, second) in [(0, 1), (1, 2), (2, 0)] { try synchronise(first, second) } }
  }

  private mutating func jump(_ index: Int) {
    let year: Int64 = 365 * 86_400_000
    replicas[index].navigation.clock.withLock { clock in
      // The last times are before 1970 and after the year 9999.
      let years = random.oneIn(8) ? [-3_000, 9_000][random.below(2)] : Int64(random.below(60)) - 30
      clock = Timestamp(milliseconds: min(max(clock.milliseconds + years * year, -9_000 * year), 20_000 * year))
    }
  }

  private mutating func synchronise(_ first: Int, _ second: Int) throws {
    try SyncPair(replicas[first].service, replicas[second].service).run()
    for index in [first, second] { try check(index) }
  }

  /// Checks that the events that a database knew before keep their order, and that the memories of its cards follow from
  /// its events in their order.
  private mutating func check(_ index: Int) throws {
    let events = try events(index)
    let before = Set(known[index])
    #expect(events.map(\.uuid).filter(before.contains) == known[index])
    known[index] = events.map(\.uuid)
    let histories = Dictionary(grouping: events, by: \.detail.key).mapValues { CardHistory($0, model: .standard) }
    for row in try replicas[index].service.cards.all(in: ReviewFixture.path("words")) {
      #expect(row.state == histories[row.id.key]?.state ?? .new)
    }
  }

  private func events(_ index: Int) throws -> [CardHistory.Event] {
    try replicas[index].navigation.write { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT event.uuid, event.kind, event.detail, event.at FROM activityEvent AS event
          JOIN session ON session.id = event.session WHERE detail ->> 'key' IS NOT NULL
          ORDER BY event.orderedAt, session.uuid, event.sequence
          """
      ).map { row in
        CardHistory.Event(
          uuid: row[0], kind: ActivityEventKind(logged: row[1]),
          detail: try JSONDecoder().decode(CardEventDetail.self, from: Data((row[2] as String).utf8)),
          at: Timestamp(milliseconds: row[3]))
      }
    }
  }

  /// Returns the UUIDs of the events in each database.
  func orders() throws -> [[String]] { try replicas.indices.map { try events($0).map(\.uuid) } }
}

struct AnswerOrderTests {
  @Test(arguments: Tier.seeds(Array(0..<30), long: 0..<1_000))
  func `an answer follows all that its database knows, whatever the clocks show`(seed: UInt64) throws {
    var walk = try ClockWalk(seed: seed)

    try walk.walk(60)
    try walk.synchroniseAll()

    let orders = try walk.orders()
    #expect(orders[0] == orders[1] && orders[1] == orders[2])
    for replica in walk.replicas { #expect(try replica.service.check() == []) }
  }
}
