package import LearningModel
import LearningStore

// The reads of event streams. Each reads the steps and the tokens that may receive them from one state of the database.

/// A valid token and its learner.
package struct StreamAuthority: Hashable, Sendable {
  package let token: AccessToken
  /// `nil` before the first step of the learner.
  package let learner: LearnerID?
}

/// A page of new steps, and the tokens that may receive them.
package struct NewSteps: Sendable {
  /// The steps of learners with a valid token, in ascending order of their numbers.
  package let steps: [(learner: LearnerID, row: HistoryRow)]
  /// The checked tokens that are valid, by their numbers.
  package let authorities: [Int64: StreamAuthority]
  /// The number of the last step that was read.
  package let last: Int64
}

/// A page of the steps of one token's learner.
package struct MissedSteps: Sendable {
  /// The token and its learner.
  package let authority: StreamAuthority
  /// The steps in ascending order of their numbers.
  package let rows: [HistoryRow]
  /// Whether the learner has more steps in the range than the caller accepts. Then `rows` is empty.
  package let areTooMany: Bool
}

extension NavigationService {
  /// Returns the number of the newest step of all learners; 0 in an empty log.
  package func newestStepNumber() throws -> Int64 { try read { try $0.newestStepNumber() } }

  /// Returns the tokens with these numbers that are valid now.
  package func authorities(of tokens: some Collection<Int64>) throws -> [Int64: StreamAuthority] {
    let moment = now()
    return try read { try $0.authorities(of: tokens, at: moment) }
  }

  /// Returns new steps, and the tokens that may receive them.
  ///
  /// - Parameters:
  ///   - numbers: Steps with these numbers only.
  ///   - limit: The maximum number of steps that are read.
  ///   - tokens: Returns the tokens to check, of all learners who have one of the steps.
  package func newSteps(
    numbered numbers: ClosedRange<Int64>, limit: Int, for tokens: (Set<LearnerID>) -> [Int64]
  ) throws -> NewSteps {
    let moment = now()
    return try read { snapshot in
      let steps = try snapshot.steps(numbered: numbers, limit: limit)
      let authorities = try snapshot.authorities(of: tokens(Set(steps.map(\.event.learner))), at: moment)
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

  /// Returns steps of a token's learner.
  ///
  /// - Parameters:
  ///   - numbers: Steps with these numbers only. If `nil`, only the token is read.
  ///   - limit: The maximum number of rows.
  ///   - acceptable: The maximum number of steps in the range. If there are more, no row is returned.
  /// - Returns: `nil` if the token is not valid any more.
  package func missedSteps(
    of token: Int64, numbered numbers: ClosedRange<Int64>?, limit: Int, acceptable: Int
  ) throws -> MissedSteps? {
    let moment = now()
    return try read { snapshot in
      guard let authority = try snapshot.authorities(of: [token], at: moment)[token] else { return nil }
      guard let learner = authority.learner, let numbers else {
        return MissedSteps(authority: authority, rows: [], areTooMany: false)
      }
      let count = try snapshot.stepCount(of: learner, numbered: numbers, limit: acceptable + 1)
      guard count <= acceptable else { return MissedSteps(authority: authority, rows: [], areTooMany: true) }
      let names = PlaceNames(snapshot)
      let rows = try snapshot.steps(of: learner, numbered: numbers, limit: limit).map {
        try HistoryRow($0, names: names)
      }
      return MissedSteps(authority: authority, rows: rows, areTooMany: false)
    }
  }
}

extension StoreSnapshot {
  fileprivate func authorities(
    of tokens: some Collection<Int64>, at moment: Timestamp
  ) throws -> [Int64: StreamAuthority] {
    var authorities: [Int64: StreamAuthority] = [:]
    for id in tokens {
      guard let token = try accessToken(id), token.isValid(at: moment) else { continue }
      authorities[id] = StreamAuthority(token: token, learner: try learner(named: token.learner)?.id)
    }
    return authorities
  }
}
