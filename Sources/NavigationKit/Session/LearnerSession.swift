import Foundation
import LearningModel
import LearningStore
import Synchronization

/// The learner, the session and the database that all parts of a ``NavigationService`` share.
final class LearnerSession: Sendable {
  /// The name of the learner whose steps the service performs.
  let learner: String
  /// The session to which the steps belong.
  let choice: SessionChoice
  let timeZone: TimeZone
  let database: LearningDatabase
  let now: @Sendable () -> Timestamp
  let cache = Mutex(Cache())
  /// How long a write waits for another writer if the call sets no timeout. `nil` for the database's busy timeout.
  let longestWait = Mutex<Duration?>(nil)

  /// State of the session that is not, or not yet, in the database.
  struct Cache {
    /// The session that this service has begun. `nil` for sessions without a process, and before the first step.
    var session: SessionID?
    /// The lock that shows other processes that this session is still open.
    var lock: ProcessLock?
    /// The learner's presence in the current visit, including input that has not been saved, and the number of the step
    /// that began the visit.
    var presence: (event: Int64, presence: Presence)?
    /// The time at which the presence was last saved.
    var savedAt: Timestamp?
    /// The cached state of the learner's navigation, and the number of the database's state for which it is valid.
    var cachedState: (state: Int, navigationState: NavigationState)?
  }

  init(
    _ database: LearningDatabase, learner: String, choice: SessionChoice, timeZone: TimeZone,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.database, self.learner, self.choice, self.timeZone, self.now) = (database, learner, choice, timeZone, now)
  }

  // MARK: - Access to the store

  var store: LearningStore { database.store }

  /// Calls a function with a consistent snapshot of the database.
  ///
  /// - Throws: ``NavigationError``, to which every error of `body` is converted. See ``untypedRead(_:)``.
  func read<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws(NavigationError) -> Answer {
    try store.typed { try untypedRead(body) }
  }

  /// Calls a function with a snapshot of the database on the connection that writes, whose cache contains the pages
  /// that the last step has changed.
  ///
  /// Writers of this process wait for the function. Use it for short reads only, such as those of a screen after a
  /// step.
  ///
  /// - Throws: The errors of ``read(_:)``.
  func readLatest<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws(NavigationError) -> Answer {
    try store.typed { try LearningStore.explaining { try store.readLatest(body) } }
  }

  /// Changes the database in one transaction.
  ///
  /// - Parameters:
  ///   - durability: The failures that the transaction survives: the end of the process, or also a power failure.
  ///   - timeout: How long to wait for another writer; `nil` for the database's busy timeout.
  ///   - body: The changes.
  /// - Throws: The errors of ``read(_:)``, and ``NavigationError/busy``.
  func write<Answer>(
    surviving durability: LearningStore.Durability = .process, waitingAtMost timeout: Duration? = nil,
    _ body: (StoreTransaction) throws -> Answer
  ) throws(NavigationError) -> Answer {
    try store.typed { try untypedWrite(surviving: durability, waitingAtMost: timeout, body) }
  }

  /// Changes the database in one transaction and waits until the changes are on disk.
  func durably<Answer>(_ body: (StoreTransaction) throws -> Answer) throws(NavigationError) -> Answer {
    try write(surviving: .powerCut, body)
  }

  /// Calls a function with a consistent snapshot of the database, without converting errors of other types.
  ///
  /// - Throws: ``NavigationError`` for errors of the database; other errors of `body` unchanged.
  func untypedRead<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws -> Answer {
    try LearningStore.explaining { try store.read(body) }
  }

  /// Changes the database in one transaction, without converting errors of other types.
  ///
  /// - Throws: The errors of ``untypedRead(_:)``, and ``NavigationError/busy``.
  func untypedWrite<Answer>(
    surviving durability: LearningStore.Durability = .process, waitingAtMost timeout: Duration? = nil,
    _ body: (StoreTransaction) throws -> Answer
  ) throws -> Answer {
    try LearningStore.explaining(writing: true) {
      try store.write(durability: durability, waitingAtMost: timeout ?? longestWait.withLock(\.self), body)
    }
  }

  /// The time without input after which a session without a process ends, in milliseconds.
  static let maximumIdleTime: Int64 = 4 * 3_600_000

  /// Returns the session to which a step at the given time would belong, or `nil` if the step would begin a session.
  func openSession(in snapshot: StoreSnapshot, at time: Timestamp) throws -> SessionRecord? {
    switch choice {
    case .process:
      guard let id = cache.withLock({ $0.session }), let record = try snapshot.session(id),
        record.session.endedAt == nil, record.isOwn
      else { return nil }
      return record
    case .named(let name):
      guard let learner = try snapshot.learner(named: learner),
        let record = try snapshot.openSession(named: name, of: learner.id),
        !Self.isOver(record, at: time)
      else { return nil }
      return record
    }
  }

  /// Whether a session without a process has had no input for ``maximumIdleTime``, or has its last input in the future,
  /// because the clock was ahead.
  static func isOver(_ record: SessionRecord, at time: Timestamp) -> Bool {
    let idleTime = time.milliseconds - record.session.lastInputAt.milliseconds
    // Another process may have recorded an input after this one has read the clock.
    return record.lockFile == nil && !(-300_000..<maximumIdleTime).contains(idleTime)
  }

  /// Returns the learner's presence in the current visit of a session, including input that has not been saved.
  func presence(in record: SessionRecord, last: StoredEvent?) -> Presence {
    let cached = cache.withLock { $0.presence }
    guard let cached, cached.event == last?.event.id else { return record.presence }
    return cached.presence
  }

  /// Returns the learner of this service, created if missing.
  ///
  /// - Throws: ``NavigationError/unusableName(name:)``, ``NavigationError/similarName(name:known:)``.
  func makeLearner(in transaction: StoreTransaction, at time: Timestamp) throws -> Learner {
    if let stored = try transaction.snapshot.learner(named: learner) { return stored }
    return try transaction.makeLearner(
      named: LearnerName.checked(learner, besides: transaction.snapshot.knownNames()), at: time)
  }

  /// Stores a setting of the learner. The value `nil` removes the setting.
  func set(_ value: String?, forSetting name: String) throws(NavigationError) {
    let time = now()
    try write { transaction in
      let storedLearner = try makeLearner(in: transaction, at: time)
      try transaction.set(value, forSetting: name, of: storedLearner.id, at: time)
    }
  }
}
