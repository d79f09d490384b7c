import ArgumentParser
import CTerminal
import Foundation

/// `waymark mcp`.
struct MCPCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Serve the commands as tools of the Model Context Protocol on standard input and output.",
    discussion: Example.text(
      "waymark mcp            offer tools that only read",
      "waymark mcp --write    offer tools that change data too")
      + "\n\nAn assistant starts this command. Add 'waymark mcp' to the settings of the assistant.")

  @OptionGroup var global: GlobalOptions
  @Flag(help: "Also offer tools that change data.") var write = false

  func run() throws {
    if isatty(STDIN_FILENO) == 1 {
      StandardError.write("Waiting for messages of the Model Context Protocol, one per line. Press Ctrl-D to stop.\n")
    }
    let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
    var server = MCPServer(program: program, options: options, allowsWriting: write)
    if let signal = try server.serve() { cterminal_die_of(signal) }
  }

  /// The flags for the database and the learner, which are passed to every command that the server runs.
  private var options: [String] {
    [("database", global.database), ("learner", global.learner)].compactMap { name, value in
      value.map { "--\(name)=\($0)" }
    }
  }
}
