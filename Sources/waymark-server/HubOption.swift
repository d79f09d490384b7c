import ArgumentParser
import CourseHub
import Foundation

/// Which hub it is about: one on PostgreSQL, or the database.
struct HubOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A hub on PostgreSQL, such as postgres://waymark@127.0.0.1/waymark, instead of the database (default: $WAYMARK_HUB).",
      valueName: "address"))
  var hub: String?
  @Option(help: ArgumentHelp("To which tenant of that hub learners belong.", valueName: "name")) var tenant = "main"

  /// Where the hub's PostgreSQL is; `nil` where the database is the hub.
  func address() throws -> PostgresAddress? {
    let variable = ProcessInfo.processInfo.environment["WAYMARK_HUB"].flatMap { $0.isEmpty ? nil : $0 }
    return try (hub ?? variable).map { try PostgresAddress($0) }
  }

  /// The hub's store.
  func store(_ database: DatabaseOption) throws -> any HubStore {
    guard let address = try address() else { return EmbeddedStore(try database.service()) }
    return try PostgresStore(address, tenant: tenant)
  }
}
