import Synchronization

/// Lets only one request of each learner proceed at a time.
///
/// Further requests of the same learner wait in the order of their arrival, without blocking a thread.
final class LearnerQueue: Sendable {
  /// The permission of a learner's request to proceed. It ends when the last reference to it is released.
  final class Turn: Sendable {
    private let end: @Sendable () -> Void

    fileprivate init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
  }

  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var next = 0
    /// The waiting requests by learner. Contains every learner who has a turn.
    var waiters: [String: [Waiter]] = [:]
  }

  /// The maximum number of waiting requests of a learner. Waiting requests occupy connections that all learners share.
  let maximumWaitingCount: Int

  private let state = Mutex(State())

  init(maximumWaitingCount: Int = 256) { self.maximumWaitingCount = maximumWaitingCount }

  /// Waits until no other request of the learner has a turn, and returns a new turn.
  ///
  /// - Throws: ``Problem/tooManyRequests(_:after:)`` if ``maximumWaitingCount`` requests of the learner are waiting, and
  ///   `CancellationError` if the task is cancelled.
  func acquire(for learner: String) async throws -> Turn {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Void, any Error>? = state.withLock { state in
          // This is checked while the lock is held. If the task is cancelled later, `onCancel` finds the waiting
          // request.
          guard !Task.isCancelled else { return .failure(CancellationError()) }
          guard let line = state.waiters[learner] else {
            state.waiters[learner] = []
            return .success(())
          }
          guard line.count < maximumWaitingCount else { return .failure(refusal) }
          state.waiters[learner]?.append(Waiter(number: number, continuation: continuation))
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters[learner]?.firstIndex { $0.number == number }.flatMap {
          state.waiters[learner]?.remove(at: $0)
        }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
    return Turn { [self] in end(of: learner) }
  }

  /// Returns the number of requests of a learner that have a turn or wait for one.
  func count(of learner: String) -> Int { state.withLock { $0.waiters[learner].map { $0.count + 1 } ?? 0 } }

  private func end(of learner: String) {
    let next: Waiter? = state.withLock { state in
      guard state.waiters[learner]?.isEmpty == false else {
        state.waiters[learner] = nil
        return nil
      }
      return state.waiters[learner]?.removeFirst()
    }
    next?.continuation.resume()
  }

  private var refusal: Problem {
    Problem.tooManyRequests(
      maximumWaitingCount == 0
        ? "Could not answer: the previous request of this learner is not answered yet. Wait for its answer first."
        : "Could not answer: \(maximumWaitingCount) requests of this learner are already waiting. Wait for their answers first.",
      after: 1)
  }
}
