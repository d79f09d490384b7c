package import LearningModel

// The database stores the SHA-256 digest of a token's secret, in hexadecimal digits, and finds the token by this
// digest.

extension StoreTransaction {
  /// Stores a new token.
  ///
  /// - Parameters:
  ///   - digest: The SHA-256 digest of the secret.
  ///   - learner: The name of the learner.
  ///   - scope: What the token permits.
  ///   - time: The current time.
  ///   - expiresAt: The time from which the token is invalid, or `nil` if it does not expire.
  package func addAccessToken(
    digest: String, for learner: String, _ scope: AccessScope, at time: Timestamp, expiresAt: Timestamp?
  ) throws -> AccessToken {
    try run(
      "INSERT INTO accessToken (digest, learner, scope, createdAt, expiresAt) VALUES (?, ?, ?, ?, ?)", digest, learner,
      scope.rawValue, time, expiresAt)
    return AccessToken(
      id: lastRow, learner: learner, scope: scope, createdAt: time, expiresAt: expiresAt, revokedAt: nil)
  }

  /// Revokes a token, which stays in the list.
  ///
  /// - Returns: The name of the token's learner, or `nil` if there is no unrevoked token with this ID.
  package func revokeAccessToken(_ id: Int64, at time: Timestamp) throws -> String? {
    guard try run("UPDATE accessToken SET revokedAt = ?2 WHERE id = ?1 AND revokedAt IS NULL", id, time) > 0 else {
      return nil
    }
    return try snapshot.accessTokens().first { $0.id == id }?.learner
  }
}

extension StoreSnapshot {
  /// Returns the token whose secret has a digest, even if the token has expired or was revoked, or `nil` if no token
  /// matches.
  package func accessToken(digest: String) throws -> AccessToken? {
    try first(Self.findSQL, digest, as: AccessToken.init)
  }

  /// Returns the token with the given ID, even if the token has expired or was revoked, or `nil` if no token matches.
  package func accessToken(_ id: Int64) throws -> AccessToken? {
    try first(Self.numberSQL, id, as: AccessToken.init)
  }

  /// Checks that a token is valid. Called in the transaction that writes for the token's learner.
  ///
  /// - Throws: `InvalidToken`.
  package func checkToken(_ id: Int64, of learner: String, at time: Timestamp) throws {
    guard let token = try accessToken(id), token.learner == learner, token.isValid(at: time) else {
      throw InvalidToken()
    }
  }

  /// Returns all tokens, including expired and revoked ones, the oldest first.
  package func accessTokens() throws -> [AccessToken] {
    try all(Self.allSQL, as: AccessToken.init)
  }

  /// Returns whether there is any token, including expired and revoked ones. The tokens of an erased learner are
  /// deleted.
  package func hasAccessTokens() throws -> Bool { try value("SELECT EXISTS (SELECT 1 FROM accessToken)") ?? false }

  private static let findSQL = StatementText("SELECT \(AccessToken.columns) FROM accessToken WHERE digest = ?")
  private static let numberSQL = StatementText("SELECT \(AccessToken.columns) FROM accessToken WHERE id = ?")
  private static let allSQL = StatementText("SELECT \(AccessToken.columns) FROM accessToken ORDER BY id")
}

extension AccessToken: StoredRow {
  static let columns = RowReader.columns(of: Self.self)

  init(_ column: inout RowReader) throws {
    self.init(
      id: column("id"), learner: column("learner"), scope: try column.enumeration("scope") ?? .learner,
      createdAt: column("createdAt"), expiresAt: column("expiresAt"), revokedAt: column("revokedAt"))
  }
}

extension StoreSnapshot {
  /// Returns the digest and the answer of a stored request by its token and key, or `nil` if there was no such request
  /// since `time`.
  package func answeredRequest(
    _ key: String, of token: Int64, since time: Timestamp
  ) throws -> (digest: String, answer: String)? {
    try first("SELECT request, answer FROM answeredRequest WHERE token = ? AND key = ? AND at >= ?", token, key, time) {
      (digest: $0[0], answer: $0[1])
    }
  }
}

extension StoreTransaction {
  /// Stores the answer to a request.
  package func saveResponse(_ answer: String, of request: RepeatableRequest, at time: Timestamp) throws {
    // A key whose stored answer is outdated can be used again for another request.
    try run(
      """
      INSERT INTO answeredRequest (token, key, request, answer, at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET request = excluded.request, answer = excluded.answer, at = excluded.at
      """, request.token, request.key, request.digest, answer, time)
  }

  /// Deletes the stored answers from before `time`.
  package func removeResponses(before time: Timestamp) throws {
    try run("DELETE FROM answeredRequest WHERE at < ?", time)
  }

  /// Appends an entry to the audit log.
  package func appendAudit(_ entry: AuditEntry) throws {
    try run(
      "INSERT INTO learnerAudit (token, reader, learner, request, at) VALUES (?, ?, ?, ?, ?)", entry.token,
      entry.reader, entry.learner, entry.request, entry.at)
  }
}

extension StoreSnapshot {
  /// Returns the audit log, the newest entry first.
  package func audit() throws -> [AuditEntry] {
    try all("SELECT token, reader, learner, request, at FROM learnerAudit ORDER BY id DESC") {
      AuditEntry(token: $0[0], reader: $0[1], learner: $0[2], request: $0[3], at: $0[4])
    }
  }
}
