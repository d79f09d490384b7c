public import LearningModel
import LearningStore

// Asynchronous variants of calls that may wait for other writers. Cancelling the task ends the wait.

extension NavigationService {
  /// Performs a request like the synchronous variant, without blocking the calling thread.
  ///
  /// If the task is cancelled while another program writes, nothing is recorded and ``NavigationError/cancelled`` is
  /// thrown. If the step was already recorded, it is returned even though the task is cancelled.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - cause: The cause of the step.
  ///   - animated: Whether a front end animates the step.
  ///   - timeout: How long to wait for other writers; `nil` for the database's busy timeout.
  /// - Throws: ``NavigationError``. In this case nothing was recorded.
  @discardableResult
  public func perform(
    _ request: NavigationRequest, cause: NavigationCause = .api, animated: Bool = false,
    waitingAtMost timeout: Duration? = nil
  ) async throws(NavigationError) -> NavigationStep {
    try await BlockingWork.run { [self] () throws(NavigationError) in
      try performBlocking(request, cause: cause, animated: animated, waitingAtMost: timeout)
    }
  }

  private func performBlocking(
    _ request: NavigationRequest, cause: NavigationCause, animated: Bool, waitingAtMost timeout: Duration?
  ) throws(NavigationError) -> NavigationStep {
    try Self.typed(in: store) { try perform(request, cause: cause, animated: animated, waitingAtMost: timeout) }
  }

  /// Records an activity event like the synchronous variant, without blocking the calling thread.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - name: The activity.
  ///   - timeout: How long to wait for other writers; `nil` for the database's busy timeout.
  /// - Returns: The activity with its progress.
  /// - Throws: ``NavigationError``; ``NavigationError/cancelled`` if the task was cancelled while another program wrote.
  @discardableResult
  public func record(
    _ event: ActivityEventContent, in name: PlaceName, waitingAtMost timeout: Duration? = nil
  ) async throws(NavigationError) -> PlaceSummary {
    try await BlockingWork.run { [self] () throws(NavigationError) in
      try recordBlocking(event, in: name, waitingAtMost: timeout)
    }
  }

  private func recordBlocking(
    _ event: ActivityEventContent, in name: PlaceName, waitingAtMost timeout: Duration?
  ) throws(NavigationError) -> PlaceSummary {
    try Self.typed(in: store) { try record(event, in: name, waitingAtMost: timeout) }
  }
}
