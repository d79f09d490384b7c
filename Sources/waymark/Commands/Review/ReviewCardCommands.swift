import Answers
import ArgumentParser
import LearningModel
import NavigationKit
import TextCanvas

/// `waymark review add PLACE`.
struct ReviewAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "add", "Add the cards of a place without beginning its lessons.",
    example: "waymark review add english-for-business/negotiating")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Argument(help: "The path of a place.", completion: .places, transform: ArgumentParsers.place) var place: String

  func run() throws {
    try Printing.changedCards(global.navigation().cards.include(from: .text(place)), "Added", as: output.format)
  }
}

extension Printing {
  /// Prints the number of changed cards, in the table format as a sentence that begins with a verb.
  fileprivate static func changedCards(_ count: Int, _ verb: String, as format: OutputFormat) throws {
    try value(
      ChangedCardsRow(cards: count), fields: CSVColumns.changedCards,
      table: "\(verb) \(count == 0 ? "no cards" : count == 1 ? "1 card" : "\(count) cards").\n", as: format)
  }
}

/// The cards of a command that suspends or resumes.
struct ReviewTarget: ParsableArguments {
  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Argument(help: "The path of a place.", completion: .places, transform: ArgumentParsers.place) var place: String
  @Option(help: ArgumentHelp("Only this card of the activity: its key, or its first characters.", valueName: "key"))
  var card: String?

  func setSuspended(_ isSuspended: Bool) throws {
    let cards = try global.navigation().cards
    let count =
      try card.map { try cards.setSuspended(isSuspended, cards.id(named: $0, in: .text(place))) ? 1 : 0 }
      ?? cards.setSuspended(isSuspended, in: .text(place))
    try Printing.changedCards(count, isSuspended ? "Suspended" : "Resumed", as: output.format)
  }
}

/// `waymark review suspend PLACE`.
struct ReviewSuspendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "suspend", "Suspend the cards of a place: they keep their state and are not shown.",
    example: "waymark review suspend english-for-business/writing")

  @OptionGroup var target: ReviewTarget

  func run() throws { try target.setSuspended(true) }
}

/// `waymark review resume PLACE`.
struct ReviewResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "resume", "Resume the suspended cards of a place.",
    example: "waymark review resume english-for-business/writing")

  @OptionGroup var target: ReviewTarget

  func run() throws { try target.setSuspended(false) }
}

/// The card of a command that changes one card.
struct ReviewCardTarget: ParsableArguments {
  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Argument(help: "The path of the activity with the card.", completion: .places, transform: ArgumentParsers.place)
  var place: String
  @Argument(help: "The key of the card, or its first characters; 'waymark review list' prints it.") var card: String

  /// Changes the card and prints that it was changed.
  func change(_ verb: String, _ change: (LearnerCards, CardID) throws -> Void) throws {
    let cards = try global.navigation().cards
    try change(cards, cards.id(named: card, in: .text(place)))
    try Printing.changedCards(1, verb, as: output.format)
  }
}

/// `waymark review create [PLACE]`.
struct ReviewCreateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "create", "Make a card of your own.",
    example: "waymark review create english-for-business/writing/tone/softer-please --question Why --answer So")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Argument(
    help: "The path of the activity to which the card belongs (default: the one that you visited last).",
    completion: .places, transform: ArgumentParsers.place)
  var place: String?
  @Option(help: "The question.") var question: String
  @Option(help: "The answer. Empty lines separate paragraphs.") var answer: String

  func run() throws {
    let service = try global.navigation()
    let name = try place.map(PlaceName.text) ?? service.history.lastActivity().map { .place($0.place) }
    guard let name else { throw ValidationError("Add the path of an activity, because you have not visited one yet.") }
    let id = try service.cards.make(front: question, back: answer, in: name)
    let activity = try service.places.named(.place(id.place))
    try Printing.value(
      ChangedCardsRow(cards: 1), fields: CSVColumns.changedCards,
      table: "Created the card \(id.key) in “\(activity.title)”.\n".harmlessLines, as: output.format)
  }
}

/// `waymark review edit PLACE CARD`.
struct ReviewEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "edit", "Change the question or the answer of a card that you have made. It keeps its schedule.",
    example: "waymark review edit english-for-business/writing/tone/softer-please own:4f --answer No")

  @OptionGroup var target: ReviewCardTarget
  @Option(help: "The new question (default: unchanged).") var question: String?
  @Option(help: "The new answer (default: unchanged). Empty lines separate paragraphs.") var answer: String?

  func validate() throws {
    if question == nil && answer == nil { throw ValidationError("Nothing to change. Add --question or --answer.") }
  }

  func run() throws {
    try target.change("Changed") { try $0.change($1, front: question, back: answer) }
  }
}

/// `waymark review delete PLACE CARD`.
struct ReviewDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "delete", "Delete a card that you have made. 'waymark review undo' restores it today.",
    example: "waymark review delete english-for-business/writing/tone/softer-please own:4f")

  @OptionGroup var target: ReviewCardTarget

  func run() throws { try target.change("Deleted") { try $0.remove($1) } }
}

/// `waymark review schedule PLACE CARD`.
struct ReviewScheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "schedule", "Set the day on which a card is due, or make it a new card again.",
    example: "waymark review schedule english-for-business/writing/tone/softer-please 987d --days 3")

  @OptionGroup var target: ReviewCardTarget
  @Option(
    parsing: .unconditional, help: ArgumentHelp("The days until the card is due; 0 is today.", valueName: "n"))
  var days: Int?
  @Flag(help: "Forget the card: it is new again.") var new = false

  func validate() throws {
    if (days == nil) != new { throw ValidationError("Add either --days or --new.") }
  }

  func run() throws {
    try target.change("Scheduled") { try $0.schedule($1, inDays: days) }
  }
}
