import GRDB

extension LearningStore {
  /// Looks for contradictions in the logs, and between them and what is worked out from them. Nothing is changed.
  ///
  /// - Returns: One sentence for each kind of contradiction; none where all is well.
  public func checkLogs() throws -> [String] {
    var problems: [String] = []
    // The tables are copied for it, which is too much for the memory.
    try outsideTransaction { try $0.execute(sql: "PRAGMA temp_store = FILE") }
    defer { try? outsideTransaction { try $0.execute(sql: "PRAGMA temp_store = MEMORY") } }
    do {
      try write(surviving: .process) { transaction in
        problems = try LogCheck.rules.compactMap { try $0.problem(in: transaction.database) }
        problems += try transaction.staleProjections().map {
          "The table \($0) does not say what the logs say. Run 'waymark database rebuild'."
        }
        throw Undo()
      }
    } catch is Undo {}
    return problems
  }

  private struct Undo: Error {}
}

extension StoreTransaction {
  /// Returns the projections that differ from what the logs and the content result in. The transaction must be undone
  /// afterwards.
  func staleProjections() throws -> [String] {
    // The largest one follows from each step alone. It is compared in place instead of being written a second time.
    let tables = Self.projections.filter { $0 != "visitUnder" }
    let areSubtreesStale = try hasStaleSubtrees()
    for table in tables {
      try database.execute(sql: "CREATE TEMP TABLE kept_\(table) AS SELECT * FROM main.\(table)")
    }
    try rebuild(tables)
    let stale = try tables.filter { table in
      // The order in which visits are added to a score shows in its last digits.
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

  /// Whether `visitUnder` differs from the places of the steps and those above them. As many rows as there must be, and
  /// none of these missing, are the same rows.
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
