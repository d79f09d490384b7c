public import LearningModel

extension StoreTransaction {
  /// Keeps what a learner has read of a text, beside what they had read of it before.
  ///
  /// - Parameters:
  ///   - passages: By the digests of the passages, their characters that were read.
  ///   - isMerged: Whether it was read in another database: then the later time is kept, also where nothing else is new.
  public func keep(
    _ passages: [String: RangeSet<Int>], readIn node: NodeID, by learner: LearnerID, at moment: Timestamp,
    isMerged: Bool = false
  ) throws {
    for (digest, characters) in passages {
      let (known, savedAt) =
        try snapshot.first(Self.knownText, learner, node, digest) { (RangeSet(characters: $0[0]), $0[1] as Timestamp) }
        ?? (RangeSet(), moment)
      let all = known.union(characters)
      // Nothing is written where nothing is new, so that what is merged twice changes nothing.
      guard all != known || isMerged && savedAt < moment else { continue }
      try run(Self.keepText, learner, node, digest, all.characters, moment)
    }
  }

  private static let knownText = StatementText(
    "SELECT characters, savedAt FROM passageRead WHERE learner = ? AND node = ? AND digest = ?")
  private static let keepText = StatementText(
    """
    INSERT INTO passageRead (learner, node, digest, characters, savedAt) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET characters = excluded.characters, savedAt = max(savedAt, excluded.savedAt)
    """)
}

extension StoreSnapshot {
  /// Returns what a learner has read of a text, by the digests of its passages; also of those that it does not have any
  /// more.
  public func passagesRead(in node: NodeID, by learner: LearnerID) throws -> [String: RangeSet<Int>] {
    try all(Self.passagesText, learner, node) { row in (row[0] as String, RangeSet(characters: row[1])) }
      .reduce(into: [:]) { $0[$1.0] = $1.1 }
  }

  private static let passagesText = StatementText(
    "SELECT digest, characters FROM passageRead WHERE learner = ? AND node = ?")
}

extension RangeSet<Int> {
  /// The ranges as the table has them: `0-120 130-140`.
  var characters: String { ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: " ") }

  /// Reads them; what is none is left out.
  init(characters: String) {
    self.init()
    for range in characters.split(separator: " ") {
      let ends = range.split(separator: "-").compactMap { Int($0) }
      if ends.count == 2, ends[0] < ends[1] { insert(contentsOf: ends[0]..<ends[1]) }
    }
  }
}
