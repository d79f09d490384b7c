import GRDB
package import LearningModel

/// The numbers of erased rows, and whether their remains were removed from the files.
package struct ErasedRows: Hashable, Sendable {
  /// The number of erased navigation events.
  package var steps = 0
  /// The number of erased activity events.
  package var activities = 0
  /// The number of sessions that were erased completely.
  package var sessions = 0
  /// Whether no remains are in the file, its free pages and its write-ahead log. `false` if another connection has
  /// prevented the sweep: see ``LearningStore/sweep()``.
  package var isSwept = false
  /// Whether the write-ahead log contains no erased rows. `false` if a read that began before the erasure did not end
  /// in time. ``LearningStore/truncateLog(over:)`` removes the rows later.
  package var isLogCleared = false
}

extension LearningStore {
  /// Erases all data of one learner, including freed pages and the write-ahead log.
  ///
  /// - Parameters:
  ///   - sweeping: If `true`, sweeps the file, which takes time proportional to its size. If `false`, the erased rows
  ///     are overwritten and removed from the write-ahead log, but remains in free pages stay until the next
  ///     ``sweep()``.
  ///   - barsIdentities: Whether the identities that link the learner to other databases are also barred, so that no
  ///     merge restores the learner.
  ///   - actor: The origin of the erasure. Its audit entry is part of the same transaction.
  ///   - now: The time of the audit entry.
  /// - Throws: `InvalidToken` if the token of the actor is not valid, and the errors of a write.
  package func erase(
    _ learner: LearnerID, sweeping: Bool = true, barringIdentities barsIdentities: Bool = true, by actor: AuditActor,
    at now: Timestamp
  ) throws -> ErasedRows {
    try erasing(sweeping: sweeping) { transaction in
      if actor.token != 0 { try transaction.snapshot.checkToken(actor.token, of: actor.name, at: now) }
      try transaction.auditErasure(of: learner, by: actor, at: now)
      if barsIdentities { try transaction.rememberErasure(identitiesOf: learner) }
      return try transaction.erase(learner: learner)
    }
  }

  /// Erases a learner's history from a point in time: in each session, everything from the first event at or after that
  /// time. A visit that began earlier is kept with its duration. Bookmarks and settings are kept.
  ///
  /// - Parameters:
  ///   - time: The time from which events are erased.
  ///   - now: The current time. Entries that were saved until then are not restored by a merge.
  ///   - entry: The audit entry of the erasure, which is part of the same transaction.
  package func eraseHistory(
    of learner: LearnerID, since time: Timestamp, at now: Timestamp, noting entry: AuditEntry
  ) throws -> ErasedRows {
    try erasing(sweeping: true) { transaction in
      try transaction.appendAudit(entry)
      // Stored answers to requests reveal which places the learner has visited.
      try transaction.removeResponses(to: learner)
      return try transaction.removeHistory(of: learner, since: time, at: now)
    }
  }

  /// Commits an erasure durably. Then sweeps the file, or only clears the write-ahead log.
  func erasing(
    sweeping: Bool, _ body: (StoreTransaction) throws -> ErasedRows
  ) throws -> ErasedRows {
    // Overwrites deleted content with zeros. Source: SQLite, "PRAGMA secure_delete".
    try outsideTransaction { try $0.execute(sql: "PRAGMA secure_delete = ON") }
    defer { try? outsideTransaction { try $0.execute(sql: "PRAGMA secure_delete = OFF") } }
    var erased = try write(durability: .powerCut) { transaction in
      if !sweeping { try transaction.requestSweep() }
      return try body(transaction)
    }
    if sweeping {
      erased.isSwept = try sweep()
      erased.isLogCleared = erased.isSwept
      if !erased.isSwept { try write { try $0.requestSweep() } }
    } else {
      erased.isLogCleared = try truncateLog()
    }
    return erased
  }

  /// Removes the remains of erased rows from the file, then truncates the write-ahead log.
  ///
  /// During normal operation, SQLite moves rows between pages and leaves a copy each time, so every page must be
  /// rewritten.
  ///
  /// - Returns: `false` if another connection uses the database for too long.
  package func sweep() throws -> Bool {
    do {
      try outsideTransaction { database in
        // `VACUUM` writes the whole file to temporary storage, which is too large for memory.
        try database.execute(sql: "PRAGMA temp_store = FILE")
        defer { try? database.execute(sql: "PRAGMA temp_store = MEMORY") }
        try database.execute(sql: "VACUUM")
      }
      guard try truncateLog() else { return false }
      if try read({ try $0.isSweepPending() }) {
        _ = try write { try $0.run("DELETE FROM pendingSweep") }
      }
      return true
    } catch LearningDatabaseError.busy {
      return false
    }
  }
}

extension StoreSnapshot {
  /// Returns whether rows were erased whose remains may still be in the file.
  package func isSweepPending() throws -> Bool {
    try value("SELECT EXISTS (SELECT 1 FROM pendingSweep)") ?? false
  }
}

extension StoreTransaction {
  /// Deletes a learner's tokens, the answers to their requests, and the audit entries about the learner. In the entries
  /// of the learner's own actions, replaces the name with the UUID, so that an erasure hides no action on other
  /// learners.
  fileprivate func removeAccess(of learner: LearnerID) throws {
    try removeResponses(to: learner)
    let name = "(SELECT name FROM learner WHERE id = ?1)"
    for rows in ["accessToken WHERE learner = \(name)", "learnerAudit WHERE learner = \(name)"] {
      try run("DELETE FROM \(rows)", learner)
    }
    try run(
      """
      UPDATE learnerAudit SET reader = (SELECT uuid FROM learner WHERE id = ?1) WHERE reader = \(name)
      """, learner)
  }

  /// Appends the audit entry of an erasure. It refers to the learner by UUID, so ``removeAccess(of:)`` does not delete
  /// it.
  fileprivate func auditErasure(of learner: LearnerID, by actor: AuditActor, at now: Timestamp) throws {
    try appendAudit(AuditEntry(actor, of: snapshot.uuid(of: learner), at: now))
  }

  /// Records that the file must be swept.
  func requestSweep() throws {
    try run("INSERT OR IGNORE INTO pendingSweep (id) VALUES (1)")
  }

  /// Deletes the stored answers to a learner's requests.
  fileprivate func removeResponses(to learner: LearnerID) throws {
    try run(
      """
      DELETE FROM answeredRequest WHERE token IN (
        SELECT id FROM accessToken WHERE learner = (SELECT name FROM learner WHERE id = ?))
      """, learner)
  }

  /// Deletes all rows of a learner, and records that a merge must not restore the learner.
  func erase(learner: LearnerID) throws -> ErasedRows {
    try removeAccess(of: learner)
    let sessions = try snapshot.all("SELECT id FROM session WHERE learner = ?", learner) { $0[0] as SessionID }
    let erased = try removeSessions(sessions, of: learner)
    try run("INSERT INTO erasedLearner (uuid) SELECT uuid FROM learner WHERE id = ? ON CONFLICT DO NOTHING", learner)
    for table in [
      "placeScore", "progress", "placeProgress", "bookmark", "readingPosition", "passageRead", "unfinishedQuiz",
      "learnerSetting", "factChange", "erasedFrom", "erasedSpan", "note", "member", "otherFact",
    ] + Self.reviewProjections {
      try run("DELETE FROM \(table) WHERE learner = ?", learner)
    }
    try run("DELETE FROM learner WHERE id = ?", learner)
    return erased
  }

  /// Deletes sessions with all their events. The caller must rebuild the learner's derived tables.
  @discardableResult
  func removeSessions(_ sessions: [SessionID], of learner: LearnerID) throws -> ErasedRows {
    try allowingErasure(of: learner) {
      var erased = ErasedRows()
      for session in sessions {
        try removeStack(of: session)
        try run("DELETE FROM visitUnder WHERE event IN (SELECT id FROM navigationEvent WHERE session = ?)", session)
        erased.activities += try run("DELETE FROM activityEvent WHERE session = ?", session)
        erased.steps += try run("DELETE FROM navigationEvent WHERE session = ?", session)
        erased.sessions += try run("DELETE FROM session WHERE id = ?", session)
      }
      return erased
    }
  }

  /// Deletes a learner's history from a point in time, and rebuilds the derived tables. Each affected session is ended.
  /// The erasure is recorded, so that a merge does not restore the history.
  func removeHistory(of learner: LearnerID, since time: Timestamp, at now: Timestamp) throws -> ErasedRows {
    let cuts = try snapshot.all(
      """
      SELECT uuid,
        ifnull((SELECT min(sequence) FROM navigationEvent WHERE session = session.id AND at >= ?2),
          1 + (SELECT max(sequence) FROM navigationEvent WHERE session = session.id)),
        ifnull((SELECT min(sequence) FROM activityEvent WHERE session = session.id AND at >= ?2),
          1 + (SELECT ifnull(max(sequence), 0) FROM activityEvent WHERE session = session.id)),
        (SELECT count(*) FROM navigationEvent WHERE session = session.id),
        (SELECT count(*) FROM activityEvent WHERE session = session.id)
      FROM session WHERE learner = ?1
      """, learner, time
    ) { row in
      (LearnerRecord.Cut(session: row[0], step: row[1], act: row[2]), row[3] as Int, row[4] as Int)
    }
    var erased = ErasedRows()
    for (var cut, steps, activities) in cuts {
      // Without its first event, a session is erased completely.
      if cut.step == 1 { cut.act = 1 }
      guard steps >= cut.step || activities >= cut.act else { continue }
      try erase(from: cut, of: learner)
      erased.steps += steps - cut.step + 1
      erased.activities += activities - cut.act + 1
      if cut.step == 1 { erased.sessions += 1 }
    }
    try erase(factsIn: LearnerRecord.Span(since: time, until: max(time, now)), of: learner)
    try rebuildProjections(of: learner)
    return erased
  }

  func allowingErasure<Answer>(of learner: LearnerID, _ body: () throws -> Answer) throws -> Answer {
    try run("INSERT INTO erasure (learner) VALUES (?)", learner)
    let answer = try body()
    try run("DELETE FROM erasure WHERE learner = ?", learner)
    return answer
  }
}

// Records of erasures, so that a merge with a database that still contains the data does not restore it.

extension StoreSnapshot {
  /// Returns the erased parts of the history of an existing learner.
  package func erased(of learner: LearnerID) throws -> LearnerRecord.Erasure {
    var erased = LearnerRecord.Erasure()
    erased.sessions = try all("SELECT session, step, act FROM erasedFrom WHERE learner = ? ORDER BY session", learner) {
      row in
      LearnerRecord.Cut(session: row[0], step: row[1], act: row[2])
    }
    erased.spans = try all("SELECT since, until FROM erasedSpan WHERE learner = ? ORDER BY since, until", learner) {
      row in LearnerRecord.Span(since: row[0], until: row[1])
    }
    return erased
  }

  /// Returns whether a learner was erased from this database and must not be restored.
  package func isErased(learnerWithUUID uuid: String) throws -> Bool {
    try value("SELECT EXISTS (SELECT 1 FROM erasedLearner WHERE uuid = ?)", uuid) ?? false
  }
}

extension StoreTransaction {
  /// Repeats the erasures of another database and records them. Erased rows are overwritten, and the file is marked to
  /// be swept.
  ///
  /// - Returns: Whether navigation or activity events were erased. If so, the caller must rebuild the derived tables.
  func erase(_ erased: LearnerRecord.Erasure, of learner: LearnerID) throws -> Bool {
    guard !erased.isEmpty else { return false }
    return try overwritingErasedRows {
      var isCut = false
      for cut in erased.sessions where cut.step >= 1 && cut.act >= 1 {
        isCut = try erase(from: cut, of: learner) || isCut
      }
      for span in erased.spans { try erase(factsIn: span, of: learner) }
      if isCut { try requestSweep() }
      return isCut
    }
  }

  /// Overwrites the rows that `body` deletes with zeros.
  ///
  /// Source: SQLite, "PRAGMA secure_delete".
  func overwritingErasedRows<Answer>(_ body: () throws -> Answer) throws -> Answer {
    try database.execute(sql: "PRAGMA secure_delete = ON")
    defer { try? database.execute(sql: "PRAGMA secure_delete = OFF") }
    return try body()
  }

  /// Erases the last events of a session and records the erasure.
  ///
  /// - Returns: Whether any events were erased.
  @discardableResult
  func erase(from cut: LearnerRecord.Cut, of learner: LearnerID) throws -> Bool {
    try run(
      """
      INSERT INTO erasedFrom (session, learner, step, act) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET step = min(step, excluded.step), act = min(act, excluded.act)
      """, cut.session, learner, cut.step, cut.act)
    guard let session = try snapshot.session(withUUID: cut.session)?.session, session.learner == learner else {
      return false
    }
    let lengths = try snapshot.contentLengths(of: session.id)
    guard lengths.steps >= cut.step || lengths.acts >= cut.act else { return false }
    if cut.step == 1 {
      try removeSessions([session.id], of: learner)
      return true
    }
    try allowingErasure(of: learner) {
      try removeStack(of: session.id)
      try run(
        """
        DELETE FROM visitUnder WHERE event IN (SELECT id FROM navigationEvent WHERE session = ? AND sequence >= ?)
        """, session.id, cut.step)
      try run("DELETE FROM activityEvent WHERE session = ? AND sequence >= ?", session.id, cut.act)
      try run("DELETE FROM navigationEvent WHERE session = ? AND sequence >= ?", session.id, cut.step)
      if lengths.steps >= cut.step || session.endedAt == nil { try end(cut: session.id) }
    }
    return true
  }

  /// Ends a session at the end of its last remaining visit, after later events were erased. Ends that visit if it has not
  /// ended.
  func end(cut session: SessionID) throws {
    if let presence = try snapshot.session(session)?.presence,
      let last = try snapshot.lastNavigationEvent(of: session), last.event.leftAt == nil
    {
      try leave(last, at: presence.lastInputAt, presence: presence)
    }
    try removeStack(of: session)
    try run(
      """
      UPDATE session SET lockFile = NULL, activeMs = 0, endedAt = last.leftAt, lastInputAt = last.leftAt
      FROM (SELECT leftAt FROM navigationEvent WHERE session = ?1 ORDER BY sequence DESC LIMIT 1) AS last
      WHERE id = ?1
      """, session)
  }

  /// Erases the reading positions, unfinished quizzes and read passages that were saved in a period, and records the
  /// erasure.
  func erase(factsIn span: LearnerRecord.Span, of learner: LearnerID) throws {
    try run(
      "INSERT INTO erasedSpan (learner, since, until) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", learner, span.since,
      span.until)
    let nodesWithPositions = try snapshot.all(
      "SELECT node FROM readingPosition WHERE learner = ? AND savedAt BETWEEN ? AND ?", learner, span.since, span.until
    ) { $0[0] as NodeID }
    for (table, kind) in [("readingPosition", FactKind.position), ("unfinishedQuiz", .quiz), ("passageRead", nil)] {
      let rows = "FROM \(table) WHERE learner = ?1 AND savedAt BETWEEN ?2 AND ?3"
      if let kind {
        try run(
          "DELETE FROM factChange WHERE learner = ?1 AND kind = '\(kind.rawValue)' AND node IN (SELECT node \(rows))",
          learner, span.since, span.until)
      }
      try run("DELETE \(rows)", learner, span.since, span.until)
    }
    for node in nodesWithPositions { try updateBegun(node, by: learner) }
    try run(
      """
      DELETE FROM factChange
      WHERE learner = ?1 AND EXISTS (
        SELECT * FROM otherFact AS other
        WHERE other.learner = ?1 AND other.kind = factChange.kind AND other.node = factChange.node
          AND other.name = factChange.name AND savedAt BETWEEN ?2 AND ?3)
      """, learner, span.since, span.until)
    try run("DELETE FROM otherFact WHERE learner = ? AND savedAt BETWEEN ? AND ?", learner, span.since, span.until)
  }
}
