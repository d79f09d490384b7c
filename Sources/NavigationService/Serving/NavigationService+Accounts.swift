package import LearningModel
import LearningStore

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
