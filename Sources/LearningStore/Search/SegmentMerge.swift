import GRDB

/// Merges the segments of the search index where there are many, in steps between which other programs can write.
///
/// Each batch adds a segment, and a search reads all of them. See `0003_search.sql`.
///
/// Source: SQLite, "The 'merge' Command" of FTS5.
struct SegmentMerge {
  /// Of so many segments one is made, as the database says too.
  private static let segments = 16
  /// How many pages a step writes; it writes to the end of a word.
  private var pages = PieceSize(from: 64, to: 2_000)
  private var batches = 0

  /// Takes note of a batch, and merges where so many have come that there may be something to merge.
  mutating func afterBatch(of store: LearningStore, until end: IndexingEnd) throws {
    batches += 1
    if batches % Self.segments == 0 { try run(on: store, until: end) }
  }

  /// Merges until no level of the index has so many segments, or until it is time to stop. The next one continues.
  mutating func run(on store: LearningStore, until end: IndexingEnd) throws {
    while true {
      if end.hasCome { return }
      var start = ContinuousClock.now
      let isAnyMerged = try store.write { transaction in
        start = .now
        let database = transaction.database
        let changes = database.totalChangesCount
        try database.cachedStatement(sql: "INSERT INTO nodeSearch (nodeSearch, rank) VALUES ('merge', ?)")
          .execute(arguments: [pages.rows])
        // The statement itself counts as one.
        return database.totalChangesCount - changes > 1
      }
      guard isAnyMerged else { return }
      pages.adapt(to: start.duration(to: .now))
    }
  }
}
