import Answers
import ArgumentParser
import LearningModel
import NavigationKit

/// `waymark recents`.
struct RecentsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "recents", "The places that you go to most often and lately.", example: "waymark recents --limit 5")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Option(help: ArgumentHelp("At most so many.", valueName: "n")) var limit = 20

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit takes a number from 1, not \(limit).") }
  }

  func run() throws {
    let service = try global.asking()
    let recents = try service.recents(limit: limit)

    try Printing.list(
      recents, fields: Fields.recents,
      columns: Column.places(\.place) + [Column("last visit") { LocalTime.text($0.lastVisit, in: service.timeZone) }],
      as: output.format, whenEmpty: "You have not been anywhere yet.")
  }
}
