import Foundation
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
  /// - Throws: ``NavigationError/unusableName(name:)``, ``NavigationError/similarName(name:known:)``.
  package func addAccessToken(
    digest: String, for name: String, _ scope: AccessScope, expiresAt: Timestamp?
  ) throws -> AccessToken {
    let moment = now()
    return try durably { transaction in
      let name = try Self.checked(name, in: transaction.snapshot)
      try transaction.note(AuditEntry(.command("tokens add"), of: name, at: moment))
      return try transaction.addAccessToken(digest: digest, for: name, scope, at: moment, expiresAt: expiresAt)
    }
  }

  /// Returns every token that was given out, the oldest first.
  package func accessTokens() throws -> [AccessToken] { try read { try $0.accessTokens() } }

  /// Returns the token whose secret has that digest, where it is worth something now.
  package func validAccessToken(digest: String) throws -> AccessToken? {
    let moment = now()
    return try read { try $0.accessToken(digest: digest) }.flatMap { $0.isValid(at: moment) ? $0 : nil }
  }

  /// Revokes a token.
  ///
  /// - Returns: Whether there was an unrevoked token of that number.
  package func revokeAccessToken(_ id: Int64) throws -> Bool {
    let moment = now()
    return try durably {
      guard let learner = try $0.revokeAccessToken(id, at: moment) else { return false }
      try $0.note(AuditEntry(.command("tokens revoke \(id)"), of: learner, at: moment))
      return true
    }
  }

  /// Records a read of other learners' data in the audit.
  ///
  /// - Parameters:
  ///   - token: The reader's token.
  ///   - learner: The learner whose data is read, or `nil` for all learners.
  ///   - request: The method and route.
  package func noteAudit(by token: AccessToken, of learner: String?, request: String) throws {
    let entry = AuditEntry(AuditActor(token, request: request), of: learner, at: now())
    try write { try $0.note(entry) }
  }

  /// Records a command's read of learners' data in the audit, durably.
  ///
  /// - Parameters:
  ///   - command: The words of the command, such as `report stuck`.
  ///   - learner: The learner whose data is read, or `nil` for all learners.
  package func noteAudit(command: String, of learner: String?, at moment: Timestamp) throws {
    try durably { try $0.note(AuditEntry(.command(command), of: learner, at: moment)) }
  }

  /// Records a command's read of learners' data, if the database is served, that is if a token was ever given out for it.
  /// A medium that is read-only is left unchanged.
  ///
  /// - Parameters:
  ///   - command: The words of the command, such as `history list`.
  ///   - learner: The learner whose data is read, or `nil` for all learners.
  package func noteAuditIfServed(command: String, of learner: String?) throws {
    guard store.refusal == nil, try read({ try $0.hasAccessTokens() }) else { return }
    try noteAudit(command: command, of: learner, at: now())
  }

  /// Returns the audit, newest first.
  package func audit() throws -> [AuditEntry] { try read { try $0.audit() } }
}

extension AuditActor {
  /// A command that the current user of this machine runs.
  package static func command(_ words: String) -> AuditActor {
    let user = NSUserName()
    return AuditActor(command: words, by: user.isEmpty ? "user \(geteuid())" : user)
  }
}

// Learners who move from server to server.

extension NavigationService {
  /// Returns learners with their tokens and classes, in the order of their names everywhere. Who has a token and was not
  /// here yet is made.
  ///
  /// - Parameters:
  ///   - uuid: Only those after this one; from the first where `nil`.
  ///   - limit: How many at most.
  package func accounts(after uuid: String?, limit: Int) throws -> [LearnerAccount] {
    if uuid == nil {
      let moment = now()
      try durably { try $0.makeLearnersOfTokens(at: moment) }
    }
    return try read { try $0.accounts(after: uuid, limit: limit) }
  }

  /// Takes in a learner whom another server knows.
  ///
  /// - Returns: What they are called here, and what was new.
  /// - Throws: ``SyncError/erasedHere``.
  package func take(_ account: LearnerAccount) throws -> (name: String, taken: TakenAccount) {
    guard let (learner, taken) = try durably({ try $0.take(account) }) else { throw SyncError.erasedHere }
    return (learner.name, taken)
  }

  /// Returns who was erased, by their names everywhere.
  package func erasedLearners() throws -> [String] { try read { try $0.erasedLearners() } }

  /// Erases who was erased on another server, and remembers it.
  ///
  /// - Returns: Whether that was not known.
  package func bar(_ uuid: String) throws -> Bool {
    if let known = try read({ try $0.learner(withUUID: uuid) }) {
      _ = try eraseLearner(known.name, sweeping: false, barringIdentities: false, by: .command("move"))
      return true
    }
    return try durably { try $0.bar(uuid) }
  }
}
