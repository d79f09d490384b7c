import ArgumentParser

/// `waymark progress`: how much is done, and saying that something is.
struct ProgressCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "progress",
    abstract: "Say how much is done.",
    discussion: Example.text("waymark progress english-for-business"),
    subcommands: [ProgressListCommand.self, ProgressMarkCommand.self],
    defaultSubcommand: ProgressListCommand.self)

  @OptionGroup var global: GlobalOptions
}
