import GRDB
package import LearningModel

// Learners who move from server to server: names, tokens and classes. What they did goes as parts of their records.

extension StoreTransaction {
  /// Makes the learners who have a token and were not here yet, so that they have a name everywhere.
  package func makeLearnersOfTokens(at moment: Timestamp) throws {
    for name in try snapshot.all(Self.newNamesText, as: { $0[0] as String }) {
      _ = try makeLearner(named: name, at: moment)
    }
  }

  private static let newNamesText = StatementText(
    "SELECT DISTINCT learner FROM accessToken WHERE learner NOT IN (SELECT name FROM learner) ORDER BY learner")

  /// Takes in a learner whom another server knows. What is known already changes nothing. Where somebody else has the name,
  /// it gets the first free number behind it.
  ///
  /// - Returns: What they are called here, and what was new; `nil` where they were erased here.
  package func take(_ account: LearnerAccount) throws -> (learner: Learner, taken: TakenAccount)? {
    guard try !snapshot.isErased(learnerWithUUID: account.uuid) else { return nil }
    var taken = TakenAccount(isNew: false, tokens: 0, memberships: 0)
    let learner: Learner
    if let known = try snapshot.learner(withUUID: account.uuid) {
      learner = known
    } else {
      var (name, number) = (account.name, 1)
      while try snapshot.learner(named: name) != nil {
        number += 1
        name = "\(account.name) \(number)"
      }
      learner = try makeLearner(named: name, uuid: account.uuid, at: account.createdAt)
      taken.isNew = true
    }
    for token in account.tokens {
      try run(
        Self.takeTokenText, token.digest, learner.name, token.scope.rawValue, token.createdAt, token.expiresAt,
        token.revokedAt)
      taken.tokens += database.changesCount
    }
    for membership in account.classes where try join(learner.id, toClass: membership.name, at: membership.at) {
      taken.memberships += 1
    }
    return (learner, taken)
  }

  private static let takeTokenText = StatementText(
    """
    INSERT INTO accessToken (digest, learner, scope, createdAt, expiresAt, revokedAt) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (digest) DO UPDATE SET revokedAt = excluded.revokedAt
    WHERE revokedAt IS NULL AND excluded.revokedAt IS NOT NULL
    """)

  /// Remembers that somebody was erased who was never here.
  ///
  /// - Returns: Whether that was not known.
  package func bar(_ uuid: String) throws -> Bool {
    try run(Self.barText, uuid)
    return database.changesCount > 0
  }

  private static let barText = StatementText("INSERT INTO erasedLearner (uuid) VALUES (?) ON CONFLICT DO NOTHING")
}

extension StoreSnapshot {
  /// Returns learners with their tokens and classes, in the order of their names everywhere.
  ///
  /// - Parameters:
  ///   - uuid: Only those after this one; from the first where `nil`.
  ///   - limit: How many at most.
  package func accounts(after uuid: String?, limit: Int) throws -> [LearnerAccount] {
    try all(Self.accountsText, uuid ?? "", limit) { row in
      let name: String = row[1]
      return LearnerAccount(
        uuid: row[0], name: name, createdAt: row[2],
        tokens: try all(Self.tokensText, name) { row in
          LearnerAccount.Token(
            digest: row[0], scope: try row.word(AccessScope.self, at: 1) ?? .learner, createdAt: row[2],
            expiresAt: row[3], revokedAt: row[4])
        },
        classes: try all(Self.membershipsText, row[3] as LearnerID) { row in
          LearnerAccount.Membership(name: row[0], at: row[1])
        })
    }
  }

  private static let accountsText = StatementText(
    "SELECT uuid, name, createdAt, id FROM learner WHERE uuid > ? ORDER BY uuid LIMIT ?")
  private static let tokensText = StatementText(
    "SELECT digest, scope, createdAt, expiresAt, revokedAt FROM accessToken WHERE learner = ? ORDER BY digest")
  private static let membershipsText = StatementText(
    "SELECT name, joinedAt FROM member JOIN class ON class.id = class WHERE learner = ? ORDER BY name")

  /// Returns who was erased, by their names everywhere.
  package func erasedLearners() throws -> [String] { try all(Self.erasedText) { $0[0] } }

  private static let erasedText = StatementText("SELECT uuid FROM erasedLearner ORDER BY uuid")
}
