package import LearningModel
import LearningStore

// Who may ask a server on this database. A token is named by the SHA-256 of its secret, in hexadecimal digits.

extension NavigationService {
  /// Gives out a token.
  ///
  /// - Parameters:
  ///   - digest: SHA-256 of its secret.
  ///   - name: For whom; they need not have been here yet.
  ///   - scope: What it allows.
  ///   - expiresAt: From when on it is worth nothing; `nil` for never.
  /// - Throws: ``NavigationError/unusableName(name:)``.
  package func addAccessToken(
    digest: String, for name: String, _ scope: AccessScope, expiresAt: Timestamp?
  ) throws -> AccessToken {
    let name = try Self.learnerName(name)
    let moment = now()
    return try Self.explaining {
      try store.write(surviving: .powerCut) {
        try $0.addAccessToken(digest: digest, for: name, scope, at: moment, expiresAt: expiresAt)
      }
    }
  }

  /// Returns every token that was given out, the oldest first.
  package func accessTokens() throws -> [AccessToken] { try read { try $0.accessTokens() } }

  /// Returns the token whose secret has that digest, where it is worth something now.
  package func validAccessToken(digest: String) throws -> AccessToken? {
    let moment = now()
    return try read { try $0.accessToken(digest: digest) }.flatMap { $0.isValid(at: moment) ? $0 : nil }
  }

  /// Takes a token back.
  ///
  /// - Returns: Whether there was such a token that was not taken back yet.
  package func revokeAccessToken(_ id: Int64) throws -> Bool {
    let moment = now()
    return try Self.explaining {
      try store.write(surviving: .powerCut) { try $0.revokeAccessToken(id, at: moment) }
    }
  }

  /// Writes down that somebody was shown what others did.
  ///
  /// - Parameters:
  ///   - token: Whose token asked.
  ///   - learner: Who was looked at; `nil` for everyone.
  ///   - request: What was asked for: method and route.
  package func noteAudit(by token: AccessToken, of learner: String?, request: String) throws {
    let entry = AuditEntry(token: token.id, reader: token.learner, learner: learner, request: request, at: now())
    try write { try $0.note(entry) }
  }

  /// Returns every look at what others did, the newest first.
  package func audit() throws -> [AuditEntry] { try read { try $0.audit() } }
}
