import Foundation
import LearningModel
import LearningStore
import NavigationKit
import Synchronization

/// The time to transfer a session to a database with 20,000 steps of the learner.
struct SyncSpeed {
  private static let sessions = 20
  private static let steps = 50
  let databases: Databases
  /// The path of a database with this history.
  let base: String

  func table() throws -> Table {
    let path = try databases.copy(base)
    try LearningStore.open(at: path).write { try $0.rebuildProjections() }
    let activities = try Shell.numbers("SELECT id FROM contentNode WHERE kind = 'activity' ORDER BY id", in: base)
    let clock = PassingTime()
    let (leaf, hub) = (
      try service(on: try databases.copy(path), clock), try service(on: try databases.copy(path), clock)
    )
    try synchronise(leaf, hub) { _ in }

    var (merging, exchange, least) = (Samples(), Samples(), Samples())
    for number in 0..<Self.sessions {
      for step in 0..<Self.steps {
        clock.pass()
        _ = try leaf.perform(
          step == 0 ? .open(.place(.node(NodeID(rawValue: activities[number * 100])))) : .next, cause: .key,
          animated: true)
      }
      try leaf.endSession()
      var taking = Samples()
      try exchange.measure(.process) { try synchronise(leaf, hub) { taking = $0 } }
      merging.add(nanoseconds: taking.quantile(1))
      try least.measure(.process) { try synchronise(leaf, hub) { _ in } }
    }

    var table = Table(
      "Store: synchronising with \(GrownHistory.year.events.grouped) steps",
      note: "A session of \(Self.steps) steps, \(Self.sessions) times; processor time of both sides, with JSON.",
      columns: ["what", "median", "longest"])
    for (what, times) in [("merging the session", merging), ("the whole exchange", exchange)] {
      table.add(
        what, times.median.asTime, times.quantile(1).asTime, target: "≤ 30 ms", isMet: times.median <= 30e6)
    }
    table.add("an exchange without changes", least.median.asTime, least.quantile(1).asTime)
    return table
  }

  /// - Parameter note: Called with the times that the other side took for each message.
  private func synchronise(_ leaf: NavigationService, _ hub: NavigationService, note: (Samples) -> Void) throws {
    var times = Samples()
    _ = try Synchroniser(leaf) { message in
      let data = try SyncCoding.data(message)
      var answer = Data()
      try times.measure(.process) {
        answer = try SyncCoding.data(hub.sync.respond(SyncCoding.value(SyncMessage.self, from: data)))
      }
      return try SyncCoding.value(SyncAnswer.self, from: answer)
    }.run()
    note(times)
  }

  private func service(on path: String, _ clock: PassingTime) throws -> NavigationService {
    try NavigationService(
      databaseAt: path, learner: GrownHistory.year.name, session: .named("benchmark"),
      timeZone: TimeZone(identifier: "UTC")!, now: { clock.now })
  }
}

/// A clock that advances by one minute per call, beginning after the existing history.
private final class PassingTime: Sendable {
  private let time = Mutex(Timestamp(milliseconds: GrownHistory.begin + 2 * GrownHistory.length))

  var now: Timestamp { time.withLock { $0 } }

  func pass() { time.withLock { $0 = $0.advanced(byMilliseconds: 60_000) } }
}
