package import LearningModel
package import NavigationService

/// What a hub keeps: the logs and the facts of many learners, and who may bring and take them.
///
/// Each operation is one transaction, and acknowledged means on disk. A learner is named by the text that ``validToken(_:)``
/// gives in `learner`; only the store reads it.
package protocol HubStore: ClassStore, MovableStore, Sendable {
  /// Gives out a token.
  ///
  /// - Parameters:
  ///   - name: For whom; they need not have been here yet.
  ///   - scope: What it allows.
  ///   - now: The time.
  ///   - end: From when on it is worth nothing; `nil` for never.
  /// - Returns: The secret, which is kept nowhere, and the token as ``tokens()`` lists it.
  func addToken(
    for name: String, _ scope: AccessScope, at now: Timestamp, expiresAt end: Timestamp?
  ) throws -> (secret: String, token: AccessToken)

  /// Returns every token that was given out, the oldest first, with the names of the learners.
  func tokens() throws -> [AccessToken]

  /// Takes a token back.
  ///
  /// - Parameter id: Its number in ``tokens()``.
  /// - Returns: Whether there was such a token that was not taken back yet.
  func revokeToken(_ id: Int64, at now: Timestamp) throws -> Bool

  /// Returns the token with that secret, where it is worth something.
  func validToken(_ secret: String, at now: Timestamp) throws -> AccessToken?

  /// Answers another database that speaks of a learner.
  ///
  /// - Parameter believing: Whether the times of facts are those of another hub, and so are taken as they are.
  /// - Throws: ``NavigationService/SyncError`` and ``HubError``; then nothing has changed.
  func answer(
    _ message: SyncMessage, about learner: String, at now: Timestamp, believing: Bool
  ) throws -> SyncAnswer

  /// Erases everything of a learner, and their tokens. A later sync does not restore the learner.
  ///
  /// - Parameter actor: The origin of the erasure, recorded in the audit in the same transaction.
  func eraseLearner(_ learner: String, by actor: AuditActor, at now: Timestamp) throws -> ErasedLearner

  /// Records a command's read of learners' data in the audit. It is on disk when this returns.
  ///
  /// - Parameter command: The words of the command, such as `report stuck`.
  func noteAudit(command: String, at now: Timestamp) throws

  /// Returns the audit, newest first.
  func audit() throws -> [AuditEntry]

  /// Checks that the store is reachable and has the tables of this version.
  ///
  /// - Throws: ``HubError/unreachable(host:reason:)``, ``HubError/notMigrated(host:)``.
  func check() throws
}

extension HubStore {
  /// Answers another database that speaks of a learner, and whose clock may be wrong.
  package func answer(_ message: SyncMessage, about learner: String, at now: Timestamp) throws -> SyncAnswer {
    try answer(message, about: learner, at: now, believing: false)
  }
}

/// How much of a learner was erased.
package struct ErasedLearner: Hashable, Codable, Sendable {
  /// What they were called.
  package let learner: String
  /// Their steps.
  package let steps: Int
  /// What they did in activities.
  package let activities: Int

  /// Counts what was erased.
  package init(learner: String, steps: Int, activities: Int) {
    (self.learner, self.steps, self.activities) = (learner, steps, activities)
  }
}
