public import LearningModel

/// Of which kind a fact is that is kept of a learner beside the logs.
public enum FactKind: OpenVocabulary {
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
  public static let allCases: [Self] = [.bookmark, .position, .quiz, .setting]
  /// What their words mean.
  public static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The word in the record.
  public var rawValue: String {
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
  public func restamp(_ marks: [FactMark], of learner: LearnerID) throws {
    let facts = try snapshot.facts(of: learner)
    for mark in marks {
      guard let fact = facts.first(where: { $0.key == mark.key }), let kind = fact.kind else { continue }
      try setChange(
        FactChange(stamp: mark.stamp, replica: mark.replica), of: kind, at: fact.node, named: fact.name, by: learner)
    }
  }
}
