import Answers
import ArgumentParser
import LearningModel
import NavigationKit

/// `waymark recents`.
struct RecentsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "recents", "List the places that you visit most often and most recently.", example: "waymark recents --limit 5")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Option(parsing: .unconditional, help: ArgumentHelp("The maximum number of places.", valueName: "n")) var limit = 20

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be at least 1, not \(limit).") }
  }

  func run() throws {
    let service = try global.readOnlyService()
    let recents = try service.places.recents(limit: limit)

    try Printing.list(
      recents, fields: CSVColumns.recents,
      columns: Column.places(\.place) + [Column("last visit") { LocalTime.text($0.lastVisit, in: service.timeZone) }],
      as: output.format, whenEmpty: "No history yet. Places that you open appear here.")
  }
}
