import ArgumentParser
import LearningModel
import NavigationService

/// `waymark history export --as FORM`.
struct HistoryExportCommand: ParsableCommand {
  enum Form: String, CaseIterable, ExpressibleByArgument {
    case jsonl, csv
  }

  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write every step that matches, the newest first, for other programs.",
    discussion: Example.text("waymark history export --as csv --learner all --output steps.csv"))

  @OptionGroup var global: GlobalOptions
  @Option(name: .customLong("as"), help: "One JSON object a line, or comma-separated values.") var form: Form
  @Option(help: ArgumentHelp("The file to write (default: standard output).", valueName: "file"), completion: .file())
  var output: String?
  @OptionGroup(title: "Filters (--learner takes 'all' too)") var options: HistoryOptions
  @OptionGroup var zone: ZoneOptions

  func run() throws {
    let service = try global.history(in: zone)
    let stream = HistoryStream(service: service, filter: try options.filter(of: global.scope, for: service))
    let format = form == .csv ? OutputFormat.csv : .jsonl
    if let output {
      let file = try FileOutput(output)
      try stream.write(as: format) { try file.write($0) }
      try file.finish()
    } else {
      var standard = StandardOutput()
      try stream.write(as: format) { standard.write($0) }
      standard.flush()
    }
  }
}
