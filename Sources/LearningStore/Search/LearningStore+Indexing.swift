import GRDB

extension LearningStore {
  /// Brings the search index up to what the courses say, in batches of about 50 ms between which everybody else writes.
  ///
  /// Whoever is interrupted has done no harm: the next one goes on where this one stopped.
  ///
  /// - Parameters:
  ///   - milliseconds: When to stop, at the end of a batch; `nil` to finish.
  ///   - progress: Is told after each batch how many nodes are done, of how many.
  /// - Returns: Whether nothing is left to do.
  @discardableResult
  public func indexSearch(
    for milliseconds: Int? = nil, progress: ((_ done: Int, _ total: Int) -> Void)? = nil
  ) throws -> Bool {
    let deadline = milliseconds.map { ContinuousClock.now + .milliseconds($0) }
    let total = try read { try $0.value("SELECT count(*) FROM searchText WHERE isCurrent <> isIndexed") ?? 0 }
    var done = 0
    var size = 200
    while done < total {
      let start = ContinuousClock.now
      if let deadline, start >= deadline { return false }
      let count = try write { try $0.indexBatch(of: size) }
      if count == 0 { break }
      done += count
      progress?(min(done, total), total)
      // Half and twice, as long as a batch is not in its window.
      let elapsed = start.duration(to: .now)
      if elapsed > .milliseconds(50) { size = max(20, size / 2) } else if elapsed < .milliseconds(20) { size *= 2 }
    }
    return true
  }
}

extension StoreTransaction {
  /// Indexes the first nodes that wait for it.
  ///
  /// - Returns: How many they were.
  func indexBatch(of size: Int) throws -> Int {
    let waiting = try Row.fetchAll(
      database.cachedStatement(
        sql: "SELECT id, isCurrent FROM searchText WHERE isCurrent <> isIndexed ORDER BY id LIMIT ?"),
      arguments: [size])
    for row in waiting {
      let id: Int64 = row[0]
      let isCurrent: Bool = row[1]
      if isCurrent {
        try execute(
          """
          INSERT INTO nodeSearch (rowid, title, summary, text, scope)
          SELECT id, title, summary, text, scope FROM searchText WHERE id = ?
          """, id)
        try execute("UPDATE searchText SET isIndexed = 1 WHERE id = ?", id)
      } else {
        // The index forgets a text when it is told the same text again.
        try execute(
          """
          INSERT INTO nodeSearch (nodeSearch, rowid, title, summary, text, scope)
          SELECT 'delete', id, title, summary, text, scope FROM searchText WHERE id = ?
          """, id)
        try execute("DELETE FROM searchText WHERE id = ?", id)
      }
    }
    return waiting.count
  }

  /// Makes the index anew from the texts; the next ``LearningStore/indexSearch(for:progress:)`` finds nothing to do.
  public func rebuildSearch() throws {
    try database.execute(
      sql: """
        DELETE FROM searchText WHERE isCurrent = 0;
        UPDATE searchText SET isIndexed = 1 WHERE isIndexed = 0;
        INSERT INTO nodeSearch (nodeSearch) VALUES ('rebuild');
        """)
  }

  private func execute(_ sql: String, _ id: Int64) throws {
    try database.cachedStatement(sql: sql).execute(arguments: [id])
  }
}
