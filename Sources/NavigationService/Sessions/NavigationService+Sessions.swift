import Foundation
public import LearningModel
import LearningStore
import Synchronization

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
