import ArgumentParser
import Foundation
import LearningStore
import NavigationKit

/// The option that selects the database.
struct DatabaseOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The database file (default: $WAYMARK_DATABASE, or waymark.sqlite in the data folder).", valueName: "path"))
  var database: String?

  mutating func validate() throws {
    if database == "" { throw ValidationError("--database requires a path.") }
  }

  /// The path of the database. It equals the default of the `waymark` program, so that both use the same file.
  ///
  /// Source: XDG Base Directory Specification 0.8; a relative `XDG_DATA_HOME` is ignored.
  var path: String {
    let variables = ProcessInfo.processInfo.environment.filter { !$0.value.isEmpty }
    if let text = database ?? variables["WAYMARK_DATABASE"] {
      // An invalid path is refused only when the database is opened.
      return (try? LearningDatabase.path(named: text)) ?? text
    }
    let data = variables["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (data ?? (variables["HOME"] ?? NSHomeDirectory()) + "/.local/share") + "/waymark/waymark.sqlite"
  }

  /// Whether neither the option nor the environment specifies a database.
  var isDefault: Bool { database == nil && (ProcessInfo.processInfo.environment["WAYMARK_DATABASE"] ?? "").isEmpty }

  /// Opens the database to manage tokens, without acting for a learner.
  func service() throws -> NavigationService {
    try NavigationService(databaseAt: path, learner: "server", session: .process(named: "question"))
  }
}

/// The options that select a hub, which is either on PostgreSQL or in the server's own database.
struct HubOption: ParsableArguments {
  @OptionGroup var database: DatabaseOption
  @Option(
    help: ArgumentHelp(
      "The URL of a hub on PostgreSQL, such as postgres://waymark@127.0.0.1/waymark, instead of a database "
        + "(default: $WAYMARK_HUB).",
      valueName: "address"))
  var hub: String?
  @Option(help: ArgumentHelp("The tenant of the learners on that hub.", valueName: "name")) var tenant = "main"

  /// The address of the hub's PostgreSQL, or `nil` if the database is the hub.
  func address() throws -> PostgresAddress? {
    let variable = ProcessInfo.processInfo.environment["WAYMARK_HUB"].flatMap { $0.isEmpty ? nil : $0 }
    return try (hub ?? variable).map { try PostgresAddress($0) }
  }

  func store() throws -> any HubStore {
    guard let address = try address() else { return EmbeddedStore(try database.service()) }
    return try PostgresStore(address, tenant: tenant)
  }
}
