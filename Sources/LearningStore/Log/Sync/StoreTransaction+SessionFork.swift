import GRDB
package import LearningModel

// Sessions that copies of a database have continued differently. An event of a session has one predecessor in all
// databases, so the copies of a session are the branches of a tree. Which branch keeps the session is decided by the
// database with which this one synchronises, for example a hub.

extension StoreTransaction {
  /// Adapts the sessions of this database to a session of another database that has other events.
  ///
  /// Events that the other database has in this session, but this database in another one, are removed: they are
  /// received again. Events after them, and events after the common ones, are moved to new sessions. A new session has
  /// the same UUID and the same first event in every database that splits it off, so the databases agree on it later.
  /// Events keep their UUIDs. References to visits in other sessions are removed.
  ///
  /// The ends of the changed sessions and of their last visits become unknown, because the other database knows them. If
  /// this database has begun one of these sessions, it gets another UUID.
  ///
  /// - Parameters:
  ///   - uuid: The UUID of the session.
  ///   - learner: The learner of the session.
  ///   - steps: The UUIDs of the session's navigation events in the other database, in their order.
  ///   - activityEvents: The UUIDs of the session's activity events in the other database, in their order.
  /// - Throws: ``LearningDatabaseError/otherContent(uuid:)`` if the databases contain the same events in another order.
  package func adapt(
    _ uuid: String, of learner: LearnerID, toSteps steps: [String], activityEvents: [String]
  ) throws {
    let session = try snapshot.session(withUUID: uuid)?.session.id
    let stepBranches = try branches(of: "navigationEvent", named: steps, in: session, of: learner)
    let activityBranches = try branches(of: "activityEvent", named: activityEvents, in: session, of: learner)
    if let session, stepBranches[session]?.kept == 0 {
      // A session begins with its first step, so two copies of a session have this step in common.
      throw LearningDatabaseError.otherContent(uuid: steps.first ?? uuid)
    }
    try database.execute(sql: "INSERT INTO merging (learner) VALUES (?)", arguments: [learner.rawValue])
    for id in Set(stepBranches.keys).union(activityBranches.keys).sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let record = try snapshot.session(id) else { continue }
      let lengths = try snapshot.contentLengths(of: id)
      try split(
        record, steps: stepBranches[id] ?? Branch(kept: lengths.steps, removed: 0),
        activityEvents: activityBranches[id] ?? Branch(kept: lengths.acts, removed: 0))
    }
    try database.execute(sql: "DELETE FROM merging")
    try rebuildProjections(of: learner)
  }

  /// The parts of a log of a session: events that remain, then events that the other database has in another session,
  /// then events that only this database has.
  private struct Branch {
    var kept: Int
    var removed: Int
    var end: Int { kept + removed }
  }

  private func branches(
    of log: String, named names: [String], in session: SessionID?, of learner: LearnerID
  ) throws -> [SessionID: Branch] {
    let statement = try database.cachedStatement(
      sql: "SELECT session, sequence FROM \(log) WHERE uuid = ? AND learner = ?")
    var branches: [SessionID: Branch] = [:]
    if let session { branches[session] = Branch(kept: 0, removed: 0) }
    for (index, name) in names.enumerated() {
      guard let row = try Row.fetchOne(statement, arguments: [name, learner.rawValue]) else { continue }
      let (id, number) = (SessionID(rawValue: row[0]), row[1] as Int)
      var branch = branches[id] ?? Branch(kept: number - 1, removed: 0)
      guard number == branch.end + 1 else { throw LearningDatabaseError.otherContent(uuid: name) }
      if id == session, number == index + 1 { branch.kept += 1 } else { branch.removed += 1 }
      branches[id] = branch
    }
    return branches
  }

  private func split(_ record: SessionRecord, steps: Branch, activityEvents: Branch) throws {
    let (id, learner) = (record.session.id, record.session.learner)
    if record.isOwn {
      if record.session.endedAt == nil { try end(record) }
      try renewReplica()
    }
    try run("UPDATE merging SET split = ?", id)
    try moveTail(of: id, after: steps.end, activityEvents.end)
    if steps.kept <= 1, try snapshot.value(Self.isForkSQL, id) ?? false {
      // The session was split off for a step that it no longer contains. Its name belongs to this step.
      _ = try allowingErasure(of: learner) {
        try run("DELETE FROM activityEvent WHERE session = ? AND sequence > ?", id, activityEvents.kept)
      }
      try moveTail(of: id, after: steps.end, 0)
      try run("UPDATE merging SET split = NULL")
      try removeSessions([id], of: learner)
      return
    }
    try allowingErasure(of: learner) {
      try run(
        """
        DELETE FROM visitUnder WHERE event IN (SELECT id FROM navigationEvent WHERE session = ?1 AND sequence > ?2)
        """, id, steps.kept)
      for (log, branch) in [("navigationEvent", steps), ("activityEvent", activityEvents)] {
        try run("DELETE FROM \(log) WHERE session = ? AND sequence > ?", id, branch.kept)
      }
      try run(
        "UPDATE navigationEvent SET leftAt = NULL, activeMs = NULL WHERE session = ? AND sequence = ?", id, steps.kept)
      try run(
        """
        UPDATE session SET lockFile = '/' || uuid, endedAt = NULL, activeMs = 0, lastInputAt = max(startedAt, (
          SELECT at FROM navigationEvent WHERE session = ?1 AND sequence = ?2))
        WHERE id = ?1
        """, id, steps.kept)
    }
  }

  private static let isForkSQL = StatementText(
    """
    SELECT session.uuid = event.uuid FROM session JOIN navigationEvent AS event ON event.session = session.id
    WHERE session.id = ? AND sequence = 1
    """)

  /// Moves the last events of a session to a new session, which ends like the old one. The new session belongs to no
  /// database: it has its own UUID as that of the database that began it, so no database continues it. It begins with a
  /// `resume` at the place before the first moved step, or at the list of courses if only activity events are moved. All
  /// values of the new rows depend only on the first moved event and its predecessor, so they are the same in all
  /// databases.
  private func moveTail(of old: SessionID, after steps: Int, _ activityEvents: Int) throws {
    let first = try snapshot.first(Self.firstMovedSQL, old, steps, activityEvents) { row in
      (uuid: row[0] as String, at: row[1] as Int64, isStep: row[2] as Bool)
    }
    guard let first else { return }
    // A UUID of version 8, whose digits are free. Source: RFC 9562, section 5.8.
    let name = "\(first.uuid.prefix(14))8\(first.uuid.dropFirst(15))"
    try database.execute(
      sql: """
        INSERT INTO session (uuid, learner, name, timeZone, lockFile, startedAt, lastInputAt, activeMs, replica)
        SELECT ?1, learner, name, timeZone, '/' || ?1, ?3, max(lastInputAt, ?3), activeMs, ?1 FROM session WHERE id = ?2
        """, arguments: [name, old.rawValue, first.at])
    let new = database.lastInsertedRowID
    try database.execute(
      sql: """
        INSERT INTO navigationEvent (
          uuid, learner, session, sequence, operation, animated, cause, toKind, toNode, stack, at, clock, leftAt, activeMs,
          courseRevision)
        SELECT ?1, session.learner, ?3, 1, 'resume', 0, 'system', ifnull(toKind, 'root'), toNode, ifnull(stack, '[]'), ?5,
          (SELECT clock FROM navigationEvent WHERE learner = session.learner ORDER BY id DESC LIMIT 1), ?5, 0,
          courseRevision
        FROM session
        LEFT JOIN navigationEvent AS before ON before.session = session.id AND before.sequence = ?4
        WHERE session.id = ?2
        """, arguments: [name, old.rawValue, new, first.isStep ? steps : nil, first.at])
    try database.execute(
      sql: """
        UPDATE navigationEvent SET session = ?1, sequence = sequence - ?3 + 1,
          returnsTo = iif(returnsTo > ?3, returnsTo - ?3 + 1, NULL)
        WHERE session = ?2 AND sequence > ?3
        """, arguments: [new, old.rawValue, steps])
    try database.execute(
      sql: "UPDATE activityEvent SET session = ?1, sequence = sequence - ?3 WHERE session = ?2 AND sequence > ?3",
      arguments: [new, old.rawValue, activityEvents])
    try database.execute(
      sql: """
        UPDATE session SET lockFile = NULL, activeMs = 0, endedAt = max(startedAt, former.endedAt)
        FROM (SELECT endedAt FROM session WHERE id = ?2) AS former
        WHERE id = ?1 AND former.endedAt IS NOT NULL
        """, arguments: [new, old.rawValue])
  }

  private static let firstMovedSQL = StatementText(
    """
    SELECT uuid, at, 1 FROM navigationEvent WHERE session = ?1 AND sequence = ?2 + 1
    UNION ALL
    SELECT uuid, at, 0 FROM activityEvent WHERE session = ?1 AND sequence = ?3 + 1
    LIMIT 1
    """)
}
