import CourseHub
import ServiceLifecycle

/// Checks a hub's PostgreSQL: until it has its tables, before the server reports that it listens, and while it fails.
struct HubWatch: Service {
  let backend: Backend
  /// Yields the server's address when its port is open.
  let addresses: AsyncStream<String>
  let announce: @Sendable (String) -> Void

  /// The time between two checks.
  private static let interval = Duration.milliseconds(500)

  func run() async throws {
    await cancelWhenGracefulShutdown {
      for await address in addresses {
        while !Task.isCancelled, !(await isUsable()) { try? await Task.sleep(for: Self.interval) }
        if !Task.isCancelled { announce(address) }
        break
      }
      while !Task.isCancelled {
        try? await Task.sleep(for: Self.interval)
        if backend.health.failure != nil { _ = await isUsable() }
      }
    }
  }

  private func isUsable() async -> Bool {
    let hub = backend.hub
    do {
      try await backend.read { try hub.check() }
    } catch {
      backend.report(error, "could not check the hub")
      return false
    }
    backend.health.noteSuccess(isWrite: false)
    return true
  }
}
