import Answers
import ArgumentParser
import LearningModel
import NavigationService

/// `waymark history replay --session ID`.
struct HistoryReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "List the steps of one session in their order, with their transitions.",
    discussion: Example.text("waymark history replay --session 12"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var zone: ZoneOptions
  @Option(
    help: ArgumentHelp("Its number or name, as the history has it; of a name, the newest.", valueName: "session"),
    transform: Given.session)
  var session: String

  func run() throws {
    let service = try global.history(in: zone)

    var list = ListStream<HistoryRow>(
      fields: Fields.history,
      columns: [
        Column("step", alignment: .right) { String($0.sequence) },
        Column("when") { LocalTime.text($0.at, in: service.timeZone) },
        Column("did") { $0.operation.rawValue },
        Column("from", mayShrink: true) { $0.from?.title ?? "" },
        Column("to", mayShrink: true) { $0.to.title },
        Column("transition") { $0.transition?.choice.words ?? "" },
      ],
      as: output.format, whenEmpty: "The session has no step.")
    try service.forEachRow(ofSession: session) {
      try list.write($0)
      return true
    }
    try list.finish()
  }
}
