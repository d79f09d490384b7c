import Answers
import ArgumentParser
import LearningModel
import NavigationService

/// `waymark history leaving`.
struct HistoryLeavingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "leaving",
    abstract: "Say how activities were left: done, gone up from, or abandoned.",
    discussion: Example.text("waymark history leaving --under english-for-business --learner all")
      + HistoryOptions.everyone)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Filters") var options: HistoryOptions
  @OptionGroup var zone: ZoneOptions

  func run() throws {
    let service = try global.history(in: zone)
    let rows = try service.leaving(options.filter(of: global.scope, for: service))

    try Printing.list(
      rows, fields: Fields.leaving,
      columns: [
        Column("title", mayShrink: true) { $0.place.title },
        Column("left", alignment: .right) { String($0.left) },
        Column("done", alignment: .right) { String($0.done) },
        Column("gone up", alignment: .right) { String($0.popped) },
        Column("abandoned", alignment: .right) { String($0.abandoned) },
        Column("path", mayShrink: true) { $0.place.path.description },
      ],
      as: output.format, whenEmpty: "No activity has been left there.")
  }
}
