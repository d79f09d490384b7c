import ArgumentParser
import Foundation
import NavigationKit

/// Finds suggestions for words that are not commands.
struct MistypedCommand {
  private let root: any ParsableCommand.Type
  /// The arguments that are not options. The value of an option that precedes the command is not included.
  private let positionals: [String]
  private let arguments: [String]

  /// - Parameters:
  ///   - arguments: The arguments of the program.
  ///   - root: The root command.
  init(in arguments: [String], of root: any ParsableCommand.Type) {
    (self.root, self.arguments) = (root, arguments)
    positionals = Self.positionals(of: arguments)
  }

  /// Returns the error for a place that should be opened in the browser and does not exist. The word may be a mistyped
  /// command, place or file.
  ///
  /// - Parameter places: The places with the nearest names.
  /// - Returns: `nil` if the place was an argument of a command other than `browse`.
  func failure(for place: String, nearest places: [String]) -> CommandFailure? {
    guard positionals.first == place || positionals.first == BrowserStart.command else { return nil }
    let commands = positionals.first == place ? commands(near: place) : []
    return .unknownWord(place, commands: commands, places: places, files: NearbyFiles.names(like: place))
  }

  /// The error for an unknown first word, or an unknown subcommand as the second word, if the arguments could not be
  /// parsed. Otherwise `nil`.
  ///
  /// For example, the parser reports `waymark histroy --since 7d` as an unknown option and `waymark nav psh x` as an
  /// unexpected argument.
  var failure: CommandFailure? {
    guard let word = positionals.first else { return optionFailure }
    guard isCommand(word) else {
      let commands = commands(near: word)
      return commands.isEmpty ? nil : .unknownWord(word, commands: commands, places: [], files: [])
    }
    let command = root.configuration.subcommands.first { $0.configuration.commandName == word }
    guard let command, positionals.count > 1 else { return nil }
    let names = Self.subcommands(of: command)
    guard !names.isEmpty, !names.contains(positionals[1]) else { return nil }
    let nearest = FuzzyMatch.nearest(to: positionals[1], among: names)
    // The word may be an argument of the default subcommand.
    if nearest.isEmpty, command.configuration.defaultSubcommand != nil { return nil }
    return .unknownSubcommand(positionals[1], of: word, nearest: nearest)
  }

  /// The error for an unknown option that is similar to an option of the browser, to `--help` or to `--version`.
  /// Otherwise `nil`. The parser would not suggest the last two.
  private var optionFailure: CommandFailure? {
    let helpText = root.helpMessage(for: BrowseCommand.self) + root.helpMessage(for: root)
    let options = Set(helpText.matches(of: /--[a-z-]+/).map { String($0.output) })
    guard let option = arguments.first(where: { $0.hasPrefix("--") && !options.contains($0) }),
      let nearest = FuzzyMatch.nearest(to: option, among: Array(options)).first
    else { return nil }
    return .unknownOption(option, nearest: nearest)
  }

  /// The error of `waymark help WORDS` if the words name no command, otherwise `nil`.
  ///
  /// The parser would show the help of the last command that it knows.
  var helpFailure: CommandFailure? {
    guard positionals.first == "help" else { return nil }
    var command = root
    var matchedNames: [String] = []
    for word in positionals.dropFirst() {
      if matchedNames.isEmpty, word == "help" { return nil }
      guard let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word }) else {
        let nearest = FuzzyMatch.nearest(to: word, among: Self.subcommands(of: command))
        return .unknownHelpTopic(
          positionals.dropFirst().joined(separator: " "),
          nearest: nearest.map { (matchedNames + [$0]).joined(separator: " ") }
        )
      }
      command = next
      matchedNames.append(word)
    }
    return nil
  }

  /// The names of commands, which are valid first words.
  private var commandNames: [String] { Self.subcommands(of: root) + ["help"] }

  private func isCommand(_ word: String) -> Bool { commandNames.contains(word) }

  /// Names that commands have in other programs.
  private static let synonyms = [
    "list": ["courses", "tree"], "ls": ["courses", "tree"], "find": ["search"], "grep": ["search"], "add": ["import"],
    "delete": ["remove"], "rm": ["remove"], "read": ["show"], "cat": ["show"], "status": ["where"],
    "settings": ["manual settings"], "config": ["manual settings"], "theme": ["manual settings"],
    "keys": ["manual settings"], "undo": ["review undo"], "completions": ["--generate-completion-script"],
    "completion": ["--generate-completion-script"], "version": ["--version"],
  ]

  /// Returns the commands with the nearest names.
  private func commands(near word: String) -> [String] {
    guard !word.hasPrefix("/") else { return [] }
    let operations = Self.subcommands(of: NavCommand.self)
    if operations.contains(word) { return ["nav " + word] }
    if let commands = Self.synonyms[word] { return commands }
    let nearest = FuzzyMatch.nearest(to: word, among: commandNames)
    return nearest.isEmpty ? FuzzyMatch.nearest(to: word, among: operations).map { "nav " + $0 } : nearest
  }

  private static func subcommands(of command: any ParsableCommand.Type) -> [String] {
    command.configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  private static func positionals(of arguments: [String]) -> [String] {
    var remaining = arguments[...]
    var positionals: [String] = []
    while let argument = remaining.popFirst() {
      if argument == "--database" || argument == "--learner" {
        _ = remaining.popFirst()
      } else if !argument.hasPrefix("-") {
        positionals.append(argument)
      } else if !positionals.isEmpty {
        // The next word may be the value of an option of this command, so it is not a subcommand.
        break
      }
    }
    return positionals
  }
}

/// Files whose names are similar to a path that does not exist.
enum NearbyFiles {
  /// The maximum number of names in a folder that are compared.
  private static let maximumNames = 10_000

  /// Returns the paths with the nearest names in the same folder, nearest first.
  static func names(like path: String) -> [String] {
    let path = path.hasSuffix("/") ? String(path.dropLast()) : path
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let folder = String(path[..<start])
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    guard names.count <= maximumNames else { return [] }
    let name = String(path[start...])
    // A broken symbolic link has the name itself.
    return FuzzyMatch.nearest(to: name, among: names.filter { !$0.hasPrefix(".") && $0 != name }).map { folder + $0 }
  }
}
