import GRDB

extension LearningStore {
  /// Bytes of a database of which the index is read ahead, at most: of more, the system would let go again before it is
  /// searched.
  private static let longest = 512_000_000

  /// Has the system take what a search looks into from the disk: where it is not in memory, a letter waits for a hundred
  /// pages one after the other.
  ///
  /// - Parameter interruption: Who may stop it.
  /// - Throws: `CancellationError` where it was stopped, and ``LearningStoreError``.
  public func readSearchAhead(until interruption: Interruption) throws {
    guard refusal == nil, DatabaseFile.size(at: path) <= Self.longest else { return }
    do {
      var configuration = Configuration()
      configuration.label = "waymark.ahead"
      configuration.readonly = true
      // The others keep what they have read, and this one's memory goes with it.
      let connection = try DatabaseQueue(path: path, configuration: configuration)
      defer { connection.retire() }
      try connection.read { database in
        try interruption.watching(database) {
          // Counting a table looks at each of its leaves, and at nothing in them.
          for table in ["nodeSearch_data", "contentNode NOT INDEXED", "searchText"] {
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)")
          }
        }
      }
    } catch {
      throw LearningStoreError.explaining(error, at: path)
    }
  }
}
