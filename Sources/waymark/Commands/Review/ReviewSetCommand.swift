import Answers
import ArgumentParser
import CoursePages
import LearningModel
import NavigationKit
import TextCanvas
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
        retention          \(DisplayFormat.percent(settings.retention))
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

/// `waymark review fit [COURSE]`.
struct ReviewFitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "fit", "Fit the weights of the memory model to your answers; they are applied only if they predict better.",
    example: "waymark review fit --database ~/study.sqlite --dry-run")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Argument(
    help: "A course, to fit the weights of this course (default: those of all courses without weights of their own).",
    completion: .places, transform: ArgumentParsers.place)
  var place: String?
  @Flag(help: "Only compare; change nothing.") var dryRun = false

  func run() throws {
    let service = dryRun ? try global.readOnlyService() : try global.navigation()
    let fit = try service.reviews.fitWeights(of: place.map(PlaceName.text), applying: !dryRun)
    func loss(_ value: Double) -> String { String(Double(Int(clamping: (value * 10_000).rounded())) / 10_000) }
    let result =
      fit.isApplied
      ? "The new weights predict better and are used from now on."
      : fit.isBetter ? "The new weights predict better." : "The new weights do not predict better. Nothing was changed."
    let leftOut = fit.leftOut.isEmpty ? "" : fit.leftOutNote + " " + CommandWords.text(.fitCourse)
    try Printing.value(
      fit, fields: CSVColumns.reviewFit,
      table: """
        answers                       \(fit.answers)
        loss, all answers             \(loss(fit.lossBefore)) before, \(loss(fit.lossAfter)) after
        loss, last fifth of answers   \(loss(fit.testLossBefore)) before, \(loss(fit.testLossAfter)) after
        \(result)\(leftOut)

        """,
      as: output.format)
  }
}
