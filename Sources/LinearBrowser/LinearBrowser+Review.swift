import CoursePages
import LearningModel
import NavigationKit

extension LinearBrowser {
  // MARK: - Beginning

  /// Begins a review of a place, or of all courses. Without an argument, continues a review that is not over.
  func review(_ argument: String) throws {
    if argument.isEmpty, var review = lastReview, review.session.card != nil {
      try review.session.refresh()
      if review.session.card != nil {
        list = LinearList()
        return printCard(review, after: "The review continues. ")
      }
    }
    try begin(ReviewRequest(place: argument.isEmpty ? nil : placeName(argument)))
  }

  /// Returns the place with a number or name of the list, or with a path.
  private func placeName(_ argument: String) -> PlaceName {
    let indices = Int(argument).map { [$0 - 1] } ?? (isList ? list.indices(named: argument) : [])
    if indices.count == 1, list.items.indices.contains(indices[0]),
      case .place(let place, _) = list.items[indices[0]].target
    {
      return .place(place)
    }
    if argument.hasPrefix("tag:") { return .tagged(String(argument.dropFirst(4)), in: nil) }
    return .text(argument)
  }

  /// Begins a review and prints what waits, and the first card.
  func begin(_ request: ReviewRequest) throws {
    let title =
      try request.place.map { name in
        let place = try navigation.places.named(name)
        guard let tag = name.tag else { return place.title }
        return place.kind == .root ? "tag \(tag)" : "\(place.title), tag \(tag)"
      } ?? "all courses"
    let outlook = try ReviewOutlook(of: navigation, in: request.place)
    let session = try ReviewSession(navigation, in: request.place, mode: request.mode, now: clock)
    printLine("Review: " + ([LinearFormat.ended(title)] + outlook.sentences).joined(separator: " "))
    if outlook.isEmpty {
      printLine("learn: add the cards of this place, without reading it first.")
    } else if session.card == nil {
      printLine("review ahead: answer cards now that are due on later days.")
    }
    guard session.card != nil else { return }
    list = LinearList()
    printCard(LinearReview(session: session, title: title))
  }

  // MARK: - Input

  /// Handles a line during a review.
  ///
  /// - Returns: `false` if the line is not meant for the review.
  func handleReviewInput(_ line: String) throws -> Bool {
    guard !list.isOverlay, case .review(var review) = activity else { return false }
    if review.asksForText, review.session.isRight(typed: line) || !LinearReviewInput.isCommand(line) {
      review.session.turnOver(typed: line)
      printCard(review)
      return true
    }
    guard let input = LinearReviewInput(line) else { return false }
    guard review.session.card != nil else { return try handleInputAfterEnd(input, review) }
    switch input {
    case .turn:
      if !review.session.isTurnedOver {
        review.session.turnOver()
        printCard(review)
      } else if let suggestion = review.session.suggestedRating {
        try answer(suggestion, review)
      } else {
        printLine("Did you know it? Type \(review.session.answers.map(\.name).joined(separator: ", or ")).")
      }
    case .answer(let rating): try answer(rating, review)
    case .numbers(let numbers): try choose(numbers, review)
    case .undo: try undo(review)
    case .suspend:
      try change(review, "Suspended. To see this card again, run 'waymark review resume'.") { try $0.suspend() }
    case .bury: try change(review, "Buried: this card is not shown again until tomorrow.") { try $0.bury() }
    case .source: printLine(review.source())
    case .info: try printFacts(of: review)
    case .forget, .due: try schedule(input, review)
    case .open:
      let source = review.session.card?.id.place ?? .root
      try navigation.currentPlace().place == source ? showPlace(after: "") : go(.open(.place(source)))
    case .ahead: try reviewAhead(review)
    case .leave: try leave(review)
    case .list: printCard(review)
    }
    return true
  }

  private func handleInputAfterEnd(_ input: LinearReviewInput, _ review: LinearReview) throws -> Bool {
    switch input {
    case .turn, .leave: try showPlace(after: "")
    case .undo: try undo(review)
    case .ahead: try reviewAhead(review)
    default: return false
    }
    return true
  }

  private func choose(_ numbers: [Int], _ review: LinearReview) throws {
    var review = review
    if review.session.isTurnedOver {
      let answers = review.session.answers
      guard numbers.count == 1, answers.indices.contains(numbers[0] - 1) else {
        return printLine("Type one number from 1 to \(answers.count).")
      }
      return try answer(answers[numbers[0] - 1].rating, review)
    }
    guard review.session.choose(numbers) else {
      let count = review.session.card?.faces.choices.count ?? 0
      return printLine(
        count == 0 ? "This card has no choices. Enter: show the answer." : "Type numbers from 1 to \(count).")
    }
    printCard(review)
  }

  private func answer(_ rating: CardRating, _ review: LinearReview) throws {
    var review = review
    guard review.session.isTurnedOver else {
      return printLine("Turn the card first: turn, or an empty line.")
    }
    guard review.session.permits(rating) else {
      let names = review.session.answers.map(\.name).joined(separator: ", or ")
      return printLine("Your choice was wrong, so this answer is not possible. Type \(names).")
    }
    let name = review.session.name(of: rating)
    let answer = try recording(&review) { try $0.answer(rating) }
    let effect = answer.map { "The card returns in \(ReviewText.interval($0.interval))." }
    printLine("\(LinearFormat.capitalised(name)). \(effect ?? "The schedule did not change.")")
    if let answer, answer.becameLeech {
      printLine(ReviewText.leech(answer, remedy: "Rewrite it, or type undo and then suspend."))
    }
    try printNext(review)
  }

  private func change(
    _ review: LinearReview, _ message: String, _ body: (inout ReviewSession) throws -> Bool
  ) throws {
    var review = review
    guard try recording(&review, body) else { return }
    printLine(message)
    try printNext(review)
  }

  /// Prints what is known about the card.
  private func printFacts(of review: LinearReview) throws {
    guard let id = review.session.card?.id else { return }
    for fact in try CardFacts(id, of: navigation, days: days).rows {
      printLine("\(fact.name): \(LinearFormat.ended(fact.value))")
    }
    printLine("reset: make the card new. due and a number: set the days until it is due. suspend: do not show it.")
  }

  private func schedule(_ input: LinearReviewInput, _ review: LinearReview) throws {
    let days: Int? = if case .due(let days) = input { days } else { nil }
    let message = days.map { "Due in \(ReviewText.count($0, "day"))." } ?? "The card is new again."
    try change(review, message) {
      try $0.schedule(inDays: days)
      return true
    }
  }

  /// Prints the cards that are forgotten often.
  func printLeeches() throws {
    let cards = try navigation.cards.all(leeches: true)
    guard !cards.isEmpty else { return printLine("Leeches: none. No card was forgotten eight times.") }
    let items = cards.map { card in
      LinearList.Item(
        title: card.question,
        detail:
          "\(card.state.lapses) lapses\(card.isSuspended ? ", suspended" : ""). In \(LinearFormat.ended(card.place.title))",
        target: .place(card.place.place, cause: .key))
    }
    try printWithHeader(["Leeches: \(ReviewText.count(cards.count, "card")). Rewrite or suspend them."], items)
  }

  /// Performs a change of the session. If it fails, the session may show another card, because the current one was
  /// removed from its course.
  private func recording<Result>(
    _ review: inout LinearReview, _ body: (inout ReviewSession) throws -> Result
  ) throws -> Result {
    do {
      return try body(&review.session)
    } catch {
      activity = .review(review)
      throw error
    }
  }

  private func undo(_ review: LinearReview) throws {
    var review = review
    guard let change = try review.session.undo() else { return printLine(UndoText.nothing) }
    let quotes = Symbols.unicode.quotes
    let undone = UndoText.text(
      change, isHere: false, isShown: review.session.card?.id == change.cards.first,
      hasFourAnswers: review.session.hasFourAnswers, quotes: quotes)
    printCard(review, after: undone + " ")
  }

  private func reviewAhead(_ review: LinearReview) throws {
    var review = review
    try review.session.reviewAhead()
    try printNext(review)
  }

  /// Adds the cards of a place whose lessons were not begun.
  func learn(_ argument: String) throws {
    let name = try argument.isEmpty ? PlaceName.place(navigation.currentPlace().place) : placeName(argument)
    let place = try navigation.places.named(name)
    guard place.kind != .root else {
      return printLine("Open a course, a goal or a lesson first, or type learn and its number or its name.")
    }
    let count = try navigation.cards.include(from: name)
    guard count > 0 else { return printLine("Added no cards of \(LinearFormat.ended(place.title))") }
    let notice = ReviewText.added(
      count, of: place.title, waiting: try navigation.reviews.overview(of: name).total,
      limit: try navigation.reviews.newCardLimit(of: place))
    printLine(notice + " review: answer them.")
  }

  // MARK: - Output

  /// Prints the card, and makes the review the current activity.
  func printCard(_ review: LinearReview, after prefix: String = "") {
    var review = review
    var lines = review.side()
    if !lines.isEmpty { lines[0].text = prefix + lines[0].text }
    printLine(lines)
    (activity, lastReview) = (.review(review), review)
  }

  private func printNext(_ review: LinearReview) throws {
    guard review.session.card == nil else { return printCard(review) }
    (activity, lastReview) = (.review(review), review)
    let summary = try review.session.summary()
    printLine("That was the last card. " + Self.text(of: summary))
    if let step = summary.nextStepAt {
      printLine(
        "One of today's cards returns \(step <= now ? "now" : "at " + days.time(step)). Then type review to answer it.")
    } else if summary.stillDue > 0, !review.session.isAhead {
      printLine("\(ReviewText.count(summary.stillDue, "card")) can wait until another day. ahead: answer more now.")
    }
    printLine("undo: cancel the last answer. Enter: leave the review.")
  }

  /// Leaves the review before its end.
  private func leave(_ review: LinearReview) throws {
    let summary = try review.session.summary()
    if summary.answers > 0 { printLine("Review ended. " + Self.text(of: summary)) }
    try showPlace(after: "")
  }

  /// Returns the summary of a review in sentences.
  private static func text(of summary: ReviewSession.Summary) -> String {
    guard summary.answers > 0 else { return "No card was answered." }
    let answers = summary.answers == summary.cards ? "" : " with \(ReviewText.count(summary.answers, "answer"))"
    let scope = summary.placeTitle.map { " of \($0)" } ?? ""
    let tomorrow = "Tomorrow: \(ReviewText.cards(of: summary.tomorrow, in: scope))."
    return "You reviewed \(ReviewText.count(summary.cards, "card"))\(answers) in "
      + "\(LinearFormat.duration(milliseconds: summary.milliseconds)), and remembered "
      + "\(summary.rememberedText). \(tomorrow)"
  }

  // MARK: - Statistics

  /// Prints the forecast, the answers of the last year and the retention by month.
  func printStatistics() throws {
    let forecast = ForecastChart(try navigation.reviews.forecast(days: 14))
    let year = YearMap(try navigation.reviews.days(last: 365))
    let retention = RetentionChart(
      try navigation.reviews.retentionByMonth(last: 12), desired: try navigation.reviews.settings().retention)
    printLine("Forecast:")
    forecast.sentences.forEach(printLine)
    printLine("The last year:")
    year.sentences.forEach(printLine)
    printLine("\(RetentionChart.title):")
    retention.sentences.forEach(printLine)
  }
}
