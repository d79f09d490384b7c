import GRDB
public import LearningModel

/// A session with what the database alone needs to know of it.
public struct SessionRecord: Hashable, Sendable {
  /// The session.
  public let session: Session
  /// The file that its process holds locked while it lives, in the folder of locks; `nil` where it has no process.
  public let lockFile: String?
  /// The learner's presence in the visit that is not over yet.
  public let presence: Presence

  static let columns = "id, uuid, learner, name, timeZone, lockFile, startedAt, lastInputAt, activeMs, endedAt"

  init(row: Row) {
    let lastInputAt = Timestamp(milliseconds: row[7])
    session = Session(
      id: SessionID(rawValue: row[0]), uuid: row[1], learner: LearnerID(rawValue: row[2]), name: row[3],
      timeZone: row[4], startedAt: Timestamp(milliseconds: row[6]), lastInputAt: lastInputAt,
      endedAt: (row[9] as Int64?).map(Timestamp.init(milliseconds:)))
    lockFile = row[5]
    presence = Presence(activeMilliseconds: row[8], lastInputAt: lastInputAt)
  }
}

extension StoreSnapshot {
  /// Returns that session; `nil` where there is none.
  public func session(_ id: SessionID) throws -> SessionRecord? {
    let sql = "SELECT \(SessionRecord.columns) FROM session WHERE id = ?"
    return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [id.rawValue]).map(SessionRecord.init)
  }

  /// Returns the open session of that name which has no process; `nil` where there is none.
  public func openSession(named name: String, of learner: LearnerID) throws -> SessionRecord? {
    let sql = """
      SELECT \(SessionRecord.columns) FROM session
      WHERE learner = ? AND name = ? AND endedAt IS NULL AND lockFile IS NULL
      """
    return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [learner.rawValue, name])
      .map(SessionRecord.init)
  }

  /// Returns every session that has not ended, the oldest first.
  public func openSessions() throws -> [SessionRecord] {
    let sql = "SELECT \(SessionRecord.columns) FROM session WHERE endedAt IS NULL ORDER BY id"
    return try Row.fetchAll(database.cachedStatement(sql: sql)).map(SessionRecord.init)
  }

  /// Returns the sessions of a learner, or of everyone, the newest first.
  public func sessions(of learner: LearnerID?) throws -> [SessionRecord] {
    let sql = "SELECT \(SessionRecord.columns) FROM session WHERE learner = ifnull(?, learner) ORDER BY id DESC"
    return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [learner?.rawValue]).map(SessionRecord.init)
  }
}

extension StoreTransaction {
  /// Begins a session. It has no place until its first event.
  public func beginSession(
    of learner: LearnerID, uuid: String, named name: String, timeZone: String, lockFile: String?, at moment: Timestamp
  ) throws -> SessionRecord {
    let sql = """
      INSERT INTO session (uuid, learner, name, timeZone, lockFile, startedAt, lastInputAt)
      VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING \(SessionRecord.columns)
      """
    let arguments: StatementArguments = [
      uuid, learner.rawValue, name, timeZone, lockFile, moment.milliseconds, moment.milliseconds,
    ]
    return SessionRecord(row: try Row.fetchOne(database, sql: sql, arguments: arguments)!)
  }

  /// Saves when the learner last did something in a session, and how long they were present in the current visit.
  public func save(_ presence: Presence, in session: SessionID) throws {
    let sql = "UPDATE session SET lastInputAt = max(lastInputAt, ?), activeMs = ? WHERE id = ? AND endedAt IS NULL"
    try database.cachedStatement(sql: sql).execute(arguments: [
      presence.lastInputAt.milliseconds, presence.activeMilliseconds, session.rawValue,
    ])
  }

  /// Ends a session at its last input: its last visit ends there too, and its stack is taken down.
  public func end(_ record: SessionRecord) throws {
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
