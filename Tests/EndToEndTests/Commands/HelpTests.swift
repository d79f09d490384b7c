import ArgumentParser
import Foundation
import Testing

@testable import waymark

/// The `--help` text of all commands.
struct HelpTests {
  /// All commands, from the program's own table.
  static let commands: [[String]] = words(of: Waymark.self, after: [])

  private static func words(of command: any ParsableCommand.Type, after path: [String]) -> [[String]] {
    [path] + command.configuration.subcommands.flatMap { words(of: $0, after: path + [$0.configuration.commandName!]) }
  }

  @Test(arguments: commands) func `every command has a help text with one example`(command: [String]) throws {
    let home = try HomeFixture()

    let answer = try home.waymark(command + ["--help"])

    #expect(answer.code == 0)
    #expect(answer.errors == "")
    #expect(answer.output.components(separatedBy: "\nExample:\n  ").count == 2)
    #expect(answer.output.contains("\nExample:\n  waymark") || answer.output.contains("waymark"))
    #expect(answer.output.contains("--database <path>"))
    // ArgumentParser would write some titles in capitals.
    #expect(!answer.output.contains(/--[A-Z]/))
  }

  @Test(arguments: commands)
  func `the example of every help text succeeds in a new home with the bundled course`(command: [String]) throws {
    let home = try HomeFixture.withBundledCourse()
    let help = try home.waymark(command + ["--help"]).output
    let block = help.components(separatedBy: "\nExample:\n").dropFirst().joined().components(separatedBy: "\n\n")[0]
    // The examples of these commands do not fit into a line.
    let lines =
      ["create", "edit", "schedule"].contains(command.last ?? "")
      ? ["  " + block.split(whereSeparator: \.isWhitespace).joined(separator: " ")] : block.lines
    // The purpose of an example follows after three spaces.
    let examples = lines.map { String($0.dropFirst(2).split(separator: /\ {3,}/)[0]) }
    try FileManager.default.createDirectory(atPath: home.path("bin"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: home.path("bin/waymark"), withDestinationPath: BuiltProgram.path)
    home.environment["PATH"] = home.path("bin") + ":/usr/bin:/bin"

    #expect(!examples.isEmpty)
    #expect(lines.allSatisfy { $0.hasPrefix("  ") }, "each line of the example is one command")
    var needsFiles = false
    for example in examples {
      // The files of the user do not exist here, and neither do courses that are imported from them.
      if example.contains("~/") {
        needsFiles = true
        continue
      }
      let answer = try home.run("/bin/sh", ["-c", example])
      let isBrowser = command.isEmpty || command == ["browse"]
      if isBrowser {
        // There is no terminal.
        #expect(answer.code == 69, "\(example): \(answer)")
      } else if needsFiles || example.contains("school.example") || command.first == "exercise"
        || ["edit", "delete"].contains(command.last ?? "")
      {
        // The bundled course has no exercises, and the learner has made no cards.
        #expect([0, 66, 69].contains(answer.code), "\(example): \(answer)")
      } else {
        #expect(answer.code == 0, "\(example): \(answer)")
      }
    }
  }

  @Test(arguments: [("bash", ["-n"]), ("zsh", ["-n"])])
  func `the completion scripts are valid for their shells`(shell: String, flags: [String]) throws {
    let home = try HomeFixture()
    guard FileManager.default.isExecutableFile(atPath: "/bin/\(shell)") else { return }
    let script = try home.write(try home.waymark("--generate-completion-script", shell).output, to: "completions")

    #expect(try home.run("/bin/\(shell)", flags + [script]) == Answer(code: 0))
  }

  @Test func `the version option prints the version`() throws {
    #expect(try HomeFixture().waymark("--version") == Answer(code: 0, output: "0.1.0\n"))
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `each supported shell gets a completion script`(shell: String) throws {
    let answer = try HomeFixture().waymark("--generate-completion-script", shell)

    #expect(answer.code == 0)
    #expect(answer.output.contains("bookmarks"))
  }
}
