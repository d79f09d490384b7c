import Answers
import ArgumentParser
import CourseHub

/// `waymark-server migrate ADDRESS`.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Make the tables of a hub on PostgreSQL, or bring them up to date. Who reads them goes on reading.",
    discussion: "Example:\n  waymark-server migrate postgres://waymark@127.0.0.1/waymark")

  @Argument(help: "Where PostgreSQL is.") var address: String

  func run() throws {
    try Failure.explaining {
      let done = try PostgresMigration(PostgresAddress(address)).run()
      for name in done { Output.line("Ran \(name).") }
      if done.isEmpty { Output.line("Everything is up to date.") }
    }
  }
}
