import ArgumentParser

/// `waymark database`: the file itself.
struct DatabaseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "database",
    abstract: "Look after the database.",
    discussion: Example.text("waymark database backup ~/waymark-copy.sqlite"),
    subcommands: [
      DatabaseInfoCommand.self, DatabaseCheckCommand.self, DatabaseBackupCommand.self, DatabaseRestoreCommand.self,
      DatabaseRebuildCommand.self, DatabasePathCommand.self,
    ])

  @OptionGroup var global: GlobalOptions
}
