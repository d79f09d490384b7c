/// A class of learners.
package struct LearnerClass: Hashable, Codable, Sendable {
  /// What it is called; no other one is.
  package let name: String
  /// When it was made.
  package let createdAt: Timestamp
  /// Who is in it, by their names, in the order of those.
  package let members: [String]

  /// Makes a class.
  package init(name: String, createdAt: Timestamp, members: [String]) {
    (self.name, self.createdAt, self.members) = (name, createdAt, members)
  }
}

/// Who a learner is on a server, apart from what they did: names, tokens, classes.
package struct LearnerAccount: Hashable, Codable, Sendable {
  /// Who they are everywhere.
  package var uuid: String
  /// What they are called.
  package var name: String
  /// When they were first known.
  package var createdAt: Timestamp
  /// Their tokens, by their digests.
  package var tokens: [Token]
  /// Their classes, by their names.
  package var classes: [Membership]

  /// Makes an account.
  package init(uuid: String, name: String, createdAt: Timestamp, tokens: [Token] = [], classes: [Membership] = []) {
    (self.uuid, self.name, self.createdAt, self.tokens, self.classes) = (uuid, name, createdAt, tokens, classes)
  }

  /// A token as a server keeps it.
  package struct Token: Hashable, Codable, Sendable {
    /// SHA-256 of its secret, in hexadecimal digits.
    package var digest: String
    /// What it allows.
    package var scope: AccessScope
    /// When it was made.
    package var createdAt: Timestamp
    /// From when on it is worth nothing; `nil` for never.
    package var expiresAt: Timestamp?
    /// When it was taken back; `nil` where it was not.
    package var revokedAt: Timestamp?

    /// Makes a token.
    package init(
      digest: String, scope: AccessScope, createdAt: Timestamp, expiresAt: Timestamp? = nil, revokedAt: Timestamp? = nil
    ) {
      (self.digest, self.scope, self.createdAt) = (digest, scope, createdAt)
      (self.expiresAt, self.revokedAt) = (expiresAt, revokedAt)
    }
  }

  /// That a learner is in a class.
  package struct Membership: Hashable, Codable, Sendable {
    /// The class.
    package var name: String
    /// Since when.
    package var at: Timestamp

    /// Makes a membership.
    package init(name: String, at: Timestamp) { (self.name, self.at) = (name, at) }
  }
}

/// What was new of an account that came from another server.
package struct TakenAccount: Hashable, Codable, Sendable {
  /// Whether the learner was not known.
  package var isNew: Bool
  /// How many tokens were not, or were not taken back yet.
  package var tokens: Int
  /// How many classes they were not in.
  package var memberships: Int

  /// Counts what was new.
  package init(isNew: Bool, tokens: Int, memberships: Int) {
    (self.isNew, self.tokens, self.memberships) = (isNew, tokens, memberships)
  }
}
