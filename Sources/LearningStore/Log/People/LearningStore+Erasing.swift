import GRDB
package import LearningModel

/// What was erased.
public struct ErasedRows: Hashable, Sendable {
  /// Steps.
  public var steps = 0
  /// Things done.
  public var activities = 0
  /// Sessions of which nothing is left.
  public var sessions = 0
  /// Whether nothing of it is left in the file, its free pages and its write-ahead log; `false` while another keeps
  /// the database from being swept: see ``LearningStore/sweep()``.
  public var isSwept = false
  /// Whether the write-ahead log holds no erased rows. `false` if a read that began before the erasure did not end in
  /// time; ``LearningStore/truncateLog(over:)`` removes them later.
  public var isLogCleared = false
}

extension LearningStore {
  /// Erases everything of one learner, also from the pages that become free and from the write-ahead log.
  ///
  /// - Parameters:
  ///   - sweeping: If `true`, sweeps the file, which takes time proportional to its size. Otherwise the erased rows are
  ///     overwritten and removed from the write-ahead log, and remains in free pages stay until the next ``sweep()``.
  ///   - barsIdentities: Whether the learner does not come back from any database that it was joined with.
  ///   - actor: The origin of the erasure. Its audit entry is part of the same transaction.
  ///   - now: The time of the audit entry.
  package func erase(
    _ learner: LearnerID, sweeping: Bool = true, barringIdentities barsIdentities: Bool = true, by actor: AuditActor,
    at now: Timestamp
  ) throws -> ErasedRows {
    try erasing(sweeping: sweeping) { transaction in
      try transaction.noteErasure(of: learner, by: actor, at: now)
      if barsIdentities { try transaction.bar(identitiesOf: learner) }
      try transaction.forgetAccess(of: learner)
      let sessions = try Int64.fetchAll(
        transaction.database, sql: "SELECT id FROM session WHERE learner = ?", arguments: [learner.rawValue])
      let erased = try transaction.forget(sessions: sessions, of: learner)
      try transaction.database.execute(
        sql: "INSERT INTO erasedLearner (uuid) SELECT uuid FROM learner WHERE id = ? ON CONFLICT DO NOTHING",
        arguments: [learner.rawValue])
      for table in [
        "placeScore", "progress", "placeProgress", "bookmark", "readingPosition", "passageRead", "unfinishedQuiz",
        "learnerSetting", "factChange", "erasedFrom", "erasedSpan", "note", "member", "otherFact",
      ] {
        try transaction.database.execute(
          sql: "DELETE FROM \(table) WHERE learner = ?", arguments: [learner.rawValue])
      }
      try transaction.database.execute(sql: "DELETE FROM learner WHERE id = ?", arguments: [learner.rawValue])
      return erased
    }
  }

  /// Erases a learner's history from a moment on: in each session everything from the first step at that time. A visit that
  /// began before stays, with its duration; bookmarks and settings stay.
  ///
  /// - Parameters:
  ///   - now: The current time. A merge does not restore what was erased up to it.
  ///   - entry: The audit entry of the erasure, part of the same transaction.
  package func eraseHistory(
    of learner: LearnerID, since moment: Timestamp, at now: Timestamp, noting entry: AuditEntry
  ) throws -> ErasedRows {
    try erasing(sweeping: true) { transaction in
      try transaction.note(entry)
      // Answers tell where the learner was.
      try transaction.forgetAnswers(to: learner)
      return try transaction.forgetHistory(of: learner, since: moment, at: now)
    }
  }

  /// Commits an erasure durably. Then sweeps the file, or only clears the write-ahead log.
  private func erasing(
    sweeping: Bool, _ body: (StoreTransaction) throws -> ErasedRows
  ) throws -> ErasedRows {
    // Source: SQLite, "PRAGMA secure_delete": what is deleted is overwritten with zeros.
    try outsideTransaction { try $0.execute(sql: "PRAGMA secure_delete = ON") }
    defer { try? outsideTransaction { try $0.execute(sql: "PRAGMA secure_delete = OFF") } }
    var erased = try write(surviving: .powerCut) { transaction in
      if !sweeping { try transaction.markSweep() }
      return try body(transaction)
    }
    if sweeping {
      erased.isSwept = try sweep()
      erased.isLogCleared = erased.isSwept
      if !erased.isSwept { try write { try $0.markSweep() } }
    } else {
      erased.isLogCleared = try truncateLog()
    }
    return erased
  }

  /// Removes the remains of erased rows from the file, then truncates the write-ahead log.
  ///
  /// SQLite moves rows between pages during normal operation and leaves a copy each time, so every page is rewritten.
  ///
  /// - Returns: `false` if another connection uses the database for too long.
  public func sweep() throws -> Bool {
    do {
      try outsideTransaction { database in
        // The whole file is written beside itself for it, which is too much for the memory.
        try database.execute(sql: "PRAGMA temp_store = FILE")
        defer { try? database.execute(sql: "PRAGMA temp_store = MEMORY") }
        try database.execute(sql: "VACUUM")
      }
      guard try truncateLog() else { return false }
      if try read({ try $0.isSweepPending() }) {
        try write { try $0.database.execute(sql: "DELETE FROM pendingSweep") }
      }
      return true
    } catch LearningStoreError.busy {
      return false
    }
  }
}

extension StoreSnapshot {
  /// Whether something was erased whose shadows are still in the file.
  public func isSweepPending() throws -> Bool {
    try value("SELECT EXISTS (SELECT 1 FROM pendingSweep)") ?? false
  }
}

extension StoreTransaction {
  /// Deletes a learner's tokens, the answers to their requests, and the audit entries about the learner. In the entries
  /// of the learner's own actions the UUID replaces the name, so that an erasure hides no action on other learners.
  fileprivate func forgetAccess(of learner: LearnerID) throws {
    try forgetAnswers(to: learner)
    let name = "(SELECT name FROM learner WHERE id = ?1)"
    for rows in ["accessToken WHERE learner = \(name)", "learnerAudit WHERE learner = \(name)"] {
      _ = try delete(rows, [learner.rawValue])
    }
    try database.execute(
      sql: """
        UPDATE learnerAudit SET reader = (SELECT uuid FROM learner WHERE id = ?1) WHERE reader = \(name)
        """, arguments: [learner.rawValue])
  }

  /// Appends the audit entry of an erasure. It names the learner by UUID, which ``forgetAccess(of:)`` leaves in place.
  fileprivate func noteErasure(of learner: LearnerID, by actor: AuditActor, at now: Timestamp) throws {
    let uuid = try String.fetchOne(
      database, sql: "SELECT uuid FROM learner WHERE id = ?", arguments: [learner.rawValue])
    try note(AuditEntry(actor, of: uuid, at: now))
  }

  /// Records that the file must be swept.
  func markSweep() throws {
    try database.execute(sql: "INSERT OR IGNORE INTO pendingSweep (id) VALUES (1)")
  }

  /// Deletes what was answered to a learner's requests.
  fileprivate func forgetAnswers(to learner: LearnerID) throws {
    _ = try delete(
      """
      answeredRequest WHERE token IN (
        SELECT id FROM accessToken WHERE learner = (SELECT name FROM learner WHERE id = ?))
      """, [learner.rawValue])
  }

  /// Deletes sessions with all that happened in them. The projections of the learner are to be worked out anew.
  @discardableResult
  func forget(sessions: [Int64], of learner: LearnerID) throws -> ErasedRows {
    try allowingErasure(of: learner) {
      var erased = ErasedRows()
      for session in sessions {
        for table in ["stackEntry", "visitEntry"] {
          try database.execute(sql: "DELETE FROM \(table) WHERE session = ?", arguments: [session])
        }
        try database.execute(
          sql: "DELETE FROM visitUnder WHERE event IN (SELECT id FROM navigationEvent WHERE session = ?)",
          arguments: [session])
        erased.activities += try delete("activityEvent WHERE session = ?", [session])
        erased.steps += try delete("navigationEvent WHERE session = ?", [session])
        erased.sessions += try delete("session WHERE id = ?", [session])
      }
      return erased
    }
  }

  /// Deletes what a learner did from a moment on, and works out anew what follows from the rest. Each session that loses
  /// something ends, and what went is remembered.
  func forgetHistory(of learner: LearnerID, since moment: Timestamp, at now: Timestamp) throws -> ErasedRows {
    let first = """
      SELECT uuid,
        ifnull((SELECT min(sequence) FROM navigationEvent WHERE session = session.id AND at >= ?2),
          1 + (SELECT max(sequence) FROM navigationEvent WHERE session = session.id)),
        ifnull((SELECT min(sequence) FROM activityEvent WHERE session = session.id AND at >= ?2),
          1 + (SELECT ifnull(max(sequence), 0) FROM activityEvent WHERE session = session.id)),
        (SELECT count(*) FROM navigationEvent WHERE session = session.id),
        (SELECT count(*) FROM activityEvent WHERE session = session.id)
      FROM session WHERE learner = ?1
      """
    var erased = ErasedRows()
    try database.execute(sql: "INSERT INTO merging (learner) VALUES (?)", arguments: [learner.rawValue])
    for row in try Row.fetchAll(database, sql: first, arguments: [learner.rawValue, moment.milliseconds]) {
      var cut = LearnerRecord.Cut(session: row[0], step: row[1], act: row[2])
      // Nothing is left of a session without its first step.
      if cut.step == 1 { cut.act = 1 }
      let (steps, acts): (Int, Int) = (row[3], row[4])
      guard steps >= cut.step || acts >= cut.act else { continue }
      if steps < cut.step, let open = try snapshot.session(withUUID: cut.session), open.session.endedAt == nil {
        try end(open)
      }
      try erase(from: cut, of: learner)
      erased.steps += steps - cut.step + 1
      erased.activities += acts - cut.act + 1
      if cut.step == 1 { erased.sessions += 1 }
    }
    try database.execute(sql: "DELETE FROM merging")
    try erase(factsIn: LearnerRecord.Span(since: moment, until: max(moment, now)), of: learner)
    try rebuildProjections(of: learner)
    return erased
  }

  func allowingErasure<Answer>(of learner: LearnerID, _ body: () throws -> Answer) throws -> Answer {
    try database.execute(sql: "INSERT INTO erasure (learner) VALUES (?)", arguments: [learner.rawValue])
    let answer = try body()
    try database.execute(sql: "DELETE FROM erasure WHERE learner = ?", arguments: [learner.rawValue])
    return answer
  }

  private func delete(_ rows: String, _ arguments: StatementArguments) throws -> Int {
    try database.execute(sql: "DELETE FROM \(rows)", arguments: arguments)
    return database.changesCount
  }
}
