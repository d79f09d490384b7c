package import LearningModel

// A learner has one UUID in each database. The UUIDs that were joined are stored as facts of the kind `identity`, named by
// the UUID. Facts are synchronised, so every database of the learner knows all of them, and earlier versions pass them on.

extension FactKind {
  /// Another UUID of the learner.
  static let identity = FactKind.other("identity")
}

extension FactMark {
  /// The UUID, if the fact is another identity of the learner.
  package var identity: String? {
    key.hasPrefix(Self.identityPrefix) ? String(key.dropFirst(Self.identityPrefix.count)) : nil
  }

  /// The number of facts that the learner has made: those of other kinds than identities.
  package static func count(_ keys: [String]) -> Int { keys.count { !$0.hasPrefix(identityPrefix) } }

  // The kind, and the empty keys of course and node.
  private static let identityPrefix = FactKind.identity.rawValue + "\u{1F}\u{1F}\u{1F}"
}

extension LearnerRecord.Change {
  /// Whether the fact is another identity of the learner.
  package var isIdentity: Bool { kind == .identity }
}

extension StoreSnapshot {
  /// Returns the learner that has a UUID as one of its identities; the learner whose own UUID it is comes first.
  package func learner(identifiedBy uuid: String) throws -> Learner? {
    if let owner = try learner(withUUID: uuid) { return owner }
    return try first(Self.ownerText, FactKind.identity.rawValue, uuid) { Learner(id: $0[0], name: $0[1]) }
  }

  private static let ownerText = StatementText(
    """
    SELECT learner.id, learner.name FROM otherFact JOIN learner ON learner.id = otherFact.learner
    WHERE kind = ? AND node = 0 AND otherFact.name = ? ORDER BY learner.id LIMIT 1
    """)

  /// Returns whether a UUID is one of a learner's identities.
  package func isIdentity(_ uuid: String, of learner: LearnerID) throws -> Bool {
    if try self.uuid(of: learner) == uuid { return true }
    return try otherFact(of: .identity, at: nil, named: uuid, by: learner) != nil
  }

  /// Returns the UUIDs of a learner, with the one of this database first.
  package func identities(of learner: LearnerID) throws -> [String] {
    let own = try uuid(of: learner).map { [$0] } ?? []
    return own
      + (try all(Self.identitiesText, learner, FactKind.identity.rawValue) { $0[0] }.filter { !own.contains($0) })
  }

  private static let identitiesText = StatementText(
    "SELECT name FROM otherFact WHERE learner = ? AND kind = ? AND node = 0 ORDER BY name")
}

extension StoreTransaction {
  /// Joins a learner with the learner that another database knows by a UUID. All identities are remembered.
  package func join(_ learner: LearnerID, with uuid: String, at moment: Timestamp) throws {
    let before = try snapshot.identities(of: learner)
    try identify(learner, as: uuid)
    for identity in before + [uuid]
    where try snapshot.otherFact(of: .identity, at: nil, named: identity, by: learner) == nil {
      try keep(StoredOtherFact(value: "joined", savedAt: nil), of: .identity, at: nil, named: identity, by: learner)
      try noteChange(of: .identity, at: nil, named: identity, by: learner, at: moment)
    }
  }

  /// Remembers that all identities of a learner were erased, except those that are the UUIDs of other learners here.
  func bar(identitiesOf learner: LearnerID) throws {
    try run(Self.barIdentitiesText, learner, FactKind.identity.rawValue)
  }

  private static let barIdentitiesText = StatementText(
    """
    INSERT INTO erasedLearner (uuid)
    SELECT name FROM otherFact
    WHERE learner = ?1 AND kind = ?2 AND node = 0 AND name NOT IN (SELECT uuid FROM learner WHERE id <> ?1)
    ON CONFLICT DO NOTHING
    """)
}
