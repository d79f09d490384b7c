package import LearningModel
import LearningStore

/// The same `Idempotency-Key` for another request.
package struct ReusedKey: Error, Hashable {}

extension NavigationService {
  /// Commits together what `body` writes through services on this database: with one wait for the disk, and when this
  /// returns, it is there after a power cut too.
  ///
  /// Each write inside is all or nothing, as ever, and its answer counts when this returns. Inside another one it is a part
  /// of that one.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for other writers.
  ///   - body: Called once, on this thread; every other writer waits for it.
  /// - Throws: What `body` throws, and ``NavigationError``; then nothing of it has happened, and services that have moved
  ///   inside are to be opened anew.
  package func together<Answer>(waitingAtMost timeout: Duration? = nil, _ body: () throws -> Answer) throws -> Answer {
    try Self.explaining(writing: true) { try store.together(surviving: .powerCut, waitingAtMost: timeout, body) }
  }

  /// For how long a request that is sent again gets the first one's answer, in milliseconds: a day.
  package static let repeatableFor: Int64 = 24 * 3_600_000

  /// Obeys a request once: a second time it is answered as it was the first time, and nothing happens.
  ///
  /// What was answered is kept in the transaction in which `body` writes.
  ///
  /// - Parameter body: Obeys it, and answers.
  /// - Throws: ``ReusedKey`` where the key was another request's, and what `body` throws; then nothing is kept.
  package func once(_ request: RepeatableRequest, _ body: () throws -> String) throws -> String {
    let moment = now()
    return try together {
      let oldest = moment.advanced(byMilliseconds: -Self.repeatableFor)
      let known = try write { try $0.snapshot.answeredRequest(request.key, of: request.token, since: oldest) }
      if let known {
        guard known.digest == request.digest else { throw ReusedKey() }
        return known.answer
      }
      let answer = try body()
      try write { try $0.keep(answer, of: request, at: moment) }
      return answer
    }
  }

  /// Forgets the answers that are kept no longer.
  package func forgetOldAnswers() throws {
    let oldest = now().advanced(byMilliseconds: -Self.repeatableFor)
    try write { try $0.forgetAnsweredRequests(before: oldest) }
  }

  /// Whether something was erased whose shadows are still in the file.
  package func isSweepPending() throws -> Bool { try read { try $0.isSweepPending() } }
}
