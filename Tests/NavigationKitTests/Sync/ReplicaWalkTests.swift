import CourseKit
import Foundation
import LearningModel
import LearningStore
import Synchronization
import TestSupport
import Testing

@testable import NavigationKit

/// Four databases of one learner, the last of which is a hub. They have different editions of a course and clocks that jump,
/// synchronise in any order and in random portions, and are copied, restored, erased in part and interrupted.
private final class ReplicaWalk {
  private var random: SplitMix64
  private var fixtures: [NavigationFixture] = []
  private(set) var services: [NavigationService] = []
  /// An earlier state of each database.
  private var backups: [NavigationFixture?] = Array(repeating: nil, count: 4)
  private var author: AuthoredCourse
  private var began: [Timestamp] = []
  private var notes: [String] = []

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    author = AuthoredCourse(key: "alpha", &random)
    fixtures = try (0..<4).map { _ in try NavigationFixture.withCourses() }
    for fixture in fixtures { try ReviewFixture.publish(ReviewFixture.decks, in: fixture.database) }
    services = try fixtures.map { try $0.service() }
  }

  func walk(_ rounds: Int) throws {
    for _ in 0..<rounds {
      for index in fixtures.indices where index < 3 || random.oneIn(5) { try learn(index) }
      fixtures[3].advance(seconds: 10_000)
      if random.oneIn(2) { try replace(random.below(4)) }
      for index in [0, 1, 2].shuffled(using: &random) where random.oneIn(2) {
        try synchronise(index, random.oneIn(4) ? (index + 1) % 3 : 3)
      }
    }
  }

  private func learn(_ index: Int) throws {
    let (fixture, service) = (fixtures[index], services[index])
    if random.oneIn(3) {
      for _ in 0..<random.below(4) { author.edit(&random) }
      try publish(on: fixture)
    }
    if random.oneIn(4) { fixture.advance(seconds: Double(random.below(200_000)) - 100_000) }
    if random.oneIn(4) { backups[index] = try fixture.copied(withFolder: false) }
    began.append(fixture.now)
    if random.oneIn(2) { try service.perform(.popToRoot) }
    try service.live(1 + random.below(12), seed: random.next(), on: fixture)
    try scribble(service)
    for _ in 0..<random.below(6) {
      let cards = try service.cards.all(in: ReviewFixture.path("words"))
      try service.reviews.answer(cards[random.below(cards.count)].id, CardRating.allCases[random.below(4)])
      fixture.advance(seconds: Double(random.below(90_000)))
      if random.oneIn(8) { for _ in 0...random.below(3) { try service.changes.undo() } }
    }
    if random.oneIn(3) { try service.set("\(random.below(9))", forSetting: "s\(random.below(3))") }
    if random.oneIn(10), try service.history.lastStep() != nil {
      try service.learners.eraseHistory(since: began[random.below(began.count)].date)
    }
  }

  /// Replaces a database: by an earlier state, by a copy of another database, or by a copy of another folder.
  private func replace(_ index: Int) throws {
    let other = fixtures[(index + 1 + random.below(3)) % 4]
    let new: NavigationFixture
    switch random.below(3) {
    case 0:
      guard let backup = backups[index] else { return }
      new = try backup.copied(withFolder: false, replica: fixtures[index].replica)
    case 1: new = try other.copied(withFolder: false)
    default: new = try other.copied(withFolder: true)
    }
    // Two computers do not write in the same millisecond.
    let time = fixtures[index].now.advanced(byMilliseconds: Int64(1 + random.below(999)))
    new.clock.withLock { $0 = time }
    backups[index] = nil
    (fixtures[index], services[index]) = (new, try new.service())
  }

  private func synchronise(_ index: Int, _ other: Int) throws {
    let pair = SyncPair(services[index], services[other])
    pair.portions = random
    defer { random = pair.portions ?? random }
    let cut = random.oneIn(3) ? random.below(8) : .max
    pair.after = { if $0 == cut { throw SyncPair.Interruption() } }
    if random.oneIn(6) { pair.undone = random.below(8) }
    do { try pair.run() } catch is SyncPair.Interruption {}
  }

  /// Synchronises all databases until they have the same records.
  func finish() throws {
    for fixture in fixtures { try publish(on: fixture) }
    for service in services { try service.endSession() }
    for _ in 0..<3 { for leaf in services.dropLast() { try SyncPair(leaf, services[3]).run() } }
    #expect(try services.dropLast().map { try SyncPair($0, services[3]).run() }.allSatisfy(\.isEmpty))
    // Reports about the latest place depend on the time.
    for fixture in fixtures { fixture.clock.withLock { $0 = Timestamp("2030-01-01T00:00:00Z")! } }
  }

  private func publish(on fixture: NavigationFixture) throws {
    let folder = "\(fixture.folder)/course"
    try author.write(to: folder)
    try CourseLibrary(databaseAt: fixture.database) { fixture.now }.importCourse(
      from: folder, options: ImportOptions(replaces: true))
  }

  /// Writes a note, changes one that may be from another database, or removes one.
  private func scribble(_ service: NavigationService) throws {
    let anchor = NoteAnchor(heading: "why", digest: "85944171f73967e8", characters: 3..<9, quote: "six let")
    let existing = random.oneIn(2) ? notes.randomElement(using: &random) : nil
    if let existing, random.oneIn(3) {
      try service.notes.remove(existing)
    } else {
      notes.append(
        try service.notes.write(
          "Note \(random.below(99))", at: anchor, replacing: existing, in: "rust/start/hello/world"))
    }
  }
}

struct ReplicaWalkTests {
  @Test(arguments: Tier.seeds(Array(1...10), long: 1..<201))
  func `four databases are equal after synchronising in any order, whatever happened to their files`(seed: UInt64)
    throws
  {
    let walk = try ReplicaWalk(seed: seed)

    try walk.walk(Tier.count(6, long: 20))
    try walk.finish()

    let memories = try walk.services.map { try $0.cards.all(in: "cards").map { "\($0.id.key) \($0.state)" } }
    for (service, memory) in zip(walk.services, memories) {
      try expectSame(service, walk.services[3])
      #expect(memory == memories[3])
      let problems = try service.check()
      #expect(problems == [], "the stored projections equal those of a rebuild")
    }
    let imported = try NavigationFixture.withCourses().service()
    try imported.learners.import(from: Data(walk.services[0].file(of: "ada").utf8), named: "ada.json")
    #expect(try imported.history.page().rows.count == walk.services[0].history.page().rows.count)
    let problems = try imported.check()
    #expect(problems == [], "an exported history can be imported")
  }
}
