public import Foundation
public import LearningModel
import LearningStore
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

  let store: LearningStore
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

  /// Opens the database, and closes the sessions in it whose processes are gone, at their last input.
  ///
  /// - Parameters:
  ///   - path: Where the database is or shall be.
  ///   - learner: The learner's name. White space at its ends is ignored. A new learner is created by the first step.
  ///   - ignoresCase: Whether a known learner whose name differs only in case is meant if no learner has this name.
  ///   - session: Which session the steps are of.
  ///   - timeZone: The learner's time zone: what `yesterday` means.
  ///   - now: Tells the time.
  /// - Throws: ``NavigationError``.
  public init(
    databaseAt path: String, learner: String, ignoringCase ignoresCase: Bool = false, session: SessionChoice = .shell,
    timeZone: TimeZone = .current, now: @escaping @Sendable () -> Timestamp = { Timestamp(date: Date()) }
  ) throws {
    // An empty name is refused before a database is created for it.
    let name = LearnerName.trimmed(learner)
    guard !name.isEmpty else { throw NavigationError.unusableName(name: learner) }
    sessionChoice = session
    self.timeZone = timeZone
    self.now = now
    let store = try Self.explaining { try LearningStore.open(at: path) }
    self.store = store
    self.learner = try Self.knownOrUsable(name, ignoringCase: ignoresCase, in: store)
    try closeDeadSessions()
  }

  /// Speaks for another learner, or in another session, on a database that is open: quick enough for a single question.
  ///
  /// - Throws: ``NavigationError/unusableName(name:)``.
  package init(
    beside other: NavigationService, learner: String, session: SessionChoice, timeZone: TimeZone
  ) throws {
    self.learner = try Self.knownOrUsable(LearnerName.trimmed(learner), in: other.store)
    sessionChoice = session
    self.timeZone = timeZone
    store = other.store
    now = other.now
  }

  // MARK: - The door to the store

  /// Asks the store, and puts its errors into the service's own words.
  func read<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws -> Answer {
    try Self.explaining { try store.read(body) }
  }

  /// Asks the store for as little as a screen shows after a step, and puts its errors into the service's own words.
  func glance<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws -> Answer {
    try Self.explaining { try store.glance(body) }
  }

  /// Changes the store, and puts its errors into the service's own words.
  func write<Answer>(
    waitingAtMost milliseconds: Int? = nil, _ body: (StoreTransaction) throws -> Answer
  ) throws -> Answer {
    try Self.explaining { try store.write(waitingAtMost: milliseconds ?? 10_000, body) }
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

  static func explaining<Answer>(_ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch let error as LearningStoreError {
      if error.kind == .tryAgain { throw NavigationError.busy }
      throw NavigationError.database(error.kind, words: error.description)
    }
  }

  /// A number that changes when another process has changed the database.
  public func dataVersion() throws -> Int {
    try Self.explaining { try store.dataVersion() }
  }
}

extension Timestamp {
  /// The moment of a date, to the millisecond.
  public init(date: Date) {
    self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded(.down)))
  }

  /// The date of the moment.
  public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension NavigationService {
  /// After how long without input a session that has no process ends, in milliseconds: four hours.
  static let longestIdle: Int64 = 4 * 3_600_000
  /// How often the time of the last input is saved at most, in milliseconds.
  static let saveInterval: Int64 = 30_000

  /// The session whose steps these are; `nil` before the first step.
  public func currentSession() throws -> Session? {
    try read { try openSession(in: $0, at: now())?.session }
  }

  /// Makes sure that the learner has had a session of this service's name.
  ///
  /// - Throws: ``NavigationError/unknownSession(name:)`` where they have not.
  public func requireSession() throws {
    let name = sessionChoice.name
    try read { snapshot in
      guard let learner = try snapshot.learner(named: learner), try snapshot.hasSession(named: name, of: learner.id)
      else { throw NavigationError.unknownSession(name: name) }
    }
  }

  /// Returns how long a learner was present in the last 10,000 visits of a session that they have left, in milliseconds,
  /// and whether these are all of its visits.
  ///
  /// - Parameter session: Its number, as the steps of the history have it.
  public func activeMilliseconds(inSession session: Int64) throws -> (milliseconds: Int64, isComplete: Bool) {
    try glance { try $0.activeMilliseconds(of: SessionID(rawValue: session), limit: 10_000) }
  }

  /// Ends the session, for a front end that is left. Its last visit ends with the last input. Does nothing if no session is
  /// open.
  ///
  /// - Parameter milliseconds: How long to wait for another writer; `nil` for the usual time.
  /// - Throws: ``NavigationError/busy`` if that was not enough.
  public func endSession(waitingAtMost milliseconds: Int? = nil) throws {
    let known = sitting.withLock { $0 }
    try write(waitingAtMost: milliseconds) { transaction in
      guard let record = try openSession(in: transaction.snapshot, at: now()) else { return }
      if let presence = known.presence?.presence { try transaction.save(presence, in: record.session.id) }
      try transaction.end(try transaction.snapshot.session(record.session.id) ?? record)
    }
    sitting.withLock { $0 = Sitting() }
  }

  /// Notes that the learner did something, so that the time they are present is known.
  ///
  /// Cheap: the database hears of it every thirty seconds at most, and with the next step.
  public func touch() throws { try noteInput()?() }

  /// Notes that the learner did something, as ``touch()`` does, for a caller that must not wait for a disk.
  ///
  /// - Returns: What tells the database, once, on any thread and at any time; `nil` where it need not hear of it yet.
  public func noteInput() -> (@Sendable () throws -> Void)? {
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
    return {
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

  /// Ends the sessions whose processes are gone, and those that have been idle for too long.
  package func closeDeadSessions() throws {
    guard store.refusal == nil else { return }
    let moment = now()
    let isDead = { (record: SessionRecord) -> ProcessLock?? in
      guard let name = record.lockFile else { return Self.isOver(record, at: moment) ? .some(nil) : nil }
      return ProcessLock.takeOver(ofSession: name, of: self.store.path).map(Optional.some)
    }
    let dead = try glance { try $0.openSessions() }.compactMap { record in isDead(record).map { (record, $0) } }
    guard !dead.isEmpty else { return }
    do {
      // A question does not wait for it.
      try write(waitingAtMost: 50) { transaction in
        for (record, _) in dead {
          // Another process may have been quicker.
          guard let now = try transaction.snapshot.session(record.session.id), now.session.endedAt == nil,
            now.lockFile != nil || Self.isOver(now, at: moment)
          else { continue }
          try transaction.end(now)
        }
      }
    } catch let error as NavigationError where [.tryAgain, .inputOutput, .noPermission].contains(error.kind) {
      // A locked database or a full disk does not keep a command from reading. The next process ends these sessions.
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
  /// - Throws: ``NavigationError/noSessionLock(path:reason:)``; `LearningStoreError` if the disk is full or read-only.
  static func make(forSession name: String, of database: String) throws -> ProcessLock {
    do throws(Refusal) {
      return try make(name, in: folder(of: database))
    } catch {
      switch error.code {
      case ENOSPC, EDQUOT: throw LearningStoreError.diskFull(path: database)
      case EROFS: throw LearningStoreError.readOnly(path: database)
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

extension NavigationService {
  /// Returns a function that numbers the states of the database: the number is another one after each change, whichever
  /// process makes it, this service too. Asking costs some microseconds.
  ///
  /// - Throws: ``NavigationError`` if the database cannot be opened or nothing is recorded; so does the function.
  package func changeNumber() throws -> @Sendable () throws -> Int {
    let watch = try Self.explaining { try store.watch() }
    return { [store] in
      try Self.explaining {
        if store.isScratch { try store.checkWritable() }
        return try watch.version()
      }
    }
  }

  /// Tells of changes of the database, whoever makes them: this service, another one, an import, another process.
  ///
  /// An element says that something has changed since the last one, not what: ask again for what is shown. Changes that
  /// come before an element is taken are one. SQLite tells no process of what another does, so it is asked at an
  /// interval, which costs microseconds; a front end with a loop of its own asks ``dataVersion()`` when it has input.
  ///
  /// - Parameter interval: How often to look.
  /// - Returns: A stream that ends when its task is cancelled, or when the database cannot be asked any more.
  /// - Throws: ``NavigationError`` where the database cannot be opened.
  public func changes(every interval: Duration = .milliseconds(250)) throws -> AsyncStream<Void> {
    let watch = try Self.explaining { try store.watch() }
    let first = try Self.explaining { try watch.version() }
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task.detached(priority: .utility) {
        var known = first
        while (try? await Task.sleep(for: interval)) != nil, let version = try? watch.version() {
          if version != known { continuation.yield() }
          known = version
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

// Looking after what is worked out from the logs, and after the file.

extension NavigationService {
  /// Works everything out anew that is worked out from the logs.
  public func rebuild() throws {
    try write { try $0.rebuildProjections() }
  }

  /// Looks for contradictions in the logs and in what is worked out from them.
  ///
  /// - Returns: One sentence for each; none where all is well.
  public func check() throws -> [String] {
    try Self.explaining { try store.withScratch { try $0.checkLogs() } }
  }

  /// Truncates the write-ahead log if it is longer than a number of bytes.
  ///
  /// - Returns: `false` if a read that began before, or another process, did not end within two seconds.
  package func truncateLog(over bytes: Int) throws -> Bool {
    try Self.explaining { try store.truncateLog(over: bytes) }
  }

  /// Takes what was erased out of the file where that could not be done at once.
  ///
  /// - Returns: `false` while another program reads the database.
  public func sweep() throws -> Bool {
    try Self.explaining { try store.sweep() }
  }
}
