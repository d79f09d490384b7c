import ArgumentParser

/// `waymark nav`: one operation, or a stream of them, in a named session.
struct NavCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nav",
    abstract: "Move through the courses, one operation at a time.",
    discussion: Example.text("waymark nav open english-for-business/negotiating"),
    subcommands: [
      NavPushCommand.self, NavPopCommand.self, NavPopToCommand.self, NavPopToRootCommand.self, NavSelectCommand.self,
      NavNextCommand.self, NavPreviousCommand.self, NavOpenCommand.self, NavBackCommand.self, NavForwardCommand.self,
      NavResumeCommand.self, NavRunCommand.self,
    ])

  @OptionGroup var global: GlobalOptions
}
