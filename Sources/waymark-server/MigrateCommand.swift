import Answers
import ArgumentParser
import CourseHub

/// `waymark-server migrate ADDRESS`.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Make the tables of a hub on PostgreSQL, or bring them up to date. Who reads them goes on reading.",
    discussion: """
      Example:
        waymark-server migrate postgres://waymark@127.0.0.1/waymark

      With --shard the learners are distributed over the databases that it names, and the first one passes on what it is
      asked, by PL/Proxy.
      """)

  @Argument(help: "Where PostgreSQL is.") var address: String
  @Option(
    help: ArgumentHelp(
      "A database that has a part of the learners; 2, 4, 8 … of them, always in the same order.", valueName: "address"))
  var shard: [String] = []

  func run() throws {
    try Failure.explaining {
      let migration = try PostgresMigration(PostgresAddress(address))
      let done = try shard.isEmpty ? migration.run() : migration.run(over: shard.map { try PostgresAddress($0) })
      for name in done { Output.line("Ran \(name).") }
      if done.isEmpty { Output.line("Everything is up to date.") }
    }
  }
}
