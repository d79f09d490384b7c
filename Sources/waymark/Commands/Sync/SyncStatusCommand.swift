import Answers
import ArgumentParser
import NavigationService
import SyncClient

/// `waymark sync status URL`.
struct SyncStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Say what is here and not there yet, and there and not here yet.",
    discussion: Example.text("waymark sync status https://school.example")
      + "\n\nIt ends with 0 where both are the same, and with 1 where they are not.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var server: SyncOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let service = try global.navigation(session: .none)
    let connection = try server.connect(learner: service.learner)
    let report = try Synchroniser(service, send: connection.send).preview()
    var out = StandardOutput()
    try output.format.write(
      report, fields: Fields.sync,
      table: report.isEmpty
        ? "Everything is here and there.\n"
        : "Here, and not there yet: \(report.sent.words). There, and not here yet: \(report.received.words).\n",
      to: &out)
    out.flush()
    if !report.isEmpty { throw ExitCode(1) }
  }
}
