import ArgumentParser

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The program. Each subcommand is a file of its own in `Commands/`; to add one, write it there, and name it here.
@main
struct Waymark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waymark",
    abstract: "Find your way through courses.",
    discussion: """
      Without a command, the browser opens where you left off. EXAMPLE: waymark english-for-business/negotiating
      """,
    version: "0.1.0",
    subcommands: [BrowseCommand.self],
    defaultSubcommand: BrowseCommand.self)

  @OptionGroup var global: GlobalOptions

  static func main() {
    // A closed pipe is seen where it is written to, and ends the program quietly.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      ExitStatus.leave(with: error)
    }
  }
}
