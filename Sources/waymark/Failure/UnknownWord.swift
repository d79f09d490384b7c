import ArgumentParser
import NavigationService

/// Finds out what somebody meant by a first word that is no command.
enum UnknownWord {
  /// Whether a word was the first one, and may have been meant as a command.
  static func isFirst(_ word: String) -> Bool {
    firstWord(of: Array(CommandLine.arguments.dropFirst())) == word
  }

  /// The commands whose names are near to a word.
  static func commands(near word: String) -> [String] {
    guard !word.hasPrefix("/") else { return [] }
    let operations = NavCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    if operations.contains(word) { return ["nav " + word] }
    return Likeness.nearest(to: word, among: Waymark.commandNames)
  }

  /// What to say where the arguments could not be parsed because the first word was taken for a place.
  ///
  /// `waymark histroy --since 7d` is not about an unknown option.
  static func failure(of arguments: [String]) -> CommandFailure? {
    guard let word = firstWord(of: arguments), !Waymark.commandNames.contains(word) else { return nil }
    let commands = commands(near: word)
    return commands.isEmpty ? nil : .unknownWord(word, commands: commands, places: [])
  }

  private static func firstWord(of arguments: [String]) -> String? {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--database" || argument == "--learner" {
        _ = rest.popFirst()
      } else if !argument.hasPrefix("-") {
        return argument
      }
    }
    return nil
  }
}
