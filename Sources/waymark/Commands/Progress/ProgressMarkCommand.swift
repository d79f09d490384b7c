import ArgumentParser
import LearningModel
import NavigationService

/// `waymark progress mark PLACE done|not-done`.
struct ProgressMarkCommand: ParsableCommand {
  enum Mark: String, CaseIterable, ExpressibleByArgument {
    case done
    case notDone = "not-done"
  }

  static let configuration = CommandConfiguration(
    commandName: "mark",
    abstract: "Say that an activity is done, or take that back.",
    discussion: Example.text("waymark progress mark english-for-business/writing/tone/softer-please done"))

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The path of an activity.", completion: .places, transform: Given.place) var place: String
  @Argument(help: "done or not-done.") var mark: Mark

  func run() throws {
    let card = try global.navigation().record(mark == .done ? .markedDone : .markedNotDone, in: .text(place))
    Printing.line("“\(card.place.title)” is \(mark == .done ? "done" : "not done").")
  }
}
