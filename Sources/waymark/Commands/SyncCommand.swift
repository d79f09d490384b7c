import Answers
import ArgumentParser
import CourseKit
import CoursePages
import Foundation
import LearningModel
import NavigationKit
import TextCanvas

/// `waymark sync`.
struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Synchronise this database with a server.",
    discussion: Example.text(
      "waymark sync https://school.example", "waymark sync status https://school.example"),
    subcommands: [SyncRunCommand.self, SyncStatusCommand.self],
    defaultSubcommand: SyncRunCommand.self)

  @OptionGroup var global: GlobalOptions
}

/// `waymark sync URL`.
struct SyncRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Send new data to the server and receive new data from it (the default).",
    discussion: Example.text(
      "waymark sync https://school.example --dry-run    show what would be sent",
      "waymark sync https://school.example")
      + "\n\nIf it is interrupted, run it again. It continues with the remaining data.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var server: SyncOptions
  @OptionGroup var output: OutputOptions
  @Flag(help: "Print what would be sent and received, without changing anything.") var dryRun = false
  @Flag(help: "Join the local learner with the learner on the server, if they are the same person.") var join = false

  func run() throws {
    Interruption.startObserving()
    let connection: SyncConnection
    let report: SyncReport
    do {
      // The service is deallocated here, so the database is closed before the process ends.
      let service = try global.navigation(session: .none)
      connection = try server.connect(learner: service.learner)
      report = try exchange(Synchroniser(service, send: connection.send))
    } catch SyncClientError.interrupted {
      StandardError.write(SyncClientError.interrupted.description + "\n")
      Interruption.leave()
      throw ExitCode(FailureKind.tryAgain.exitStatus)
    }
    try Printing.value(
      report, fields: CSVColumns.sync,
      table: report.sentence(with: connection, isDryRun: dryRun) + "\n", as: output.format)
    if let similarName = report.similarName {
      StandardError.write(SimilarName.notice(report.learner, similarName) + "\n")
    }
  }

  private func exchange(_ synchroniser: Synchroniser) throws -> SyncReport {
    if dryRun { return try synchroniser.preview(joining: join) }
    let bar = ProgressBar()
    defer { bar.clear() }
    return try synchroniser.run(joining: join) { done, total in
      bar.show("Synchronising", done: done.all, of: total.all)
    }
  }
}

extension SyncReport {
  /// The total number of events and other records in both directions.
  fileprivate var all: Int { sent.all + received.all }

  fileprivate func sentence(with connection: SyncConnection, isDryRun: Bool) -> String {
    if isDryRun { return "Would send \(sent.text) and receive \(received.text). Nothing was changed." }
    let forkText =
      parted == 0
      ? ""
      : " \(parted == 1 ? "1 session was" : "\(parted) sessions were") continued in both databases; both versions are kept."
    return "Sent \(sent.text) (\(connection.bytes.sent) bytes) and received \(received.text) "
      + "(\(connection.bytes.received) bytes).\(forkText)"
  }
}

extension SyncReport.Count {
  /// The counts as text: `3 steps and 1 activity event`, or `nothing`.
  var text: String {
    let counts = [
      (steps, "step", "steps"), (activities, "activity event", "activity events"),
      (facts, "other record", "other records"),
    ]
    let texts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
    guard let last = texts.last else { return "nothing" }
    return texts.count == 1 ? last : texts.dropLast().joined(separator: ", ") + " and " + last
  }
}

/// `waymark sync status URL`.
struct SyncStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show what has not been synchronised yet.",
    discussion: Example.text("waymark sync status https://school.example")
      + "\n\nThe exit code is 0 if both sides are equal, and 1 otherwise.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var server: SyncOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let service = try global.navigation(session: .none)
    let connection = try server.connect(learner: service.learner)
    let report = try Synchroniser(service, send: connection.send).preview()
    try Printing.value(
      report, fields: CSVColumns.sync,
      table: report.isEmpty
        ? "Everything is synchronised.\n"
        : "To send: \(report.sent.text). To receive: \(report.received.text).\n",
      as: output.format)
    if !report.isEmpty { throw ExitCode(1) }
  }
}

/// The flags that select and authenticate the server.
struct SyncOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The URL of the server, with https, or http on this machine (default: the one in the settings).",
      valueName: "url"))
  var url: String?
  @Flag(help: "Read a token from standard input, and store it for this server in a file that only you can read.")
  var token = false
  @Option(
    help: ArgumentHelp("A PEM file with trusted certificates (default: the system's).", valueName: "file"),
    completion: .file())
  var ca: String?

  /// Returns a connection with the learner's token. A missing token is requested at the terminal and stored.
  ///
  /// - Throws: `SyncClientError`, ``CommandFailure/cannotRead(file:)``.
  func connect(learner: String) throws -> SyncConnection {
    guard let url = try url ?? Self.configuredServer else {
      throw CommandFailure.noServer(settings: ProgramEnvironment.current.settingsPath)
    }
    let address = try SyncAddress(url)
    if let ca, !FileManager.default.isReadableFile(atPath: ca) { throw CommandFailure.cannotRead(file: ca) }
    let file = TokenFile(in: Self.folder, host: address.host, learner: learner)
    var storedToken = token ? nil : try file.token()
    if storedToken == nil, token || Confirmation.isPossible {
      try file.save(Self.read(for: address.host))
      storedToken = try file.token()
    }
    guard let storedToken else { throw SyncClientError.noToken(host: address.host, file: file.path) }
    return try SyncConnection(to: address, token: storedToken, authorities: ca) {
      Interruption.cancellation.isCancelled
    }
  }

  /// Returns the background synchronisation of the browser, or `nil` if the settings contain no server.
  ///
  /// - Throws: `SyncClientError` if the address in the settings is invalid; `SettingsError`.
  static func inBackground(of service: NavigationService) throws -> BackgroundSync? {
    guard let url = try configuredServer else { return nil }
    return BackgroundSync(with: try SyncAddress(url), tokensIn: folder, service: service)
  }

  private static var configuredServer: String? { get throws { try ProgramEnvironment.current.settings.server } }

  private static var folder: String {
    (ProgramEnvironment.current.settingsPath as NSString).deletingLastPathComponent
  }

  /// Reads a token. At a terminal, the input is not displayed.
  private static func read(for host: String) -> String {
    guard Confirmation.isPossible else { return readLine() ?? "" }
    return getpass("Token for \(host): ".harmless).map { String(cString: $0) } ?? ""
  }
}
