import GRDB
public import LearningModel

// What was erased is remembered, so that it does not come back from a database that still has it.

extension StoreSnapshot {
  /// Returns what was erased of a learner who is still here.
  public func erased(of learner: LearnerID) throws -> LearnerRecord.Erased {
    var erased = LearnerRecord.Erased()
    erased.sessions = try all(Self.cutsText, learner) { row in
      LearnerRecord.Cut(session: row[0], step: row[1], act: row[2])
    }
    erased.spans = try all(Self.spansText, learner) { row in LearnerRecord.Span(since: row[0], until: row[1]) }
    return erased
  }

  private static let cutsText = StatementText(
    "SELECT session, step, act FROM erasedFrom WHERE learner = ? ORDER BY session")
  private static let spansText = StatementText(
    "SELECT since, until FROM erasedSpan WHERE learner = ? ORDER BY since, until")

  /// Whether a learner was erased here, whom no database brings back.
  public func isErased(learnerWithUUID uuid: String) throws -> Bool {
    try value(Self.isErasedText, uuid) ?? false
  }

  private static let isErasedText = StatementText("SELECT EXISTS (SELECT 1 FROM erasedLearner WHERE uuid = ?)")
}

extension StoreTransaction {
  /// Repeats the erasures of another database and remembers them. Erased rows are overwritten, and the file is marked to be
  /// swept.
  ///
  /// - Returns: Whether navigation or activity events were erased; then the projections must be rebuilt.
  func erase(_ erased: LearnerRecord.Erased, of learner: LearnerID) throws -> Bool {
    guard !erased.isEmpty else { return false }
    // Source: SQLite, "PRAGMA secure_delete".
    try database.execute(sql: "PRAGMA secure_delete = ON")
    defer { try? database.execute(sql: "PRAGMA secure_delete = OFF") }
    var isCut = false
    for cut in erased.sessions where cut.step >= 1 && cut.act >= 1 {
      isCut = try erase(from: cut, of: learner) || isCut
    }
    for span in erased.spans { try erase(factsIn: span, of: learner) }
    if isCut { try markSweep() }
    return isCut
  }

  /// Cuts a session off, and remembers where.
  ///
  /// - Returns: Whether anything went.
  @discardableResult
  func erase(from cut: LearnerRecord.Cut, of learner: LearnerID) throws -> Bool {
    try database.cachedStatement(
      sql: """
        INSERT INTO erasedFrom (session, learner, step, act) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET step = min(step, excluded.step), act = min(act, excluded.act)
        """
    ).execute(arguments: [cut.session, learner.rawValue, cut.step, cut.act])
    guard let session = try snapshot.session(withUUID: cut.session)?.session, session.learner == learner else {
      return false
    }
    let lengths = try snapshot.lengths(of: session.id)
    guard lengths.steps >= cut.step || lengths.acts >= cut.act else { return false }
    if cut.step == 1 {
      try forget(sessions: [session.id.rawValue], of: learner)
      return true
    }
    try allowingErasure(of: learner) {
      for table in ["stackEntry", "visitEntry"] {
        try database.execute(sql: "DELETE FROM \(table) WHERE session = ?", arguments: [session.id.rawValue])
      }
      try database.execute(
        sql: """
          DELETE FROM visitUnder WHERE event IN (SELECT id FROM navigationEvent WHERE session = ? AND sequence >= ?)
          """, arguments: [session.id.rawValue, cut.step])
      try database.execute(
        sql: "DELETE FROM activityEvent WHERE session = ? AND sequence >= ?",
        arguments: [session.id.rawValue, cut.act])
      try database.execute(
        sql: "DELETE FROM navigationEvent WHERE session = ? AND sequence >= ?",
        arguments: [session.id.rawValue, cut.step])
    }
    if lengths.steps >= cut.step { try end(cut: session.id) }
    return true
  }

  /// Ends a session of which the rest is gone, with its last visit that is left.
  func end(cut session: SessionID) throws {
    try database.execute(
      sql: """
        UPDATE session SET lockFile = NULL, activeMs = 0, openElsewhere = 0, endedAt = last.leftAt,
          lastInputAt = last.leftAt
        FROM (SELECT leftAt FROM navigationEvent WHERE session = ?1 ORDER BY sequence DESC LIMIT 1) AS last
        WHERE id = ?1
        """, arguments: [session.rawValue])
  }

  /// Forgets the positions, unfinished quizzes and read passages that were kept in a span of time, and remembers that.
  func erase(factsIn span: LearnerRecord.Span, of learner: LearnerID) throws {
    try database.execute(
      sql: "INSERT INTO erasedSpan (learner, since, until) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      arguments: [learner.rawValue, span.since.milliseconds, span.until.milliseconds])
    for (table, kind) in [("readingPosition", FactKind.position), ("unfinishedQuiz", .quiz), ("passageRead", nil)] {
      let rows = "FROM \(table) WHERE learner = ?1 AND savedAt BETWEEN ?2 AND ?3"
      let arguments: StatementArguments = [learner.rawValue, span.since.milliseconds, span.until.milliseconds]
      if let kind {
        try database.execute(
          sql: """
            DELETE FROM factChange
            WHERE learner = ?1 AND kind = '\(kind.rawValue)' AND node IN (SELECT node \(rows))
            """, arguments: arguments)
      }
      try database.execute(sql: "DELETE \(rows)", arguments: arguments)
    }
    try database.execute(
      sql: """
        DELETE FROM factChange
        WHERE learner = ?1 AND EXISTS (
          SELECT * FROM otherFact AS other
          WHERE other.learner = ?1 AND other.kind = factChange.kind AND other.node = factChange.node
            AND other.name = factChange.name AND savedAt BETWEEN ?2 AND ?3)
        """, arguments: [learner.rawValue, span.since.milliseconds, span.until.milliseconds])
    try database.execute(
      sql: "DELETE FROM otherFact WHERE learner = ? AND savedAt BETWEEN ? AND ?",
      arguments: [learner.rawValue, span.since.milliseconds, span.until.milliseconds])
  }
}
