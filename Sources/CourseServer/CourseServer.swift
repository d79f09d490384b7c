import Foundation
import HTTPTypes
import Hummingbird
package import Logging
import NIOCore
import NavigationService
import ServiceLifecycle
import UnixSignals

/// The doors of a database over HTTP, for many learners.
///
/// ```swift
/// let server = try CourseServer(ServerSettings(database: "waymark.sqlite"), logger: Logger(label: "waymark"))
/// try await server.run { address in print("Listening at \(address).") }
/// ```
package struct CourseServer: Sendable {
  private let backend: Backend
  private let logger: Logger

  /// Opens the database, and makes it and brings it up to date where that is needed.
  ///
  /// - Throws: An `ExplainedError` that says what is wrong with the file, its folder or its disk.
  package init(_ settings: ServerSettings, logger: Logger) throws {
    backend = try Backend(settings, logger: logger)
    self.logger = logger
  }

  /// Answers requests until SIGTERM or SIGINT. Requests that have begun are answered.
  ///
  /// - Parameter announce: Called once with the address, when requests are answered. For a hub on PostgreSQL that is after
  ///   its tables were found; until then requests are answered with 503.
  /// - Throws: ``ServerError`` if the port cannot be opened.
  package func run(announcing announce: @escaping @Sendable (String) -> Void) async throws {
    let settings = backend.settings
    for warning in settings.warnings(user: geteuid()) { logger.warning("\(warning)") }
    let (addresses, address) = AsyncStream.makeStream(of: String.self)
    let hasDatabase = backend.hasDatabase
    var quiet = logger
    // Hummingbird tells of each client that goes away.
    quiet.logLevel = max(.warning, logger.logLevel)
    let application = Application(
      responder: ServerResponder(backend: backend, endpoints: backend.hasDatabase ? Endpoint.all : Endpoint.hub),
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [FramingErrors(), SlowClients(patience: settings.patience)],
          idleTimeout: .seconds(Int64(settings.patience)),
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: ServerSettings.longestHead, maxHeaderListSize: ServerSettings.longestHead,
            maxHeaderFieldCount: ServerSettings.mostFields))),
      configuration: ApplicationConfiguration(
        address: .hostname(settings.host, port: settings.port), serverName: nil, backlog: 1_024,
        availableConnectionsDelegate: .maximum(settings.connections, logger: quiet)),
      onServerRunning: { channel in
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        let text = "http://\(host):\(channel.localAddress?.port ?? settings.port)"
        if hasDatabase { announce(text) } else { address.yield(text) }
      },
      logger: logger)

    let upkeep: [any Service] =
      backend.hasDatabase
      ? [FeedService(backend: backend), UpkeepService(upkeep: Upkeep(backend: backend, logger: logger))]
      : [HubWatch(backend: backend, addresses: addresses, announce: announce)]
    var configuration = ServiceGroupConfiguration(
      services: upkeep + [application],
      gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
    configuration.maximumGracefulShutdownDuration = .seconds(Int64(settings.patience))
    let group = ServiceGroup(configuration: configuration)
    do {
      try await group.run()
    } catch {
      await backend.close()
      throw ServerError(error, host: settings.host, port: settings.port) ?? error
    }
    await backend.close()
  }
}

/// Runs the feed of steps as long as the server does.
private struct FeedService: Service {
  let backend: Backend

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await backend.feed.run { body in try await backend.read(body) }
    }
  }
}

/// Runs the upkeep as long as the server does.
private struct UpkeepService: Service {
  let upkeep: Upkeep

  func run() async throws {
    await cancelWhenGracefulShutdown { await upkeep.run() }
  }
}
