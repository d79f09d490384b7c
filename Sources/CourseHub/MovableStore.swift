import Foundation
package import LearningModel
import NavigationService

/// What a hub tells and takes when its learners move to another one. What is known already changes nothing.
package protocol MovableStore {
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
  package func accounts(after uuid: String?, limit: Int) throws -> [LearnerAccount] {
    try house.accounts(after: uuid, limit: limit)
  }

  package func take(_ account: LearnerAccount) throws -> (learner: String, taken: TakenAccount) {
    let (name, taken) = try house.take(account)
    return (name, taken)
  }

  package func name(of account: LearnerAccount) -> String { account.name }

  package func knownNames() throws -> [String] { try house.knownNames() }

  package func erasedLearners() throws -> [String] { try house.erasedLearners() }

  package func bar(_ uuid: String) throws -> Bool { try house.bar(uuid) }
}

extension PostgresStore {
  package func accounts(after uuid: String?, limit: Int) throws -> [LearnerAccount] {
    try value([LearnerAccount].self, "people", [tenant, uuid, String(limit)])
  }

  package func take(_ account: LearnerAccount) throws -> (learner: String, taken: TakenAccount) {
    (account.uuid, try value(TakenAccount.self, "take_person", [tenant, account.uuid, Self.text(account)]))
  }

  package func name(of account: LearnerAccount) -> String { account.uuid }

  /// Learners are created with a token or in a class, so both lists together have every name.
  package func knownNames() throws -> [String] {
    try (tokens().map(\.learner) + classes().flatMap(\.members)).sorted()
  }

  package func erasedLearners() throws -> [String] { try value([String].self, "erased_people", [tenant]) }

  package func bar(_ uuid: String) throws -> Bool {
    try isTrue("bar_audited", [tenant, uuid] + Self.values(of: .command("move"), at: Timestamp(date: Date())))
  }
}
