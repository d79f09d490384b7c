import ArgumentParser
import CTerminal
import Foundation

/// The program. Each subcommand has a file of its own in this folder.
@main
struct WaymarkServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waymark-server",
    abstract: "Serve courses and history to many learners, over HTTP.",
    discussion: "Example:\n  waymark-server serve --database /var/lib/waymark/waymark.sqlite",
    version: "0.1.0",
    subcommands: [
      ServeCommand.self, MigrateCommand.self, MoveCommand.self, TokensCommand.self, ClassCommand.self,
      ReportCommand.self, AuditCommand.self,
    ])

  /// Runs the command of the arguments. As ArgumentParser's own `main()`, except that no message contains an address.
  static func main() async {
    let arguments = (1..<max(1, cterminal_argument_count())).map { String(cString: cterminal_argument($0)) }
    do {
      let command = try parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        var command = command
        try command.run()
      }
    } catch {
      let (code, message) = (exitCode(for: error), fullMessage(for: error))
      let harmless = Addresses.removed(from: message, arguments: arguments)
      guard harmless != message, !code.isSuccess else { exit(withError: error) }
      FileHandle.standardError.write(Data((harmless + "\n").utf8))
      Foundation.exit(code.rawValue)
    }
  }
}

/// Addresses of PostgreSQL among the arguments. They may hold a password, and ArgumentParser quotes arguments that it cannot parse.
enum Addresses {
  /// Replaces each argument that may be an address, well written or not, by `…`.
  static func removed(from message: String, arguments: [String]) -> String {
    arguments.reduce(message) { message, argument in
      let parts = argument.hasPrefix("-") ? argument.split(separator: "=", maxSplits: 1).dropFirst() : [argument[...]]
      return parts.reduce(message) { isAddress($1) ? $0.replacing($1, with: "…") : $0 }
    }
  }

  /// True for text such as `postgres://ada:secret@host`, also with a missing slash or scheme, and for `password=secret`.
  static func isAddress(_ text: some StringProtocol) -> Bool {
    text.contains("://") || text.contains(":") && text.contains("@") || text.contains("password=")
  }
}
