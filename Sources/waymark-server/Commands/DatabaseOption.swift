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
  var path: String {
    guard let text = database ?? UserFolder.variables["WAYMARK_DATABASE"] else {
      return UserFolder.path("XDG_DATA_HOME", else: ".local/share") + "/waymark.sqlite"
    }
    // An invalid path is refused only when the database is opened.
    return (try? LearningDatabase.path(named: text)) ?? text
  }

  /// Whether neither the option nor the environment specifies a database.
  var isDefault: Bool { database == nil && UserFolder.variables["WAYMARK_DATABASE"] == nil }

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

  /// The text of the hub's URL, or `nil` if the database is the hub.
  var url: String? { hub ?? UserFolder.variables["WAYMARK_HUB"] }

  /// The address of the hub's PostgreSQL, or `nil` if the database is the hub.
  func address() throws -> PostgresAddress? { try url.map { try PostgresAddress($0) } }

  func store() throws -> any HubStore {
    guard let address = try address() else { return EmbeddedStore(try database.service()) }
    return try PostgresStore(address, tenant: tenant)
  }
}

/// The folders in which the programs store the files of a user.
enum UserFolder {
  /// The environment variables that are not empty.
  static var variables: [String: String] { ProcessInfo.processInfo.environment.filter { !$0.value.isEmpty } }

  /// Returns the folder of this program in a folder that an environment variable specifies.
  ///
  /// Source: XDG Base Directory Specification 0.8; a relative path is ignored.
  ///
  /// - Parameters:
  ///   - variable: The name of the variable.
  ///   - fallback: The path below the home folder that is used if the variable is not set.
  static func path(_ variable: String, else fallback: String) -> String {
    let folder = variables[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (folder ?? (variables["HOME"] ?? NSHomeDirectory()) + "/" + fallback) + "/waymark"
  }
}
