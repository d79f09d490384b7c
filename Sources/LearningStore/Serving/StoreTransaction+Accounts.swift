package import LearningModel

// The names, tokens and classes of learners who move from one server to another. Their events are transferred
// separately, as parts of their records.

extension StoreTransaction {
  /// Creates the learners who have a token but do not exist yet, so that each of them has a UUID.
  package func makeLearnersOfTokens(at time: Timestamp) throws {
    for name in try snapshot.all(
      "SELECT DISTINCT learner FROM accessToken WHERE learner NOT IN (SELECT name FROM learner) ORDER BY learner",
      as: { $0[0] as String })
    {
      _ = try makeLearner(named: name, at: time)
    }
  }

  /// Adds a learner from another server with their tokens and classes. Existing data is not changed, except that tokens
  /// are revoked that the other server has revoked. If another learner has the name, the lowest free number is
  /// appended, for example `Ada 2`.
  ///
  /// - Returns: The learner, and the numbers of added tokens and classes. `nil` if the learner was erased here.
  package func add(_ account: LearnerAccount) throws -> (learner: Learner, taken: TakenAccount)? {
    guard try !snapshot.isErased(learnerWithUUID: account.uuid) else { return nil }
    var result = TakenAccount(isNew: false, tokens: 0, memberships: 0)
    let learner: Learner
    if let stored = try snapshot.learner(withUUID: account.uuid) {
      learner = stored
    } else {
      learner = try makeLearner(
        named: snapshot.freeName(for: account), uuid: account.uuid, at: account.createdAt)
      result.isNew = true
    }
    for token in account.tokens {
      result.tokens += try run(
        """
        INSERT INTO accessToken (digest, learner, scope, createdAt, expiresAt, revokedAt) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (digest) DO UPDATE SET revokedAt = excluded.revokedAt
        WHERE revokedAt IS NULL AND excluded.revokedAt IS NOT NULL
        """, token.digest, learner.name, token.scope.rawValue, token.createdAt, token.expiresAt,
        token.revokedAt)
    }
    for membership in account.classes where try join(learner.id, toClass: membership.name, at: membership.at) {
      result.memberships += 1
    }
    return (learner, result)
  }

  /// Makes the learners and classes of a reporting replica equal to those of a hub. Tokens are not stored.
  ///
  /// Learners that the hub does not have are removed with their data. They can be added again, because a hub that was
  /// restored from a backup may have them again.
  ///
  /// - Returns: The names of the learners in the replica, by UUID. Names that several learners of the hub have get numbers
  ///   as in ``add(_:)``.
  package func replicate(_ accounts: [LearnerAccount], _ classes: [LearnerClass]) throws -> [String: String] {
    let accountsByUUID = Dictionary(accounts.map { ($0.uuid, $0) }) { $1 }
    var removed: [LearnerID] = []
    for learner in try snapshot.learners() {
      let uuid = try snapshot.uuid(of: learner.id) ?? ""
      guard let account = accountsByUUID[uuid] else {
        removed.append(learner.id)
        continue
      }
      // Another learner may have the new name until all former names are free.
      if account.name != learner.name { try run(Self.renameSQL, uuid, learner.id) }
    }
    if !removed.isEmpty {
      try overwritingErasedRows { for learner in removed { _ = try erase(learner: learner) } }
      try requestSweep()
      try run("DELETE FROM erasedLearner")
    }
    try run("DELETE FROM member")
    try run("DELETE FROM class")
    for item in classes { _ = try addClass(item.name, at: item.createdAt) }

    var names: [String: String] = [:]
    for var account in accounts {
      account.tokens = []
      guard let learner = try add(account)?.learner else { continue }
      names[account.uuid] = learner.name
      guard learner.name == account.uuid else { continue }
      let name = try snapshot.freeName(for: account)
      try run(Self.renameSQL, name, learner.id)
      names[account.uuid] = name
    }
    return names
  }

  private static let renameSQL = StatementText("UPDATE learner SET name = ? WHERE id = ?")

  /// Records that a learner who was never on this server was erased elsewhere.
  ///
  /// - Returns: Whether this was not recorded before.
  package func rememberErasure(_ uuid: String) throws -> Bool {
    try run("INSERT INTO erasedLearner (uuid) VALUES (?) ON CONFLICT DO NOTHING", uuid) > 0
  }
}

extension StoreSnapshot {
  /// Returns the name of an account, with the lowest number if another learner has the name.
  fileprivate func freeName(for account: LearnerAccount) throws -> String {
    var (name, number) = (account.name, 1)
    while try learner(named: name) != nil {
      number += 1
      name = "\(account.name) \(number)"
    }
    return name
  }

  /// Returns learners with their tokens and classes, sorted by UUID.
  ///
  /// - Parameters:
  ///   - uuid: The UUID after which to start. If `nil`, starts with the first learner.
  ///   - limit: The maximum number of learners.
  package func accounts(after uuid: String?, limit: Int) throws -> [LearnerAccount] {
    try all("SELECT uuid, name, createdAt, id FROM learner WHERE uuid > ? ORDER BY uuid LIMIT ?", uuid ?? "", limit) {
      row in
      let name: String = row[1]
      return LearnerAccount(
        uuid: row[0], name: name, createdAt: row[2],
        tokens: try all(
          "SELECT digest, scope, createdAt, expiresAt, revokedAt FROM accessToken WHERE learner = ? ORDER BY digest",
          name
        ) { row in
          LearnerAccount.Token(
            digest: row[0], scope: try row.word(AccessScope.self, at: 1) ?? .learner, createdAt: row[2],
            expiresAt: row[3], revokedAt: row[4])
        },
        classes: try all(
          "SELECT name, joinedAt FROM member JOIN class ON class.id = class WHERE learner = ? ORDER BY name",
          row[3] as LearnerID
        ) { row in
          LearnerAccount.Membership(name: row[0], at: row[1])
        })
    }
  }

  /// Returns the UUIDs of the erased learners, sorted.
  package func erasedLearners() throws -> [String] { try all("SELECT uuid FROM erasedLearner ORDER BY uuid") { $0[0] } }
}
