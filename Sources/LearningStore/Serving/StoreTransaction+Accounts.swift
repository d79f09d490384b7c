import GRDB
package import LearningModel

// The names, tokens and classes of learners who move from one server to another. Their events are transferred
// separately, as parts of their records.

extension StoreTransaction {
  /// Creates the learners who have a token but do not exist yet, so that each of them has a UUID.
  package func makeLearnersOfTokens(at time: Timestamp) throws {
    for name in try snapshot.all(Self.newNamesSQL, as: { $0[0] as String }) {
      _ = try makeLearner(named: name, at: time)
    }
  }

  private static let newNamesSQL = StatementText(
    "SELECT DISTINCT learner FROM accessToken WHERE learner NOT IN (SELECT name FROM learner) ORDER BY learner")

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
      var (name, number) = (account.name, 1)
      while try snapshot.learner(named: name) != nil {
        number += 1
        name = "\(account.name) \(number)"
      }
      learner = try makeLearner(named: name, uuid: account.uuid, at: account.createdAt)
      result.isNew = true
    }
    for token in account.tokens {
      try run(
        Self.takeTokenSQL, token.digest, learner.name, token.scope.rawValue, token.createdAt, token.expiresAt,
        token.revokedAt)
      result.tokens += database.changesCount
    }
    for membership in account.classes where try join(learner.id, toClass: membership.name, at: membership.at) {
      result.memberships += 1
    }
    return (learner, result)
  }

  private static let takeTokenSQL = StatementText(
    """
    INSERT INTO accessToken (digest, learner, scope, createdAt, expiresAt, revokedAt) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (digest) DO UPDATE SET revokedAt = excluded.revokedAt
    WHERE revokedAt IS NULL AND excluded.revokedAt IS NOT NULL
    """)

  /// Records that a learner who was never on this server was erased elsewhere.
  ///
  /// - Returns: Whether this was not recorded before.
  package func rememberErasure(_ uuid: String) throws -> Bool {
    try run(Self.barSQL, uuid)
    return database.changesCount > 0
  }

  private static let barSQL = StatementText("INSERT INTO erasedLearner (uuid) VALUES (?) ON CONFLICT DO NOTHING")
}

extension StoreSnapshot {
  /// Returns learners with their tokens and classes, sorted by UUID.
  ///
  /// - Parameters:
  ///   - uuid: The UUID after which to start. If `nil`, starts with the first learner.
  ///   - limit: The maximum number of learners.
  package func accounts(after uuid: String?, limit: Int) throws -> [LearnerAccount] {
    try all(Self.accountsSQL, uuid ?? "", limit) { row in
      let name: String = row[1]
      return LearnerAccount(
        uuid: row[0], name: name, createdAt: row[2],
        tokens: try all(Self.tokensSQL, name) { row in
          LearnerAccount.Token(
            digest: row[0], scope: try row.word(AccessScope.self, at: 1) ?? .learner, createdAt: row[2],
            expiresAt: row[3], revokedAt: row[4])
        },
        classes: try all(Self.membershipsSQL, row[3] as LearnerID) { row in
          LearnerAccount.Membership(name: row[0], at: row[1])
        })
    }
  }

  private static let accountsSQL = StatementText(
    "SELECT uuid, name, createdAt, id FROM learner WHERE uuid > ? ORDER BY uuid LIMIT ?")
  private static let tokensSQL = StatementText(
    "SELECT digest, scope, createdAt, expiresAt, revokedAt FROM accessToken WHERE learner = ? ORDER BY digest")
  private static let membershipsSQL = StatementText(
    "SELECT name, joinedAt FROM member JOIN class ON class.id = class WHERE learner = ? ORDER BY name")

  /// Returns the UUIDs of the erased learners, sorted.
  package func erasedLearners() throws -> [String] { try all(Self.erasedSQL) { $0[0] } }

  private static let erasedSQL = StatementText("SELECT uuid FROM erasedLearner ORDER BY uuid")
}
