public import Foundation
public import LearningModel
public import LearningStore
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Navigates through courses on behalf of a learner, and answers questions about the learner's location and history.
///
/// A service belongs to one learner and one session. It can be used from any thread. Reading neither begins a session
/// nor creates a learner; the first step does both.
///
/// ```swift
/// let service = try NavigationService(databaseAt: path, learner: "ada", session: .named("shell"))
/// let step = try service.perform(.open("english-for-business/negotiating"))
/// print(step.to.title, step.transition?.choice.kind as Any)
/// ```
public final class NavigationService: Sendable {
  /// The name of the learner whose steps the service performs.
  public let learner: String
  /// The session to which the steps belong.
  public let sessionChoice: SessionChoice
  /// The learner's time zone.
  public let timeZone: TimeZone

  /// The database that the service reads and writes.
  public let database: LearningDatabase

  let now: @Sendable () -> Timestamp
  let sessionCache = Mutex(SessionCache())
  private let longestWait = Mutex<Duration?>(nil)

  /// The session to which the steps of a front end belong.
  public enum SessionChoice: Hashable, Sendable {
    /// A session that belongs to this process and ends with it, for interactive front ends.
    case process(named: String)
    /// The open session with this name, which does not belong to a process. It ends after four hours without input.
    case named(String)

    /// The session's name in the log.
    public var name: String {
      switch self {
      case .process(let name), .named(let name): name
      }
    }

    /// The session of the full-screen browser.
    public static let browser = SessionChoice.process(named: "browser")
    /// The session of commands that do not specify a session.
    public static let shell = SessionChoice.named("shell")
  }

  /// State of the session that is not, or not yet, in the database.
  struct SessionCache {
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

  /// Creates a service on a database. Ends sessions whose processes no longer run; such a session ends at its last
  /// input.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - learner: The learner's name. White space at its ends is ignored. A new learner is created by the first step.
  ///   - ignoresCase: Whether a learner whose name differs only in case is used if no learner has exactly this name.
  ///   - session: The session to which steps belong.
  ///   - timeZone: The learner's time zone, for times such as `yesterday`.
  ///   - now: Returns the current time.
  /// - Throws: ``NavigationError``.
  public init(
    _ database: LearningDatabase, learner: String, ignoringCase ignoresCase: Bool = false,
    session: SessionChoice = .shell, timeZone: TimeZone = .current,
    now: @escaping @Sendable () -> Timestamp = { Timestamp(date: Date()) }
  ) throws(NavigationError) {
    let name = try Self.nonempty(learner)
    sessionChoice = session
    self.timeZone = timeZone
    self.now = now
    self.database = database
    self.learner = try Self.validatedName(name, ignoringCase: ignoresCase, in: database.store)
    try closeOrphanedSessions()
  }

  /// Opens the database in a file with the default options, and creates a service on it.
  ///
  /// - Parameters:
  ///   - path: The path of the file. A leading `~/` is replaced by the home folder.
  ///   - learner: The learner's name. White space at its ends is ignored. A new learner is created by the first step.
  ///   - ignoresCase: Whether a learner whose name differs only in case is used if no learner has exactly this name.
  ///   - session: The session to which steps belong.
  ///   - timeZone: The learner's time zone, for times such as `yesterday`.
  ///   - now: Returns the current time.
  /// - Throws: ``NavigationError``. If the learner's name is empty, no file is created.
  public convenience init(
    databaseAt path: String, learner: String, ignoringCase ignoresCase: Bool = false, session: SessionChoice = .shell,
    timeZone: TimeZone = .current, now: @escaping @Sendable () -> Timestamp = { Timestamp(date: Date()) }
  ) throws(NavigationError) {
    let name = try Self.nonempty(learner)
    try self.init(
      Self.open(path), learner: name, ignoringCase: ignoresCase, session: session, timeZone: timeZone, now: now)
  }

  private static func nonempty(_ learner: String) throws(NavigationError) -> String {
    let name = LearnerName.trimmed(learner)
    guard !name.isEmpty else { throw .unusableName(name: learner) }
    return name
  }

  private static func open(_ path: String) throws(NavigationError) -> LearningDatabase {
    do throws(LearningDatabaseError) { return try LearningDatabase(.file(path)) } catch { throw .database(error) }
  }

  /// Creates a service for another learner or session on the same database. Does not end sessions, so creating a
  /// service for a single request is cheap.
  ///
  /// - Throws: ``NavigationError/unusableName(name:)``.
  package init(
    sharingDatabaseOf other: NavigationService, learner: String, session: SessionChoice, timeZone: TimeZone
  ) throws(NavigationError) {
    self.learner = try Self.validatedName(LearnerName.trimmed(learner), in: other.store)
    sessionChoice = session
    self.timeZone = timeZone
    database = other.database
    now = other.now
  }

  // MARK: - Access to the store

  var store: LearningStore { database.store }

  /// Calls a function with a consistent snapshot of the database.
  ///
  /// - Throws: ``NavigationError``, to which every error of `body` is converted. See ``untypedRead(_:)``.
  func read<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws(NavigationError) -> Answer {
    try Self.typed(in: store) { try untypedRead(body) }
  }

  /// Calls a function with a snapshot of the database on the connection that writes, whose cache contains the pages
  /// that the last step has changed.
  ///
  /// Writers of this process wait for the function. Use it for short reads only, such as those of a screen after a
  /// step.
  ///
  /// - Throws: The errors of ``read(_:)``.
  func readLatest<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws(NavigationError) -> Answer {
    try Self.typed(in: store) { try Self.explaining { try store.readLatest(body) } }
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
    try Self.typed(in: store) {
      try untypedWrite(surviving: durability, waitingAtMost: timeout, body)
    }
  }

  /// Calls a function with a consistent snapshot of the database, without converting errors of other types.
  ///
  /// - Throws: ``NavigationError`` for errors of the database; other errors of `body` unchanged.
  func untypedRead<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws -> Answer {
    try Self.explaining { try store.read(body) }
  }

  /// Changes the database in one transaction, without converting errors of other types.
  ///
  /// - Throws: The errors of ``untypedRead(_:)``, and ``NavigationError/busy``.
  func untypedWrite<Answer>(
    surviving durability: LearningStore.Durability = .process, waitingAtMost timeout: Duration? = nil,
    _ body: (StoreTransaction) throws -> Answer
  ) throws -> Answer {
    try Self.explaining(writing: true) {
      try store.write(durability: durability, waitingAtMost: timeout ?? longestWait.withLock(\.self), body)
    }
  }

  /// Lets this service continue without recording if the database cannot be written, because its disk is full or it is
  /// read-only. Steps are then written to a copy in memory, which is lost when the process ends.
  ///
  /// For interactive front ends. Commands whose only purpose is to record must fail instead.
  public func allowUnrecordedSteps() { store.allowScratch() }

  /// Sets how long a write waits for another writer if the call sets no timeout, instead of the database's busy timeout.
  /// For front ends in which nothing is drawn during the wait.
  package func limitWaits(to duration: Duration) { longestWait.withLock { $0 = duration } }

  /// The reason why steps are not recorded, as a sentence for the user. `nil` if steps are recorded.
  public var unrecordedNotice: String? {
    guard store.isScratch else { return nil }
    switch store.refusal {
    case .diskFull:
      return "Nothing is recorded: the disk of the database is full. Free some disk space, then start Waymark again."
    default:
      return
        "Nothing is recorded: the database can be read, but not written. Check the permissions of the file and of its folder."
    }
  }

  /// Calls a function and converts errors of the database. Other errors are thrown unchanged.
  ///
  /// - Parameter isWrite: Whether the function writes, so that the error `busy` is converted to
  ///   ``NavigationError/busy``.
  static func explaining<Answer>(writing isWrite: Bool = false, _ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch let error as LearningDatabaseError {
      if isWrite, case .busy = error { throw NavigationError.busy }
      throw NavigationError.database(error)
    }
  }

  /// Calls a function and converts every error to ``NavigationError``. Errors of unexpected types become
  /// `LearningDatabaseError.unexpected`.
  static func typed<Answer>(
    in store: LearningStore, _ body: () throws -> Answer
  ) throws(NavigationError) -> Answer {
    do {
      return try explaining(body)
    } catch let error as NavigationError {
      throw error
    } catch is CancellationError {
      throw .cancelled
    } catch is InvalidToken {
      throw .invalidToken
    } catch {
      throw .database(.unexpected(path: store.path, code: 0, detail: "\(error)"))
    }
  }

  /// Returns a number that changes when another process changes the database. Changes by this process may change it
  /// too.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func dataVersion() throws(NavigationError) -> Int {
    try Self.typed(in: store) { try store.dataVersion() }
  }
}

extension NavigationService {
  /// The time without input after which a session without a process ends, in milliseconds.
  static let maximumIdleTime: Int64 = 4 * 3_600_000
  /// The minimum time between two writes of the time of the last input, in milliseconds.
  static let saveInterval: Int64 = 30_000

  /// Returns the session to which the next step would belong, or `nil` if the next step would begin a session.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func currentSession() throws(NavigationError) -> Session? {
    try read { try openSession(in: $0, at: now())?.session }
  }

  /// Checks that the learner has, or had, a session with this service's session name.
  ///
  /// - Throws: ``NavigationError/unknownSession(name:)`` if there is no such session.
  public func requireSession() throws(NavigationError) {
    let name = sessionChoice.name
    try read { snapshot in
      guard let learner = try snapshot.learner(named: learner), try snapshot.hasSession(named: name, of: learner.id)
      else { throw NavigationError.unknownSession(name: name) }
    }
  }

  /// Returns how long the learner was present in a session. Considers the last 10,000 visits that have ended.
  ///
  /// - Parameter session: The number of the session, as in ``HistoryRow/session``.
  /// - Returns: The time, and whether all visits of the session were considered.
  package func activeTime(inSession session: Int64) throws(NavigationError) -> (time: Duration, isComplete: Bool) {
    let (milliseconds, isComplete) = try readLatest {
      try $0.activeMilliseconds(of: SessionID(rawValue: session), limit: 10_000)
    }
    return (.milliseconds(milliseconds), isComplete)
  }

  /// Ends the session, and its last visit, at the time of the last input. Does nothing if no session is open.
  ///
  /// - Parameter timeout: How long to wait for another writer; `nil` for the database's busy timeout.
  /// - Throws: ``NavigationError/busy`` if another program keeps the database locked for longer than that, and other
  ///   errors of the database. In both cases, the session stays open.
  public func endSession(waitingAtMost timeout: Duration? = nil) throws(NavigationError) {
    let cache = sessionCache.withLock { $0 }
    try write(waitingAtMost: timeout) { transaction in
      guard let record = try openSession(in: transaction.snapshot, at: now()) else { return }
      if let presence = cache.presence?.presence { try transaction.save(presence, in: record.session.id) }
      try transaction.end(try transaction.snapshot.session(record.session.id) ?? record)
    }
    sessionCache.withLock { $0 = SessionCache() }
  }

  /// Records that the learner has used an input device. The time of the learner's presence is computed from these
  /// calls.
  ///
  /// Writes to the database at most once in thirty seconds. Input that was not written yet is written with the next
  /// step.
  ///
  /// - Throws: ``NavigationError/busy`` and other errors of the database.
  public func recordInput() throws(NavigationError) { try prepareInputRecord()?() }

  /// Records input like ``recordInput()``, for callers that must not wait for the disk.
  ///
  /// - Returns: A function that writes to the database. Call it once, on any thread and at any time. `nil` if nothing
  ///   has to be written yet.
  public func prepareInputRecord() -> (@Sendable () throws(NavigationError) -> Void)? {
    let time = now()
    let due = sessionCache.withLock { cache -> (session: SessionID, event: Int64, presence: Presence)? in
      guard let session = cache.session, var current = cache.presence else { return nil }
      current.presence.recordInput(inputAt: time)
      cache.presence = current
      if let savedAt = cache.savedAt, abs(time.milliseconds - savedAt.milliseconds) < Self.saveInterval {
        return nil
      }
      cache.savedAt = time
      return (session, current.event, current.presence)
    }
    guard let due else { return nil }
    return { () throws(NavigationError) in
      try self.write { transaction in
        // If the next step, or a repair by another process, has ended the visit, its presence must not be saved for the
        // new visit.
        guard try transaction.snapshot.lastNavigationEvent(of: due.session)?.event.id == due.event else { return }
        try transaction.save(due.presence, in: due.session)
      }
    }
  }

  /// Returns the session to which a step at the given time would belong, or `nil` if the step would begin a session.
  func openSession(in snapshot: StoreSnapshot, at time: Timestamp) throws -> SessionRecord? {
    switch sessionChoice {
    case .process:
      guard let id = sessionCache.withLock({ $0.session }), let record = try snapshot.session(id),
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
    let cached = sessionCache.withLock { $0.presence }
    guard let cached, cached.event == last?.event.id else { return record.presence }
    return cached.presence
  }

  /// Ends the sessions whose processes no longer run, and the sessions without a process that are over. Does nothing if
  /// the database cannot be written.
  package func closeOrphanedSessions() throws(NavigationError) {
    guard store.refusal == nil else { return }
    let time = now()
    let lockOfOrphan = { (record: SessionRecord) -> ProcessLock?? in
      guard let name = record.lockFile else { return Self.isOver(record, at: time) ? .some(nil) : nil }
      return ProcessLock.takeOver(ofSession: name, of: self.store.path).map(Optional.some)
    }
    let orphaned = try readLatest { try $0.openSessions() }.compactMap { record in
      lockOfOrphan(record).map { (record, $0) }
    }
    guard !orphaned.isEmpty else { return }
    do throws(NavigationError) {
      // Do not delay the start of the program until another writer has finished.
      try write(waitingAtMost: .milliseconds(50)) { transaction in
        for (record, _) in orphaned {
          // Another process may have ended the session in the meantime.
          guard let now = try transaction.snapshot.session(record.session.id), now.session.endedAt == nil, now.isOwn,
            now.lockFile != nil || Self.isOver(now, at: time)
          else { continue }
          try transaction.end(now)
        }
      }
    } catch {
      // The next process ends these sessions: a locked database or a full disk must not prevent reading.
      guard [.tryAgain, .inputOutput, .noPermission].contains(error.kind) else { throw error }
    }
    withExtendedLifetime(orphaned) {}
  }
}

// Locks of sessions. The process that began a session holds its lock, so that other processes can distinguish a session
// whose process was killed from one that is still open.

extension ProcessLock {
  /// The folder with the locks of a database's sessions, next to the database.
  private static func folder(of database: String) -> String { database + "-sessions" }

  /// Creates and acquires the lock of a session.
  ///
  /// - Throws: ``NavigationError/noSessionLock(path:reason:)``; `LearningDatabaseError` if the disk is full or
  ///   read-only.
  static func make(forSession name: String, of database: String) throws -> ProcessLock {
    do throws(Refusal) {
      return try make(name, in: folder(of: database))
    } catch {
      switch error.code {
      case ENOSPC, EDQUOT: throw LearningDatabaseError.diskFull(path: database)
      case EROFS: throw LearningDatabaseError.readOnly(path: database)
      default: throw NavigationError.noSessionLock(path: error.path, reason: error.reason)
      }
    }
  }

  /// Acquires the lock of a session whose process no longer runs.
  ///
  /// - Returns: The lock, even if its file no longer exists. `nil` if the process still runs.
  static func takeOver(ofSession name: String, of database: String) -> ProcessLock? {
    takeOver(name, in: folder(of: database))
  }
}

// Maintenance of the projections and of the file.

extension NavigationService {
  /// Deletes all projections, which are the tables that are derived from the logs, and computes them again.
  ///
  /// - Throws: ``NavigationError/busy`` and other errors of the database.
  public func rebuild() throws(NavigationError) {
    try write { try $0.rebuildProjections() }
  }

  /// Checks the logs for contradictions, and compares the projections (the tables that are derived from the logs) with
  /// the logs.
  ///
  /// - Returns: The problems, or an empty array if there are none.
  /// - Throws: ``NavigationError/database(_:)``.
  public func check() throws(NavigationError) -> [DatabaseProblem] {
    try Self.typed(in: store) { try store.withScratch { try $0.checkLogs() } }
  }

  /// Truncates the write-ahead log if it is longer than a number of bytes.
  ///
  /// - Returns: `false` if an earlier read or another process does not end within two seconds.
  package func truncateLog(over bytes: Int) throws(NavigationError) -> Bool {
    try Self.typed(in: store) { try store.truncateLog(over: bytes) }
  }

  /// Overwrites erased data in the file, if this was not possible at the time of the erasure.
  ///
  /// - Returns: `false` if another program is reading the database and therefore prevents it.
  /// - Throws: ``NavigationError/database(_:)``.
  public func sweep() throws(NavigationError) -> Bool {
    try Self.typed(in: store) { try store.sweep() }
  }
}
