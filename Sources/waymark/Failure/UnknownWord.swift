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

  /// What to say where the arguments could not be parsed because the first word was taken for a place, or the second one
  /// for an argument of a command that has others in it.
  ///
  /// `waymark histroy --since 7d` is not about an unknown option, and `waymark nav psh x` not about an unexpected word.
  static func failure(of arguments: [String]) -> CommandFailure? {
    let words = words(of: arguments)
    guard let word = words.first else { return nil }
    guard Waymark.commandNames.contains(word) else {
      let commands = commands(near: word)
      return commands.isEmpty ? nil : .unknownWord(word, commands: commands, places: [])
    }
    let command = Waymark.configuration.subcommands.first { $0.configuration.commandName == word }
    guard let command, words.count > 1 else { return nil }
    let names = command.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard !names.isEmpty, !names.contains(words[1]) else { return nil }
    let nearest = Likeness.nearest(to: words[1], among: names)
    // A command that does something of its own may have meant the word for that.
    if nearest.isEmpty, command.configuration.defaultSubcommand != nil { return nil }
    return .unknownSubcommand(words[1], of: word, nearest: nearest)
  }

  private static func firstWord(of arguments: [String]) -> String? { words(of: arguments).first }

  /// The arguments that are no options, nor the values of those that stand before the command.
  private static func words(of arguments: [String]) -> [String] {
    var rest = arguments[...]
    var words: [String] = []
    while let argument = rest.popFirst() {
      if argument == "--database" || argument == "--learner" {
        _ = rest.popFirst()
      } else if !argument.hasPrefix("-") {
        words.append(argument)
      } else if !words.isEmpty {
        // What follows may be the value of an option of the command.
        break
      }
    }
    return words
  }
}
