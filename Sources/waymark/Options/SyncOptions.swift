import ArgumentParser
import CourseLibrary
import CoursePages
import Foundation
import NavigationService
import SyncClient
import TextCanvas

/// With which server something is synchronised.
struct SyncOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The server's address; https, or http on this machine (default: the one in the settings).", valueName: "url"))
  var url: String?
  @Flag(help: "Read a token from standard input, and keep it for this server in a file that only you can read.")
  var token = false
  @Option(
    help: ArgumentHelp("Certificates to believe, in PEM (default: the system's).", valueName: "file"),
    completion: .file())
  var ca: String?

  /// A connection with the token of that learner. Where there is none yet, it is asked for at the terminal, and kept.
  ///
  /// - Throws: `SyncClientError`, ``CommandFailure/cannotRead(file:)``.
  func connect(learner: String) throws -> SyncConnection {
    guard let url = try url ?? Self.serverOfSettings else {
      throw CommandFailure.noServer(settings: ProgramEnvironment.current.settingsPath)
    }
    let address = try SyncAddress(url)
    if let ca, !FileManager.default.isReadableFile(atPath: ca) { throw CommandFailure.cannotRead(file: ca) }
    let file = TokenFile(in: Self.folder, host: address.host, learner: learner)
    var known = token ? nil : try file.token()
    if known == nil, token || Question.isPossible {
      try file.keep(Self.read(for: address.host))
      known = try file.token()
    }
    guard let known else { throw SyncClientError.noToken(host: address.host, file: file.path) }
    return try SyncConnection(to: address, token: known, authorities: ca) { Interruption.cancellation.isCancelled }
  }

  /// What synchronises while the learner browses; `nil` where the settings name no server.
  ///
  /// - Throws: `SyncClientError` where the address in the settings is none; `SettingsError`.
  static func inBackground(of service: NavigationService) throws -> BackgroundSync? {
    guard let url = try serverOfSettings else { return nil }
    return BackgroundSync(with: try SyncAddress(url), tokensIn: folder, service: service)
  }

  private static var serverOfSettings: String? {
    get throws {
      let server = try ProgramEnvironment.current.settings.server ?? ""
      return server.isEmpty ? nil : server
    }
  }

  private static var folder: String {
    (ProgramEnvironment.current.settingsPath as NSString).deletingLastPathComponent
  }

  /// At a terminal it is not shown.
  private static func read(for host: String) -> String {
    guard Question.isPossible else { return readLine() ?? "" }
    return getpass("Token for \(host): ".harmless).map { String(cString: $0) } ?? ""
  }
}
