@testable import waymark_server
import Foundation
import LearningModel
import NavigationKit
import Synchronization
import TestSupport

/// What time it is for a hub and its leaves.
final class TestClock: Sendable {
  private let moment: Mutex<Timestamp>

  init(_ text: String) { moment = Mutex(Timestamp(text)!) }

  var now: Timestamp { moment.withLock { $0 } }

  /// Lets time pass; backwards, as clocks do that are set, where it is less than 0.
  func pass(days: Double = 0, minutes: Double = 0) {
    moment.withLock { $0 = $0.advanced(byMilliseconds: Int64((days * 1440 + minutes) * 60_000)) }
  }
}

/// Hubs and leaves in this process, on real databases, with one clock that a test moves.
final class ClockedHub {
  let home: ServedHome
  let clock: TestClock
  /// The hub, and where its PostgreSQL is.
  let store: any HubStore
  let address: String?

  /// Each Monday is a beginning.
  init(_ engine: Engine, at start: String = "2026-09-07T08:00:00Z") throws {
    home = try ServedHome()
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

  /// A hub in an SQLite file without any course.
  func emptyHub(_ file: String) throws -> EmbeddedStore {
    EmbeddedStore(try Self.service(home.folder.file(file), "server", clock))
  }

  /// Another hub on PostgreSQL.
  func postgresHub() throws -> PostgresStore {
    try PostgresStore(PostgresAddress(PostgresServer.shared.get().database(in: home)), tenant: "main")
  }

  /// A leaf with the bundled course.
  func leaf(_ file: String, _ learner: String) throws -> NavigationService {
    let path = home.folder.file(file)
    if !FileManager.default.fileExists(atPath: path) {
      // Not copied from the hub's file: to close it in this process would end SQLite's locks on it.
      try ServedHome.bundled.get().write(to: URL(filePath: path))
    }
    return try Self.service(path, learner, clock)
  }

  /// A copy of a leaf as it is now, as people make them: it does not know that it is one.
  func copy(of file: String, to name: String, _ learner: String) throws -> NavigationService {
    let answer = try home.run(
      ServedHome.path("waymark"),
      ["database", "backup", home.folder.file(name), "--database", home.folder.file(file)])
    guard answer.code == 0 else { throw ServedHome.Unexpected(answer: answer) }
    return try leaf(name, learner)
  }

  /// Gives out a token.
  func admit(_ learner: String) throws -> String {
    try store.addToken(for: learner, .learner, at: clock.now, expiresAt: nil).secret
  }

  /// Has a leaf synchronise with a hub; every message goes as the bytes that a network would carry.
  @discardableResult
  func sync(
    _ leaf: NavigationService, _ token: String, with hub: (any HubStore)? = nil, joining joins: Bool = true
  ) throws -> SyncReport {
    let hub = hub ?? store
    guard let known = try hub.validToken(token, at: clock.now) else { throw SyncError.anotherLearner(name: "no token") }
    return try Synchroniser(leaf) { [clock] message in
      let sent = try SyncCoding.value(SyncMessage.self, from: SyncCoding.data(message))
      return try SyncCoding.value(
        SyncAnswer.self, from: SyncCoding.data(hub.answer(sent, about: known.learner, at: clock.now)))
    }.run(joining: joins)
  }
}

extension NavigationService {
  /// Goes to a place, and says that it is done where that is so.
  func visit(_ path: String, done isDone: Bool = false) throws {
    _ = try perform(.open(.text(path)))
    if isDone { _ = try record(.markedDone, in: .text(path)) }
  }
}

/// Activities of the bundled course.
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
