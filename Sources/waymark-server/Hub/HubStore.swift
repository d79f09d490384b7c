import Foundation
import LearningModel
import NavigationKit

/// The store of a hub: the events, bookmarks, settings and positions of many learners, and the tokens that give access
/// to them.
///
/// Each operation is one transaction, which is on disk when the operation returns. Learners are identified by the text
/// in `AccessToken.learner`, as returned by ``validToken(_:at:)``. Its format depends on the store.
protocol HubStore: ClassStore, MovableStore, Sendable {
  /// Creates a token.
  ///
  /// - Parameters:
  ///   - name: The name of the learner, who need not exist yet.
  ///   - scope: The access that the token gives.
  ///   - now: The time of creation.
  ///   - end: The time at which the token expires, or `nil` if it does not expire.
  /// - Returns: The secret, which is stored nowhere, and the token as ``tokens()`` lists it.
  func addToken(
    for name: String, _ scope: AccessScope, at now: Timestamp, expiresAt end: Timestamp?
  ) throws -> (secret: String, token: AccessToken)

  /// Returns all tokens with the names of their learners, oldest first.
  func tokens() throws -> [AccessToken]

  /// Revokes a token.
  ///
  /// - Parameter id: The token's number in ``tokens()``.
  /// - Returns: `false` if there is no such token or it was already revoked.
  func revokeToken(_ id: Int64, at now: Timestamp) throws -> Bool

  /// Returns the token that a secret belongs to, or `nil` if the token is unknown, expired or revoked.
  func validToken(_ secret: String, at now: Timestamp) throws -> AccessToken?

  /// Answers a synchronisation message of another database about a learner.
  ///
  /// - Parameters:
  ///   - token: The token of the request. ``PostgresStore`` checks it in the transaction that writes; ``CommitThread``
  ///     checks it for ``EmbeddedStore``. `nil` for a move between two hubs.
  ///   - trustsTimes: `true` to use the times of bookmarks, settings and positions unchanged, because they come from
  ///     another hub. Otherwise, times that are too far in the future are limited.
  /// - Throws: ``SyncError``, ``HubError`` and `NavigationError.invalidToken`. If an error is thrown, nothing was changed.
  func answer(
    _ message: SyncMessage, about learner: String, by token: AccessToken?, at now: Timestamp, trustsTimes: Bool
  ) throws -> SyncAnswer

  /// Erases a learner with all data and tokens. A later synchronisation does not restore the learner.
  ///
  /// - Parameter actor: The origin of the erasure. It is recorded in the audit in the same transaction.
  /// - Throws: `NavigationError.invalidToken` if the token of the actor is not valid any more.
  func eraseLearner(_ learner: String, by actor: AuditActor, at now: Timestamp) throws -> ErasedLearner

  /// Records in the audit that a command reads the data of learners. The record is on disk when this returns.
  ///
  /// - Parameter command: The command, for example `report stuck`.
  func noteAudit(command: String, at now: Timestamp) throws

  /// Returns the audit, newest first.
  func audit() throws -> [AuditEntry]

  /// Checks that the store is reachable and has the tables of this version.
  ///
  /// - Parameter failure: Also checks that this failure has ended: that the store can be written, or that its pages are
  ///   intact.
  /// - Throws: The error of the store.
  func check(after failure: DatabaseHealth.Failure?) throws
}

extension HubStore {
  /// Answers a synchronisation message of a database whose clock may be wrong.
  func answer(
    _ message: SyncMessage, about learner: String, by token: AccessToken?, at now: Timestamp
  ) throws -> SyncAnswer {
    try answer(message, about: learner, by: token, at: now, trustsTimes: false)
  }
}

/// The number of rows that were removed by an erasure.
struct ErasedLearner: Hashable, Codable, Sendable {
  /// The name of the learner.
  let learner: String
  /// The number of navigation events.
  let steps: Int
  /// The number of activity events.
  let activities: Int
}

/// The classes of a hub. Classes and learners are identified by their names.
protocol ClassStore {
  /// Creates a class.
  ///
  /// - Returns: `false` if a class of that name exists.
  func addClass(_ name: String, at now: Timestamp) throws -> Bool

  /// Removes a class. The learners in it are not changed.
  ///
  /// - Throws: ``HubError/unknownClass(_:)``.
  func removeClass(_ name: String) throws

  /// Returns all classes with their members, sorted by name.
  func classes() throws -> [LearnerClass]

  /// Adds learners to a class. The learners need not exist yet. If one of them is refused, nothing is changed.
  ///
  /// - Returns: `false` for each learner who was already in the class.
  /// - Throws: ``HubError/unknownClass(_:)``, `NavigationError.unusableName` and `NavigationError.similarName`.
  func join(_ learners: [String], toClass name: String, at now: Timestamp) throws -> [Bool]

  /// Removes learners from a class. If one of them is not a member, nothing is changed.
  ///
  /// - Throws: ``HubError/unknownClass(_:)``, ``HubError/notInClass(learner:className:)``.
  func leave(_ learners: [String], fromClass name: String) throws
}

extension ClassStore {
  /// Checks that a class exists and has the given members. Does nothing if no name is given.
  func find(_ name: String?, with learners: [String] = []) throws {
    guard let name else { return }
    guard let found = try classes().first(where: { $0.name == name }) else { throw HubError.unknownClass(name) }
    guard let other = learners.first(where: { !found.members.contains($0) }) else { return }
    throw HubError.notInClass(learner: other, className: name)
  }
}

/// The operations with which a hub's learners are moved to another hub. Adding an existing item has no effect.
protocol MovableStore {
  /// Returns learners with their tokens and classes, sorted by UUID.
  ///
  /// - Parameters:
  ///   - uuid: Only learners after this UUID are returned. If `nil`, starts with the first one.
  ///   - limit: The maximum number of learners.
  func accounts(after uuid: String?, limit: Int) throws -> [LearnerAccount]

  /// Adds a learner from another hub.
  ///
  /// - Returns: The text that identifies the learner in ``HubStore/answer(_:about:at:trustsTimes:)``, and the number of
  ///   new items.
  /// - Throws: ``SyncError/erasedHere``.
  func add(_ account: LearnerAccount) throws -> (learner: String, taken: TakenAccount)

  /// Returns the text that identifies an account's learner in ``HubStore/answer(_:about:at:trustsTimes:)``.
  func name(of account: LearnerAccount) -> String

  /// Returns the names of all learners, including names for which there is only a token.
  func knownNames() throws -> [String]

  /// Returns the UUIDs of the erased learners.
  func erasedLearners() throws -> [String]

  /// Erases a learner who was erased on another hub, and records the erasure.
  ///
  /// - Returns: `false` if the erasure was already recorded.
  func rememberErasure(_ uuid: String) throws -> Bool
}

extension EmbeddedStore {
  func accounts(after uuid: String?, limit: Int) throws -> [LearnerAccount] {
    try navigation.access.accounts(after: uuid, limit: limit)
  }

  func add(_ account: LearnerAccount) throws -> (learner: String, taken: TakenAccount) {
    let (name, result) = try navigation.access.add(account)
    return (name, result)
  }

  func name(of account: LearnerAccount) -> String { account.name }

  func knownNames() throws -> [String] { try navigation.learners.knownNames() }

  func erasedLearners() throws -> [String] { try navigation.access.erasedLearners() }

  func rememberErasure(_ uuid: String) throws -> Bool { try navigation.access.rememberErasure(uuid) }
}
