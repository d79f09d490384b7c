package import LearningModel
import LearningStore

// Reads for event streams. Each read returns steps together with the tokens that may receive them, from a single state
// of the database.

/// A valid token and its learner.
package struct StreamAuthority: Hashable, Sendable {
  package let token: AccessToken
  /// The learner of the token. `nil` before the learner's first step.
  package let learner: LearnerID?
}

/// A page of new steps, and the tokens that may receive them.
package struct NewSteps: Sendable {
  /// The steps of learners who have a valid token, in ascending order of their numbers.
  package let steps: [(learner: LearnerID, row: HistoryRow)]
  /// The requested tokens that are valid, by their numbers.
  package let authorities: [Int64: StreamAuthority]
  /// The number up to which all steps were read. The next page starts after it.
  package let last: Int64
}

/// A page of the steps of one token's learner.
package struct MissedSteps: Sendable {
  /// The token and its learner.
  package let authority: StreamAuthority
  /// The steps in ascending order of their numbers.
  package let rows: [HistoryRow]
  /// Whether the learner has more steps in the range than the caller accepts. Then `rows` is empty.
  package let exceedsLimit: Bool
}

extension ServerAccess {
  /// Returns the number of the newest step of all learners, or 0 if the log is empty.
  package func newestStepNumber() throws -> Int64 { try session.read { try $0.newestEventNumber() } }

  /// Returns the tokens with these numbers that are currently valid.
  package func authorities(of tokens: some Collection<Int64>) throws -> [Int64: StreamAuthority] {
    let time = session.now()
    return try session.read { try $0.authorities(of: tokens, at: time) }
  }

  /// Returns a page of new steps, and the tokens that may receive them.
  ///
  /// - Parameters:
  ///   - numbers: The range of the numbers of the steps.
  ///   - limit: The maximum number of steps to read.
  ///   - tokens: Receives the learners of the steps, and returns the numbers of the tokens to check.
  package func newSteps(
    numbered numbers: ClosedRange<Int64>, limit: Int, for tokens: (Set<LearnerID>) -> [Int64]
  ) throws -> NewSteps {
    let time = session.now()
    return try session.read { snapshot in
      let steps = try snapshot.navigationEvents(numbered: numbers, limit: limit)
      let authorities = try snapshot.authorities(of: tokens(Set(steps.map(\.event.learner))), at: time)
      let learners = Set(authorities.values.compactMap(\.learner))
      let names = PlaceNames(snapshot)
      return NewSteps(
        steps: try steps.filter { learners.contains($0.event.learner) }.map { step in
          (step.event.learner, try HistoryRow(step, names: names))
        },
        authorities: authorities,
        last: steps.count < limit ? numbers.upperBound : steps.last?.event.id ?? numbers.upperBound)
    }
  }

  /// Returns a page of the steps of a token's learner.
  ///
  /// - Parameters:
  ///   - numbers: The range of the numbers of the steps. If `nil`, only the token is read.
  ///   - limit: The maximum number of rows.
  ///   - acceptable: The maximum number of steps in the range. If there are more, no row is returned.
  /// - Returns: The page, or `nil` if the token is not valid any more.
  package func missedSteps(
    of token: Int64, numbered numbers: ClosedRange<Int64>?, limit: Int, acceptable: Int
  ) throws -> MissedSteps? {
    let time = session.now()
    return try session.read { snapshot in
      guard let authority = try snapshot.authorities(of: [token], at: time)[token] else { return nil }
      guard let learner = authority.learner, let numbers else {
        return MissedSteps(authority: authority, rows: [], exceedsLimit: false)
      }
      let count = try snapshot.navigationEventCount(of: learner, numbered: numbers, limit: acceptable + 1)
      guard count <= acceptable else { return MissedSteps(authority: authority, rows: [], exceedsLimit: true) }
      let names = PlaceNames(snapshot)
      let rows = try snapshot.navigationEvents(of: learner, numbered: numbers, limit: limit).map {
        try HistoryRow($0, names: names)
      }
      return MissedSteps(authority: authority, rows: rows, exceedsLimit: false)
    }
  }
}

extension StoreSnapshot {
  fileprivate func authorities(
    of tokens: some Collection<Int64>, at time: Timestamp
  ) throws -> [Int64: StreamAuthority] {
    var authorities: [Int64: StreamAuthority] = [:]
    for id in tokens {
      guard let token = try accessToken(id), token.isValid(at: time) else { continue }
      authorities[id] = StreamAuthority(token: token, learner: try learner(named: token.learner)?.id)
    }
    return authorities
  }
}
