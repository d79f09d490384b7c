import ArgumentParser

/// `waymark sync`.
struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Bring what you did here and on a server together.",
    discussion: Example.text(
      "waymark sync https://school.example", "waymark sync status https://school.example"),
    subcommands: [SyncRunCommand.self, SyncStatusCommand.self],
    defaultSubcommand: SyncRunCommand.self)

  @OptionGroup var global: GlobalOptions
}
