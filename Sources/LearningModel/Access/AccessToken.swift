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

/// The origin of an audited action: a token's request, or a command on the server's machine.
package struct AuditActor: Hashable, Sendable {
  /// The number of the token; 0 for a command.
  package let token: Int64
  /// The learner's name of the token, or the user's name of the command.
  package let name: String
  /// The method and route of the request, or the words of the command.
  package let request: String

  /// A request with a token.
  package init(_ token: AccessToken, request: String) {
    (self.token, self.name, self.request) = (token.id, token.learner, request)
  }

  /// A command, such as `tokens add`, run by a user of the machine.
  package init(command: String, by user: String) {
    (token, name, request) = (0, user, command)
  }
}

/// A row of the audit: a read of other learners' data, an erasure, or a change of a token.
package struct AuditEntry: Hashable, Codable, Sendable {
  /// The number of the token that asked; 0 for a command.
  package let token: Int64
  /// The learner's name of the token, or the user's name of the command. The UUID of a learner who was erased since.
  package let reader: String
  /// The learner concerned, or `nil` for all learners. An erased learner is recorded by UUID, never by name.
  package let learner: String?
  /// The method and route of the request, or the words of the command.
  package let request: String
  /// The time of the action.
  package let at: Timestamp

  /// Creates the entry of an action.
  package init(_ actor: AuditActor, of learner: String?, at moment: Timestamp) {
    self.init(token: actor.token, reader: actor.name, learner: learner, request: actor.request, at: moment)
  }

  /// Creates an entry.
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
