import ArgumentParser
import LearningModel
import NavigationService

/// `waymark history export --as FORM`.
struct HistoryExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the history for other programs, the newest first.",
    discussion: """
      csv and jsonl have one row for each step that matches. xapi has the statements of xAPI 1.0.3 that follow from these \
      steps: 'experienced' for each visit that has ended, 'launched' if its place is an activity, 'completed' for each \
      activity that became done, and 'passed' or 'failed' for each answered quiz. They are one JSON array with a \
      statement a line, or with --batch an array a line, as many as a record store accepts in one request.


      """
        + Example.text(
          "waymark history export --as csv --learner all --output steps.csv",
          "waymark history export --as xapi --batch 500 --output statements.jsonl") + HistoryOptions.everyone)

  @OptionGroup var global: GlobalOptions
  @Option(
    name: .customLong("as"),
    help: "xapi for statements, jsonl for one JSON object a line, csv for comma-separated values.")
  var form: HistoryFile.Form
  @Option(help: ArgumentHelp("With --as xapi: arrays of at most so many statements, an array a line.", valueName: "n"))
  var batch: Int?
  @OptionGroup var file: FileOptions
  @OptionGroup(title: "Filters") var options: HistoryOptions
  @OptionGroup var zone: ZoneOptions

  func validate() throws {
    guard let batch else { return }
    if form != .xapi { throw ValidationError("--batch is for --as xapi; leave it out.") }
    if batch < 1 { throw ValidationError("--batch takes a number from 1, not \(batch).") }
  }

  func run() throws {
    let service = try global.history(in: zone)
    let filter = try options.filter(of: global.scope, for: service)
    let history = HistoryFile(form: form, service: service, filter: filter, batch: batch)
    try file.writeBytes(database: global.databasePath, isPrivate: true) { try history.write(to: $0) }
  }
}
