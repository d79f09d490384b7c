/// Thrown by ``bounded(_:)``.
public struct TooLong: Error {}

/// Returns the result of `body`, or throws ``TooLong`` after a minute, so that a test that fails ends.
///
/// - Parameter body: Must end when its task is cancelled.
public func bounded<Answer: Sendable>(_ body: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
  try await withThrowingTaskGroup(of: Answer.self) { group in
    group.addTask(operation: body)
    group.addTask {
      try await Task.sleep(for: .seconds(60))
      throw TooLong()
    }
    defer { group.cancelAll() }
    return try await group.next()!
  }
}
