public import LearningModel
import LearningStore

// The asynchronous forms of the calls that wait for other writers. A cancelled task stops waiting.

extension NavigationService {
  /// Performs a request as the synchronous form does, without blocking the calling thread.
  ///
  /// If the task is cancelled while another program writes, nothing happens, and ``NavigationError/cancelled`` is thrown. A
  /// step that was recorded is returned even if the task was cancelled in the meantime.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - cause: What caused it.
  ///   - animated: Whether a front end animates the step.
  ///   - timeout: How long to wait for other writers; `nil` for the database's busy timeout.
  /// - Throws: ``NavigationError``. Nothing has happened then.
  @discardableResult
  public func perform(
    _ request: NavigationRequest, cause: NavigationCause = .api, animated: Bool = false,
    waitingAtMost timeout: Duration? = nil
  ) async throws(NavigationError) -> Step {
    try await BlockingWork.run { [self] () throws(NavigationError) in
      try performBlocking(request, cause: cause, animated: animated, waitingAtMost: timeout)
    }
  }

  private func performBlocking(
    _ request: NavigationRequest, cause: NavigationCause, animated: Bool, waitingAtMost timeout: Duration?
  ) throws(NavigationError) -> Step {
    try Self.typed(in: store) { try perform(request, cause: cause, animated: animated, waitingAtMost: timeout) }
  }

  /// Records an activity event as the synchronous form does, without blocking the calling thread.
  ///
  /// - Parameters:
  ///   - act: The event.
  ///   - name: The activity.
  ///   - timeout: How long to wait for other writers; `nil` for the database's busy timeout.
  /// - Returns: The activity's card after the event.
  /// - Throws: ``NavigationError``; ``NavigationError/cancelled`` if the task was cancelled while another program wrote.
  @discardableResult
  public func record(
    _ act: LearningAct, in name: PlaceName, waitingAtMost timeout: Duration? = nil
  ) async throws(NavigationError) -> Card {
    try await BlockingWork.run { [self] () throws(NavigationError) in
      try recordBlocking(act, in: name, waitingAtMost: timeout)
    }
  }

  private func recordBlocking(
    _ act: LearningAct, in name: PlaceName, waitingAtMost timeout: Duration?
  ) throws(NavigationError) -> Card {
    try Self.typed(in: store) { try record(act, in: name, waitingAtMost: timeout) }
  }
}
