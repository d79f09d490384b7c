import ArgumentParser

/// `waymark learners`.
struct LearnersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "learners",
    abstract: "Say who learns here; take a learner along, bring one in, erase one.",
    discussion: Example.text("waymark learners list"),
    subcommands: [
      LearnersListCommand.self, LearnersExportCommand.self, LearnersImportCommand.self, LearnersEraseCommand.self,
    ],
    defaultSubcommand: LearnersListCommand.self)

  @OptionGroup var global: GlobalOptions
}
