package import LearningModel

/// The kind of an entry that is stored for a learner outside the logs.
package enum FactKind: OpenVocabulary {
  case bookmark
  /// A reading position in a text.
  case position
  /// An unfinished quiz.
  case quiz
  case setting
  /// A kind that only a later version of the program supports: see ``LearnerRecord/OtherFact``.
  case other(String)

  /// The kinds that this version supports.
  package static let allCases: [Self] = [.bookmark, .position, .quiz, .setting]
  /// The kinds by their raw values.
  package static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The name of the kind in a learner's record.
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

/// The time and the database of the last change of an entry. Of two changes of an entry, the greater one wins.
struct FactChange: Hashable, Comparable {
  /// The timestamp of the change: see ``HybridTime``.
  var stamp: Int64
  /// The identifier of the database in which the change was made.
  var replica: String

  static func < (left: FactChange, right: FactChange) -> Bool {
    (left.stamp, left.replica) < (right.stamp, right.replica)
  }
}

extension StoreTransaction {
  /// Records a change of an entry that was made in this database.
  ///
  /// - Parameter time: The time of the change.
  func recordChange(
    of kind: FactKind, at node: NodeID?, named name: String = "", by learner: LearnerID, at time: Timestamp
  ) throws {
    let last: Int64? = try snapshot.value(Self.lastStampSQL, learner)
    let replica: String? = try snapshot.value(Self.replicaSQL)
    try setChange(
      FactChange(stamp: HybridTime.next(after: last, at: time), replica: replica ?? ""), of: kind, at: node,
      named: name, by: learner)
  }

  /// Stores a change of an entry that was made in another database.
  func setChange(
    _ change: FactChange, of kind: FactKind, at node: NodeID?, named name: String, by learner: LearnerID
  ) throws {
    try run(
      Self.setChangeSQL, learner, kind.rawValue, node?.rawValue ?? 0, name, change.stamp, change.replica)
  }

  private static let lastStampSQL = StatementText("SELECT max(stamp) FROM factChange WHERE learner = ?")
  private static let replicaSQL = StatementText("SELECT uuid FROM replica")
  private static let setChangeSQL = StatementText(
    """
    INSERT INTO factChange (learner, kind, node, name, stamp, replica) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET stamp = excluded.stamp, replica = excluded.replica
    """)
}

extension StoreSnapshot {
  /// Returns the last change of an entry, or `nil` if there was none.
  func change(of kind: FactKind, at node: NodeID?, named name: String, by learner: LearnerID) throws -> FactChange? {
    try first(Self.changeSQL, learner, kind.rawValue, node?.rawValue ?? 0, name) { row in
      FactChange(stamp: row[0], replica: row[1])
    }
  }

  private static let changeSQL = StatementText(
    "SELECT stamp, replica FROM factChange WHERE learner = ? AND kind = ? AND node = ? AND name = ?")
}

extension StoreTransaction {
  /// Stores reduced timestamps of changes that were made in this database. Another database has limited them because
  /// they were too far in its future. A change that was made since keeps its timestamp.
  package func restamp(_ versions: [FactVersion], of learner: LearnerID) throws {
    let facts = try snapshot.facts(of: learner)
    for version in versions {
      guard let fact = facts.first(where: { $0.key == version.key }), let kind = fact.kind,
        fact.version.replica == version.replica, HybridTime.areOfOneChange(fact.version.stamp, version.stamp)
      else { continue }
      try setChange(
        FactChange(stamp: version.stamp, replica: version.replica), of: kind, at: fact.node, named: fact.name,
        by: learner)
    }
  }
}

/// An entry that is stored for a learner outside the logs, with a key that is the same in all databases.
struct StoredFact {
  /// The kind, or `nil` for a read passage.
  let kind: FactKind?
  /// The node, or `nil` for a setting.
  let node: NodeID?
  /// The name of a setting, the digest of a passage, or a name that distinguishes entries of another kind.
  let name: String
  /// The last change of the entry. For a passage, the time at which it was last read, in milliseconds.
  let version: FactChange
  /// The read characters of a passage.
  let characters: String
  /// The key of the entry, which is the same in all databases: its kind, the keys of the course and of the node, and
  /// its name.
  let key: String
}

extension StoreSnapshot {
  /// Returns all entries of a learner, including removed ones, in the order of their last changes.
  func facts(of learner: LearnerID) throws -> [StoredFact] {
    try all(Self.factsSQL, learner) { row in
      let kind = try row.word(FactKind.self, at: 0)
      let id: NodeID = row[1]
      let name: String = row[2]
      let keyComponents = [row[0] as String? ?? "passage", row[5] as String? ?? "", row[6] as String? ?? "", name]
      return StoredFact(
        kind: kind, node: id.rawValue == 0 ? nil : id, name: name,
        version: FactChange(stamp: row[3], replica: row[4]), characters: row[7],
        key: keyComponents.joined(separator: "\u{1F}"))
    }
  }

  private static let factsSQL = StatementText(
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

/// The content of an entry of a kind that only a later version of the program supports.
struct StoredOtherFact: Hashable {
  /// The value in the format of the later version.
  var value: String
  /// When the entry was saved, if it is removed by erasing the history of that time, otherwise `nil`.
  var savedAt: Timestamp?
}

extension StoreTransaction {
  /// Stores the content of an entry whose kind only a later version supports, or deletes it if `fact` is `nil`.
  func saveOtherFact(
    _ fact: StoredOtherFact?, of kind: FactKind, at node: NodeID?, named name: String, by learner: LearnerID
  ) throws {
    guard let fact else {
      try run(Self.removeOtherSQL, learner, kind.rawValue, node?.rawValue ?? 0, name)
      return
    }
    try run(
      Self.keepOtherSQL, learner, kind.rawValue, node?.rawValue ?? 0, name, fact.value, fact.savedAt?.milliseconds)
  }

  private static let removeOtherSQL = StatementText(
    "DELETE FROM otherFact WHERE learner = ? AND kind = ? AND node = ? AND name = ?")
  private static let keepOtherSQL = StatementText(
    """
    INSERT INTO otherFact (learner, kind, node, name, value, savedAt) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET value = excluded.value, savedAt = excluded.savedAt
    """)
}

extension StoreSnapshot {
  /// Returns the content of an entry whose kind only a later version supports, or `nil` if the entry does not exist or
  /// was removed.
  func otherFact(of kind: FactKind, at node: NodeID?, named name: String, by learner: LearnerID) throws
    -> StoredOtherFact?
  {
    try first(Self.otherFactSQL, learner, kind.rawValue, node?.rawValue ?? 0, name) { row in
      StoredOtherFact(value: row[0], savedAt: (row[1] as Int64?).map(Timestamp.init(milliseconds:)))
    }
  }

  private static let otherFactSQL = StatementText(
    "SELECT value, savedAt FROM otherFact WHERE learner = ? AND kind = ? AND node = ? AND name = ?")
}

// A learner has one UUID in each database. If learners of two databases are joined, their UUIDs are stored as entries
// of the kind `identity`, named by the UUID. Entries are synchronised, so every database of the learner knows all
// UUIDs, and earlier versions of the program pass them on.

extension FactKind {
  /// Another UUID of the learner.
  static let identity = FactKind.other("identity")
}

extension FactVersion {
  /// The UUID, if the entry is another identity of the learner, otherwise `nil`.
  package var identity: String? {
    key.hasPrefix(Self.identityPrefix) ? String(key.dropFirst(Self.identityPrefix.count)) : nil
  }

  /// Whether the entry is a reading position.
  package var isReadingPosition: Bool { key.hasPrefix(FactKind.position.rawValue + "\u{1F}") }

  /// Returns the number of entries that the learner has created, that is, of all kinds except identities.
  package static func count(_ keys: [String]) -> Int { keys.count { !$0.hasPrefix(identityPrefix) } }

  // The kind, followed by empty keys of course and node.
  private static let identityPrefix = FactKind.identity.rawValue + "\u{1F}\u{1F}\u{1F}"
}

extension LearnerRecord.FactChangeRow {
  /// Whether the entry is another identity of the learner.
  package var isIdentity: Bool { kind == .identity }
}

extension StoreSnapshot {
  /// Returns the learner who has a UUID as their own or as another identity, or `nil` if no learner has it. If several
  /// have it, returns the learner whose own UUID it is.
  package func learner(identifiedBy uuid: String) throws -> Learner? {
    if let owner = try learner(withUUID: uuid) { return owner }
    return try first(Self.ownerSQL, FactKind.identity.rawValue, uuid) { Learner(id: $0[0], name: $0[1]) }
  }

  private static let ownerSQL = StatementText(
    """
    SELECT learner.id, learner.name FROM otherFact JOIN learner ON learner.id = otherFact.learner
    WHERE kind = ? AND node = 0 AND otherFact.name = ? ORDER BY learner.id LIMIT 1
    """)

  /// Returns whether a UUID is one of a learner's identities.
  package func isIdentity(_ uuid: String, of learner: LearnerID) throws -> Bool {
    if try self.uuid(of: learner) == uuid { return true }
    return try otherFact(of: .identity, at: nil, named: uuid, by: learner) != nil
  }

  /// Returns all UUIDs of a learner. The first one is the UUID in this database.
  package func identities(of learner: LearnerID) throws -> [String] {
    let current = try uuid(of: learner).map { [$0] } ?? []
    return current
      + (try all(Self.identitiesSQL, learner, FactKind.identity.rawValue) { $0[0] }.filter { !current.contains($0) })
  }

  private static let identitiesSQL = StatementText(
    "SELECT name FROM otherFact WHERE learner = ? AND kind = ? AND node = 0 ORDER BY name")
}

extension StoreTransaction {
  /// Joins a learner with the learner who has a UUID in another database. Stores all identities of both.
  package func join(_ learner: LearnerID, with uuid: String, at time: Timestamp) throws {
    let before = try snapshot.identities(of: learner)
    try identify(learner, as: uuid)
    for identity in before + [uuid]
    where try snapshot.otherFact(of: .identity, at: nil, named: identity, by: learner) == nil {
      try saveOtherFact(
        StoredOtherFact(value: "joined", savedAt: nil), of: .identity, at: nil, named: identity, by: learner)
      try recordChange(of: .identity, at: nil, named: identity, by: learner, at: time)
    }
  }

  /// Records all identities of a learner as erased, except the UUIDs of other learners in this database.
  func rememberErasure(identitiesOf learner: LearnerID) throws {
    try run(Self.barIdentitiesSQL, learner, FactKind.identity.rawValue)
  }

  private static let barIdentitiesSQL = StatementText(
    """
    INSERT INTO erasedLearner (uuid)
    SELECT name FROM otherFact
    WHERE learner = ?1 AND kind = ?2 AND node = 0 AND name NOT IN (SELECT uuid FROM learner WHERE id <> ?1)
    ON CONFLICT DO NOTHING
    """)
}
