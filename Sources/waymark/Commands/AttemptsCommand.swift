import Answers
import ArgumentParser
import LearningModel
import NavigationService

/// `waymark attempts [PLACE]`.
struct AttemptsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attempts",
    abstract: "List the quizzes that were answered and the cards that were turned, the newest first.",
    discussion: Example.text("waymark attempts english-for-business/negotiating --learner all"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var zone: ZoneOptions
  @Argument(
    help: "A path such as english-for-business/meetings (default: everywhere).", completion: .places,
    transform: Given.place)
  var place: String?

  func run() throws {
    let service = try global.history(in: zone)
    let attempts = try service.attempts(in: place.map(PlaceName.text), by: global.scope)

    try Printing.list(
      attempts, fields: Fields.attempts,
      columns: [
        Column("when") { LocalTime.text($0.at, in: service.timeZone) },
        Column("learner") { $0.learner },
        Column("title", mayShrink: true) { $0.place.title },
        Column("did") { $0.kind.rawValue },
        Column("score", alignment: .right) { $0.score.map(Percent.text) ?? "" },
        Column("path", mayShrink: true) { $0.place.path.description },
      ],
      as: output.format, whenEmpty: "No quiz was answered and no card was turned yet.")
  }
}
