import Dispatch

/// Runs blocking work for asynchronous callers, on threads that may wait for a disk or for another program.
package enum BlockingWork {
  /// Each item of work has a thread of its own, so that work that waits does not hold up other work.
  private static let queue = DispatchQueue(label: "waymark.blocking", attributes: .concurrent)

  /// Runs a function and returns its result.
  ///
  /// If the task is cancelled, ``Interruption/current`` of the function is interrupted: it ends its wait for other writers,
  /// or its backup, with `CancellationError`. A transaction that has begun is finished.
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
