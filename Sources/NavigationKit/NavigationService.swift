public import Foundation
public import LearningModel
public import LearningStore
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The one way in which front ends move through courses, and ask where somebody is and was.
///
/// A service speaks for one learner in one session. It may be used from any thread. Asking begins no session and makes no
/// learner; the first step that is performed does both.
///
/// ```swift
/// let service = try NavigationService(databaseAt: path, learner: "ada", session: .named("shell"))
/// let step = try service.perform(.open("english-for-business/negotiating"))
/// print(step.to.title, step.transition?.choice.kind as Any)
/// ```
public final class NavigationService: Sendable {
  /// Whose steps these are.
  public let learner: String
  /// The session that the steps are of.
  public let sessionChoice: SessionChoice
  /// The learner's time zone.
  public let timeZone: TimeZone

  /// The database.
  public let database: LearningDatabase

  let now: @Sendable () -> Timestamp
  let sitting = Mutex(Sitting())

  /// Which session the steps of a front end are of.
  public enum SessionChoice: Hashable, Sendable {
    /// One that lives and ends with this process, as a browser's does.
    case process(named: String)
    /// The open one of that name, which has no process and ends after four idle hours.
    case named(String)

    /// The name in the log.
    public var name: String {
      switch self {
      case .process(let name), .named(let name): name
      }
    }

    /// A browser's.
    public static let browser = SessionChoice.process(named: "browser")
    /// The one of commands that name none.
    public static let shell = SessionChoice.named("shell")
  }

  /// What the service remembers of its session beyond what the database has.
  struct Sitting {
    /// The session that was begun by this service.
    var session: SessionID?
    /// What shows other processes that it lives.
    var lock: ProcessLock?
    /// The presence in the visit of that event, as far as it is not saved yet.
    var presence: (event: Int64, presence: Presence)?
    /// When presence was last saved.
    var savedAt: Timestamp?
    /// Where the learner is, for as long as the database is in that state.
    var known: (state: Int, situation: Situation)?
  }

  /// Creates a service on a database, and ends the sessions whose processes no longer run, at their last input.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - learner: The learner's name. White space at its ends is ignored. A new learner is created by the first step.
  ///   - ignoresCase: Whether a known learner whose name differs only in case is meant if no learner has this name.
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
    self.learner = try Self.knownOrUsable(name, ignoringCase: ignoresCase, in: database.store)
    try closeDeadSessions()
  }

  /// Opens the database in a file with the default options, and creates a service on it.
  ///
  /// - Parameter path: The path of the file. `~/` stands for the home folder.
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

  /// Creates a service for another learner or session on the same database, fast enough for a single question.
  ///
  /// - Throws: ``NavigationError/unusableName(name:)``.
  package init(
    beside other: NavigationService, learner: String, session: SessionChoice, timeZone: TimeZone
  ) throws(NavigationError) {
    self.learner = try Self.knownOrUsable(LearnerName.trimmed(learner), in: other.store)
    sessionChoice = session
    self.timeZone = timeZone
    database = other.database
    now = other.now
  }

  // MARK: - Access to the store

  var store: LearningStore { database.store }

  /// Reads one state of the database.
  ///
  /// - Throws: ``NavigationError``, to which every error of `body` is converted. See ``untypedRead(_:)``.
  func read<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws(NavigationError) -> Answer {
    try Self.typed(in: store) { try untypedRead(body) }
  }

  /// Reads the little that a screen shows after a step, on the connection that wrote the step.
  ///
  /// - Throws: As ``read(_:)``.
  func glance<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws(NavigationError) -> Answer {
    try Self.typed(in: store) { try Self.explaining { try store.glance(body) } }
  }

  /// Changes the database in one transaction.
  ///
  /// - Parameter timeout: How long to wait for another writer; `nil` for the database's busy timeout.
  /// - Throws: As ``read(_:)``, and ``NavigationError/busy``.
  func write<Answer>(
    surviving durability: LearningStore.Durability = .process, waitingAtMost timeout: Duration? = nil,
    _ body: (StoreTransaction) throws -> Answer
  ) throws(NavigationError) -> Answer {
    try Self.typed(in: store) {
      try untypedWrite(surviving: durability, waitingAtMost: timeout, body)
    }
  }

  /// Reads one state of the database, for a `body` with errors of other types.
  ///
  /// - Throws: ``NavigationError`` for errors of the database; other errors of `body` unchanged.
  func untypedRead<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws -> Answer {
    try Self.explaining { try store.read(body) }
  }

  /// Changes the database in one transaction, for a `body` with errors of other types.
  ///
  /// - Throws: As ``untypedRead(_:)``.
  func untypedWrite<Answer>(
    surviving durability: LearningStore.Durability = .process, waitingAtMost timeout: Duration? = nil,
    _ body: (StoreTransaction) throws -> Answer
  ) throws -> Answer {
    try Self.explaining(writing: true) {
      try store.write(surviving: durability, waitingAtMost: timeout, body)
    }
  }

  /// Lets this service continue without recording when the database cannot be written, because its disk is full or it is
  /// read-only. Steps then go to a copy in memory, which is lost when the process ends.
  ///
  /// Meant for interactive front ends; a command that only records must fail instead.
  public func allowUnrecordedSteps() { store.allowScratch() }

  /// Why steps are not recorded, as a sentence; `nil` while they are.
  public var unrecordedNotice: String? {
    guard store.isScratch else { return nil }
    switch store.refusal {
    case .diskFull: return "Nothing is recorded: the disk of the database is full. Make room, then start Waymark again."
    default: return "Nothing is recorded: the database can be read, but not written."
    }
  }

  /// Calls `body`, and converts errors of the database. Other errors are thrown unchanged.
  ///
  /// - Parameter isWrite: Whether another writer can be the cause of a failure.
  static func explaining<Answer>(writing isWrite: Bool = false, _ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch let error as LearningDatabaseError {
      if isWrite, case .busy = error { throw NavigationError.busy }
      throw NavigationError.database(error)
    }
  }

  /// Calls `body`, and converts every error to ``NavigationError``. Errors that no call in `body` can throw become
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
    } catch {
      throw .database(.unexpected(path: store.path, code: 0, detail: "\(error)"))
    }
  }

  /// Returns a number that changes when another process has changed the database. Changes by this process can change it
  /// too.
  public func dataVersion() throws(NavigationError) -> Int {
    try Self.typed(in: store) { try store.dataVersion() }
  }

  /// A number that changes when another process has changed the database.
  public func dataVersion() throws(NavigationError) -> Int {
    try Self.typed(in: store) { try store.dataVersion() }
  }
}

extension NavigationService {
  /// After how long without input a session that has no process ends, in milliseconds: four hours.
  static let longestIdle: Int64 = 4 * 3_600_000
  /// How often the time of the last input is saved at most, in milliseconds.
  static let saveInterval: Int64 = 30_000

  /// The session whose steps these are; `nil` before the first step.
  public func currentSession() throws(NavigationError) -> Session? {
    try read { try openSession(in: $0, at: now())?.session }
  }

  /// Makes sure that the learner has had a session of this service's name.
  ///
  /// - Throws: ``NavigationError/unknownSession(name:)`` where they have not.
  public func requireSession() throws(NavigationError) {
    let name = sessionChoice.name
    try read { snapshot in
      guard let learner = try snapshot.learner(named: learner), try snapshot.hasSession(named: name, of: learner.id)
      else { throw NavigationError.unknownSession(name: name) }
    }
  }

  /// Returns how long a learner was present in the last 10,000 visits of a session that have ended, and whether these are
  /// all of its visits.
  ///
  /// - Parameter session: The number of the session, as ``HistoryRow/session`` has it.
  package func activeTime(inSession session: Int64) throws(NavigationError) -> (time: Duration, isComplete: Bool) {
    let (milliseconds, isComplete) = try glance {
      try $0.activeMilliseconds(of: SessionID(rawValue: session), limit: 10_000)
    }
    return (.milliseconds(milliseconds), isComplete)
  }

  /// Ends the session. Its last visit ends at the last input. Does nothing if no session is open.
  ///
  /// - Parameter timeout: How long to wait for another writer; `nil` for the database's busy timeout.
  /// - Throws: ``NavigationError/busy`` if another program writes for longer, and other errors of the database. The session
  ///   stays open then.
  public func endSession(waitingAtMost timeout: Duration? = nil) throws(NavigationError) {
    let known = sitting.withLock { $0 }
    try write(waitingAtMost: timeout) { transaction in
      guard let record = try openSession(in: transaction.snapshot, at: now()) else { return }
      if let presence = known.presence?.presence { try transaction.save(presence, in: record.session.id) }
      try transaction.end(try transaction.snapshot.session(record.session.id) ?? record)
    }
    sitting.withLock { $0 = Sitting() }
  }

  /// Records input of the learner, from which the time of their presence is computed.
  ///
  /// Writes to the database once in thirty seconds at most. The next step writes the rest.
  ///
  /// - Throws: ``NavigationError/busy`` and other errors of the database.
  public func touch() throws(NavigationError) { try noteInput()?() }

  /// Records input of the learner as ``touch()`` does, for a caller that must not wait for a disk.
  ///
  /// - Returns: A function that writes to the database, to be called once, on any thread and at any time; `nil` if nothing
  ///   needs to be written yet.
  public func noteInput() -> (@Sendable () throws(NavigationError) -> Void)? {
    let moment = now()
    let due = sitting.withLock { sitting -> (session: SessionID, event: Int64, presence: Presence)? in
      guard let session = sitting.session, var current = sitting.presence else { return nil }
      current.presence.note(inputAt: moment)
      sitting.presence = current
      if let savedAt = sitting.savedAt, abs(moment.milliseconds - savedAt.milliseconds) < Self.saveInterval {
        return nil
      }
      sitting.savedAt = moment
      return (session, current.event, current.presence)
    }
    guard let due else { return nil }
    return { () throws(NavigationError) in
      try self.write { transaction in
        // The next step, or another process by a repair, may have moved the session on; then that presence was of a visit
        // that is over.
        guard try transaction.snapshot.lastStep(of: due.session)?.event.id == due.event else { return }
        try transaction.save(due.presence, in: due.session)
      }
    }
  }

  /// Returns the session that a step now would be of; `nil` where it would begin one.
  func openSession(in snapshot: StoreSnapshot, at moment: Timestamp) throws -> SessionRecord? {
    switch sessionChoice {
    case .process:
      guard let id = sitting.withLock({ $0.session }), let record = try snapshot.session(id),
        record.session.endedAt == nil
      else { return nil }
      return record
    case .named(let name):
      guard let learner = try snapshot.learner(named: learner),
        let record = try snapshot.openSession(named: name, of: learner.id),
        !Self.isOver(record, at: moment)
      else { return nil }
      return record
    }
  }

  /// Whether a session without a process has been idle for too long.
  static func isOver(_ record: SessionRecord, at moment: Timestamp) -> Bool {
    record.lockFile == nil && moment.milliseconds - record.session.lastInputAt.milliseconds >= longestIdle
  }

  /// The learner's presence in the current visit of a session, with what is not saved yet.
  func presence(in record: SessionRecord, last: LoggedStep?) -> Presence {
    let known = sitting.withLock { $0.presence }
    guard let known, known.event == last?.event.id else { return record.presence }
    return known.presence
  }

  /// Ends the sessions whose processes no longer run, and those without a process that were idle for too long.
  package func closeDeadSessions() throws(NavigationError) {
    guard store.refusal == nil else { return }
    let moment = now()
    let isDead = { (record: SessionRecord) -> ProcessLock?? in
      guard let name = record.lockFile else { return Self.isOver(record, at: moment) ? .some(nil) : nil }
      return ProcessLock.takeOver(ofSession: name, of: self.store.path).map(Optional.some)
    }
    let dead = try glance { try $0.openSessions() }.compactMap { record in isDead(record).map { (record, $0) } }
    guard !dead.isEmpty else { return }
    do throws(NavigationError) {
      // Opening must not wait for another writer.
      try write(waitingAtMost: .milliseconds(50)) { transaction in
        for (record, _) in dead {
          // Another process may have been quicker.
          guard let now = try transaction.snapshot.session(record.session.id), now.session.endedAt == nil,
            now.lockFile != nil || Self.isOver(now, at: moment)
          else { continue }
          try transaction.end(now)
        }
      }
    } catch {
      // The next process ends these sessions: a locked database or a full disk must not prevent reading.
      guard [.tryAgain, .inputOutput, .noPermission].contains(error.kind) else { throw error }
    }
    withExtendedLifetime(dead) {}
  }
}

// What a front end's process holds while its session lives, so that the next process can tell a session
// that was killed from one that is at work.

extension ProcessLock {
  /// The folder of the locks of a database's sessions: beside it.
  private static func folder(of database: String) -> String { database + "-sessions" }

  /// Makes the lock of a session.
  ///
  /// - Throws: ``NavigationError/noSessionLock(path:reason:)``; `LearningDatabaseError` if the disk is full or read-only.
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

  /// Takes over the lock of a session whose process is gone.
  ///
  /// - Returns: The lock, also where its file is gone; `nil` while the process lives.
  static func takeOver(ofSession name: String, of database: String) -> ProcessLock? {
    takeOver(name, in: folder(of: database))
  }
}

// Looking after what is worked out from the logs, and after the file.

extension NavigationService {
  /// Works everything out anew that is worked out from the logs.
  public func rebuild() throws(NavigationError) {
    try write { try $0.rebuildProjections() }
  }

  /// Looks for contradictions in the logs and in what is worked out from them.
  ///
  /// - Returns: The problems; none if there is no contradiction.
  public func check() throws(NavigationError) -> [DatabaseProblem] {
    try Self.typed(in: store) { try store.withScratch { try $0.checkLogs() } }
  }

  /// Truncates the write-ahead log if it is longer than a number of bytes.
  ///
  /// - Returns: `false` if a read that began before, or another process, did not end within two seconds.
  package func truncateLog(over bytes: Int) throws(NavigationError) -> Bool {
    try Self.typed(in: store) { try store.truncateLog(over: bytes) }
  }

  /// Takes what was erased out of the file where that could not be done at once.
  ///
  /// - Returns: `false` while another program reads the database.
  public func sweep() throws(NavigationError) -> Bool {
    try Self.typed(in: store) { try store.sweep() }
  }
}
