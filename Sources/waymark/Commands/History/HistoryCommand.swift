import ArgumentParser

/// `waymark history`: who went where, from where, and for how long.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Ask where you have been.",
    discussion: Example.text(
      "waymark history --since yesterday --kind activity",
      "waymark history --since 10m --format json") + "\n\nThe filters: waymark help history list",
    subcommands: [
      HistoryListCommand.self, HistoryStatsCommand.self, HistoryNextFromCommand.self, HistoryAtCommand.self,
      HistoryReplayCommand.self, HistoryLeavingCommand.self, HistoryExportCommand.self,
      HistoryEraseCommand.self,
    ],
    defaultSubcommand: HistoryListCommand.self)

  @OptionGroup var global: GlobalOptions
}
