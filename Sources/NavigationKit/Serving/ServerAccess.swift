import Foundation
package import LearningModel
import LearningStore

// Access tokens of a server on this database. Tokens are stored as the SHA-256 of their secrets, in hexadecimal digits.

/// What a server on a database needs: access tokens, the audit, accounts, event streams and group commits.
package struct ServerAccess: Sendable {
  let session: LearnerSession

  /// Adds an access token, and records it in the audit.
  ///
  /// - Parameters:
  ///   - digest: The SHA-256 of the token's secret.
  ///   - name: The learner's name. The learner does not have to exist yet.
  ///   - scope: The permissions of the token.
  ///   - expiresAt: The time at which the token expires, or `nil` if it does not expire.
  /// - Throws: ``NavigationError/unusableName(name:)``, ``NavigationError/similarName(name:known:)``.
  package func addToken(
    digest: String, for name: String, _ scope: AccessScope, expiresAt: Timestamp?
  ) throws -> AccessToken {
    let time = session.now()
    return try session.durably { transaction in
      let name = try LearnerName.checked(name, besides: transaction.snapshot.knownNames())
      try transaction.appendAudit(AuditEntry(.command("tokens add"), of: name, at: time))
      return try transaction.addAccessToken(digest: digest, for: name, scope, at: time, expiresAt: expiresAt)
    }
  }

  /// Returns all access tokens, including expired and revoked ones, the oldest first.
  package func tokens() throws -> [AccessToken] { try session.read { try $0.accessTokens() } }

  /// Returns the token with the digest of a secret, or `nil` if it is unknown, expired or revoked.
  ///
  /// - Throws: ``NavigationError/database(_:)`` if the file was deleted, emptied or replaced, because a server
  ///   must not answer from it.
  package func validToken(digest: String) throws -> AccessToken? {
    try LearningStore.explaining { try session.store.checkFile() }
    let time = session.now()
    return try session.read { try $0.accessToken(digest: digest) }.flatMap { $0.isValid(at: time) ? $0 : nil }
  }

  /// Checks that a token is still valid. Inside ``groupCommit(waitingAtMost:_:)`` no other program can revoke it before
  /// the commit.
  ///
  /// - Throws: ``NavigationError/invalidToken``.
  package func check(_ token: AccessToken) throws(NavigationError) {
    let time = session.now()
    try session.read { try $0.checkToken(token.id, of: token.learner, at: time) }
  }

  /// Revokes a token, and records it in the audit.
  ///
  /// - Returns: Whether there was an unrevoked token with this number.
  package func revokeToken(_ id: Int64) throws -> Bool {
    let time = session.now()
    return try session.durably {
      guard let learner = try $0.revokeAccessToken(id, at: time) else { return false }
      try $0.appendAudit(AuditEntry(.command("tokens revoke \(id)"), of: learner, at: time))
      return true
    }
  }

  /// Records in the audit that other learners' data was read.
  ///
  /// - Parameters:
  ///   - token: The reader's token.
  ///   - learner: The learner whose data is read, or `nil` for all learners.
  ///   - request: The method and route.
  package func recordAudit(by token: AccessToken, of learner: String?, request: String) throws {
    let entry = AuditEntry(AuditActor(token, request: request), of: learner, at: session.now())
    try session.write { try $0.appendAudit(entry) }
  }

  /// Records in the audit that a command read learners' data. The entry is committed to disk before this returns.
  ///
  /// - Parameters:
  ///   - command: The words of the command, such as `report stuck`.
  ///   - learner: The learner whose data is read, or `nil` for all learners.
  package func recordAudit(command: String, of learner: String?, at time: Timestamp) throws {
    try session.durably { try $0.appendAudit(AuditEntry(.command(command), of: learner, at: time)) }
  }

  /// Records in the audit that a command read learners' data, if the database is used by a server, that is, if it has
  /// ever had an access token. Does nothing if the database is read-only.
  ///
  /// - Parameters:
  ///   - command: The words of the command, such as `history list`.
  ///   - learner: The learner whose data is read, or `nil` for all learners.
  package func recordAuditIfServed(command: String, of learner: String?) throws {
    guard session.store.refusal == nil, try session.read({ try $0.hasAccessTokens() }) else { return }
    try recordAudit(command: command, of: learner, at: session.now())
  }

  /// Returns the audit, the newest entry first.
  package func audit() throws -> [AuditEntry] { try session.read { try $0.audit() } }
}

extension AuditActor {
  /// Returns an actor for a command that the current user of this computer runs.
  package static func command(_ text: String) -> AuditActor {
    let user = NSUserName()
    return AuditActor(command: text, by: user.isEmpty ? "user \(geteuid())" : user)
  }
}

// Moving learners from one server to another.

extension ServerAccess {
  /// Returns learners with their tokens and classes, in the order of their UUIDs. First creates the learners that have
  /// a token but no history.
  ///
  /// - Parameters:
  ///   - uuid: Only learners after this UUID; `nil` for the first page.
  ///   - limit: The maximum number of learners.
  package func accounts(after uuid: String?, limit: Int) throws -> [LearnerAccount] {
    if uuid == nil {
      let time = session.now()
      try session.durably { try $0.makeLearnersOfTokens(at: time) }
    }
    return try session.read { try $0.accounts(after: uuid, limit: limit) }
  }

  /// Adds or updates a learner from another server.
  ///
  /// - Returns: The learner's name in this database, and the number of added tokens and classes.
  /// - Throws: ``SyncError/erasedHere`` if the learner was erased from this database.
  package func add(_ account: LearnerAccount) throws -> (name: String, taken: TakenAccount) {
    guard let (learner, result) = try session.durably({ try $0.add(account) }) else { throw SyncError.erasedHere }
    return (learner.name, result)
  }

  /// Makes the learners and classes of this database, a reporting replica, equal to those of a hub. Learners that the hub
  /// does not have are removed with their data. Tokens are not stored.
  ///
  /// - Returns: The names of the learners in this database, by UUID.
  package func replicate(_ accounts: [LearnerAccount], _ classes: [LearnerClass]) throws -> [String: String] {
    try session.write { try $0.replicate(accounts, classes) }
  }

  /// Returns the UUIDs of the learners that were erased from this database.
  package func erasedLearners() throws -> [String] { try session.read { try $0.erasedLearners() } }

  /// Erases a learner that was erased on another server, and records that the learner must not be restored.
  ///
  /// - Returns: Whether this was not known before.
  package func rememberErasure(_ uuid: String) throws -> Bool {
    if let stored = try session.read({ try $0.learner(withUUID: uuid) }) {
      _ = try Learners(session: session).erase(
        stored.name, sweeping: false, barringIdentities: false, by: .command("move"))
      return true
    }
    return try session.durably { try $0.rememberErasure(uuid) }
  }
}
