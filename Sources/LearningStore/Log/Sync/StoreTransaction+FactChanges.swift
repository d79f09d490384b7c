package import LearningModel

/// Of which kind a fact is that is kept of a learner beside the logs.
package enum FactKind: OpenVocabulary {
  /// That a place is marked.
  case bookmark
  /// How far a text was read.
  case position
  /// A quiz left in the middle.
  case quiz
  /// A setting.
  case setting
  /// One that a later program keeps: see ``LearnerRecord/OtherFact``.
  case other(String)

  /// Those that are known here.
  package static let allCases: [Self] = [.bookmark, .position, .quiz, .setting]
  /// What their words mean.
  package static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The word in the record.
  package var rawValue: String {
    switch self {
    case .bookmark: "bookmark"
    case .position: "position"
    case .quiz: "quiz"
    case .setting: "setting"
    case .other(let word): word
    }
  }
}

/// When a fact was last changed, and in which database. Of two changes of a fact the greater one holds.
struct FactChange: Hashable, Comparable {
  /// When: see ``HybridTime``.
  var stamp: Int64
  /// In which database.
  var replica: String

  static func < (left: FactChange, right: FactChange) -> Bool {
    (left.stamp, left.replica) < (right.stamp, right.replica)
  }
}

extension StoreTransaction {
  /// Notes that a fact was changed here and now.
  func noteChange(
    of kind: FactKind, at node: NodeID?, named name: String = "", by learner: LearnerID, at moment: Timestamp
  ) throws {
    let last: Int64? = try snapshot.value(Self.lastStampText, learner)
    let replica: String? = try snapshot.value(Self.replicaText)
    try setChange(
      FactChange(stamp: HybridTime.next(after: last, at: moment), replica: replica ?? ""), of: kind, at: node,
      named: name, by: learner)
  }

  /// Takes over when a fact was changed elsewhere.
  func setChange(
    _ change: FactChange, of kind: FactKind, at node: NodeID?, named name: String, by learner: LearnerID
  ) throws {
    try run(
      Self.setChangeText, learner, kind.rawValue, node?.rawValue ?? 0, name, change.stamp, change.replica)
  }

  private static let lastStampText = StatementText("SELECT max(stamp) FROM factChange WHERE learner = ?")
  private static let replicaText = StatementText("SELECT uuid FROM replica")
  private static let setChangeText = StatementText(
    """
    INSERT INTO factChange (learner, kind, node, name, stamp, replica) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET stamp = excluded.stamp, replica = excluded.replica
    """)
}

extension StoreSnapshot {
  /// Returns when a fact was last changed; `nil` where it never was.
  func change(of kind: FactKind, at node: NodeID?, named name: String, by learner: LearnerID) throws -> FactChange? {
    try first(Self.changeText, learner, kind.rawValue, node?.rawValue ?? 0, name) { row in
      FactChange(stamp: row[0], replica: row[1])
    }
  }

  private static let changeText = StatementText(
    "SELECT stamp, replica FROM factChange WHERE learner = ? AND kind = ? AND node = ? AND name = ?")
}

extension StoreTransaction {
  /// Takes over the times at which another database has put changes that were made here: it did not believe them.
  package func restamp(_ marks: [FactMark], of learner: LearnerID) throws {
    let facts = try snapshot.facts(of: learner)
    for mark in marks {
      guard let fact = facts.first(where: { $0.key == mark.key }), let kind = fact.kind else { continue }
      try setChange(
        FactChange(stamp: mark.stamp, replica: mark.replica), of: kind, at: fact.node, named: fact.name, by: learner)
    }
  }
}

/// A fact that is kept of a learner, told apart from every other one in every database.
struct KeptFact {
  /// Of which kind; `nil` for what was read of a passage.
  let kind: FactKind?
  /// At which node; `nil` for a setting.
  let node: NodeID?
  /// The name of a setting, the digest of a passage, and whatever tells facts of a later program apart.
  let name: String
  /// When it was last changed, and where. Of a passage, when it was last read, in milliseconds.
  let version: FactChange
  /// The characters that were read of a passage.
  let characters: String
  /// What it is called everywhere: its kind, the keys of the course and of the node, and its name.
  let key: String
}

extension StoreSnapshot {
  /// Returns every fact that is kept of a learner, or was and is taken away, in the order of their last changes.
  func facts(of learner: LearnerID) throws -> [KeptFact] {
    try all(Self.factsText, learner) { row in
      let kind = try row.word(FactKind.self, at: 0)
      let id: NodeID = row[1]
      let name: String = row[2]
      let words = [row[0] as String? ?? "passage", row[5] as String? ?? "", row[6] as String? ?? "", name]
      return KeptFact(
        kind: kind, node: id.rawValue == 0 ? nil : id, name: name,
        version: FactChange(stamp: row[3], replica: row[4]), characters: row[7], key: words.joined(separator: "\u{1F}"))
    }
  }

  private static let factsText = StatementText(
    """
    WITH fact (kind, node, name, stamp, replica, characters) AS (
      SELECT kind, node, name, stamp, replica, '' FROM factChange WHERE learner = ?1
      UNION ALL
      SELECT NULL, node, digest, savedAt, '', characters FROM passageRead WHERE learner = ?1
    )
    SELECT fact.kind, fact.node, fact.name, stamp, replica, course.key, place.key, characters
    FROM fact
    LEFT JOIN contentNode AS place ON place.id = fact.node
    LEFT JOIN contentNode AS course ON course.id = place.course
    ORDER BY stamp, replica, fact.kind, course.key, place.key, fact.name
    """)
}

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
