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
  /// Returns the tables that would be others if they were worked out anew. The transaction must be undone afterwards.
  func staleProjections() throws -> [String] {
    for table in Self.projections {
      try database.execute(sql: "CREATE TEMP TABLE kept_\(table) AS SELECT * FROM main.\(table)")
    }
    try rebuildProjections()
    return try Self.projections.filter { table in
      // In which order visits are added to a score shows in its last digits.
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
  }
}
