import ArgumentParser
import CTerminal
import Foundation

/// The program. Its subcommands are in the folder `Commands`.
@main
struct WaymarkServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waymark-server",
    abstract: "Serve courses and learners' histories over HTTP.",
    discussion: "Example:\n  waymark-server serve --database /var/lib/waymark/waymark.sqlite",
    version: "0.1.0",
    subcommands: [
      ServeCommand.self, MigrateCommand.self, MoveCommand.self, TokensCommand.self, ClassCommand.self,
      ReportCommand.self, AuditCommand.self,
    ])

  /// Parses the arguments and runs the command. Unlike ArgumentParser's `main()`, never prints a message that contains
  /// an address of PostgreSQL.
  static func main() async {
    cterminal_prepare(64)
    let arguments = (1..<max(1, cterminal_argument_count())).map { String(cString: cterminal_argument($0)) }
    do {
      try checkHelp(arguments)
      let command = try parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        var command = command
        try command.run()
      }
    } catch {
      let (code, message) = (exitCode(for: error), fullMessage(for: error))
      if code.isSuccess {
        Output.text(message + "\n", isPerformed: false)
      } else if !message.isEmpty {
        FileHandle.standardError.write(Data((Addresses.removed(from: message, arguments: arguments) + "\n").utf8))
      }
      Foundation.exit(code.rawValue)
    }
  }
}

extension WaymarkServer {
  /// Checks that the words after `help` name a command. ArgumentParser would show the help of the last command that it
  /// knows.
  private static func checkHelp(_ arguments: [String]) throws {
    var command: any ParsableCommand.Type = Self.self
    guard arguments.first == "help", arguments.dropFirst().first != "help" else { return }
    for word in arguments.dropFirst() where !word.hasPrefix("-") {
      guard let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word }) else {
        let names = command.configuration.subcommands.compactMap { $0.configuration.commandName }
        throw ValidationError(
          "Could not show the help of '\(word)': there is no such command."
            + (names.isEmpty ? "" : " Use \(names.joined(separator: ", "))."))
      }
      command = next
    }
  }
}

/// Recognises PostgreSQL addresses in the arguments. They must not be printed, because an address may contain a
/// password and ArgumentParser quotes arguments that it cannot parse.
enum Addresses {
  /// Replaces each argument that may be an address with `…`, even if the address is malformed.
  static func removed(from message: String, arguments: [String]) -> String {
    arguments.reduce(message) { message, argument in
      let components =
        argument.hasPrefix("-") ? argument.split(separator: "=", maxSplits: 1).dropFirst() : [argument[...]]
      return components.reduce(message) { isAddress($1) ? $0.replacing($1, with: "…") : $0 }
    }
  }

  /// Returns whether a text may be an address such as `postgres://ada:secret@host`. The slashes and the scheme may be
  /// missing. A text that contains `password=` is also treated as an address.
  static func isAddress(_ text: some StringProtocol) -> Bool {
    text.contains("://") || text.contains(":") && text.contains("@") || text.contains("password=")
  }
}
