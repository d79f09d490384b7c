package import LearningModel

/// A session with the values that only the database uses.
package struct SessionRecord: Hashable, Sendable {
  package let session: Session
  /// The name of the lock file that the session's process keeps locked, or `nil` if the session has no process.
  package let lockFile: String?
  /// The learner's active time in the visit that has not ended.
  package let presence: Presence
  /// The UUID of the database that began the session, its owner. Only the owner adds events to it.
  let replica: String
  /// Whether this database is the owner.
  package let isOwn: Bool

  /// Returns the session as it is shown. The end of a session of another database may not have been merged. The session
  /// is open for a day then, and ended at the last input afterwards, or if that input is in the future.
  package func shownSession(at now: Timestamp) -> Session {
    let idleTime = now.milliseconds - session.lastInputAt.milliseconds
    guard !isOwn, session.endedAt == nil, !(-HybridTime.tolerance...86_400_000).contains(idleTime) else {
      return session
    }
    return Session(
      id: session.id, uuid: session.uuid, learner: session.learner, name: session.name, timeZone: session.timeZone,
      startedAt: session.startedAt, lastInputAt: session.lastInputAt, endedAt: session.lastInputAt)
  }

  /// A condition for the sessions that this database has begun. A client that is a copy of this database may have sent
  /// sessions with the same UUID of a database.
  static let isOwn = "replica = (SELECT uuid FROM replica) AND lockFile IS NOT '/' || uuid"

  init(session: Session, lockFile: String?, presence: Presence, replica: String, isOwn: Bool) {
    self.session = session
    self.lockFile = lockFile
    self.presence = presence
    self.replica = replica
    self.isOwn = isOwn
  }
}

extension SessionRecord: StoredRow {
  static let columns = RowReader.columns(of: Self.self)

  init(_ column: inout RowReader) {
    session = Session(
      id: column("id"), uuid: column("uuid"), learner: column("learner"), name: column("name"),
      timeZone: column("timeZone"), startedAt: column("startedAt"), lastInputAt: column("lastInputAt"),
      endedAt: column("endedAt"))
    lockFile = column("lockFile")
    presence = Presence(activeMilliseconds: column("activeMs"), lastInputAt: session.lastInputAt)
    replica = column("replica")
    isOwn = column(Self.isOwn)
  }
}

extension StoreSnapshot {
  /// Returns the session with the given ID, or `nil` if no session has it.
  package func session(_ id: SessionID) throws -> SessionRecord? {
    try first(Self.sessionSQL, id, as: SessionRecord.init)
  }

  private static let sessionSQL = StatementText("SELECT \(SessionRecord.columns) FROM session WHERE id = ?")

  /// Returns the session with the given UUID, or `nil` if no session has it.
  package func session(withUUID uuid: String) throws -> SessionRecord? {
    try first("SELECT \(SessionRecord.columns) FROM session WHERE uuid = ?", uuid, as: SessionRecord.init)
  }

  /// Returns the session with the given name that began last and not in the future, or `nil` if no session matches. If
  /// all of them began in the future, returns the latest.
  ///
  /// - Parameters:
  ///   - learner: The learner of the session, or `nil` for any learner.
  ///   - now: The current time.
  package func newestSession(named name: String, of learner: LearnerID?, at now: Timestamp) throws -> SessionRecord? {
    try first(
      """
      SELECT \(SessionRecord.columns) FROM session
      WHERE name = ?1 AND learner = ifnull(?2, learner) ORDER BY startedAt > ?3, startedAt DESC, id DESC LIMIT 1
      """, name, learner, now, as: SessionRecord.init)
  }

  /// Returns the open session of this database with the given name that has no lock file, or `nil` if no session
  /// matches.
  package func openSession(named name: String, of learner: LearnerID) throws -> SessionRecord? {
    try first(Self.openSessionSQL, learner, name, as: SessionRecord.init)
  }

  private static let openSessionSQL = StatementText(
    """
    SELECT \(SessionRecord.columns) FROM session
    WHERE learner = ? AND name = ? AND replica = (SELECT uuid FROM replica) AND endedAt IS NULL AND lockFile IS NULL
    """)

  /// Returns all open sessions of this database, the oldest first.
  package func openSessions() throws -> [SessionRecord] {
    try all(
      """
      SELECT \(SessionRecord.columns) FROM session
      WHERE endedAt IS NULL AND \(SessionRecord.isOwn) ORDER BY id
      """, as: SessionRecord.init)
  }

  /// Returns the sessions of a learner, or of all learners if `nil`, the newest first.
  package func sessions(of learner: LearnerID?) throws -> [SessionRecord] {
    guard let learner else {
      return try all("SELECT \(SessionRecord.columns) FROM session ORDER BY id DESC", as: SessionRecord.init)
    }
    return try all(
      "SELECT \(SessionRecord.columns) FROM session WHERE learner = ? ORDER BY id DESC", learner, as: SessionRecord.init
    )
  }
}

extension StoreTransaction {
  /// Creates a session. It has no place until its first event.
  package func beginSession(
    of learner: LearnerID, uuid: String, named name: String, timeZone: String, lockFile: String?, at time: Timestamp
  ) throws -> SessionRecord {
    try run(
      """
      INSERT INTO session (uuid, learner, name, timeZone, lockFile, startedAt, lastInputAt, replica)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?6, uuid FROM replica
      """, uuid, learner, name, timeZone, lockFile, time)
    return try snapshot.session(SessionID(rawValue: lastRow))!
  }

  /// Gives this database another UUID, because a copy of it has the same one. The open sessions thereby become sessions
  /// of another database, and the learners' next events begin new ones.
  func renewReplica() throws {
    for table in ["stackEntry", "visitEntry"] { try run("DELETE FROM \(table)") }
    try run("UPDATE replica SET uuid = lower(hex(randomblob(16)))")
  }

  /// Saves the time of the learner's last input in a session and the active time in the current visit. Has no effect if
  /// the session has ended or belongs to another database.
  package func save(_ presence: Presence, in session: SessionID) throws {
    try run(Self.presenceSQL, presence.lastInputAt, presence.activeMilliseconds, session)
  }

  private static let presenceSQL = StatementText(
    """
    UPDATE session SET lastInputAt = max(lastInputAt, ?), activeMs = ?
    WHERE id = ? AND endedAt IS NULL AND \(SessionRecord.isOwn)
    """)

  /// Deletes the stack of a session that ends, and the visits between which `back` and `forward` move.
  func removeStack(of session: SessionID) throws {
    for table in ["stackEntry", "visitEntry"] {
      try run("DELETE FROM \(table) WHERE session = ?", session)
    }
  }

  /// Ends a session at its last input. Also ends its last visit and deletes its stack.
  package func end(_ record: SessionRecord) throws {
    let session = record.session
    if let last = try snapshot.lastNavigationEvent(of: session.id), last.event.leftAt == nil {
      try leave(last, at: record.presence.lastInputAt, presence: record.presence)
    }
    try removeStack(of: session.id)
    try run("UPDATE session SET endedAt = lastInputAt, activeMs = 0 WHERE id = ? AND endedAt IS NULL", session.id)
  }
}

/// Measures the active time of a learner in a visit: the time between inputs, of which a long pause counts only in
/// part.
package struct Presence: Hashable, Sendable {
  /// The maximum active time that is counted for a pause between two inputs, in milliseconds: five minutes.
  package static let maximumGap: Int64 = 5 * 60 * 1000

  /// The active time in milliseconds, up to ``lastInputAt``.
  package private(set) var activeMilliseconds: Int64
  /// The time of the last input.
  package private(set) var lastInputAt: Timestamp
  /// Whether the learner is elsewhere, such as in a review. The time until the next input then does not count.
  package var isAway = false

  /// Creates an instance from saved values.
  package init(activeMilliseconds: Int64 = 0, lastInputAt: Timestamp) {
    self.activeMilliseconds = activeMilliseconds
    self.lastInputAt = lastInputAt
  }

  /// Adds the time up to an input. Has no effect if the clock was set back.
  package mutating func recordInput(inputAt time: Timestamp) {
    let gap = time.milliseconds - lastInputAt.milliseconds
    guard gap > 0 else { return }
    if !isAway { activeMilliseconds += min(gap, Self.maximumGap) }
    lastInputAt = time
  }

  /// Returns the active time in milliseconds of a visit that ends, which is at most the duration of the visit.
  ///
  /// - Parameters:
  ///   - visit: The time at which the visit began.
  ///   - leftAt: The time at which the visit ends.
  func active(in visit: Timestamp, leftAt: Timestamp) -> Int64 {
    var presence = self
    presence.recordInput(inputAt: leftAt)
    return max(0, min(presence.activeMilliseconds, leftAt.milliseconds - visit.milliseconds))
  }
}
