import Answers
import ArgumentParser
import CoursePages
import LearningModel
import NavigationKit

/// `waymark progress`, with subcommands to list progress and to mark activities.
struct ProgressCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "progress", "Show progress, and mark activities as done or not done.",
    example: "waymark progress english-for-business",
    subcommands: [ProgressListCommand.self, ProgressMarkCommand.self], defaultSubcommand: ProgressListCommand.self)

  @OptionGroup var global: GlobalOptions
}

/// `waymark progress list [PLACE]`, the default subcommand.
struct ProgressListCommand: ParsableCommand {
  enum Group: String, CaseIterable, ExpressibleByArgument {
    case learner
  }

  static let configuration = CommandConfiguration(
    "list", "Show the progress of a place and its children, or of all courses.",
    example: "waymark progress list english-for-business --by learner")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Argument(
    help: "A path such as english-for-business/meetings (default: all courses).", completion: .places,
    transform: ArgumentParsers.place)
  var place: String?
  @OptionGroup var limit: LimitOption
  @Option(help: "Print one row for every learner.") var by: Group?

  func run() throws {
    let scope = by == .learner && global.learner == nil ? .everyone : global.scope
    let service = try global.history()
    if global.learner == nil { try global.auditRead(of: scope, by: service) }
    let rows = try limit.first(of: service.progress.rows(of: place.map(PlaceName.text), by: scope))

    try Printing.list(
      rows, fields: CSVColumns.progress,
      columns: [
        Column("title", mayShrink: true) { $0.place.title },
        Column("kind") { $0.place.noun.singular },
        Column("learner", omissionRank: 1) { $0.learner },
        Column("done", alignment: .right) { "\($0.progress.done) of \($0.progress.total)" },
        Column("share", alignment: .right) { DisplayFormat.percent($0.progress.fraction) },
        .passed(\.exercises),
        Column("path", mayShrink: true, omissionRank: 2) { $0.place.path.description },
      ],
      as: output.format, whenEmpty: "No activities there yet.")
  }
}

/// `waymark progress mark PLACE done|not-done`.
struct ProgressMarkCommand: ParsableCommand {
  enum Mark: String, CaseIterable, ExpressibleByArgument {
    case done
    case notDone = "not-done"
  }

  static let configuration = CommandConfiguration(
    "mark", "Mark an activity as done or not done.",
    example: "waymark progress mark english-for-business/writing/tone/softer-please done")

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The path of an activity.", completion: .places, transform: ArgumentParsers.place) var place: String
  @Argument(help: "The new state.") var mark: Mark

  func run() throws {
    let card = try global.navigation().progress.record(mark == .done ? .markedDone : .markedNotDone, in: .text(place))
    Printing.line("Marked “\(card.place.title)” as \(mark == .done ? "done" : "not done").")
  }
}
