@testable import waymark_server
import Foundation
import GRDB
import LearningModel
@testable import NavigationKit
import Synchronization
import TestSupport

/// A simulated clock for a hub and its leaves.
final class TestClock: Sendable {
  private let moment: Mutex<Timestamp>

  init(_ text: String) { moment = Mutex(Timestamp(text)!) }

  var now: Timestamp { moment.withLock { $0 } }

  /// Advances the time. Negative values set the clock back.
  func pass(days: Double = 0, minutes: Double = 0) {
    moment.withLock { $0 = $0.advanced(byMilliseconds: Int64((days * 1440 + minutes) * 60_000)) }
  }
}

/// A hub and its leaves in this process, with real databases and a simulated clock.
final class ClockedHub {
  let home: ServerFixture
  let clock: TestClock
  /// The hub, and the address of its PostgreSQL, or `nil` for SQLite.
  let store: any HubStore
  let address: String?

  /// Creates a hub. By default, the time starts on a Monday.
  init(_ engine: Engine, at start: String = "2026-09-07T08:00:00Z") throws {
    home = try ServerFixture()
    clock = TestClock(start)
    switch engine {
    case .sqlite:
      address = nil
      store = EmbeddedStore(try Self.service(home.database, "server", clock))
    case .postgres, .shards:
      let server = try PostgresServer.shared.get()
      let address = try engine == .postgres ? server.database(in: home) : server.proxy(in: home)
      self.address = address
      store = try PostgresStore(PostgresAddress(address), tenant: "main")
    }
  }

  private static func service(_ file: String, _ learner: String, _ clock: TestClock) throws -> NavigationService {
    try NavigationService(
      databaseAt: file, learner: learner, session: .named("shell"), timeZone: .gmt, now: { clock.now })
  }

  /// Creates a hub in an SQLite file without courses.
  func emptyHub(_ file: String) throws -> EmbeddedStore {
    EmbeddedStore(try Self.service(home.folder.file(file), "server", clock))
  }

  /// Creates another hub on PostgreSQL.
  func postgresHub() throws -> PostgresStore {
    try PostgresStore(PostgresAddress(PostgresServer.shared.get().database(in: home)), tenant: "main")
  }

  /// Computes a report from the database of the hub, or from the hub's replica.
  func report<Answer>(_ body: (EmbeddedStore) throws -> Answer) throws -> Answer {
    guard let embedded = store as? EmbeddedStore else { return try replica().report(body) }
    return try body(embedded)
  }

  /// Returns the replica in the folder `replica` of the home.
  ///
  /// - Parameters:
  ///   - hub: The hub to read. If `nil`, the store of this hub.
  ///   - name: The name of the hub.
  func replica(
    of hub: (any HubStore)? = nil, named name: String = "hub",
    notify: @escaping (ReportingReplica.Event) -> Void = { _ in }
  ) -> ReportingReplica {
    ReportingReplica(
      of: hub ?? store, named: name, in: home.folder.file("replica"), at: clock.now, notify: notify)
  }

  /// Opens a leaf. A new leaf contains the bundled course.
  func leaf(_ file: String, _ learner: String) throws -> NavigationService {
    let path = home.folder.file(file)
    if !FileManager.default.fileExists(atPath: path) {
      // The hub's file must not be copied in this process: closing the file would release SQLite's locks on it.
      try ServerFixture.bundled.get().write(to: URL(filePath: path))
      // A new database has an identity of its own.
      try DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE replica SET uuid = ?", arguments: [file]) }
    }
    return try Self.service(path, learner, clock)
  }

  /// Copies a leaf's database with its folder of sessions, as a user copies a whole folder. The copy has the same identity
  /// as the original.
  func copy(of file: String, to name: String, _ learner: String) throws -> NavigationService {
    let answer = try home.run(
      ServerFixture.path("waymark"),
      ["database", "backup", home.folder.file(name), "--database", home.folder.file(file)])
    guard answer.code == 0 else { throw ServerFixture.Unexpected(answer: answer) }
    try FileManager.default.copyItem(
      atPath: home.folder.file("\(file)-sessions"), toPath: home.folder.file("\(name)-sessions"))
    return try leaf(name, learner)
  }

  /// Creates a token and returns its secret.
  func admit(_ learner: String) throws -> String {
    try store.addToken(for: learner, .learner, at: clock.now, expiresAt: nil).secret
  }

  /// Synchronises a leaf with a hub. Each message is encoded and decoded as on a network.
  @discardableResult
  func sync(
    _ leaf: NavigationService, _ token: String, with hub: (any HubStore)? = nil, joining joins: Bool = true
  ) throws -> SyncReport {
    let hub = hub ?? store
    guard let valid = try hub.validToken(token, at: clock.now) else { throw SyncError.anotherLearner(name: nil) }
    return try Synchroniser(leaf) { [clock] message in
      let sent = try SyncCoding.value(SyncMessage.self, from: SyncCoding.data(message))
      return try SyncCoding.value(
        SyncAnswer.self, from: SyncCoding.data(hub.answer(sent, about: valid.learner, by: valid, at: clock.now)))
    }.run(joining: joins)
  }
}

extension NavigationService {
  /// Begins an activity and optionally marks it as done.
  func visit(_ path: String, done isDone: Bool = false) throws {
    let place = try perform(.open(.text(path))).to.place
    try progress.save(ReadingPosition(block: 1, fraction: 0, heading: nil, savedAt: session.now()), in: place)
    if isDone { _ = try progress.record(.markedDone, in: .text(path)) }
  }
}

/// Some activities of the bundled course.
enum Activities {
  static let first = "english-for-business/meetings/opening/why-are-we-here"
  static let second = "english-for-business/meetings/opening/the-first-two-minutes"
  static let all = [
    first, second, "english-for-business/meetings/opening/small-talk-small-cards",
    "english-for-business/meetings/steering/the-polite-interruption",
    "english-for-business/negotiating/preparing/where-do-you-stop",
    "english-for-business/negotiating/opening-offers/who-speaks-first",
  ]
}

extension AuditActor {
  /// The origin of erasures by tests.
  static let test = AuditActor(command: "test", by: "test")
}
