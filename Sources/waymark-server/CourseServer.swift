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

/// An HTTP server for many learners, with one database or a hub on PostgreSQL.
///
/// ```swift
/// let server = try CourseServer(ServerSettings(database: "waymark.sqlite"), logger: Logger(label: "waymark"))
/// try await server.run { address in print("Listening at \(address).") }
/// ```
struct CourseServer: Sendable {
  private let backend: Backend
  private let logger: Logger

  /// Opens the database; creates or migrates it if needed.
  ///
  /// - Throws: An `ExplainedError` that describes the problem with the file, its folder or its disk.
  init(_ settings: ServerSettings, logger: Logger) throws {
    backend = try Backend(settings, logger: logger)
    self.logger = logger
  }

  /// Answers requests until SIGTERM or SIGINT. Requests that have started are completed within two seconds, or
  /// cancelled. If a request or a connection does not end after that, the process is ended.
  ///
  /// - Parameter announce: Called once with the address when requests are answered. For a hub on PostgreSQL, it is
  ///   called when the tables have been found. Until then, requests are answered with status 503.
  /// - Throws: ``ServerError`` if the port cannot be opened.
  func run(announcing announce: @escaping @Sendable (String) -> Void) async throws {
    let settings = backend.settings
    for warning in settings.warnings(user: geteuid()) { logger.warning("\(warning)") }
    let (addresses, address) = AsyncStream.makeStream(of: String.self)
    let hasDatabase = backend.hasDatabase
    var quiet = logger
    // Hummingbird logs each disconnecting client at a level below `warning`.
    quiet.logLevel = max(.warning, logger.logLevel)
    let application = Application(
      responder: ServerResponder(backend: backend, endpoints: backend.hasDatabase ? Endpoint.all : Endpoint.hub),
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [FramingErrors(), SlowClientTimeout(timeout: settings.clientTimeout)],
          idleTimeout: .seconds(Int64(settings.clientTimeout)),
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: ServerSettings.maximumHeadBytes, maxHeaderListSize: ServerSettings.maximumHeadBytes,
            maxHeaderFieldCount: ServerSettings.maximumFields))),
      configuration: ApplicationConfiguration(
        address: .hostname(settings.host, port: settings.port), serverName: nil, backlog: 1_024,
        availableConnectionsDelegate: .maximum(settings.connections, logger: quiet)),
      onServerRunning: { channel in
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        let text = "http://\(host):\(channel.localAddress?.port ?? settings.port)"
        if hasDatabase { announce(text) } else { address.yield(text) }
        address.finish()
      },
      logger: logger)

    var upkeep: [any Service] = [DatabaseWatch(backend: backend, addresses: addresses, announce: announce)]
    if hasDatabase {
      let (backend, maintenance) = (backend, Maintenance(backend: backend, logger: logger))
      upkeep += [
        BackgroundService { await backend.feed.run { body in try await backend.read(body) } },
        BackgroundService { await maintenance.run() },
      ]
    }
    var configuration = ServiceGroupConfiguration(
      // The last service is the first one that is notified of the shutdown.
      services: upkeep + [application, ShutdownDeadline(logger: logger)],
      gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
    configuration.maximumGracefulShutdownDuration = .seconds(2)
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

/// Ends the process if a shutdown takes too long, for example because a client does not read its response. No
/// acknowledged write is lost, as after a crash.
private struct ShutdownDeadline: Service {
  let logger: Logger

  func run() async throws {
    guard (try? await gracefulShutdown()) != nil else { return }
    let timer = Thread { [logger] in
      Thread.sleep(forTimeInterval: 2.6)
      logger.warning("The server ended before all requests were answered.")
      _exit(0)
    }
    timer.start()
  }
}

/// Runs background work until the server shuts down.
private struct BackgroundService: Service {
  let work: @Sendable () async -> Void

  func run() async throws { await cancelWhenGracefulShutdown { await work() } }
}

/// Periodic maintenance of the database.
struct Maintenance: Sendable {
  let backend: Backend
  let logger: Logger

  /// The time between two runs.
  private static let interval = Duration.seconds(60)

  /// Runs until its task is cancelled.
  func run() async {
    // After an interrupted import, some texts may be missing from the search index.
    let library = backend.library
    _ = try? await withTaskExecutorPreference(backend.heavyReaders) {
      try library.index(for: .seconds(60), until: SearchInterruption())
    }
    var swept: Date?
    while !Task.isCancelled {
      let now = Date()
      await cleanUp()
      if Calendar.current.component(.hour, from: now) == backend.settings.sweepHour,
        swept.map({ now.timeIntervalSince($0) > 2 * 3_600 }) ?? true
      {
        swept = now
        await sweep()
      }
      try? await Task.sleep(for: Self.interval)
    }
  }

  /// Ends orphaned and idle sessions, deletes the stored answers to repeatable requests when they expire, and truncates
  /// a long write-ahead log.
  func cleanUp() async {
    let navigation = backend.navigation
    do {
      try await backend.commits.writeExclusively { try navigation.closeOrphanedSessions() }
      try await backend.commits.write(by: nil) { try navigation.access.removeExpiredResponses() }
      _ = try await backend.commits.writeExclusively {
        // If an erasure could not truncate the log, it is truncated now, whatever its size.
        try navigation.truncateLog(over: navigation.access.isSweepPending() ? 0 : ServerSettings.walTruncationBytes)
      }
    } catch NavigationError.busy {
      // This is not an error, because the work is repeated after the next interval.
    } catch {
      backend.report(error, "could not remove expired data")
    }
  }

  /// Overwrites the remains of erased rows in the file. Writes wait until this has ended, so it runs at a configured
  /// hour.
  func sweep() async {
    let navigation = backend.navigation
    do {
      let isSwept = try await backend.commits.writeExclusively {
        try navigation.access.isSweepPending() ? navigation.sweep() : true
      }
      if !isSwept {
        logger.warning(
          "could not overwrite erased data: another program is reading the database; the next attempt is tomorrow")
      }
    } catch {
      backend.report(error, "could not overwrite erased data")
    }
  }
}

/// The reason why a server cannot listen.
enum ServerError: ExplainedError, Hashable {
  case portTaken(host: String, port: Int)
  case portForbidden(host: String, port: Int)
  /// The host name is unknown, or its address does not belong to this machine.
  case unknownHost(host: String, port: Int)
  /// The system reported another error.
  case cannotListen(host: String, port: Int, reason: String)

  /// Converts an error that prevented the server from opening its port. Returns `nil` for other errors.
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
      "Could not listen at \(quoted: host), port \(port): another program uses it. Choose another port with --port."
    case .portForbidden(let host, let port):
      "Could not listen at \(quoted: host), port \(port): this user has no permission. Choose a port from 1024 with --port."
    case .unknownHost(let host, let port):
      "Could not listen at \(quoted: host), port \(port): this machine does not have that address. Choose another with --host."
    case .cannotListen(let host, let port, let reason):
      "Could not listen at \(quoted: host), port \(port): \(reason). Choose another address or port with --host and --port."
    }
  }
}
