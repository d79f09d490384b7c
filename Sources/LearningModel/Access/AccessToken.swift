/// What the holder of a token may do.
package enum AccessScope: String, Codable, CaseIterable, Hashable, Sendable {
  /// Move, and see what they did themselves.
  case learner
  /// See what everyone did too.
  case teacher
  /// Erase learners too.
  case admin

  /// Whether somebody of this scope may see what others did.
  package var mayReadOthers: Bool { self != .learner }
}

/// The right of a program to act for a learner. The secret itself is known to its holder alone.
package struct AccessToken: Hashable, Sendable {
  /// Its number, from 1.
  package let id: Int64
  /// Whose it is, by name: they may not have been here yet.
  package let learner: String
  /// What it allows.
  package let scope: AccessScope
  /// When it was made.
  package let createdAt: Timestamp
  /// From when on it is worth nothing; `nil` where it does not expire.
  package let expiresAt: Timestamp?
  /// When it was taken back; `nil` where it was not.
  package let revokedAt: Timestamp?

  /// Makes a token's record.
  package init(
    id: Int64, learner: String, scope: AccessScope, createdAt: Timestamp, expiresAt: Timestamp?, revokedAt: Timestamp?
  ) {
    self.id = id
    self.learner = learner
    self.scope = scope
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.revokedAt = revokedAt
  }

  /// Whether it is worth something at a moment.
  package func isValid(at moment: Timestamp) -> Bool {
    revokedAt == nil && expiresAt.map { moment < $0 } ?? true
  }
}

/// A look at what others did.
package struct AuditEntry: Hashable, Sendable {
  /// The number of the token that asked.
  package let token: Int64
  /// Whose token it was.
  package let reader: String
  /// Who was looked at; `nil` for everyone.
  package let learner: String?
  /// What was asked for: method and route.
  package let request: String
  /// When.
  package let at: Timestamp

  /// Makes an entry.
  package init(token: Int64, reader: String, learner: String?, request: String, at: Timestamp) {
    self.token = token
    self.reader = reader
    self.learner = learner
    self.request = request
    self.at = at
  }
}

/// A request that is obeyed once, however often it is sent.
package struct RepeatableRequest: Hashable, Sendable {
  /// The number of the token that asks.
  package let token: Int64
  /// What the client calls the request: its `Idempotency-Key`.
  package let key: String
  /// SHA-256 of what is asked for, in hexadecimal digits: the same key for something else is a mistake.
  package let digest: String

  /// Names a request.
  package init(token: Int64, key: String, digest: String) {
    self.token = token
    self.key = key
    self.digest = digest
  }
}
