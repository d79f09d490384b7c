package import LearningModel

/// The state of a learner's data in a database, for synchronisation.
package struct SyncState: Hashable, Sendable {
  /// The state of each session.
  let sessions: [SessionVersion]
  /// The last change of each entry.
  let facts: [FactVersion]
  /// A short summary of the sessions and entries.
  package let summary: SyncSummary

  /// Creates a state and its summary.
  package init(sessions: [SessionVersion], facts: [FactVersion]) {
    (self.sessions, self.facts) = (sessions, facts)
    summary = SyncSummary(sessions, facts)
  }

  /// Returns the sessions in the buckets whose hashes differ from those of another database.
  package func sessions(differingFrom other: SyncSummary) -> [SessionVersion] {
    let buckets = SyncSummary.difference(summary.sessions, other.sessions)
    return sessions.filter { buckets.contains(SyncSummary.bucket(of: $0.uuid)) }
  }

  /// Returns the entries in the buckets whose hashes differ from those of another database.
  package func facts(differingFrom other: SyncSummary) -> [FactVersion] {
    let buckets = SyncSummary.difference(summary.facts, other.facts)
    return facts.filter { buckets.contains(SyncSummary.bucket(of: $0.key)) }
  }
}

/// A short summary of a learner's data that two databases can compare: the sessions and the other entries are
/// distributed over 64 buckets each, with one hash for each bucket. If the hashes of a bucket differ, its content
/// differs.
package struct SyncSummary: Hashable, Codable, Sendable {
  /// The number of buckets for sessions, and for other entries.
  static let buckets = 64

  /// The hash of each bucket of sessions.
  package var sessions: [String]
  /// The hash of each bucket of entries.
  package var facts: [String]

  /// Creates a summary from known hashes. With empty arrays, all buckets differ from any other summary.
  package init(sessions: [String], facts: [String]) { (self.sessions, self.facts) = (sessions, facts) }

  init(_ sessions: [SessionVersion], _ facts: [FactVersion]) {
    self.sessions = Self.hashes(
      sessions.map { ($0.uuid, "\($0.steps) \($0.acts) \($0.lastNames) \($0.ends)") })
    self.facts = Self.hashes(facts.map { ($0.key, $0.fingerprint) })
  }

  /// Returns the indices of the buckets in which two summaries differ. Returns all buckets if the summaries have
  /// different sizes.
  static func difference(_ first: [String], _ second: [String]) -> Set<Int> {
    guard first.count == buckets, second.count == buckets else { return Set(0..<buckets) }
    return Set((0..<buckets).filter { first[$0] != second[$0] })
  }

  /// Returns the bucket of a session's UUID or an entry's key.
  static func bucket(of name: String) -> Int { Int(hash(name) & UInt64(buckets - 1)) }

  private static func hashes(_ values: [(name: String, value: String)]) -> [String] {
    var sums = [UInt64](repeating: 0, count: buckets)
    // The sum does not depend on the order of the values.
    for (name, value) in values { sums[bucket(of: name)] &+= hash("\(name)\u{1E}\(value)") }
    return sums.map { String($0, radix: 16) }
  }

  /// Returns a hash of a text. Source: Fowler, Noll and Vo, FNV-1a with 64 bits.
  static func hash(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    // The low bits of FNV-1a change little from one letter to the next.
    return hash ^ (hash >> 32)
  }
}

/// The state of a session in a database.
package struct SessionVersion: Hashable, Codable, Sendable {
  package var uuid: String
  /// The number of navigation events, from the first one without gaps.
  package var steps: Int
  /// The number of activity events.
  package var acts: Int
  /// The end of the last visit, or `nil` if it is unknown.
  package var leftAt: Timestamp?
  /// The end of the session, or `nil` if it is unknown.
  package var endedAt: Timestamp?
  /// The UUID of the last navigation event, or `nil` if the session has none.
  package var lastStep: String?
  /// The UUID of the last activity event, or `nil` if the session has none.
  package var lastAct: String?

  var lastNames: String { "\(lastStep ?? "") \(lastAct ?? "")" }
  var ends: String { "\(leftAt?.milliseconds ?? -1) \(endedAt?.milliseconds ?? -1)" }

  /// Returns whether two databases have continued or ended the session differently and stored the same number of
  /// events. If the numbers differ, this is detected later, from the events that are sent.
  package func isFork(of other: SessionVersion) -> Bool {
    func differ(_ first: Timestamp?, _ second: Timestamp?) -> Bool { first != nil && second != nil && first != second }
    return steps == other.steps && (lastStep != other.lastStep || differ(leftAt, other.leftAt))
      || acts == other.acts && lastAct != other.lastAct
      || steps == other.steps && acts == other.acts && differ(endedAt, other.endedAt)
  }

  /// Returns whether this database has events of the session, or the end of its last visit, that another database
  /// lacks.
  ///
  /// - Parameter other: The state in the other database, or `nil` if it does not have the session.
  package func isAhead(of other: SessionVersion?) -> Bool {
    guard let other else { return true }
    return steps > other.steps || acts > other.acts
      || steps == other.steps && acts == other.acts
        && (leftAt != nil && other.leftAt == nil || endedAt != nil && other.endedAt == nil)
  }
}

/// The last change of an entry of a learner.
package struct FactVersion: Hashable, Codable, Sendable {
  /// The key of the entry: its kind, the keys of the course and of the node, and its name, separated by U+001F.
  package var key: String
  /// The timestamp of the change: see ``HybridTime``.
  package var stamp: Int64
  /// The identifier of the database in which the change was made.
  package var replica: String
  /// The read characters of a passage, which are combined when two databases are merged. `nil` for other entries.
  package var characters: String?

  var fingerprint: String { "\(stamp) \(replica) \(characters ?? "")" }

  /// Returns whether this change must be sent to a database whose last change of the entry is `other`.
  package func isAhead(of other: FactVersion?) -> Bool {
    guard let other else { return true }
    if characters != nil { return self != other }
    return (stamp, replica) > (other.stamp, other.replica)
  }
}

extension FactVersion {
  /// Returns the version with the key that the entry has in a database.
  ///
  /// - Parameter keys: The keys of courses and nodes by their other keys: ``StoreSnapshot/keysByOtherKeys()``.
  package func translated(_ keys: [String: String]) -> FactVersion {
    let parts = key.split(separator: "\u{1F}", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let known = keys["\(parts[1])\u{1F}\(parts[2])"] else { return self }
    var version = self
    version.key = "\(parts[0])\u{1F}\(known)\u{1F}\(parts[3])"
    return version
  }
}

extension StoreSnapshot {
  /// Returns the keys of nodes by their other keys. Each key follows that of the course and U+001F.
  package func keysByOtherKeys() throws -> [String: String] {
    let keys = try all(
      """
      SELECT course.key, sourceKey.key, node.key FROM sourceKey
      JOIN contentNode AS node ON node.id = sourceKey.node JOIN contentNode AS course ON course.id = sourceKey.course
      """
    ) { ("\($0[0] as String)\u{1F}\($0[1] as String)", "\($0[0] as String)\u{1F}\($0[2] as String)") }
    return Dictionary(uniqueKeysWithValues: keys)
  }

  /// Returns the state of a learner's data, for comparison with another database.
  package func syncState(of learner: LearnerID) throws -> SyncState {
    try SyncState(sessions: sessionVersions(of: learner), facts: factVersions(of: learner))
  }

  private func sessionVersions(of learner: LearnerID) throws -> [SessionVersion] {
    try all(Self.sessionVersionsSQL, learner, as: SessionVersion.init)
  }

  /// Returns the state of one session, or `nil` if the learner has no session with this UUID.
  package func sessionVersion(of uuid: String, by learner: LearnerID) throws -> SessionVersion? {
    try first(Self.sessionVersionSQL, learner, uuid, as: SessionVersion.init)
  }

  private func factVersions(of learner: LearnerID) throws -> [FactVersion] {
    try facts(of: learner).map { fact in
      FactVersion(
        key: fact.key, stamp: fact.version.stamp, replica: fact.version.replica,
        characters: fact.kind == nil ? fact.characters : nil)
    }
  }

  private static let sessionVersionsSQL = sessionVersions("learner = ? ORDER BY startedAt, uuid")
  private static let sessionVersionSQL = sessionVersions("learner = ? AND uuid = ?")

  private static func sessionVersions(_ condition: String) -> StatementText {
    StatementText(
      """
      SELECT uuid,
        (SELECT ifnull(max(sequence), 0) FROM navigationEvent WHERE session = session.id),
        (SELECT ifnull(max(sequence), 0) FROM activityEvent WHERE session = session.id),
        (SELECT leftAt FROM navigationEvent WHERE session = session.id ORDER BY sequence DESC LIMIT 1), endedAt,
        (SELECT uuid FROM navigationEvent WHERE session = session.id ORDER BY sequence DESC LIMIT 1),
        (SELECT uuid FROM activityEvent WHERE session = session.id ORDER BY sequence DESC LIMIT 1)
      FROM session WHERE \(condition)
      """)
  }

  /// Returns the UUIDs of all events of a session, in their order, or `nil` if there is no such session.
  package func names(inSession uuid: String) throws -> (steps: [String], acts: [String])? {
    guard let session = try session(withUUID: uuid)?.session.id else { return nil }
    return (
      try all(Self.stepNamesSQL, session) { $0[0] }, try all(Self.actNamesSQL, session) { $0[0] }
    )
  }

  private static let stepNamesSQL = StatementText(
    "SELECT uuid FROM navigationEvent WHERE session = ? ORDER BY sequence")
  private static let actNamesSQL = StatementText(
    "SELECT uuid FROM activityEvent WHERE session = ? ORDER BY sequence")
}

extension SessionVersion {
  fileprivate init(_ row: ResultRow) {
    self.init(
      uuid: row[0], steps: row[1], acts: row[2], leftAt: row[3], endedAt: row[4], lastStep: row[5], lastAct: row[6])
  }
}
