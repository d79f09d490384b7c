import LearningModel

/// What is kept of a fact of a kind that only a later program knows.
struct StoredOtherFact: Hashable {
  /// What that program wrote.
  var value: String
  /// When, where it goes with an erasure of that time.
  var savedAt: Timestamp?
}

extension StoreTransaction {
  /// Keeps such a fact as it is told; `nil` where it was taken away.
  func keep(
    _ fact: StoredOtherFact?, of kind: FactKind, at node: NodeID?, named name: String, by learner: LearnerID
  ) throws {
    guard let fact else { return try run(Self.removeOtherText, learner, kind.rawValue, node?.rawValue ?? 0, name) }
    try run(
      Self.keepOtherText, learner, kind.rawValue, node?.rawValue ?? 0, name, fact.value, fact.savedAt?.milliseconds)
  }

  private static let removeOtherText = StatementText(
    "DELETE FROM otherFact WHERE learner = ? AND kind = ? AND node = ? AND name = ?")
  private static let keepOtherText = StatementText(
    """
    INSERT INTO otherFact (learner, kind, node, name, value, savedAt) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET value = excluded.value, savedAt = excluded.savedAt
    """)
}

extension StoreSnapshot {
  /// Returns what is kept of such a fact; `nil` where it was taken away.
  func otherFact(of kind: FactKind, at node: NodeID?, named name: String, by learner: LearnerID) throws
    -> StoredOtherFact?
  {
    try first(Self.otherFactText, learner, kind.rawValue, node?.rawValue ?? 0, name) { row in
      StoredOtherFact(value: row[0], savedAt: (row[1] as Int64?).map(Timestamp.init(milliseconds:)))
    }
  }

  private static let otherFactText = StatementText(
    "SELECT value, savedAt FROM otherFact WHERE learner = ? AND kind = ? AND node = ? AND name = ?")
}
