import CourseKit
import Foundation
import HTTPTypes
import Hummingbird
import LearningModel
import Logging
import NIOCore
import NavigationKit
import ServiceLifecycle
import UnixSignals

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The doors of a database over HTTP, for many learners.
///
/// ```swift
/// let server = try CourseServer(ServerSettings(database: "waymark.sqlite"), logger: Logger(label: "waymark"))
/// try await server.run { address in print("Listening at \(address).") }
/// ```
struct CourseServer: Sendable {
  private let backend: Backend
  private let logger: Logger

  /// Opens the database, and makes it and brings it up to date where that is needed.
  ///
  /// - Throws: An `ExplainedError` that says what is wrong with the file, its folder or its disk.
  init(_ settings: ServerSettings, logger: Logger) throws {
    backend = try Backend(settings, logger: logger)
    self.logger = logger
  }

  /// Answers requests until SIGTERM or SIGINT. Requests that have begun are answered.
  ///
  /// - Parameter announce: Called once with the address, when requests are answered. For a hub on PostgreSQL that is after
  ///   its tables were found; until then requests are answered with 503.
  /// - Throws: ``ServerError`` if the port cannot be opened.
  func run(announcing announce: @escaping @Sendable (String) -> Void) async throws {
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

/// What is done now and then, without a request.
struct Upkeep: Sendable {
  let backend: Backend
  let logger: Logger

  /// How often it is looked whether there is something to do.
  private static let interval = Duration.seconds(60)

  /// Looks until its task is cancelled.
  func run() async {
    // An import that was interrupted may have left texts that the index does not have.
    let library = backend.library
    _ = try? await withTaskExecutorPreference(backend.heavyReaders) {
      try library.index(for: 60_000, until: SearchInterruption())
    }
    var swept: Date?
    while !Task.isCancelled {
      let now = Date()
      await tidy()
      if Calendar.current.component(.hour, from: now) == backend.settings.sweepHour,
        swept.map({ now.timeIntervalSince($0) > 2 * 3_600 }) ?? true
      {
        swept = now
        await sweep()
      }
      try? await Task.sleep(for: Self.interval)
    }
  }

  /// Ends sessions that are over, deletes expired answers, and truncates a long write-ahead log.
  func tidy() async {
    let house = backend.house
    do {
      try await backend.commits.alone { try house.closeDeadSessions() }
      try await backend.commits.write { try house.forgetOldAnswers() }
      _ = try await backend.commits.alone {
        // An erasure may not have been able to clear the log.
        try house.truncateLog(over: house.isSweepPending() ? 0 : ServerSettings.longestLog)
      }
    } catch NavigationError.busy {
      // Repeated after the next interval.
    } catch {
      backend.report(error, "could not tidy")
    }
  }

  /// Takes what was erased out of the file. Steps wait meanwhile, which is why it has its hour.
  func sweep() async {
    let house = backend.house
    do {
      let isSwept = try await backend.commits.alone { try house.isSweepPending() ? house.sweep() : true }
      if !isSwept { logger.warning("could not sweep: another program reads the database; it is tried again tomorrow") }
    } catch {
      backend.report(error, "could not sweep")
    }
  }
}

/// The reason why a server cannot listen.
enum ServerError: ExplainedError, Hashable {
  /// Another program listens at the port.
  case portTaken(host: String, port: Int)
  /// The user may not listen at the port.
  case portForbidden(host: String, port: Int)
  /// The machine does not have the address.
  case unknownHost(host: String, port: Int)
  /// The system reported something else.
  case cannotListen(host: String, port: Int, reason: String)

  /// The error of opening a port; `nil` if it is another error.
  init?(_ error: any Error, host: String, port: Int) {
    switch error {
    case let error as IOError:
      switch error.errnoCode {
      case EADDRINUSE: self = .portTaken(host: host, port: port)
      case EACCES, EPERM: self = .portForbidden(host: host, port: port)
      case EADDRNOTAVAIL: self = .unknownHost(host: host, port: port)
      default: self = .cannotListen(host: host, port: port, reason: String(cString: strerror(error.errnoCode)))
      }
    case is SocketAddressError, is SocketAddressError.UnknownHost: self = .unknownHost(host: host, port: port)
    default: return nil
    }
  }

  var kind: FailureKind {
    switch self {
    case .portTaken, .unknownHost, .cannotListen: .unavailable
    case .portForbidden: .noPermission
    }
  }

  var description: String {
    switch self {
    case .portTaken(let host, let port):
      "Could not listen at '\(host)', port \(port): another program uses it. Choose another port with --port."
    case .portForbidden(let host, let port):
      "Could not listen at '\(host)', port \(port): this user may not use it. Choose a port from 1024 with --port."
    case .unknownHost(let host, let port):
      "Could not listen at '\(host)', port \(port): this machine does not have that address. Choose another with --host."
    case .cannotListen(let host, let port, let reason):
      "Could not listen at '\(host)', port \(port): \(reason). Choose another address or port with --host and --port."
    }
  }
}
