extension LearningStore {
  /// Brings the search index up to what the courses say, in batches of about 10 ms between which others write.
  ///
  /// An interruption does no harm: the next call continues where this one stopped.
  ///
  /// - Parameters:
  ///   - milliseconds: When to stop, at the end of a batch; `nil` to finish.
  ///   - interruption: Who may stop it sooner, at the end of a batch too.
  ///   - progress: Is told after each batch how many nodes are done, of how many. What it throws ends the indexing.
  /// - Returns: Whether nothing is left to do.
  @discardableResult
  public func indexSearch(
    for milliseconds: Int? = nil, until interruption: Interruption? = nil,
    progress: ((_ done: Int, _ total: Int) throws -> Void)? = nil
  ) throws -> Bool {
    let end = IndexingEnd(
      deadline: milliseconds.map { ContinuousClock.now + .milliseconds($0) }, interruption: interruption)
    let total = try read { try IndexBatch.waiting(in: $0) }
    guard total > 0 else { return true }
    var done = 0
    var size = PieceSize(from: 50, to: 1_000)
    var segments = SegmentMerge()
    var known = KnownTerms()
    while done < total {
      if end.hasCome { return false }
      let batch = try read { try IndexBatch(of: size.rows, from: $0, besides: known) }
      if batch.count == 0 { break }
      var start = ContinuousClock.now
      let isOurs = try write { transaction in
        start = .now
        return try batch.write(in: transaction)
      }
      // Another process was quicker with these.
      guard isOurs else { continue }
      let time = start.duration(to: .now)
      size.adapt(to: time)
      known.add(batch.terms)
      done += batch.count
      try progress?(min(done, total), total)
      try segments.afterBatch(of: self, until: end)
    }
    try segments.run(on: self, until: end)
    return true
  }
}

/// When indexing stops, whether all is done or not.
struct IndexingEnd {
  var deadline: ContinuousClock.Instant?
  var interruption: Interruption?

  /// Whether it is time.
  var hasCome: Bool { interruption?.isInterrupted == true || deadline.map { ContinuousClock.now >= $0 } == true }
}

extension StoreSnapshot {
  /// Whether the search index says what the courses say, in the way in which it is written now.
  public func isIndexWhole() throws -> Bool { try value(Self.isIndexWholeText) ?? true }

  private static let isIndexWholeText = StatementText(
    """
    SELECT NOT EXISTS (SELECT 1 FROM searchQueue)
    """)
}
