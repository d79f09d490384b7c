import Answers
import ArgumentParser
import TextCanvas

/// `waymark database path`.
struct DatabasePathCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "path",
    abstract: "Print where the database is, or would be.",
    discussion: Example.text(#"sqlite3 "$(waymark database path)" 'SELECT * FROM visit LIMIT 5'"#))

  @OptionGroup var global: GlobalOptions

  func run() {
    var output = StandardOutput()
    // As it is, for a shell: a name with strange signs in it must still lead there.
    output.write((output.isTerminal ? global.databasePath.harmless : global.databasePath) + "\n")
    output.flush()
  }
}
