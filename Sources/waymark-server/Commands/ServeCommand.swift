import ArgumentParser
import CourseKit
import Foundation
import LearningModel
import Logging
import NavigationKit

/// `waymark-server serve`.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Start the server. It runs until SIGTERM or SIGINT.",
    discussion: """
      Example:
        waymark-server serve --port 8080

      The server does not support TLS: listen at a loopback address, and use a proxy for TLS. With --hub, the server \
      starts to listen when the tables of PostgreSQL exist.
      """)

  @OptionGroup var hub: HubOption
  @Option(help: ArgumentHelp("The address to listen at.", valueName: "address")) var host = "127.0.0.1"
  @Option(help: "The port to listen at; 0 selects a free port.") var port = 8080
  @Flag(help: "Identify clients by the last entry of X-Forwarded-For, which a proxy adds.")
  var behindProxy = false
  @Option(help: ArgumentHelp("The maximum number of requests per token and second; 0 for no limit.", valueName: "n"))
  var requestsPerSecond = 50
  @Option(help: ArgumentHelp("The maximum number of connections.", valueName: "n")) var connections = 16_384
  @Option(help: ArgumentHelp("The maximum time that the server waits for a client.", valueName: "seconds"))
  var patience = 30
  @Option(
    help: ArgumentHelp("The hour at which erased data is overwritten in the file, from 0 to 23.", valueName: "hour"))
  var sweepHour = 3
  @Option(
    help: ArgumentHelp("The log level: trace, debug, info, notice, warning, error or critical.", valueName: "level"))
  var logLevel = "notice"
  @Flag(
    help: "Import the bundled course if there is no course, and print a token that is valid for a day.")
  var trial = false
  @Flag(help: "Create the database of --database or WAYMARK_DATABASE if it does not exist.") var create = false

  func validate() throws {
    if hub.hub != nil, trial {
      throw ValidationError("--trial requires a database and cannot be combined with --hub.")
    }
    func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws {
      guard range.contains(value) else {
        throw ValidationError("--\(name) must be from \(range.lowerBound) to \(range.upperBound), not \(value).")
      }
    }
    try check("port", port, 0...65_535)
    try check("requests-per-second", requestsPerSecond, 0...1_000_000)
    try check("connections", connections, 1...1_000_000)
    try check("patience", patience, 1...3_600)
    try check("sweep-hour", sweepHour, 0...23)
    if Logger.Level(rawValue: logLevel) == nil {
      throw ValidationError(
        "--log-level must be one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")), not "
          + "\(quoted: logLevel)."
      )
    }
  }

  mutating func run() async throws {
    var settings = ServerSettings(database: hub.database.path)
    settings.host = host
    settings.port = port
    settings.isBehindProxy = behindProxy
    settings.requestsPerSecond = requestsPerSecond
    settings.connections = connections
    settings.clientTimeout = patience
    settings.sweepHour = sweepHour
    OpenFiles.raise()
    var logger = Logger(label: "waymark-server") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = Logger.Level(rawValue: logLevel) ?? .notice

    do {
      if !trial, let address = try hub.address() { settings.hub = (address, hub.tenant) }
      if !trial, !create, settings.hub == nil, !hub.database.isDefault, !Self.isAnything(at: hub.database.path) {
        throw Failure.noServedDatabase(path: hub.database.path)
      }
      let settings = settings
      let secret = trial ? try prepareTrial() : nil
      try await CourseServer(settings, logger: logger).run { address in
        // The server also runs if nothing reads its output.
        Output.line("Listening at \(address)", isRequired: false)
        guard let secret else { return }
        Output.line("Token: \(secret)", isRequired: false)
        Output.line("curl -H 'Authorization: Bearer \(secret)' \(address)/v1/courses", isRequired: false)
      }
    } catch {
      throw Failure.report(error)
    }
  }

  /// Returns whether there is a file with content, a folder or a symbolic link at a path.
  private static func isAnything(at path: String) -> Bool {
    guard let item = try? FileManager.default.attributesOfItem(atPath: path) else { return false }
    return item[.type] as? FileAttributeType != .typeRegular || item[.size] as? Int != 0
  }

  /// Imports the bundled course if there is no course, and creates a token for the current user that is valid for a
  /// day.
  private func prepareTrial() throws -> String {
    let library = try CourseLibrary(databaseAt: hub.database.path)
    if try library.courses().isEmpty { try library.importBundled() }
    let secret = TokenSecret.make()
    let day = Timestamp(date: Date()).advanced(byMilliseconds: 24 * 3_600_000)
    _ = try hub.database.service().access.addToken(
      digest: TokenSecret.digest(of: secret), for: NSUserName(), .learner, expiresAt: day)
    return secret
  }
}
