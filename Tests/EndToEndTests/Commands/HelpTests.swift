import ArgumentParser
import Foundation
import Testing

@testable import waymark

/// `--help`, of every command there is.
struct HelpTests {
  /// The words of every command, from the program's own table.
  static let commands: [[String]] = words(of: Waymark.self, after: [])

  private static func words(of command: any ParsableCommand.Type, after path: [String]) -> [[String]] {
    [path] + command.configuration.subcommands.flatMap { words(of: $0, after: path + [$0.configuration.commandName!]) }
  }

  @Test(arguments: commands) func `every command explains itself with one example`(words: [String]) throws {
    let home = try Home()

    let answer = try home.waymark(words + ["--help"])

    #expect(answer.code == 0)
    #expect(answer.errors == "")
    #expect(answer.output.components(separatedBy: "\nExample:\n  ").count == 2)
    #expect(answer.output.contains("\nExample:\n  waymark") || answer.output.contains("waymark"))
    #expect(answer.output.contains("--database <path>"))
  }

  @Test func `the version is told`() throws {
    #expect(try Home().waymark("--version") == Answer(code: 0, output: "0.1.0\n"))
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `a shell gets its completions`(shell: String) throws {
    let answer = try Home().waymark("--generate-completion-script", shell)

    #expect(answer.code == 0)
    #expect(answer.output.contains("bookmarks"))
  }
}
