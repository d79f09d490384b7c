import ArgumentParser
import CourseHub

/// Which hub it is about: one on PostgreSQL, or the database.
struct HubOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A hub on PostgreSQL, such as postgres://waymark@127.0.0.1/waymark, instead of the database.",
      valueName: "address"))
  var hub: String?
  @Option(help: ArgumentHelp("To which tenant of that hub learners belong.", valueName: "name")) var tenant = "main"

  /// Where the hub's PostgreSQL is; `nil` where the database is the hub.
  func address() throws -> PostgresAddress? { try hub.map { try PostgresAddress($0) } }

  /// The hub's store.
  func store(_ database: DatabaseOption) throws -> any HubStore {
    guard let address = try address() else { return EmbeddedStore(try database.service()) }
    return try PostgresStore(address, tenant: tenant)
  }
}
