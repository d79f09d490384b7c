import ArgumentParser

extension CommandConfiguration {
  /// Creates the configuration of a command whose help ends with one example.
  ///
  /// - Parameters:
  ///   - name: The word for the command on a command line.
  ///   - abstract: One sentence about the command.
  ///   - example: A command line.
  ///   - subcommands: The commands below this one.
  ///   - defaultSubcommand: The command that runs if the command line names none of them.
  init(
    _ name: String, _ abstract: String, example: String, subcommands: [any ParsableCommand.Type] = [],
    defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) {
    self.init(
      commandName: name, abstract: abstract, discussion: Example.text(example), subcommands: subcommands,
      defaultSubcommand: defaultSubcommand)
  }
}
