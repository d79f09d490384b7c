import Answers
import ArgumentParser
import LearningModel
import NavigationService

/// `waymark history stats --by GROUP`.
struct HistoryStatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Count visits, places, time and turning back.",
    discussion: Example.text("waymark history stats --by lesson --since 7d") + HistoryOptions.everyone)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Option(help: "What is counted together; by learner it is everyone's.") var by: StatisticsGroup
  @OptionGroup(title: "Filters") var options: HistoryOptions
  @OptionGroup var zone: ZoneOptions
  @OptionGroup var limit: LimitOption

  func run() throws {
    let service = try global.history(in: zone)
    // Who counts learners means everyone, unless they name one.
    let scope = by == .learner && global.learner == nil ? .everyone : global.scope
    if global.learner == nil { try global.noteRead(of: scope, by: service) }
    let rows = try limit.first(
      of: service.statistics(by: by, options.filter(of: scope, for: service), in: service.timeZone))

    try Printing.list(
      rows, fields: Fields.statistics(by: by),
      columns: [
        Column(by.rawValue, mayShrink: true) { $0.key.words },
        Column("visits", alignment: .right) { String($0.visits) },
        Column("places", alignment: .right) { String($0.places) },
        Column("active", alignment: .right) { TimeSpent.text($0.activeMilliseconds) },
        Column("turned back", alignment: .right) { Percent.text($0.turnedBack) },
      ],
      as: output.format, whenEmpty: "No step matches.")
  }
}

extension StatisticsRow.Key {
  /// What a table calls the group.
  fileprivate var words: String {
    switch self {
    case .place(let place): place.title
    case .text(let text): text
    case .number(let number): String(number)
    }
  }
}
