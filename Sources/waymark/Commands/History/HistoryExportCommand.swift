import ArgumentParser
import LearningModel
import NavigationService

/// `waymark history export --as FORM`.
struct HistoryExportCommand: ParsableCommand {
  enum Form: String, CaseIterable, ExpressibleByArgument {
    case xapi, jsonl, csv
  }

  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write every step that matches, the newest first, for other programs.",
    discussion: Example.text("waymark history export --as csv --learner all --output steps.csv"))

  @OptionGroup var global: GlobalOptions
  @Option(name: .customLong("as"), help: "Statements of xAPI 1.0.3, one JSON object a line, or comma-separated values.")
  var form: Form
  @Option(help: ArgumentHelp("The file to write (default: standard output).", valueName: "file"), completion: .file())
  var output: String?
  @OptionGroup(title: "Filters (--learner takes 'all' too)") var options: HistoryOptions
  @OptionGroup var zone: ZoneOptions

  func run() throws {
    let service = try global.history(in: zone)
    let filter = try options.filter(of: global.scope, for: service)
    if let output {
      let file = try FileOutput(output)
      try write(service, filter) { try file.write($0) }
      try file.finish()
    } else {
      var standard = StandardOutput()
      try write(service, filter) { standard.write($0) }
      standard.flush()
    }
  }

  private func write(
    _ service: NavigationService, _ filter: HistoryFilter, to sink: (String) throws -> Void
  ) throws {
    switch form {
    case .jsonl: try HistoryStream(service: service, filter: filter).write(as: .jsonl, to: sink)
    case .csv: try HistoryStream(service: service, filter: filter).write(as: .csv, to: sink)
    case .xapi:
      // One array, as a learning record store takes them, with a statement a line.
      var isFirst = true
      try service.forEachStatement(filter) { statement in
        try sink((isFirst ? "[\n" : ",\n") + OutputEncoder.encode(statement).json)
        isFirst = false
        return true
      }
      try sink(isFirst ? "[]\n" : "\n]\n")
    }
  }
}
