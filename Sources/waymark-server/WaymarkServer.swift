import ArgumentParser

/// The program. Each subcommand is a file of its own beside this one.
@main
struct WaymarkServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waymark-server",
    abstract: "Serve courses and history to many learners, over HTTP.",
    discussion: "Example:\n  waymark-server serve --database /var/lib/waymark/waymark.sqlite",
    version: "0.1.0",
    subcommands: [
      ServeCommand.self, MigrateCommand.self, MoveCommand.self, TokensCommand.self, ClassCommand.self,
      ReportCommand.self, AuditCommand.self,
    ])
}
