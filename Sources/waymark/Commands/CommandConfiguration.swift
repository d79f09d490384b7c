import ArgumentParser

extension CommandConfiguration {
  /// Creates the configuration of a command whose help ends with one example.
  ///
  /// - Parameters:
  ///   - name: The name of the command on the command line.
  ///   - abstract: One sentence about the command.
  ///   - example: A command line.
  ///   - note: A paragraph after the example.
  ///   - subcommands: The subcommands.
  ///   - defaultSubcommand: The subcommand that runs if the command line names none.
  init(
    _ name: String, _ abstract: String, example: String, note: String? = nil,
    subcommands: [any ParsableCommand.Type] = [],
    defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) {
    self.init(
      commandName: name, abstract: abstract, discussion: Example.text(example) + (note.map { "\n\n" + $0 } ?? ""),
      subcommands: subcommands,
      defaultSubcommand: defaultSubcommand)
  }
}
