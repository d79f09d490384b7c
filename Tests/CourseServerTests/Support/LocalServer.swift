import Foundation
import Hummingbird
import LearningModel
import Logging
import NavigationKit
import TestSupport

@testable import waymark_server

/// A server in the process of the tests. A test can observe and occupy its queues and threads. The event feed and the
/// maintenance do not run.
final class LocalServer: Sendable {
  let backend: Backend
  let port: Int
  private let task: Task<Void, any Error>

  /// A condition did not become true.
  struct NotReached: Error {}

  init(database: String) async throws {
    // Hummingbird reads metadata from the logger, so its handler must store them.
    var logger = Logger(label: "test") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .critical
    let backend = try Backend(ServerSettings(database: database), logger: logger)
    let (ports, opened) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
      responder: ServerResponder(backend: backend, endpoints: Endpoint.all),
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [FramingErrors(), SlowClientTimeout(timeout: backend.settings.clientTimeout)])),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { opened.yield($0.localAddress?.port ?? 0) }, logger: logger)
    self.backend = backend
    task = Task { try await application.run() }
    var opening = ports.makeAsyncIterator()
    port = await opening.next() ?? 0
  }

  /// Ends the server. All connections to it must be closed.
  func stop() async {
    task.cancel()
    _ = await task.result
    await backend.close()
  }

  /// Adds a token and returns it with its secret.
  func token(_ learner: String) throws -> (secret: String, token: AccessToken) {
    try backend.hub.addToken(for: learner, .learner, at: Timestamp(date: Date()), expiresAt: nil)
  }

  /// Waits until a condition is true, for a minute at most.
  static func until(_ condition: () -> Bool) async throws {
    for _ in 0..<60_000 {
      if condition() { return }
      try await Task.sleep(for: .milliseconds(1))
    }
    throw NotReached()
  }
}
