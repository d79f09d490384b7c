import ArgumentParser
import LearningModel
import NavigationService

/// `waymark history export --as FORM`.
struct HistoryExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write every step that matches, the newest first, for other programs.",
    discussion: Example.text("waymark history export --as csv --learner all --output steps.csv")
      + HistoryOptions.everyone)

  @OptionGroup var global: GlobalOptions
  @Option(name: .customLong("as"), help: "Statements of xAPI 1.0.3, one JSON object a line, or comma-separated values.")
  var form: HistoryFile.Form
  @OptionGroup var file: FileOptions
  @OptionGroup(title: "Filters") var options: HistoryOptions
  @OptionGroup var zone: ZoneOptions

  func run() throws {
    let service = try global.history(in: zone)
    let filter = try options.filter(of: global.scope, for: service)
    let history = HistoryFile(form: form, service: service, filter: filter)
    try file.write(database: global.databasePath, isPrivate: true) { try history.write(to: $0) }
  }
}
