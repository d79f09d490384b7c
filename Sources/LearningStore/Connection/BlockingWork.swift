import Dispatch

/// Runs blocking work for asynchronous callers, on threads that may wait for a disk or another program.
package enum BlockingWork {
  /// A concurrent queue, so that an item that waits does not block the others.
  private static let queue = DispatchQueue(label: "waymark.blocking", attributes: .concurrent)

  /// Runs a function on another thread and returns its result.
  ///
  /// If the task is cancelled, the function's ``Interruption/current`` is interrupted: a wait for other writers or a
  /// backup then ends with `CancellationError`. A transaction that has already begun is completed.
  ///
  /// - Parameter onCancel: Called if the task is cancelled.
  package static func run<Answer: Sendable, Failure>(
    onCancel: @escaping @Sendable () -> Void = {}, _ body: @escaping @Sendable () throws(Failure) -> Answer
  ) async throws(Failure) -> Answer {
    let interruption = Interruption()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async {
          let result = Interruption.$current.withValue(interruption) {
            Result { () throws(Failure) in try body() }
          }
          continuation.resume(returning: result)
        }
      }
    } onCancel: {
      interruption.interrupt()
      onCancel()
    }
    return try result.get()
  }
}
