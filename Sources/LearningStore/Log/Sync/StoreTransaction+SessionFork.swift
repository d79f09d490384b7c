import GRDB
import LearningModel

// Handles sessions that two databases have continued differently, which happens when a database file is copied. The
// events of this database become a separate session, and the other session keeps the UUID.

extension StoreTransaction {
  /// Splits off those events of a session that the other database lacks. They become a new session, which has ended. It
  /// begins with a `resume` event at the last common place. Events keep their UUIDs. References to visits before the
  /// split are removed.
  ///
  /// If this database has begun the session, it gets another UUID. The session itself belongs to the other database
  /// afterwards, which ends it.
  ///
  /// - Parameters:
  ///   - uuid: The UUID of the session.
  ///   - steps: The number of common navigation events, at least 1.
  ///   - activityEvents: The number of common activity events.
  ///   - name: The UUIDs of the new session and of its first event.
  package func fork(
    _ uuid: String, keepingEvents steps: Int, activityEvents: Int, as name: (session: String, step: String)
  ) throws {
    guard let record = try snapshot.session(withUUID: uuid) else { return }
    let (old, learner) = (record.session, record.session.learner)
    let lengths = try snapshot.contentLengths(of: old.id)
    try database.execute(
      sql: "INSERT INTO merging (learner, split) VALUES (?, ?)", arguments: [learner.rawValue, old.id.rawValue])
    defer { try? database.execute(sql: "DELETE FROM merging") }
    if old.endedAt == nil { try end(record) }
    if record.isOwn { try renewReplica() }
    if lengths.steps > steps || lengths.acts > activityEvents {
      try moveTail(of: old, after: steps, activityEvents, as: name)
    }
    try database.execute(
      sql: "UPDATE navigationEvent SET leftAt = NULL, activeMs = NULL WHERE session = ? AND sequence = ?",
      arguments: [old.id.rawValue, steps])
    try database.execute(
      sql: """
        UPDATE session SET lockFile = uuid, endedAt = NULL, lastInputAt = ifnull((
          SELECT at FROM navigationEvent WHERE session = ?1 AND sequence = ?2), startedAt)
        WHERE id = ?1
        """, arguments: [old.id.rawValue, steps])
  }

  /// Moves the last events of a session to a new session.
  private func moveTail(
    of old: Session, after steps: Int, _ activityEvents: Int, as name: (session: String, step: String)
  ) throws {
    let moved = try Int64.fetchAll(
      database, sql: "SELECT DISTINCT node FROM activityEvent WHERE session = ? AND sequence > ?",
      arguments: [old.id.rawValue, activityEvents])
    let new = try beginFork(from: old, after: steps, as: name)
    try database.execute(
      sql: """
        UPDATE navigationEvent SET session = ?1, sequence = sequence - ?3 + 1,
          returnsTo = iif(returnsTo > ?3, returnsTo - ?3 + 1, NULL)
        WHERE session = ?2 AND sequence > ?3
        """, arguments: [new.rawValue, old.id.rawValue, steps])
    try database.execute(
      sql: "UPDATE activityEvent SET session = ?1, sequence = sequence - ?3 WHERE session = ?2 AND sequence > ?3",
      arguments: [new.rawValue, old.id.rawValue, activityEvents])
    try database.execute(
      sql: "UPDATE session SET lockFile = NULL, endedAt = lastInputAt WHERE id = ?", arguments: [new.rawValue])
    for node in moved { try updateActivityProjections(in: NodeID(rawValue: node), by: old.learner) }
  }

  private func beginFork(
    from old: Session, after steps: Int, as name: (session: String, step: String)
  ) throws -> SessionID {
    try database.execute(
      sql: """
        INSERT INTO session (uuid, learner, name, timeZone, lockFile, startedAt, lastInputAt, replica, forkOf, forkAfter)
        SELECT ?1, learner, name, timeZone, ?1, last.leftAt, max(lastInputAt, last.leftAt), (SELECT uuid FROM replica),
          uuid, ?3
        FROM session, (SELECT leftAt FROM navigationEvent WHERE session = ?2 AND sequence = ?3) AS last
        WHERE id = ?2
        """, arguments: [name.session, old.id.rawValue, steps])
    let new = database.lastInsertedRowID
    try database.execute(
      sql: """
        INSERT INTO navigationEvent (
          uuid, learner, session, sequence, operation, animated, cause, toKind, toNode, stack, at, clock, leftAt, activeMs,
          courseRevision)
        SELECT ?1, learner, ?2, 1, 'resume', 0, 'system', toKind, toNode, stack, leftAt,
          -- A time that was not believed is not believed of where it led either.
          max(iif(at > clock, before, leftAt), before), leftAt, 0, courseRevision
        FROM navigationEvent AS last, (
          SELECT clock AS before FROM navigationEvent WHERE learner = ?5 ORDER BY id DESC LIMIT 1)
        WHERE session = ?3 AND sequence = ?4
        """, arguments: [name.step, new, old.id.rawValue, steps, old.learner.rawValue])
    let resume = database.lastInsertedRowID
    if let event = try snapshot.lastNavigationEvent(of: SessionID(rawValue: new))?.event, let node = event.to.node {
      let chain = StackText.write(try snapshot.chain(to: node).map(\.id))
      try noteLastVisits(chain, learner: old.learner, by: Timestamp(milliseconds: .max))
      try recordSubtreeVisits(chain, learner: old.learner, event: resume, at: event.at)
    }
    return SessionID(rawValue: new)
  }
}
