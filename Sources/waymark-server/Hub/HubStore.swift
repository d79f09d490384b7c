import Foundation
import LearningModel
import NavigationKit

/// What a hub keeps: the logs and the facts of many learners, and who may bring and take them.
///
/// Each operation is one transaction, and acknowledged means on disk. A learner is named by the text that ``validToken(_:)``
/// gives in `learner`; only the store reads it.
protocol HubStore: ClassStore, MovableStore, Sendable {
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
  func answer(_ message: SyncMessage, about learner: String, at now: Timestamp) throws -> SyncAnswer {
    try answer(message, about: learner, at: now, believing: false)
  }
}

/// How much of a learner was erased.
struct ErasedLearner: Hashable, Codable, Sendable {
  /// What they were called.
  let learner: String
  /// Their steps.
  let steps: Int
  /// What they did in activities.
  let activities: Int
}

/// What a hub knows of classes, and what is asked of them. A class is named by its name, a learner by theirs.
///
/// Reports come from what learners have begun and done, never from the logs, so they take as long as there are learners and
/// not as long as there are events. Each throws ``HubError/unknownClass(_:)`` and ``HubError/unknownCourse(_:)``.
protocol ClassStore {
  /// Makes a class.
  ///
  /// - Returns: Whether there was none of that name.
  func addClass(_ name: String, at now: Timestamp) throws -> Bool

  /// Takes a class away; its members stay as they are.
  ///
  /// - Throws: ``HubError/unknownClass(_:)``.
  func removeClass(_ name: String) throws

  /// Returns every class with its members, by name.
  func classes() throws -> [LearnerClass]

  /// Brings a learner into a class; they need not have been here yet.
  ///
  /// - Returns: Whether they were not in it.
  /// - Throws: ``HubError/unknownClass(_:)``.
  func join(_ learner: String, toClass name: String, at now: Timestamp) throws -> Bool

  /// Takes a learner out of a class.
  ///
  /// - Throws: ``HubError/unknownClass(_:)``, ``HubError/notInClass(learner:className:)``.
  func leave(_ learner: String, fromClass name: String) throws

  /// Returns who has begun something, finished it not, and neither begun nor finished anything since; who has waited
  /// longest comes first.
  ///
  /// - Parameters:
  ///   - moment: Since when.
  ///   - limit: How many rows at most.
  func stuck(_ scope: ReportScope, since moment: Timestamp, limit: Int) throws -> [StuckLearner]

  /// Returns who has begun nothing; who could have for longest comes first.
  func notBegun(_ scope: ReportScope, limit: Int) throws -> [LearnerNotBegun]

  /// Returns the activities that most have begun before a moment and not finished.
  func left(_ scope: ReportScope, since moment: Timestamp, limit: Int) throws -> [LeftActivity]

  /// Returns how many came back in each week after their own first one.
  ///
  /// - Parameter weeks: How many weeks at most.
  func retention(_ scope: ReportScope, at now: Timestamp, weeks: Int) throws -> [RetentionWeek]
}

extension ClassStore {
  /// Sees that there is a class of that name.
  func find(_ name: String?) throws {
    guard let name else { return }
    guard try classes().contains(where: { $0.name == name }) else { throw HubError.unknownClass(name) }
  }
}

/// What a hub tells and takes when its learners move to another one. What is known already changes nothing.
protocol MovableStore {
  /// Returns learners with their tokens and classes, in the order of their names everywhere.
  ///
  /// - Parameters:
  ///   - uuid: Only those after this one; from the first where `nil`.
  ///   - limit: How many at most.
  func accounts(after uuid: String?, limit: Int) throws -> [LearnerAccount]

  /// Takes a learner in whom another hub knows.
  ///
  /// - Returns: What ``HubStore/answer(_:about:at:believing:)`` calls them, and what was new.
  /// - Throws: ``NavigationService/SyncError/erasedHere``.
  func take(_ account: LearnerAccount) throws -> (learner: String, taken: TakenAccount)

  /// What ``HubStore/answer(_:about:at:believing:)`` calls the learner of an account of this store.
  func name(of account: LearnerAccount) -> String

  /// Returns the names of the learners, and those for which tokens were given out.
  func knownNames() throws -> [String]

  /// Returns who was erased, by their names everywhere.
  func erasedLearners() throws -> [String]

  /// Erases who was erased on another hub, and remembers it.
  ///
  /// - Returns: Whether that was not known.
  func bar(_ uuid: String) throws -> Bool
}

extension EmbeddedStore {
  func accounts(after uuid: String?, limit: Int) throws -> [LearnerAccount] {
    try house.accounts(after: uuid, limit: limit)
  }

  func take(_ account: LearnerAccount) throws -> (learner: String, taken: TakenAccount) {
    let (name, taken) = try house.take(account)
    return (name, taken)
  }

  func name(of account: LearnerAccount) -> String { account.name }

  func knownNames() throws -> [String] { try house.knownNames() }

  func erasedLearners() throws -> [String] { try house.erasedLearners() }

  func bar(_ uuid: String) throws -> Bool { try house.bar(uuid) }
}

extension PostgresStore {
  func accounts(after uuid: String?, limit: Int) throws -> [LearnerAccount] {
    try value([LearnerAccount].self, "people", [tenant, uuid, String(limit)])
  }

  func take(_ account: LearnerAccount) throws -> (learner: String, taken: TakenAccount) {
    (account.uuid, try value(TakenAccount.self, "take_person", [tenant, account.uuid, Self.text(account)]))
  }

  func name(of account: LearnerAccount) -> String { account.uuid }

  /// Learners are created with a token or in a class, so both lists together have every name.
  func knownNames() throws -> [String] {
    try (tokens().map(\.learner) + classes().flatMap(\.members)).sorted()
  }

  func erasedLearners() throws -> [String] { try value([String].self, "erased_people", [tenant]) }

  func bar(_ uuid: String) throws -> Bool {
    try isTrue("bar_audited", [tenant, uuid] + Self.values(of: .command("move"), at: Timestamp(date: Date())))
  }
}
