/// The permissions of an access token.
package enum AccessScope: String, Codable, CaseIterable, Hashable, Sendable {
  /// Permits navigating and reading the learner's own data.
  case learner
  /// Additionally permits reading the data of other learners.
  case teacher
  /// Additionally permits erasing learners.
  case admin

  /// Whether the scope permits reading the data of other learners.
  package var mayReadOthers: Bool { self != .learner }
}

/// The right of a program to act for a learner. The database contains only the digest of the secret.
package struct AccessToken: Hashable, Sendable {
  /// The number of the token, from 1.
  package let id: Int64
  /// The name of the learner, who may have no history yet.
  package let learner: String
  /// The permissions of the token.
  package let scope: AccessScope
  /// The time at which the token was created.
  package let createdAt: Timestamp
  /// The time at which the token expires, or `nil` if it does not expire.
  package let expiresAt: Timestamp?
  /// The time at which the token was revoked, or `nil` if it was not revoked.
  package let revokedAt: Timestamp?

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

  /// Returns whether the token can be used at a time.
  package func isValid(at time: Timestamp) -> Bool {
    revokedAt == nil && expiresAt.map { time < $0 } ?? true
  }
}

/// A token has expired, or was revoked, or its learner was erased.
package struct InvalidToken: Error {
  package init() {}
}

/// The origin of an audited action: a token's request, or a command on the server's machine.
package struct AuditActor: Hashable, Sendable {
  /// The number of the token; 0 for a command.
  package let token: Int64
  /// The name of the token's learner, or of the user who ran the command.
  package let name: String
  /// The method and route of the request, or the command with its arguments.
  package let request: String

  /// Creates an actor for a request with a token.
  package init(_ token: AccessToken, request: String) {
    (self.token, self.name, self.request) = (token.id, token.learner, request)
  }

  /// Creates an actor for a command, such as `tokens add`, that a user of the machine runs.
  package init(command: String, by user: String) {
    (token, name, request) = (0, user, command)
  }
}

/// A row of the audit: a read of other learners' data, an erasure, or a change of a token.
package struct AuditEntry: Hashable, Codable, Sendable {
  /// The number of the token that was used; 0 for a command.
  package let token: Int64
  /// The name of the token's learner, or of the user who ran the command. If the learner was erased since, the
  /// learner's UUID.
  package let reader: String
  /// The learner concerned, or `nil` for all learners. An erased learner is recorded by UUID, never by name.
  package let learner: String?
  /// The method and route of the request, or the command with its arguments.
  package let request: String
  /// The time of the action.
  package let at: Timestamp

  /// Creates the entry of an action.
  package init(_ actor: AuditActor, of learner: String?, at time: Timestamp) {
    self.init(token: actor.token, reader: actor.name, learner: learner, request: actor.request, at: time)
  }

  package init(token: Int64, reader: String, learner: String?, request: String, at: Timestamp) {
    self.token = token
    self.reader = reader
    self.learner = learner
    self.request = request
    self.at = at
  }
}

/// A request that is performed at most once, even if it is sent repeatedly.
package struct RepeatableRequest: Hashable, Sendable {
  /// The number of the token that was used.
  package let token: Int64
  /// The name that the client has given to the request: its `Idempotency-Key`.
  package let key: String
  /// The SHA-256 of the request in hexadecimal digits, with which the use of the same key for a different request is
  /// detected.
  package let digest: String

  package init(token: Int64, key: String, digest: String) {
    self.token = token
    self.key = key
    self.digest = digest
  }
}
