import Answers
import ArgumentParser
import LearningModel
import NavigationService

/// `waymark history next-from PLACE`.
struct HistoryNextFromCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next-from",
    abstract: "Say where people go next from a place.",
    discussion: Example.text("waymark history next-from english-for-business/negotiating --learner all"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Argument(help: "A path such as english-for-business/negotiating.", completion: .places, transform: Given.place)
  var place: String

  func run() throws {
    let rows = try global.history().nextPlaces(from: .text(place), of: global.scope)

    try Printing.list(
      rows, fields: Fields.nextFrom,
      columns: Column.places(\.to) + [
        Column("times", alignment: .right) { String($0.count) },
        Column("share", alignment: .right) { Percent.text($0.share) },
      ],
      as: output.format, whenEmpty: "Nobody has gone on from there.")
  }
}
