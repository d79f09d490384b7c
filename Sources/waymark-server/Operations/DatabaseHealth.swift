import Answers
import CourseKit
import LearningModel
import LearningStore
import Logging
import NavigationKit
import ServiceLifecycle
import Synchronization

/// Logs failures of the database: one entry when it starts to fail and one when it works again, regardless of the
/// number of requests that fail in between.
final class DatabaseHealth: Sendable {
  enum Failure: Hashable, Sendable {
    /// The database does not answer.
    case unreachable
    /// The tables of this version are missing.
    case notMigrated
    /// The database cannot be written: its disk is full or broken, or its files are read-only.
    case storage
    /// Pages of the file are damaged.
    case damaged
  }

  private let logger: Logger
  private let current = Mutex<Failure?>(nil)

  init(_ logger: Logger) { self.logger = logger }

  /// The current failure, or `nil` if the database works.
  var failure: Failure? { current.withLock { $0 } }

  /// Logs an error if it is a failure of the database that has not been logged yet.
  ///
  /// - Returns: `false` if the error is not a failure of the database.
  func report(_ error: any Error) -> Bool {
    guard let failure = Failure(error) else { return false }
    let isNew = current.withLock { current in
      defer { current = failure }
      return current != failure
    }
    if isNew {
      logger.error(
        "\(CommandWords.text(error)) Requests are answered with 503 until then.")
    }
    return true
  }

  /// Logs that the database works again. Has no effect if the success does not end the current failure.
  ///
  /// - Parameter repaired: A failure whose end was checked. Damage and failures of the storage end only with a check,
  ///   because a request may be answered without writing anything.
  func reportSuccess(of repaired: Failure? = nil) {
    let isOver = current.withLock { current in
      guard let failure = current,
        failure == repaired || failure != .damaged && failure != .storage
      else { return false }
      current = nil
      return true
    }
    if isOver { logger.notice("The database is available again.") }
  }
}

extension DatabaseHealth.Failure {
  /// Returns the failure of the database that is the cause of an error, or `nil` if the error has another cause.
  fileprivate init?(_ error: any Error) {
    switch error {
    case HubError.unreachable: self = .unreachable
    case HubError.notMigrated: self = .notMigrated
    case HubError.diskFull: self = .storage
    case is HubError: return nil
    case NavigationError.database(.damaged), NavigationError.database(.notADatabase),
      CourseLibraryError.database(.damaged),
      CourseLibraryError.database(.notADatabase):
      self = .damaged
    case let error as any ExplainedError:
      guard error.kind == .inputOutput || error.kind == .noPermission else { return nil }
      self = .storage
    default: return nil
    }
  }
}

/// Checks the database while it fails, so that the failure ends even if no request arrives. The server of a hub on
/// PostgreSQL announces its address after the first successful check.
struct DatabaseWatch: Service {
  let backend: Backend
  /// Yields the address of the server of a hub when its port is open.
  let addresses: AsyncStream<String>
  let announce: @Sendable (String) -> Void

  private static let interval = Duration.milliseconds(500)

  func run() async throws {
    await cancelWhenGracefulShutdown {
      for await address in addresses {
        while !Task.isCancelled, !(await isUsable()) { try? await Task.sleep(for: Self.interval) }
        if !Task.isCancelled { announce(address) }
        break
      }
      while !Task.isCancelled {
        let begin = ContinuousClock.now
        if backend.health.failure != nil { _ = await isUsable() }
        // A check of all pages takes a fifth of the time at most.
        try? await Task.sleep(for: max(Self.interval, begin.duration(to: .now) * 4))
      }
    }
  }

  private func isUsable() async -> Bool {
    let (hub, failure) = (backend.hub, backend.health.failure)
    do {
      try await withTaskExecutorPreference(backend.heavyReaders) { try hub.check(after: failure) }
    } catch {
      backend.report(error, "could not check the database")
      return false
    }
    backend.health.reportSuccess(of: failure)
    return true
  }
}
