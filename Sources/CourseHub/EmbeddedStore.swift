import Foundation
package import LearningModel
package import NavigationService

/// A hub's store in the SQLite database of a server. A learner is named by their name.
package struct EmbeddedStore: HubStore {
  let house: NavigationService

  /// Keeps it in the database of a service.
  package init(_ house: NavigationService) { self.house = house }

  package func check() throws { _ = try house.isSweepPending() }

  package func addToken(
    for name: String, _ scope: AccessScope, at now: Timestamp, expiresAt end: Timestamp?
  ) throws -> (secret: String, token: AccessToken) {
    let secret = TokenSecret.make()
    return (
      secret, try house.addAccessToken(digest: TokenSecret.digest(of: secret), for: name, scope, expiresAt: end)
    )
  }

  package func tokens() throws -> [AccessToken] { try house.accessTokens() }

  package func revokeToken(_ id: Int64, at now: Timestamp) throws -> Bool { try house.revokeAccessToken(id) }

  package func validToken(_ secret: String, at now: Timestamp) throws -> AccessToken? {
    try house.validAccessToken(digest: TokenSecret.digest(of: secret))
  }

  package func answer(
    _ message: SyncMessage, about learner: String, at now: Timestamp, believing: Bool
  ) throws -> SyncAnswer {
    try NavigationService(beside: house, learner: learner, session: .process(named: "question"), timeZone: .gmt)
      .answer(message, believing: believing)
  }

  package func eraseLearner(_ learner: String, by actor: AuditActor, at now: Timestamp) throws -> ErasedLearner {
    let erasure = try house.eraseLearner(learner, sweeping: false, barringIdentities: false, by: actor)
    return ErasedLearner(learner: erasure.learner, steps: erasure.steps, activities: erasure.activities)
  }

  package func noteAudit(command: String, at now: Timestamp) throws {
    try house.noteAudit(command: command, of: nil, at: now)
  }

  package func audit() throws -> [AuditEntry] { try house.audit() }
}
