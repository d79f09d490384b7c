import Answers
import ArgumentParser
import CoursePages
import LearningModel
import NavigationKit
import TextCanvas

/// `waymark review`, with subcommands for due cards, answers, statistics and settings.
struct ReviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "review", "Review flashcards before you forget them.",
    example: "waymark review english-for-business --linear",
    note: "A place limits the review to its cards. For the options, run: waymark help review start",
    subcommands: [
      ReviewStartCommand.self, ReviewDueCommand.self, ReviewNextCommand.self, ReviewAnswerCommand.self,
      ReviewUndoCommand.self,
      ReviewListCommand.self, ReviewStatsCommand.self, ReviewForecastCommand.self, ReviewLogCommand.self,
      ReviewSetCommand.self, ReviewAddCommand.self, ReviewSuspendCommand.self, ReviewResumeCommand.self,
      ReviewFitCommand.self, ReviewCramCommand.self, ReviewCreateCommand.self, ReviewEditCommand.self,
      ReviewDeleteCommand.self,
      ReviewScheduleCommand.self,
    ], defaultSubcommand: ReviewStartCommand.self)

  @OptionGroup var global: GlobalOptions
}

/// The place of a review command.
struct ReviewPlace: ParsableArguments {
  @Argument(
    help: "Only the cards of this place, such as english-for-business (default: all courses).", completion: .places,
    transform: ArgumentParsers.place)
  var place: String?

  var name: PlaceName? { place.map(PlaceName.text) }
}

/// The cards of a review command: those of a place, with a tag.
struct ReviewCards: ParsableArguments {
  @OptionGroup var place: ReviewPlace
  @Option(
    help: ArgumentHelp("Only cards with this tag or a tag below it, such as verb or verb::irregular.", valueName: "tag")
  )
  var tag: String?

  var name: PlaceName? { tag.map { .tagged($0, in: place.name) } ?? place.name }
}

/// `waymark review due [PLACE]`.
struct ReviewDueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "due", "Show the cards that are due today, by course.", example: "waymark review due english-for-business")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var cards: ReviewCards
  @OptionGroup var output: OutputOptions

  func run() throws {
    let overview = try global.readOnlyService().reviews.overview(of: cards.name)
    var rows = cards.place.name == nil ? overview.courses : [overview.total]
    // The sum has a row of its own only in the table, because the daily limits apply to it too.
    if output.format == .table, rows.count > 1 { rows.append(overview.total) }
    try Printing.list(
      rows, fields: CSVColumns.reviewDue,
      columns: [
        Column("title", mayShrink: true) { $0.place.place == .root ? "All courses" : $0.place.title },
        Column("today", alignment: .right) { "\($0.today)" },
        Column("reviews", alignment: .right) { "\($0.steps + $0.reviews)" },
        Column("new", alignment: .right) { "\($0.new)" },
        Column("later", alignment: .right, omissionRank: 1) { "\($0.later)" },
        Column("all due", alignment: .right) { "\($0.due)" },
        Column("path", mayShrink: true, omissionRank: 2) { $0.place.path.description },
      ],
      as: output.format,
      whenEmpty:
        "No cards yet. Cards are added when you read or answer something in their lesson; 'waymark review add PLACE' adds "
        + "them at once."
    )
  }
}

/// `waymark review next [PLACE]`.
struct ReviewNextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "next", "Show the next card, with its answer.", example: "waymark review next --ahead")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var cards: ReviewCards
  @OptionGroup var output: OutputOptions
  @Flag(help: "Ignore the daily limits, and then show cards that are due on later days.") var ahead = false

  func run() throws {
    let card = try global.readOnlyService().reviews.nextCard(in: cards.name, ahead: ahead)
    let table = card.map { card in
      let intervals = CardRating.allCases.map { "\($0.name) \(card.intervals[$0].map(ReviewText.shortInterval) ?? "")" }
      return """
        \(card.faces.question.plainText.harmlessLines)

        \(card.faces.answer.plainText.harmlessLines)

        Answer with: \(shell: "waymark", "review", "answer", card.place.path.description, card.id.key, "RATING")
        \(intervals.joined(separator: ", "))

        """
    }
    try Printing.list(
      card.map { [NextCardRow($0)] } ?? [], fields: CSVColumns.nextCard,
      table: table ?? "There is no card to answer now.\n",
      as: output.format)
  }
}

/// `waymark review answer PLACE CARD RATING`.
struct ReviewAnswerCommand: ParsableCommand {
  enum Rating: String, CaseIterable, ExpressibleByArgument {
    case again, hard, good, easy
  }

  static let configuration = CommandConfiguration(
    "answer", "Record the answer to a card.",
    example: "waymark review answer english-for-business/writing/tone/softer-please 987 good")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Argument(help: "The path of the activity with the card.", completion: .places, transform: ArgumentParsers.place)
  var place: String
  @Argument(help: "The key of the card, or its first characters; 'waymark review next' prints it.") var card: String
  @Argument(help: "How well you remembered the card.") var rating: Rating
  @Option(parsing: .unconditional, help: ArgumentHelp("The seconds that the answer took.", valueName: "n"))
  var seconds = 0

  func run() throws {
    let service = try global.navigation()
    let id = try service.cards.id(named: card, in: .text(place))
    let rating = CardRating.allCases.first { $0.name == self.rating.rawValue } ?? .good
    let answer = try service.reviews.answer(id, rating, after: .seconds(seconds))
    let named = try service.places.named(.place(id.place))
    try Printing.value(
      CardAnswerRow(place: named, answer: answer), fields: CSVColumns.cardAnswer,
      table: "Recorded the answer '\(rating.name)'. The card returns in \(ReviewText.shortInterval(answer.interval)).\n"
        + (answer.becameLeech
          ? ReviewText.leech(answer, remedy: "Rewrite it, or suspend it with 'waymark review suspend'.") + "\n"
          : ""),
      as: output.format)
  }
}

/// `waymark review undo`.
struct ReviewUndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "undo", "Undo your last answer or other change of a card of today.", example: "waymark review undo")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let service = try global.navigation()
    let change = try service.changes.undo(onlyCards: true)
    let quotes = Symbols.unicode.quotes
    let text = try change.map {
      UndoText.text(
        $0, isHere: false, isShown: false,
        hasFourAnswers: try service.reviews.settings().hasFourAnswers, quotes: quotes)
    }
    try Printing.value(
      UndoneRow(undone: change != nil), fields: CSVColumns.reviewUndo,
      table: (text ?? UndoText.nothing).harmlessLines + "\n",
      as: output.format)
  }
}

/// `waymark review list [PLACE]`.
struct ReviewListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "list", "List cards with their state.", example: "waymark review list english-for-business --format jsonl")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var cards: ReviewCards
  @OptionGroup var output: OutputOptions
  @OptionGroup var limit: LimitOption
  @Flag(help: "Only leeches: cards that were forgotten eight times or more.") var leeches = false
  @Flag(help: "Only cards that were answered more than a day in the future, because the clock was ahead.") var future =
    false

  func run() throws {
    try Printing.list(
      global.readOnlyService().cards.all(
        in: cards.name, limit: limit.limit, answeredInFuture: future, leeches: leeches), fields: CSVColumns.cards,
      columns: [
        Column("question", mayShrink: true) { $0.question },
        Column("state") { $0.isSuspended ? "suspended" : $0.state.phase.rawValue },
        Column("due", omissionRank: 1) { $0.due ?? "" },
        Column("interval", alignment: .right, omissionRank: 2) {
          $0.state.intervalDays == 0 ? "" : "\($0.state.intervalDays) d"
        },
        Column("recall", alignment: .right, omissionRank: 3) { $0.retrievability.map(DisplayFormat.percent) ?? "" },
        Column("card", mayShrink: true) { $0.id.key },
        Column("path", mayShrink: true, omissionRank: 4) { $0.place.path.description },
      ],
      as: output.format, whenEmpty: "No cards there. Flashcards and quiz questions become cards.")
  }
}

/// `waymark review stats [PLACE]`.
struct ReviewStatsCommand: ParsableCommand {
  enum Unit: String, CaseIterable, ExpressibleByArgument {
    case day, month
  }

  static let configuration = CommandConfiguration(
    "stats",
    "Show the answers and the retention of the last year, by month or day. Reviews and retention count cards that came back after a day or more.",
    example: "waymark review stats --by day")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var place: ReviewPlace
  @OptionGroup var output: OutputOptions
  @Option(help: "The length of a period.") var by = Unit.month

  func run() throws {
    let rows = try global.readOnlyService().reviews.periods(by: by == .day ? .day : .month, in: place.name)
    try Printing.list(
      rows, fields: CSVColumns.reviewPeriods,
      columns: [
        Column(by.rawValue) { $0.period },
        Column("answers", alignment: .right) { "\($0.answers)" },
        Column("new", alignment: .right) { "\($0.new)" },
        Column("reviews", alignment: .right) { "\($0.reviews)" },
        Column("retention", alignment: .right) { $0.retention.map(DisplayFormat.percent) ?? "" },
        Column("minutes", alignment: .right) { "\(($0.milliseconds + 30_000) / 60_000)" },
      ],
      as: output.format, whenEmpty: "No answers yet. 'waymark review next' shows the first card.")
  }
}

/// `waymark review forecast [PLACE]`.
struct ReviewForecastCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "forecast", "Show how many cards are to repeat on each of the next days, and how many new ones the limits add.",
    example: "waymark review forecast --days 30")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var cards: ReviewCards
  @OptionGroup var output: OutputOptions
  @Option(parsing: .unconditional, help: ArgumentHelp("The number of days.", valueName: "n")) var days = 14

  func validate() throws {
    guard (1...3_650).contains(days) else {
      throw ValidationError("--days must be from 1 to 3650, not \(days).")
    }
  }

  func run() throws {
    try Printing.list(
      global.readOnlyService().reviews.forecast(days: days, in: cards.name), fields: CSVColumns.reviewForecast,
      columns: [
        Column("date") { $0.date }, Column("cards", alignment: .right) { "\($0.cards)" },
        Column("to repeat", alignment: .right) { "\($0.cards - $0.new)" },
        Column("new", alignment: .right) { "\($0.new)" },
      ],
      as: output.format, whenEmpty: "")
  }
}

/// `waymark review log [PLACE]`.
struct ReviewLogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "log", "List answers, newest first.", example: "waymark review log --limit 20")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var place: ReviewPlace
  @OptionGroup var output: OutputOptions
  @OptionGroup var limit: LimitOption

  func run() throws {
    let service = try global.readOnlyService()
    try Printing.list(
      service.reviews.log(in: place.name, limit: limit.limit), fields: CSVColumns.reviewLog,
      columns: [
        Column("time") { LocalTime.text($0.at, in: service.timeZone) },
        Column("answer") { $0.rating.name + ($0.isUndone ? " (undone)" : "") },
        Column("returns in") {
          ReviewText.shortInterval(
            $0.intervalSeconds % 86_400 == 0 && $0.intervalSeconds > 0
              ? .days($0.intervalSeconds / 86_400) : .seconds($0.intervalSeconds))
        },
        Column("card", mayShrink: true) { $0.card },
        Column("path", mayShrink: true, omissionRank: 1) { $0.place.path.description },
      ],
      as: output.format, whenEmpty: "No answers yet.")
  }
}
