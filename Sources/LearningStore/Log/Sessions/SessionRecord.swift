import GRDB
package import LearningModel

/// A session with what the database alone needs to know of it.
package struct SessionRecord: Hashable, Sendable {
  /// The session.
  package let session: Session
  /// The file that its process holds locked while it lives, in the folder of locks; `nil` where it has no process.
  package let lockFile: String?
  /// The learner's presence in the visit that is not over yet.
  package let presence: Presence
  /// Whether it came in a learner's file while it was open elsewhere: here it has ended, there it may be longer.
  package let isOpenElsewhere: Bool
  /// The session that it was parted from, with the last step that both have; `nil` where it was not.
  let fork: Fork?

  /// Where a session was parted from another one.
  struct Fork: Hashable {
    let session: String
    /// `nil` where they share none.
    let step: Int?
  }

  static let columns = """
    id, uuid, learner, name, timeZone, lockFile, startedAt, lastInputAt, activeMs, endedAt, openElsewhere, forkOf, forkAfter
    """

  init(session: Session, lockFile: String?, presence: Presence, isOpenElsewhere: Bool, fork: Fork? = nil) {
    self.session = session
    self.lockFile = lockFile
    self.presence = presence
    self.isOpenElsewhere = isOpenElsewhere
    self.fork = fork
  }

  init(row: ResultRow) {
    let lastInputAt: Timestamp = row[7]
    session = Session(
      id: row[0], uuid: row[1], learner: row[2], name: row[3], timeZone: row[4], startedAt: row[6],
      lastInputAt: lastInputAt, endedAt: row[9])
    lockFile = row[5]
    presence = Presence(activeMilliseconds: row[8], lastInputAt: lastInputAt)
    isOpenElsewhere = row[10]
    fork = (row[11] as String?).map { Fork(session: $0, step: row[12]) }
  }
}

extension StoreSnapshot {
  /// Returns that session; `nil` where there is none.
  package func session(_ id: SessionID) throws -> SessionRecord? {
    try first(Self.sessionText, id, as: SessionRecord.init)
  }

  private static let sessionText = StatementText("SELECT \(SessionRecord.columns) FROM session WHERE id = ?")

  /// Returns the session of that identifier; `nil` where there is none.
  package func session(withUUID uuid: String) throws -> SessionRecord? {
    try first(Self.sessionWithUUIDText, uuid, as: SessionRecord.init)
  }

  /// Returns the newest session of that name, of a learner or of anybody; `nil` where there is none.
  package func newestSession(named name: String, of learner: LearnerID?) throws -> SessionRecord? {
    try first(Self.newestSessionText, name, learner, as: SessionRecord.init)
  }

  private static let sessionWithUUIDText = StatementText(
    "SELECT \(SessionRecord.columns) FROM session WHERE uuid = ?")
  private static let newestSessionText = StatementText(
    """
    SELECT \(SessionRecord.columns) FROM session
    WHERE name = ?1 AND learner = ifnull(?2, learner) ORDER BY id DESC LIMIT 1
    """)

  /// Returns the open session of that name which has no process; `nil` where there is none.
  package func openSession(named name: String, of learner: LearnerID) throws -> SessionRecord? {
    try first(Self.openSessionText, learner, name, as: SessionRecord.init)
  }

  private static let openSessionText = StatementText(
    """
    SELECT \(SessionRecord.columns) FROM session
    WHERE learner = ? AND name = ? AND endedAt IS NULL AND lockFile IS NULL
    """)

  /// Returns every session that has not ended, the oldest first.
  package func openSessions() throws -> [SessionRecord] {
    try all(Self.openSessionsText, as: SessionRecord.init)
  }

  private static let openSessionsText = StatementText(
    "SELECT \(SessionRecord.columns) FROM session WHERE endedAt IS NULL ORDER BY id")

  /// Returns the sessions of a learner, or of everyone, the newest first.
  package func sessions(of learner: LearnerID?) throws -> [SessionRecord] {
    guard let learner else { return try all(Self.everySessionText, as: SessionRecord.init) }
    return try all(Self.sessionsText, learner, as: SessionRecord.init)
  }

  private static let everySessionText = StatementText("SELECT \(SessionRecord.columns) FROM session ORDER BY id DESC")
  private static let sessionsText = StatementText(
    "SELECT \(SessionRecord.columns) FROM session WHERE learner = ? ORDER BY id DESC")
}

extension StoreTransaction {
  /// Begins a session. It has no place until its first event.
  package func beginSession(
    of learner: LearnerID, uuid: String, named name: String, timeZone: String, lockFile: String?, at moment: Timestamp
  ) throws -> SessionRecord {
    try run(Self.beginSessionText, uuid, learner, name, timeZone, lockFile, moment)
    return try snapshot.session(SessionID(rawValue: lastRow))!
  }

  private static let beginSessionText = StatementText(
    """
    INSERT INTO session (uuid, learner, name, timeZone, lockFile, startedAt, lastInputAt)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
    """)

  /// Saves when the learner last did something in a session, and how long they were present in the current visit.
  package func save(_ presence: Presence, in session: SessionID) throws {
    try run(Self.presenceText, presence.lastInputAt, presence.activeMilliseconds, session)
  }

  private static let presenceText = StatementText(
    "UPDATE session SET lastInputAt = max(lastInputAt, ?), activeMs = ? WHERE id = ? AND endedAt IS NULL")

  /// Ends a session at its last input: its last visit ends there too, and its stack is taken down.
  package func end(_ record: SessionRecord) throws {
    let session = record.session
    if let last = try snapshot.lastStep(of: session.id), last.event.leftAt == nil {
      try leave(last, at: record.presence.lastInputAt, presence: record.presence)
    }
    try database.execute(sql: "DELETE FROM stackEntry WHERE session = ?", arguments: [session.id.rawValue])
    try database.execute(sql: "DELETE FROM visitEntry WHERE session = ?", arguments: [session.id.rawValue])
    try database.execute(
      sql: "UPDATE session SET endedAt = lastInputAt WHERE id = ? AND endedAt IS NULL", arguments: [session.id.rawValue]
    )
  }
}

/// How long a learner has been present in a visit: the time between inputs, of which a long silence counts only a part.
package struct Presence: Hashable, Sendable {
  /// The most that a gap without input counts, in milliseconds: five minutes.
  package static let longestGap: Int64 = 5 * 60 * 1000

  /// The time that counts so far, in milliseconds, up to ``lastInputAt``.
  package private(set) var activeMilliseconds: Int64
  /// When the learner last did something.
  package private(set) var lastInputAt: Timestamp

  /// Takes up a presence as it was left.
  package init(activeMilliseconds: Int64 = 0, lastInputAt: Timestamp) {
    self.activeMilliseconds = activeMilliseconds
    self.lastInputAt = lastInputAt
  }

  /// Counts the time up to an input. A clock that went back counts as none passed.
  package mutating func note(inputAt moment: Timestamp) {
    let gap = moment.milliseconds - lastInputAt.milliseconds
    guard gap > 0 else { return }
    activeMilliseconds += min(gap, Self.longestGap)
    lastInputAt = moment
  }

  /// Returns how long the learner was present in a visit that ends now, in milliseconds: never longer than the visit.
  func active(in visit: Timestamp, leftAt: Timestamp) -> Int64 {
    var presence = self
    presence.note(inputAt: leftAt)
    return max(0, min(presence.activeMilliseconds, leftAt.milliseconds - visit.milliseconds))
  }
}
