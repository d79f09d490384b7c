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
    let total = try read { try $0.value("SELECT count(*) FROM searchQueue") ?? 0 }
    var done = 0
    var size = 200
    while done < total {
      if let deadline, ContinuousClock.now >= deadline { return false }
      let batch = try read { try IndexBatch(of: size, from: $0) }
      if batch.count == 0 { break }
      let start = ContinuousClock.now
      try write { try batch.write(in: $0) }
      done += batch.count
      progress?(min(done, total), total)
      // Half and twice, as long as a batch is not in its window.
      let elapsed = start.duration(to: .now)
      if elapsed > .milliseconds(50) { size = max(20, size / 2) } else if elapsed < .milliseconds(20) { size *= 2 }
    }
    return true
  }
}
