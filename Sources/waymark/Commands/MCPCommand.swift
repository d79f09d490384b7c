import ArgumentParser
import CTerminal
import Foundation

/// `waymark mcp`.
struct MCPCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Offer the commands to an assistant, over the Model Context Protocol on standard input and output.",
    discussion: Example.text(
      "waymark mcp            the tools only read",
      "waymark mcp --write    they also move, mark, add notes and import")
      + "\n\nAn assistant starts it by itself: name the program and 'mcp' in its settings.")

  @OptionGroup var global: GlobalOptions
  @Flag(help: "Offer the tools that change data, too.") var write = false

  func run() throws {
    if isatty(STDIN_FILENO) == 1 {
      StandardError.write("Waiting for messages of the Model Context Protocol, one a line. Control and D ends this.\n")
    }
    let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
    var server = MCPServer(program: program, options: options, allowsWriting: write)
    if let signal = try server.serve() { cterminal_die_of(signal) }
  }

  /// The flags for the database and the learner, which are passed to the command of each call.
  private var options: [String] {
    [("database", global.database), ("learner", global.learner)].compactMap { name, value in
      value.map { "--\(name)=\($0)" }
    }
  }
}
