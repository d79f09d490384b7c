import ArgumentParser
import Foundation
import NavigationService

/// Which database it is about.
struct DatabaseOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The database file (default: $WAYMARK_DATABASE, else waymark.sqlite in your data folder).", valueName: "path"))
  var database: String?

  mutating func validate() throws {
    if database == "" { throw ValidationError("The path of --database is empty.") }
  }

  /// Where the database is: that of the command line, so that both are about the same.
  ///
  /// Source: XDG Base Directory Specification 0.8; a relative `XDG_DATA_HOME` does not count.
  var path: String {
    let variables = ProcessInfo.processInfo.environment.filter { !$0.value.isEmpty }
    if let path = database ?? variables["WAYMARK_DATABASE"] { return path }
    let data = variables["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (data ?? (variables["HOME"] ?? NSHomeDirectory()) + "/.local/share") + "/waymark/waymark.sqlite"
  }

  /// Whether neither the option nor the environment names a database.
  var isDefault: Bool { database == nil && (ProcessInfo.processInfo.environment["WAYMARK_DATABASE"] ?? "").isEmpty }

  /// The door to tokens; it speaks for nobody.
  func service() throws -> NavigationService {
    try NavigationService(databaseAt: path, learner: "server", session: .process(named: "question"))
  }
}
