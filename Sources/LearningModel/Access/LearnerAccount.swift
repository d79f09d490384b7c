package struct LearnerClass: Hashable, Codable, Sendable {
  /// The name of the class, unique in the database.
  package let name: String
  /// The time at which the class was created.
  package let createdAt: Timestamp
  /// The names of the members, sorted.
  package let members: [String]

  package init(name: String, createdAt: Timestamp, members: [String]) {
    (self.name, self.createdAt, self.members) = (name, createdAt, members)
  }
}

/// A learner's identity on a server, without the history: name, tokens and classes.
package struct LearnerAccount: Hashable, Codable, Sendable {
  package var uuid: String
  package var name: String
  /// The time at which the learner was created.
  package var createdAt: Timestamp
  package var tokens: [Token]
  package var classes: [Membership]

  package init(uuid: String, name: String, createdAt: Timestamp, tokens: [Token] = [], classes: [Membership] = []) {
    (self.uuid, self.name, self.createdAt, self.tokens, self.classes) = (uuid, name, createdAt, tokens, classes)
  }

  /// An access token in the database of a server.
  package struct Token: Hashable, Codable, Sendable {
    /// The SHA-256 of the token's secret in hexadecimal digits.
    package var digest: String
    /// The permissions of the token.
    package var scope: AccessScope
    /// The time at which the token was created.
    package var createdAt: Timestamp
    /// The time at which the token expires, or `nil` if it does not expire.
    package var expiresAt: Timestamp?
    /// The time at which the token was revoked, or `nil` if it was not revoked.
    package var revokedAt: Timestamp?

    package init(
      digest: String, scope: AccessScope, createdAt: Timestamp, expiresAt: Timestamp? = nil, revokedAt: Timestamp? = nil
    ) {
      (self.digest, self.scope, self.createdAt) = (digest, scope, createdAt)
      (self.expiresAt, self.revokedAt) = (expiresAt, revokedAt)
    }
  }

  /// The membership of a learner in a class.
  package struct Membership: Hashable, Codable, Sendable {
    package var name: String
    /// The time at which the learner joined the class.
    package var at: Timestamp

    package init(name: String, at: Timestamp) { (self.name, self.at) = (name, at) }
  }
}

/// The data that was added when an account was received from another server.
package struct TakenAccount: Hashable, Codable, Sendable {
  /// Whether the learner was added.
  package var isNew: Bool
  /// The number of tokens that were added or revoked.
  package var tokens: Int
  /// The number of classes that the learner was added to.
  package var memberships: Int

  package init(isNew: Bool, tokens: Int, memberships: Int) {
    (self.isNew, self.tokens, self.memberships) = (isNew, tokens, memberships)
  }
}
