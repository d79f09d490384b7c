import ArgumentParser
import LearningModel
import NavigationService

/// `waymark recents`.
struct RecentsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recents",
    abstract: "The places that you go to most often and lately.",
    discussion: Example.text("waymark recents --limit 5"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Option(help: ArgumentHelp("At most so many.", valueName: "n")) var limit = 20

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit takes a number from 1, not \(limit).") }
  }

  func run() throws {
    let recents = try global.navigation().recents(limit: limit)

    try Printing.list(
      recents, columns: Column.places(\.place) + [Column("last visit") { $0.lastVisit.description }],
      as: output.format, whenEmpty: "You have not been anywhere yet.")
  }
}
