package import LearningModel
import LearningStore

/// An `Idempotency-Key` was used before for a different request.
package struct ReusedKey: Error, Hashable {}

extension ServerAccess {
  /// Commits everything that `body` writes through services on this database in one transaction on disk. When this
  /// returns, the writes survive a power failure.
  ///
  /// Each write inside is still atomic. Its result is only final when the outermost call returns. A call inside another
  /// one becomes part of the outer one.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for other writers; `nil` for the database's busy timeout.
  ///   - body: The writes. Called once, on the calling thread; all other writers wait for it.
  /// - Throws: The errors of `body`, and ``NavigationError``. In this case nothing was written, and services that have
  ///   performed steps inside must be created again.
  package func groupCommit<Answer>(waitingAtMost timeout: Duration? = nil, _ body: () throws -> Answer) throws -> Answer
  {
    try LearningStore.explaining(writing: true) {
      try session.store.groupCommit(durability: .powerCut, waitingAtMost: timeout, body)
    }
  }

  /// How long the answer of a request is stored for repetitions of the request, in milliseconds: one day.
  package static let responseLifetime: Int64 = 24 * 3_600_000

  /// Performs a request once. If the same request was performed before, returns the stored answer without performing it
  /// again.
  ///
  /// The answer is stored in the transaction in which `body` writes.
  ///
  /// - Parameters:
  ///   - request: The key and the digest of the request.
  ///   - body: Performs the request and returns its answer.
  /// - Throws: ``ReusedKey`` if the key was used for a different request, and the errors of `body`. In both cases
  ///   nothing is stored.
  package func performOnce(_ request: RepeatableRequest, _ body: () throws -> String) throws -> String {
    let time = session.now()
    return try groupCommit {
      // Another request of the same transaction may have stored the answer.
      if let stored = try session.untypedWrite({ try self.answer(to: request, in: $0.snapshot) }) { return stored }
      let answer = try body()
      try session.write { try $0.saveResponse(answer, of: request, at: time) }
      return answer
    }
  }

  /// Returns the stored answer to a request, or `nil` if the request was not performed or its answer has expired.
  ///
  /// - Throws: ``ReusedKey`` if the key was used for a different request.
  package func answer(to request: RepeatableRequest) throws -> String? {
    try session.untypedRead { try answer(to: request, in: $0) }
  }

  private func answer(to request: RepeatableRequest, in snapshot: StoreSnapshot) throws -> String? {
    let oldest = session.now().advanced(byMilliseconds: -Self.responseLifetime)
    let stored = try snapshot.answeredRequest(request.key, of: request.token, since: oldest)
    guard stored == nil || stored?.digest == request.digest else { throw ReusedKey() }
    return stored?.answer
  }

  /// Deletes the stored answers of requests that are older than ``responseLifetime``.
  package func removeExpiredResponses() throws {
    let oldest = session.now().advanced(byMilliseconds: -Self.responseLifetime)
    try session.write { try $0.removeResponses(before: oldest) }
  }

  /// Checks that the database is in its place and can be read.
  ///
  /// - Parameters:
  ///   - isWriting: Whether to check that the database can be written.
  ///   - includesPages: Whether to check all pages of the file, which takes time proportional to its size.
  package func checkFile(writing isWriting: Bool, pages includesPages: Bool) throws {
    try LearningStore.explaining {
      try isWriting ? session.store.checkWriting() : session.store.checkFile()
      let problem = try session.store.read { try includesPages ? $0.fileProblems().first : nil }
      if let problem { throw LearningDatabaseError.damaged(path: session.store.path, detail: problem) }
    }
    _ = try isSweepPending()
  }

  /// Whether the free pages of the file may still contain erased data.
  package func isSweepPending() throws -> Bool { try session.read { try $0.isSweepPending() } }
}
