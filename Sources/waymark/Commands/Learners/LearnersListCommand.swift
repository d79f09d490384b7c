import Answers
import ArgumentParser
import LearningModel
import NavigationService

/// `waymark learners list`.
struct LearnersListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List everyone who has been here, by name.",
    discussion: Example.text("waymark learners list --format json"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var limit: LimitOption

  func run() throws {
    let rows = try limit.first(of: global.history().learners().map { LearnerRow(name: $0.name) })

    try Printing.list(
      rows, fields: Fields.learners, columns: [Column("name") { $0.name }], as: output.format,
      whenEmpty: "Nobody has been here yet.")
  }
}
