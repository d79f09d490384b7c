import ArgumentParser

/// `waymark learners`.
struct LearnersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "learners",
    abstract: "Say who learns here.",
    discussion: Example.text("waymark learners list"),
    subcommands: [LearnersListCommand.self],
    defaultSubcommand: LearnersListCommand.self)

  @OptionGroup var global: GlobalOptions
}
