public import Foundation
public import LearningModel
public import LearningStore
import Synchronization

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
///
/// The service itself performs steps and returns the current location. Each other subject is a property: ``places``,
/// ``history``, ``progress``, ``changes``, ``notes``, ``reviews``, ``cards`` and ``learners``.
public final class NavigationService: Sendable {
  /// The learner, session and database that the parts of the service share.
  let session: LearnerSession

  /// The name of the learner whose steps the service performs.
  public var learner: String { session.learner }
  /// The session to which the steps belong.
  public var sessionChoice: SessionChoice { session.choice }
  /// The learner's time zone.
  public var timeZone: TimeZone { session.timeZone }
  /// The database that the service reads and writes.
  public var database: LearningDatabase { session.database }

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
    let name = try LearnerName.validated(Self.nonempty(learner), ignoringCase: ignoresCase, in: database.store)
    self.session = LearnerSession(database, learner: name, choice: session, timeZone: timeZone, now: now)
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
    let name = try LearnerName.validated(LearnerName.trimmed(learner), in: other.session.store)
    self.session = LearnerSession(
      other.database, learner: name, choice: session, timeZone: timeZone, now: other.session.now)
  }

  // MARK: - Subjects

  /// The places of all courses, with the learner's progress.
  public var places: CoursePlaces { CoursePlaces(session: session) }
  /// The steps, sessions and statistics of the past.
  public var history: LearnerHistory { LearnerHistory(session: session) }
  /// What the learner has done in activities: results, reading positions and quizzes.
  public var progress: LearnerProgress { LearnerProgress(session: session) }
  /// The changes that the learner can undo.
  public var changes: LearnerChanges { LearnerChanges(session: session) }
  /// The learner's notes and bookmarks.
  public var notes: LearnerNotes { LearnerNotes(session: session) }
  /// The learner's reviews: the next card, answers and the schedule.
  public var reviews: LearnerReviews { LearnerReviews(session: session) }
  /// The cards of the reviews.
  public var cards: LearnerCards { LearnerCards(session: session) }
  /// All learners of the database.
  public var learners: Learners { Learners(session: session) }
  /// The classes of learners.
  package var classes: LearnerClasses { LearnerClasses(session: session) }
  /// The access of a server to the database.
  package var access: ServerAccess { ServerAccess(session: session) }
  /// The learner's side of a synchronisation.
  package var sync: LearnerSync { LearnerSync(session: session) }

  // MARK: - Steps that are not recorded

  /// Lets this service continue without recording if the database cannot be written, because its disk is full or it is
  /// read-only. Steps are then written to a copy in memory, which is lost when the process ends.
  ///
  /// For interactive front ends. Commands whose only purpose is to record must fail instead.
  public func allowUnrecordedSteps() { session.store.allowScratch() }

  /// Sets how long a write waits for another writer if the call sets no timeout, instead of the database's busy timeout.
  /// For front ends in which nothing is drawn during the wait.
  package func limitWaits(to duration: Duration) { session.longestWait.withLock { $0 = duration } }

  /// The reason why steps are not recorded, as a sentence for the user. `nil` if steps are recorded.
  public var unrecordedNotice: String? {
    guard session.store.isScratch else { return nil }
    switch session.store.refusal {
    case .diskFull:
      return "Nothing is recorded: the disk of the database is full. Free some disk space, then start Waymark again."
    default:
      return
        "Nothing is recorded: the database can be read, but not written. Check the permissions of the file and of its folder."
    }
  }

  /// Returns a number that changes when another process changes the database. Changes by this process may change it
  /// too.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func dataVersion() throws(NavigationError) -> Int {
    try session.store.typed { try session.store.dataVersion() }
  }

  /// Returns the number of the current state of the database, which changes when this process or another one changes the
  /// database.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  package func databaseState() throws(NavigationError) -> DatabaseStateNumber {
    DatabaseStateNumber(own: session.store.currentState, others: try dataVersion())
  }

  /// The minimum time between two writes of the time of the last input, in milliseconds.
  static let saveInterval: Int64 = 30_000

  /// Returns the session to which the next step would belong, or `nil` if the next step would begin a session.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func currentSession() throws(NavigationError) -> Session? {
    try session.read { try session.openSession(in: $0, at: session.now())?.session }
  }

  /// Checks that the learner has, or had, a session with this service's session name.
  ///
  /// - Throws: ``NavigationError/unknownSession(name:)`` if there is no such session.
  public func requireSession() throws(NavigationError) {
    let name = session.choice.name
    try session.read { snapshot in
      guard let learner = try snapshot.learner(named: session.learner),
        try snapshot.hasSession(named: name, of: learner.id)
      else { throw NavigationError.unknownSession(name: name) }
    }
  }

  /// Ends the session, and its last visit, at the time of the last input. Does nothing if no session is open.
  ///
  /// - Parameter timeout: How long to wait for another writer; `nil` for the database's busy timeout.
  /// - Throws: ``NavigationError/busy`` if another program keeps the database locked for longer than that, and other
  ///   errors of the database. In both cases, the session stays open.
  public func endSession(waitingAtMost timeout: Duration? = nil) throws(NavigationError) {
    let cache = session.cache.withLock { $0 }
    try session.write(waitingAtMost: timeout) { transaction in
      guard let record = try session.openSession(in: transaction.snapshot, at: session.now()) else { return }
      if let presence = cache.presence?.presence { try transaction.save(presence, in: record.session.id) }
      try transaction.end(try transaction.snapshot.session(record.session.id) ?? record)
    }
    session.cache.withLock { $0 = LearnerSession.Cache() }
  }

  /// Records that the learner has used an input device. The time of the learner's presence is computed from these
  /// calls.
  ///
  /// Writes to the database at most once in thirty seconds. Input that was not written yet is written with the next
  /// step.
  ///
  /// - Parameter isLeaving: Whether the learner is no longer at the place after this input, for example in a review. The
  ///   time until the next input then does not count for the visit.
  /// - Throws: ``NavigationError/busy`` and other errors of the database.
  public func recordInput(leaving isLeaving: Bool = false) throws(NavigationError) {
    try prepareInputRecord(leaving: isLeaving)?()
  }

  /// Records input like ``recordInput(leaving:)``, for callers that must not wait for the disk.
  ///
  /// - Returns: A function that writes to the database. Call it once, on any thread and at any time. `nil` if nothing
  ///   has to be written yet.
  public func prepareInputRecord(leaving isLeaving: Bool = false) -> (@Sendable () throws(NavigationError) -> Void)? {
    let time = session.now()
    let due = session.cache.withLock { cache -> (session: SessionID, event: Int64, presence: Presence)? in
      guard let session = cache.session, var current = cache.presence else { return nil }
      current.presence.recordInput(inputAt: time)
      current.presence.isAway = isLeaving
      cache.presence = current
      if let savedAt = cache.savedAt, abs(time.milliseconds - savedAt.milliseconds) < Self.saveInterval {
        return nil
      }
      cache.savedAt = time
      return (session, current.event, current.presence)
    }
    guard let due else { return nil }
    return { () throws(NavigationError) in
      try self.session.write { transaction in
        // If the next step, or a repair by another process, has ended the visit, its presence must not be saved for the
        // new visit.
        guard try transaction.snapshot.lastNavigationEvent(of: due.session)?.event.id == due.event else { return }
        try transaction.save(due.presence, in: due.session)
      }
    }
  }

  /// Ends the sessions whose processes no longer run, and the sessions without a process that are over. Does nothing if
  /// the database cannot be written.
  package func closeOrphanedSessions() throws(NavigationError) {
    guard session.store.refusal == nil else { return }
    let time = session.now()
    let lockOfOrphan = { (record: SessionRecord) -> ProcessLock?? in
      guard let name = record.lockFile else { return LearnerSession.isOver(record, at: time) ? .some(nil) : nil }
      return ProcessLock.takeOver(ofSession: name, of: self.session.store.path).map(Optional.some)
    }
    let orphaned = try session.readLatest { try $0.openSessions() }.compactMap { record in
      lockOfOrphan(record).map { (record, $0) }
    }
    guard !orphaned.isEmpty else { return }
    do throws(NavigationError) {
      // Do not delay the start of the program until another writer has finished.
      try session.write(waitingAtMost: .milliseconds(50)) { transaction in
        for (record, _) in orphaned {
          // Another process may have ended the session in the meantime.
          guard let now = try transaction.snapshot.session(record.session.id), now.session.endedAt == nil, now.isOwn,
            now.lockFile != nil || LearnerSession.isOver(now, at: time)
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

  // Settings of the learner.

  /// Returns the value of one of the learner's settings, or `nil` if the setting has no value.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func setting(_ name: String) throws(NavigationError) -> String? {
    try session.read { snapshot in
      try snapshot.learner(named: session.learner).flatMap { try snapshot.setting(name, of: $0.id) }
    }
  }

  /// Stores a setting of the learner. The value `nil` removes the setting.
  ///
  /// - Throws: ``NavigationError/busy``, ``NavigationError/database(_:)``.
  public func set(_ value: String?, forSetting name: String) throws(NavigationError) {
    try session.set(value, forSetting: name)
  }

  // Maintenance of the projections and of the file.

  /// Deletes all projections, which are the tables that are derived from the logs, and computes them again.
  ///
  /// - Throws: ``NavigationError/busy`` and other errors of the database.
  public func rebuild() throws(NavigationError) {
    try session.write { try $0.rebuildProjections() }
  }

  /// Checks the logs for contradictions, and compares the projections (the tables that are derived from the logs) with
  /// the logs.
  ///
  /// - Returns: The problems, or an empty array if there are none.
  /// - Throws: ``NavigationError/database(_:)``.
  public func check() throws(NavigationError) -> [DatabaseProblem] {
    try session.store.typed { try session.store.withScratch { try $0.checkLogs() } }
  }

  /// Truncates the write-ahead log if it is longer than a number of bytes.
  ///
  /// - Returns: `false` if an earlier read or another process does not end within two seconds.
  package func truncateLog(over bytes: Int) throws(NavigationError) -> Bool {
    try session.store.typed { try session.store.truncateLog(over: bytes) }
  }

  /// Overwrites erased data in the file, if this was not possible at the time of the erasure.
  ///
  /// - Returns: `false` if another program is reading the database and therefore prevents it.
  /// - Throws: ``NavigationError/database(_:)``.
  public func sweep() throws(NavigationError) -> Bool {
    try session.store.typed { try session.store.sweep() }
  }
}

/// The number of a state of the database. Two different numbers can belong to the same state.
package struct DatabaseStateNumber: Hashable, Sendable {
  /// Changes with each change by this process.
  let own: Int
  /// Changes with each change by another process.
  let others: Int
}
