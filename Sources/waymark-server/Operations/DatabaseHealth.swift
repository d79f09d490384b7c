import LearningModel
import Logging
import NavigationKit
import ServiceLifecycle
import Synchronization

/// Reports failures of the database in the log: one line when it fails, and one when it works again, however many requests
/// fail in between.
final class DatabaseHealth: Sendable {
  /// The kind of a failure.
  enum Failure: Hashable, Sendable {
    /// The database does not answer.
    case away
    /// The database lacks the tables of this version.
    case notMigrated
    /// The database cannot be written: its disk is full or broken, or its files are read-only.
    case storage
  }

  private let logger: Logger
  private let current = Mutex<Failure?>(nil)

  init(_ logger: Logger) { self.logger = logger }

  /// The failure that was reported last, or `nil` if the database works.
  var failure: Failure? { current.withLock { $0 } }

  /// Reports an error, if it is a failure of the database that is not reported yet.
  ///
  /// - Returns: False if the error has another cause.
  func note(_ error: any Error) -> Bool {
    guard let failure = Failure(error) else { return false }
    let isNew = current.withLock { current in
      defer { current = failure }
      return current != failure
    }
    if isNew {
      logger.error(
        "\((error as? any ExplainedError)?.description ?? "\(error)") Requests are answered with 503 until then.")
    }
    return true
  }

  /// Reports that the database works again, if a failure was reported that this success disproves.
  ///
  /// - Parameter isWrite: Whether something was written. Reads work also while the disk is full.
  func noteSuccess(isWrite: Bool) {
    let isOver = current.withLock { current in
      guard let failure = current, failure != .storage || isWrite else { return false }
      current = nil
      return true
    }
    if isOver { logger.notice("The database works again.") }
  }
}

extension DatabaseHealth.Failure {
  /// The failure that an error reports; `nil` if the database is not its cause.
  fileprivate init?(_ error: any Error) {
    switch error {
    case HubError.unreachable: self = .away
    case HubError.notMigrated: self = .notMigrated
    case HubError.diskFull: self = .storage
    case is HubError: return nil
    case let error as any ExplainedError:
      guard error.kind == .inputOutput || error.kind == .noPermission else { return nil }
      self = .storage
    default: return nil
    }
  }
}

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
