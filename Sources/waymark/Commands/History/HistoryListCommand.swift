import Answers
import ArgumentParser
import LearningModel
import NavigationService

/// `waymark history list`, and `waymark history` alone.
struct HistoryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the steps, the newest first.",
    discussion: Example.text("waymark history list --under english-for-business/negotiating --limit 20")
      + HistoryOptions.everyone)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Filters") var options: HistoryOptions
  @OptionGroup var zone: ZoneOptions
  @Option(help: ArgumentHelp("At most so many (default: 100 in a table, else all).", valueName: "n")) var limit: Int?
  @Option(help: ArgumentHelp("Go on behind the step of this id.", valueName: "cursor")) var after: HistoryCursor?

  /// How many rows a table has when nobody says.
  private static let tableLimit = 100

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1, not \(limit).") }
  }

  func run() throws {
    let service = try global.history(in: zone)
    let filter = try options.filter(of: global.scope, for: service)
    var out = StandardOutput()
    if let form = output.format.stream(columns: Fields.history) {
      let stream = HistoryStream(service: service, filter: filter, limit: limit, after: after)
      try stream.write(as: form) { out.write($0) }
    } else {
      let page = try service.history(filter, limit: limit ?? Self.tableLimit, after: after)
      try output.format.write(
        page.rows, fields: Fields.history, columns: HistoryRow.columns(in: service.timeZone),
        whenEmpty: "No step matches.", to: &out)
      out.flush()
      if let next = page.next, limit == nil {
        StandardError.write("There are older steps: add --after \(next), or a --limit.\n")
      }
    }
    out.flush()
  }
}
