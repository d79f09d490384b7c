import GRDB
package import LearningModel

/// A rule of the logs, with a query for the rows that break it.
struct LogCheck {
  /// The description of the problem. The number of rows precedes it.
  let message: String
  /// A query that returns the rows that break the rule.
  let sql: String

  /// Returns a description of the problem, or `nil` if no rows break the rule.
  func problem(in snapshot: StoreSnapshot) throws -> String? {
    let count: Int = try snapshot.value("SELECT count(*) FROM (\(sql))") ?? 0
    return count == 0 ? nil : "\(count) \(message)"
  }

  /// All rules. A new rule needs an entry here and a test that breaks it.
  static let rules = [
    LogCheck(
      message: "session(s) with a gap in the sequence of steps.",
      sql: "SELECT 1 FROM navigationEvent GROUP BY session HAVING max(sequence) <> count(*) OR min(sequence) <> 1"),
    LogCheck(
      message: "step(s) that do not begin where the previous step ended.",
      sql: """
        SELECT 1 FROM navigationEvent AS event
        JOIN navigationEvent AS before ON before.session = event.session AND before.sequence = event.sequence - 1
        WHERE event.fromNode IS NOT before.toNode OR event.fromKind IS NOT before.toKind
        """),
    LogCheck(
      message: "step(s) whose stack does not end in their target.",
      sql: "SELECT 1 FROM navigationEvent WHERE json_extract(stack, '$[#-1]') IS NOT toNode"),
    LogCheck(
      message: "visit(s) without an end although another visit followed or the session has ended.",
      sql: """
        SELECT 1 FROM navigationEvent AS event JOIN session ON session.id = event.session
        WHERE event.leftAt IS NULL AND (session.endedAt IS NOT NULL OR EXISTS (
          SELECT 1 FROM navigationEvent WHERE session = event.session AND sequence = event.sequence + 1))
        """),
    LogCheck(
      // The clock may be later if the latest event was erased or was stored again as part of a longer session. Events
      // whose time was in the future are ignored.
      message: "step(s) whose clock is earlier than that of a previous step of the learner, or than its time.",
      sql: """
        SELECT 1 FROM (
          SELECT clock, max(at) FILTER (WHERE at <= clock) OVER steps AS latest, lag(clock) OVER steps AS before
          FROM navigationEvent WINDOW steps AS (PARTITION BY learner ORDER BY id))
        WHERE clock < latest OR clock < before
        """),
    LogCheck(
      message: "activity event(s) that do not follow the previous one of their session.",
      sql: """
        SELECT 1 FROM activityEvent AS event
        LEFT JOIN activityEvent AS before ON before.session = event.session AND before.sequence = event.sequence - 1
        JOIN (SELECT id, max(0, min(at, 253402300799999)) AS own FROM activityEvent) AS time ON time.id = event.id
        WHERE event.orderedAt < own OR event.orderedAt <= before.orderedAt AND event.orderedAt < 9007199254740991
          AND NOT (event.kind IN ('cardGraded', 'cardScheduled') AND event.orderedAt = own)
        """),
    LogCheck(
      message: "step(s) or activity event(s) in a session of another learner.",
      sql: """
        SELECT 1 FROM navigationEvent AS event JOIN session ON session.id = event.session
        WHERE session.learner <> event.learner
        UNION ALL
        SELECT 1 FROM activityEvent AS event JOIN session ON session.id = event.session
        WHERE session.learner <> event.learner
        """),
    LogCheck(
      message: "open stack(s) with a place that was removed or is not the parent of the next.",
      sql: """
        SELECT 1 FROM stackEntry AS entry
        JOIN contentNode AS node ON node.id = entry.node
        LEFT JOIN stackEntry AS below ON below.session = entry.session AND below.depth = entry.depth - 1
        WHERE node.parent IS NOT below.node OR node.removedInRevision IS NOT NULL
        """),
  ]
}

extension LearningStore {
  /// Checks for contradictions within the logs and between the logs and the derived tables. Changes nothing.
  ///
  /// - Returns: One problem for each kind of contradiction. Empty if there are none.
  package func checkLogs() throws -> [DatabaseProblem] {
    var problems: [DatabaseProblem] = []
    // The check copies tables, which are too large for memory.
    try outsideTransaction { try $0.execute(sql: "PRAGMA temp_store = FILE") }
    defer { try? outsideTransaction { try $0.execute(sql: "PRAGMA temp_store = MEMORY") } }
    do {
      try write(durability: .process) { transaction in
        problems = try LogCheck.rules.compactMap { try $0.problem(in: transaction.snapshot) }.map {
          DatabaseProblem($0)
        }
        problems += try transaction.staleProjections().map {
          DatabaseProblem("The table \($0) does not match the logs.", remedy: .rebuildDatabase)
        }
        throw Undo()
      }
    } catch is Undo {}
    return problems
  }

  private struct Undo: Error {}
}

extension StoreTransaction {
  /// Returns the names of the derived tables whose rows differ from those that the logs and courses result in. The
  /// caller must roll the transaction back afterwards.
  func staleProjections() throws -> [String] {
    // Each row of the largest table depends on a single event. The table is compared in place instead of being written
    // a second time.
    let tables = Self.projections.filter { $0 != "visitUnder" }
    while try settleMemories() {}
    let areSubtreesStale = try hasStaleSubtrees()
    for table in tables {
      try database.execute(sql: "CREATE TEMP TABLE kept_\(table) AS SELECT * FROM main.\(table)")
    }
    try rebuild(tables)
    let stale = try tables.filter { table in
      // The last digits of a score depend on the order in which visits are added.
      let columns = table == "placeScore" ? "learner, node, lastVisitAt, visits" : "*"
      let isOther: Bool? = try snapshot.value(
        """
        SELECT EXISTS (SELECT \(columns) FROM main.\(table) EXCEPT SELECT \(columns) FROM temp.kept_\(table))
          OR EXISTS (SELECT \(columns) FROM temp.kept_\(table) EXCEPT SELECT \(columns) FROM main.\(table))
        """)
      guard isOther != true, table == "placeScore" else { return isOther ?? false }
      return try snapshot.value(
        """
        SELECT EXISTS (
          SELECT 1 FROM main.placeScore AS now JOIN temp.kept_placeScore AS kept USING (learner, node)
          WHERE abs(now.score - kept.score) > 1e-9)
        """) ?? false
    }
    return Self.projections.filter { $0 == "visitUnder" ? areSubtreesStale : stale.contains($0) }
  }

  /// Returns whether `visitUnder` differs from the destinations of the events and their ancestors. The tables are equal
  /// if they have the same number of rows and no expected row is missing.
  private func hasStaleSubtrees() throws -> Bool {
    try database.execute(
      sql: """
        CREATE TEMP TABLE placeAbove (node INTEGER, place INTEGER, PRIMARY KEY (node, place)) WITHOUT ROWID;
        INSERT INTO placeAbove (node, place)
        WITH RECURSIVE above (node, place) AS (
          SELECT id, id FROM contentNode WHERE id IN (SELECT toNode FROM navigationEvent)
          UNION
          SELECT above.node, next.parent FROM above JOIN contentNode AS next ON next.id = above.place
          WHERE next.parent IS NOT NULL
        )
        SELECT node, place FROM above
        """)
    return try snapshot.value(
      """
      SELECT count(*) <> (SELECT count(*) FROM main.visitUnder) OR count(*) <> total(EXISTS (
        SELECT 1 FROM main.visitUnder AS visit
        WHERE visit.learner = event.learner AND visit.node = above.place AND visit.event = event.id))
      FROM main.navigationEvent AS event JOIN temp.placeAbove AS above ON above.node = event.toNode
      """) ?? true
  }
}
