import Answers
import ArgumentParser
import CoursePages
import LearningModel
import NavigationKit
import WholeNumbers

/// `waymark review set [PLACE]`.
struct ReviewSetCommand: ParsableCommand {
  enum Answers: Int, CaseIterable, ExpressibleByArgument {
    case two = 2
    case four = 4
  }

  enum Consent: String, CaseIterable, ExpressibleByArgument { case yes, no }

  enum Leeches: String, CaseIterable, ExpressibleByArgument { case keep, suspend }

  enum Siblings: String, CaseIterable, ExpressibleByArgument { case none, new, all }

  static let configuration = CommandConfiguration(
    "set", "Show or change the limits, intervals and weights of reviews, of a course or of all courses.",
    example: "waymark review set english-for-business --retention 0.95 --new 10")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Argument(help: "A course (default: all courses).", completion: .places, transform: ArgumentParsers.place)
  var place: String?
  @Option(
    parsing: .unconditional, help: ArgumentHelp(ReviewSettingRow.retention.help, valueName: "share"))
  var retention: Double?
  @Option(parsing: .unconditional, help: ArgumentHelp(ReviewSettingRow.newCards.help, valueName: "n")) var new: Int?
  @Option(parsing: .unconditional, help: ArgumentHelp(ReviewSettingRow.reviews.help, valueName: "n")) var reviews: Int?
  @Option(help: ArgumentHelp(ReviewSettingRow.answers.help, valueName: "count"))
  var answers: Answers?
  @Option(help: ArgumentHelp(ReviewSettingRow.siblings.help, valueName: "cards"))
  var siblings: Siblings?
  @Option(help: ArgumentHelp(ReviewSettingRow.leeches.help, valueName: "cards")) var leeches: Leeches?
  @Option(help: ArgumentHelp(ReviewSettingRow.newIgnoreLimit.help, valueName: "yes or no")) var newIgnoreLimit: Consent?
  @Option(help: ArgumentHelp(ReviewSettingRow.learningSteps.help, valueName: "steps")) var learningSteps: String?
  @Option(help: ArgumentHelp(ReviewSettingRow.relearningSteps.help, valueName: "steps")) var relearningSteps: String?
  @Option(parsing: .unconditional, help: ArgumentHelp(ReviewSettingRow.maximumInterval.help, valueName: "n"))
  var maximumInterval: Int?
  @Option(parsing: .unconditional, help: ArgumentHelp(ReviewSettingRow.leech.help, valueName: "n")) var leech: Int?
  @Option(parsing: .unconditional, help: ArgumentHelp(ReviewSettingRow.dayStart.help, valueName: "n"))
  var dayStart: Int?
  @Option(parsing: .unconditional, help: ArgumentHelp(ReviewSettingRow.weights.help, valueName: "numbers"))
  var weights: String?
  @Flag(
    help: "Remove the settings of the course, so that those of all courses apply; without a course, use the defaults.")
  var reset = false

  private func change() throws -> ReviewSettingsChange {
    func read(_ row: ReviewSettingRow, _ text: String?) throws -> ReviewSettingsChange {
      try text.map(row.change) ?? ReviewSettingsChange()
    }
    return ReviewSettingsChange(
      retention: retention, newCards: new, reviews: reviews, hasFourAnswers: answers.map { $0 == .four },
      newIgnoreLimit: newIgnoreLimit.map { $0 == .yes },
      waitingSiblings: siblings.flatMap { .init(rawValue: $0.rawValue) },
      learningSteps: try read(.learningSteps, learningSteps).learningSteps,
      relearningSteps: try read(.relearningSteps, relearningSteps).relearningSteps, maximumInterval: maximumInterval,
      leechLapses: leech, suspendsLeeches: leeches.map { $0 == .suspend }, dayStart: dayStart,
      weights: try read(.weights, weights).weights)
  }

  func run() throws {
    let change = try change()
    let isChanged = change != ReviewSettingsChange()
    if reset, isChanged { throw ValidationError("--reset cannot be combined with other settings.") }
    let name = place.map(PlaceName.text)
    let settings =
      reset
      ? try global.navigation().reviews.reset(of: name)
      : isChanged
        ? try global.navigation().reviews.set(change, of: name)
        : try global.readOnlyService().reviews.settings(of: name)
    try Printing.value(
      settings, fields: CSVColumns.reviewSettings,
      table: """
        retention          \(Percent.text(settings.retention))
        new cards a day    \(settings.newCards)
        reviews a day      \(settings.reviews)
        answers            \(settings.hasFourAnswers ? "again, hard, good, easy" : "forgot, knew it")
        siblings           \(ReviewSettingRow.siblings.note(in: settings))
        new cards          \(ReviewSettingRow.newIgnoreLimit.note(in: settings))
        learning steps     \(ReviewSettingRow.learningSteps.value(in: settings))
        relearning steps   \(ReviewSettingRow.relearningSteps.value(in: settings))
        maximum interval   \(settings.maximumInterval) \(settings.maximumInterval == 1 ? "day" : "days")
        leech              \(settings.leechLapses == 0 ? "never" : "forgotten \(settings.leechLapses) times")
        leeches            \(ReviewSettingRow.leeches.note(in: settings))
        start of the day   \(settings.dayStart):00
        weights            \(ReviewSettingRow.weights.value(in: settings))

        """,
      as: output.format)
  }
}

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
  @Argument(help: "The path of a place.", completion: .places, transform: ArgumentParsers.place) var place: String
  @Option(help: ArgumentHelp("Only this card of the activity: its key, or its first characters.", valueName: "key"))
  var card: String?

  /// Returns the number of changed cards.
  func setSuspended(_ isSuspended: Bool, by service: NavigationService) throws -> Int {
    guard let card else { return try service.cards.setSuspended(isSuspended, in: .text(place)) }
    return try service.cards.setSuspended(isSuspended, service.cards.id(named: card, in: .text(place))) ? 1 : 0
  }
}

/// `waymark review suspend PLACE`.
struct ReviewSuspendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "suspend", "Suspend the cards of a place: they keep their state and are not shown.",
    example: "waymark review suspend english-for-business/writing")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var target: ReviewTarget

  func run() throws {
    try Printing.changedCards(target.setSuspended(true, by: global.navigation()), "Suspended", as: output.format)
  }
}

/// `waymark review resume PLACE`.
struct ReviewResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "resume", "Resume the suspended cards of a place.",
    example: "waymark review resume english-for-business/writing")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var target: ReviewTarget

  func run() throws {
    try Printing.changedCards(target.setSuspended(false, by: global.navigation()), "Resumed", as: output.format)
  }
}

/// A card of an activity.
struct ReviewCardArgument: ParsableArguments {
  @Argument(help: "The path of the activity with the card.", completion: .places, transform: ArgumentParsers.place)
  var place: String
  @Argument(help: "The key of the card, or its first characters; 'waymark review list' prints it.") var card: String

  func id(in service: NavigationService) throws -> CardID { try service.cards.id(named: card, in: .text(place)) }
}

/// `waymark review edit PLACE CARD`.
struct ReviewEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "edit", "Change the question or the answer of a card that you have made. It keeps its schedule.",
    example: "waymark review edit english-for-business/writing/tone/softer-please own:4f --answer No")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var card: ReviewCardArgument
  @Option(help: "The new question (default: unchanged).") var question: String?
  @Option(help: "The new answer (default: unchanged). Empty lines separate paragraphs.") var answer: String?

  func validate() throws {
    if question == nil && answer == nil { throw ValidationError("Nothing to change. Add --question or --answer.") }
  }

  func run() throws {
    let service = try global.navigation()
    try service.cards.change(card.id(in: service), front: question, back: answer)
    try Printing.changedCards(1, "Changed", as: output.format)
  }
}

/// `waymark review delete PLACE CARD`.
struct ReviewDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "delete", "Delete a card that you have made. 'waymark review undo' restores it today.",
    example: "waymark review delete english-for-business/writing/tone/softer-please own:4f")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var card: ReviewCardArgument

  func run() throws {
    let service = try global.navigation()
    try service.cards.remove(card.id(in: service))
    try Printing.changedCards(1, "Deleted", as: output.format)
  }
}

/// `waymark review schedule PLACE CARD`.
struct ReviewScheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "schedule", "Set the day on which a card is due, or make it a new card again.",
    example: "waymark review schedule english-for-business/writing/tone/softer-please 987d --days 3")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var card: ReviewCardArgument
  @Option(
    parsing: .unconditional, help: ArgumentHelp("The days until the card is due; 0 is today.", valueName: "n"))
  var days: Int?
  @Flag(help: "Forget the card: it is new again.") var new = false

  func validate() throws {
    if (days == nil) != new { throw ValidationError("Add either --days or --new.") }
  }

  func run() throws {
    let service = try global.navigation()
    try service.cards.schedule(card.id(in: service), inDays: days)
    try Printing.changedCards(1, "Scheduled", as: output.format)
  }
}

/// `waymark review fit`.
struct ReviewFitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "fit", "Fit the weights of the memory model to your answers; they are applied only if they predict better.",
    example: "waymark review fit --database ~/study.sqlite --dry-run")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Flag(help: "Only compare; change nothing.") var dryRun = false

  func run() throws {
    let service = dryRun ? try global.readOnlyService() : try global.navigation()
    let fit = try service.reviews.fitWeights(applying: !dryRun)
    func loss(_ value: Double) -> String { String(Double(Int(clamping: (value * 10_000).rounded())) / 10_000) }
    let result =
      fit.isApplied
      ? "The new weights predict better and are used from now on."
      : fit.isBetter ? "The new weights predict better." : "The new weights do not predict better. Nothing was changed."
    try Printing.value(
      fit, fields: CSVColumns.reviewFit,
      table: """
        answers                       \(fit.answers)
        loss, all answers             \(loss(fit.lossBefore)) before, \(loss(fit.lossAfter)) after
        loss, last fifth of answers   \(loss(fit.testLossBefore)) before, \(loss(fit.testLossAfter)) after
        \(result)

        """,
      as: output.format)
  }
}
