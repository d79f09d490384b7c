package import LearningModel

/// How far everything of a learner is known in a database.
package struct SyncState: Hashable, Sendable {
  /// The sessions.
  let sessions: [SessionMark]
  /// The facts.
  let facts: [FactMark]
  /// The same in few words.
  package let summary: SyncSummary

  /// Sums up how far everything is known.
  package init(sessions: [SessionMark], facts: [FactMark]) {
    (self.sessions, self.facts) = (sessions, facts)
    summary = SyncSummary(sessions, facts)
  }

  /// The sessions in whose bucket another database's number differs.
  package func sessions(differingFrom other: SyncSummary) -> [SessionMark] {
    let buckets = SyncSummary.difference(summary.sessions, other.sessions)
    return sessions.filter { buckets.contains(SyncSummary.bucket(of: $0.uuid)) }
  }

  /// The facts in whose bucket another database's number differs.
  package func facts(differingFrom other: SyncSummary) -> [FactMark] {
    let buckets = SyncSummary.difference(summary.facts, other.facts)
    return facts.filter { buckets.contains(SyncSummary.bucket(of: $0.key)) }
  }
}

/// What a database has of a learner, in so few words that two databases can compare it: sixty-four numbers for what happened
/// and sixty-four for the facts. Where a number differs, what is behind it differs.
package struct SyncSummary: Hashable, Codable, Sendable {
  /// How many numbers there are of each.
  static let buckets = 64

  /// Of the sessions whose names lead there: how far each is known.
  package var sessions: [String]
  /// Of the facts whose keys lead there: when each was last changed.
  package var facts: [String]

  /// Says numbers that are known already; none, where everything shall differ.
  package init(sessions: [String], facts: [String]) { (self.sessions, self.facts) = (sessions, facts) }

  init(_ sessions: [SessionMark], _ facts: [FactMark]) {
    self.sessions = Self.hashes(
      sessions.map { ($0.uuid, "\($0.steps) \($0.acts) \($0.isLeft) \($0.isEnded) \($0.lastNames) \($0.lastVisit)") })
    self.facts = Self.hashes(facts.map { ($0.key, $0.version) })
  }

  /// The numbers of the buckets in which two summaries differ; all where they are not of one kind.
  static func difference(_ one: [String], _ other: [String]) -> Set<Int> {
    guard one.count == buckets, other.count == buckets else { return Set(0..<buckets) }
    return Set((0..<buckets).filter { one[$0] != other[$0] })
  }

  /// Where a name leads.
  static func bucket(of name: String) -> Int { Int(hash(name) & UInt64(buckets - 1)) }

  private static func hashes(_ values: [(name: String, value: String)]) -> [String] {
    var sums = [UInt64](repeating: 0, count: buckets)
    // In whatever order they are added, the sum is the same.
    for (name, value) in values { sums[bucket(of: name)] &+= hash("\(name)\u{1E}\(value)") }
    return sums.map { String($0, radix: 16) }
  }

  /// Source: Fowler, Noll and Vo, FNV-1a with 64 bits.
  static func hash(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    // The low bits of FNV-1a change little from letter to letter.
    return hash ^ (hash >> 32)
  }
}

/// How far a session is known.
package struct SessionMark: Hashable, Codable, Sendable {
  /// Which one.
  package var uuid: String
  /// How many steps of it, from the first without holes.
  package var steps: Int
  /// How many things done in it.
  package var acts: Int
  /// Whether it is known when the last place was left.
  package var isLeft: Bool
  /// When that was, in milliseconds since 1970; `nil` where it is not known, and from a program that does not say it.
  package var leftAt: Int64?
  /// How many milliseconds the learner was active there; `nil` like that.
  package var activeMs: Int64?
  /// Whether it has ended.
  package var isEnded: Bool
  /// The name of the last step; `nil` where there is none.
  package var lastStep: String?
  /// The name of the last thing done; `nil` where there is none.
  package var lastAct: String?

  var lastVisit: String { isLeft ? "\(leftAt ?? -1) \(activeMs ?? -1)" : "" }
  var lastNames: String { "\(lastStep ?? "") \(lastAct ?? "")" }

  /// Whether something else was done in it in another database, which has as much of it: a copy that both went on with.
  /// Where one has more, that is found out with what it sends.
  package func isFork(of other: SessionMark) -> Bool {
    steps == other.steps && lastStep != other.lastStep || acts == other.acts && lastAct != other.lastAct
  }

  /// Whether there is something in it that another database does not have.
  ///
  /// - Parameter other: How far that one knows it; `nil` where it does not.
  package func isAhead(of other: SessionMark?) -> Bool {
    guard let other else { return true }
    return steps > other.steps || acts > other.acts
      || steps == other.steps && acts == other.acts
        && (isLeft && !other.isLeft || isEnded && !other.isEnded || isLeftLater(than: other))
  }

  /// Whether the last place was left later here: each of two copies ends the visit in which it was copied by itself.
  private func isLeftLater(than other: SessionMark) -> Bool {
    guard isLeft, other.isLeft, let leftAt, let theirs = other.leftAt else { return false }
    return (leftAt, activeMs ?? 0) > (theirs, other.activeMs ?? 0)
  }
}

/// When a fact was last changed.
package struct FactMark: Hashable, Codable, Sendable {
  /// Which one: its kind, the keys of the course and of the node, and its name, with U+001F between them.
  package var key: String
  /// When: see ``HybridTime``.
  package var stamp: Int64
  /// In which database.
  package var replica: String
  /// What was read, of a passage; what one database has of it and another one has not comes together.
  package var characters: String?

  var version: String { "\(stamp) \(replica) \(characters ?? "")" }

  /// Whether it holds against what another database has.
  package func isAhead(of other: FactMark?) -> Bool {
    guard let other else { return true }
    if characters != nil { return self != other }
    return (stamp, replica) > (other.stamp, other.replica)
  }
}

extension StoreSnapshot {
  /// Returns how far everything of a learner is known, to be compared with another database.
  package func syncState(of learner: LearnerID) throws -> SyncState {
    try SyncState(sessions: sessionMarks(of: learner), facts: factMarks(of: learner))
  }

  private func sessionMarks(of learner: LearnerID) throws -> [SessionMark] {
    try all(Self.sessionMarksText, learner, as: SessionMark.init)
  }

  /// Returns how far one session is known; `nil` where the learner has none of that name.
  package func sessionMark(of uuid: String, by learner: LearnerID) throws -> SessionMark? {
    try first(Self.sessionMarkText, learner, uuid, as: SessionMark.init)
  }

  private func factMarks(of learner: LearnerID) throws -> [FactMark] {
    try facts(of: learner).map { fact in
      FactMark(
        key: fact.key, stamp: fact.version.stamp, replica: fact.version.replica,
        characters: fact.kind == nil ? fact.characters : nil)
    }
  }

  private static let sessionMarksText = sessionMarks("learner = ? ORDER BY uuid")
  private static let sessionMarkText = sessionMarks("learner = ? AND uuid = ?")

  private static func sessionMarks(_ condition: String) -> StatementText {
    StatementText(
      """
      SELECT uuid,
        (SELECT ifnull(max(sequence), 0) FROM navigationEvent WHERE session = session.id),
        (SELECT ifnull(max(sequence), 0) FROM activityEvent WHERE session = session.id),
        NOT openElsewhere AND ifnull((
          SELECT leftAt IS NOT NULL FROM navigationEvent
          WHERE session = session.id ORDER BY sequence DESC LIMIT 1), 0),
        NOT openElsewhere AND endedAt IS NOT NULL,
        (SELECT uuid FROM navigationEvent WHERE session = session.id ORDER BY sequence DESC LIMIT 1),
        (SELECT uuid FROM activityEvent WHERE session = session.id ORDER BY sequence DESC LIMIT 1),
        (SELECT leftAt FROM navigationEvent WHERE session = session.id ORDER BY sequence DESC LIMIT 1),
        (SELECT activeMs FROM navigationEvent WHERE session = session.id ORDER BY sequence DESC LIMIT 1)
      FROM session WHERE \(condition)
      """)
  }

  /// Returns the names of everything in a session that are known, in their order.
  package func names(inSession uuid: String) throws -> (steps: [String], acts: [String])? {
    guard let session = try session(withUUID: uuid)?.session.id else { return nil }
    return (
      try all(Self.stepNamesText, session) { $0[0] }, try all(Self.actNamesText, session) { $0[0] }
    )
  }

  private static let stepNamesText = StatementText(
    "SELECT uuid FROM navigationEvent WHERE session = ? ORDER BY sequence")
  private static let actNamesText = StatementText(
    "SELECT uuid FROM activityEvent WHERE session = ? ORDER BY sequence")
}

extension SessionMark {
  fileprivate init(_ row: ResultRow) {
    self.init(
      uuid: row[0], steps: row[1], acts: row[2], isLeft: row[3], leftAt: row[7], activeMs: row[8], isEnded: row[4],
      lastStep: row[5], lastAct: row[6])
    if !isLeft { (leftAt, activeMs) = (nil, nil) }
  }
}
