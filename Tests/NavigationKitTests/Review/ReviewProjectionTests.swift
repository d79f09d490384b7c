import Foundation
import GRDB
import LearningModel
import LearningStore
@testable import NavigationKit
import Synchronization
import TestSupport
import Testing

/// Random reviews on three computers that synchronise now and then, with editions of the course, jumps of the clock and
/// the change to daylight saving time.
private struct ReviewWalk {
  var random: SplitMix64
  let replicas: [ReviewFixture]
  var decks = ReviewFixture.decks
  var isRemoved = false

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    replicas = try ["Europe/Berlin", "America/New_York", "UTC"].map { try ReviewFixture(timeZone: $0) }
    // Two hours before the change to daylight saving time in Berlin.
    for replica in replicas { replica.navigation.clock.withLock { $0 = Timestamp("2026-03-28T23:00:00Z")! } }
    try replicas[0].begin("words")
    for replica in replicas.dropFirst() { try replica.service.cards.include(from: ReviewFixture.path("words")) }
  }

  mutating func walk(_ steps: Int) throws {
    for _ in 0..<steps {
      let replica = replicas[random.below(replicas.count)]
      try act(on: replica)
      let seconds = random.oneIn(6) ? Double(random.below(8 * 86_400)) : Double(random.below(900))
      // The clock is put back now and then.
      replica.navigation.advance(seconds: random.oneIn(12) ? -seconds : seconds)
    }
  }

  private mutating func act(on replica: ReviewFixture) throws {
    let service = replica.service
    let rating = CardRating.allCases[random.below(4)]
    switch random.below(16) {
    case 0...7: try replica.answerNext(rating, seconds: Double(random.below(20)))
    case 8: try service.changes.undo()
    case 9: if let card = try service.reviews.nextCard() { try service.cards.bury(card.id) }
    case 10: if let card = try service.reviews.nextCard() { try service.cards.setSuspended(true, card.id) }
    case 11: if !isRemoved { try service.cards.setSuspended(false, in: "cards") }
    case 12: try edit()
    case 13:
      if !isRemoved, random.oneIn(2) {
        let front = "own \(random.below(1000))"
        let made = try service.cards.make(front: front, back: "b", in: ReviewFixture.path("words"))
        if random.oneIn(3) { try service.cards.remove(made) }
      }
    case 14:
      guard let card = try service.reviews.nextCard(ahead: true) else { return }
      try service.reviews.answer(card.id, rating)
    default: try synchronise(replica, replicas[random.below(replicas.count)])
    }
  }

  /// Publishes another edition on all computers, or removes the course.
  private mutating func edit() throws {
    if isRemoved || !random.oneIn(4) {
      let index = random.below(decks[0].cards.count)
      switch random.below(4) {
      case 0: decks[0].cards[index].front += "!"
      case 1: decks[0].cards[index].back += "!"
      case 2: decks[0].cards.insert(("new \(random.below(1_000_000))", "answer \(random.below(1_000_000))"), at: index)
      default: if decks[0].cards.count > 2 { decks[0].cards.remove(at: index) }
      }
      for replica in replicas { try replica.publish(decks) }
      isRemoved = false
    } else {
      for replica in replicas { try replica.remove() }
      isRemoved = true
    }
  }

  func synchronise(_ first: ReviewFixture, _ second: ReviewFixture) throws {
    guard first !== second else { return }
    // An open session is not merged, so both end first.
    try first.service.endSession()
    try second.service.endSession()
    try SyncPair(first.service, second.service).run()
  }

  /// Synchronises all computers in a random order until all have everything.
  mutating func synchroniseAll() throws {
    if isRemoved { for replica in replicas { try replica.publish(decks) } }
    for _ in 0..<2 {
      for (first, second) in [(0, 1), (1, 2), (2, 0)].shuffled(using: &random) {
        try synchronise(replicas[first], replicas[second])
      }
    }
  }
}

struct ReviewProjectionTests {
  @Test func `memories are computed once after a run that merges earlier answers, or before the next read`() throws {
    let replicas = try (0..<3).map { _ in try ReviewFixture() }
    let (early, late, target) = (replicas[0], replicas[1], replicas[2])
    for (replica, days) in [(early, 0.0), (late, 10)] {
      replica.advance(days: days)
      try replica.service.cards.include(from: ReviewFixture.path("words"))
      for _ in 0..<3 {
        try replica.answerAll(.good, in: "words", varyingBySeconds: 1)
        replica.advance(days: 1)
      }
    }
    try SyncPair(target.service, late.service).run()
    func marks() throws -> Int? {
      try target.navigation.write { try Int.fetchOne($0, sql: "SELECT count(*) FROM staleMemory") }
    }
    let before = try rows(target)
    let pair = SyncPair(target.service, early.service)
    pair.after = { _ in if try marks() ?? 0 > 0 { throw SyncPair.Interruption() } }

    #expect(throws: SyncPair.Interruption.self) {
      try Synchroniser(target.service, writing: 10, send: pair.send).run(joining: true)
    }

    #expect(try marks() ?? 0 > 0 && target.service.check() == [])
    #expect(try rows(target) != before)
    #expect(try marks() == 0 && target.service.check() == [])
    pair.after = { _ in }
    _ = try Synchroniser(target.service, writing: 10, send: pair.send).run()
    #expect(try marks() == 0 && target.service.check() == [])
    #expect(try target.service.cards.all(in: "cards").map(\.state.answers).reduce(0, +) == 36)
  }

  private func rows(_ fixture: ReviewFixture) throws -> [String] {
    try fixture.service.cards.all(in: "cards").map { row in
      let memory = row.state.memory.map { "\($0.stability) \($0.difficulty)" } ?? "-"
      return "\(row.question) \(row.state.phase) \(row.state.step) \(row.state.answers) \(row.state.lapses) "
        + "\(row.state.intervalDays) \(row.isSuspended) \(row.due ?? "-") \(memory)"
    }
  }

  /// Returns the numbers of begun and done activities of each place that the learner has begun.
  private func progress(_ fixture: ReviewFixture) throws -> [String] {
    try fixture.navigation.write { database in
      try Row.fetchAll(database, sql: "SELECT path, begun, done FROM learnerProgress ORDER BY path").map(\.description)
    }
  }

  @Test(arguments: Tier.seeds(Array(0..<200), long: 0..<2_000))
  func `stored memories equal those of a rebuild, and are the same on all computers`(seed: UInt64) throws {
    var walk = try ReviewWalk(seed: seed)

    try walk.walk(40)
    for replica in walk.replicas { #expect(try replica.service.check() == []) }
    try walk.synchroniseAll()

    let all = try walk.replicas.map(rows)
    #expect(all[0] == all[1])
    #expect(all[1] == all[2])
    for replica in walk.replicas { #expect(try replica.service.check() == []) }
    let begun = try walk.replicas.map(progress)
    #expect(begun[0] == begun[1])
    #expect(begun[1] == begun[2])
    for replica in walk.replicas { try replica.service.session.store.write { try $0.rebuildProjections() } }
    #expect(try walk.replicas.map(progress) == begun)
  }
}
