import Answers
import HTTPTypes
import Hummingbird
import LearningModel
import NavigationKit

// Reviews: waiting cards, answers, statistics and settings. Each route answers like the command of its name.

extension Endpoint {
  /// The routes of reviews, in the order of the OpenAPI document.
  static let reviews = [
    reviewDue, reviewNext, reviewList, reviewStats, reviewForecast, reviewLog, reviewSettings, reviewSet, reviewAnswer,
    reviewUndo,
    reviewAdd, reviewSuspend, reviewResume, reviewEdit, reviewDelete, reviewSchedule, reviewFit,
  ]

  private static let place = Parameter("place", .text, "The path of a place (default: all courses).")

  /// Lists the cards that are due today, by course.
  private static let reviewDue = Endpoint(
    .get, "/v1/review/due", [place, .timeZone, .limit, .after], .list("WaitingReviews", problems: [404, 410])
  ) { exchange in
    let (service, query) = (try exchange.navigation(), exchange.query)
    return try await exchange.list {
      let overview = try service.reviews.overview(of: query.place("place"))
      return query["place"] == nil ? overview.courses : [overview.total]
    }
  }

  /// Returns the card that is shown next, with its answer.
  private static let reviewNext = Endpoint(
    .get, "/v1/review/next",
    [place, Parameter("ahead", .word(["true", "false"]), "Whether the daily limits are ignored."), .timeZone],
    Shape(answer: "NextCard", isList: true, problems: [404, 410])
  ) { exchange in
    let (service, query) = (try exchange.navigation(), exchange.query)
    return try await exchange.value {
      try service.reviews.nextCard(in: query.place("place"), ahead: query["ahead"] == "true").map { [NextCardRow($0)] }
        ?? []
    }
  }

  /// Lists cards with their state.
  private static let reviewList = Endpoint(
    .get, "/v1/review/list", cost: .heavy, [place, .timeZone, .limit, .after], .list("CardRow", problems: [404, 410])
  ) { exchange in
    let (service, query) = (try exchange.navigation(), exchange.query)
    return try await exchange.list { try service.cards.all(in: query.place("place")) }
  }

  /// Lists the answers and the retention of the last year.
  private static let reviewStats = Endpoint(
    .get, "/v1/review/stats",
    [
      place, Parameter("by", .word(ReviewPeriod.Unit.allCases.map(\.rawValue)), "The length of a period."), .timeZone,
      .limit, .after,
    ], .list("ReviewPeriod", problems: [404, 410])
  ) { exchange in
    let (service, query) = (try exchange.navigation(), exchange.query)
    let unit = query.word("by", of: ReviewPeriod.Unit.self) ?? .month
    return try await exchange.list { try service.reviews.periods(by: unit, in: query.place("place")) }
  }

  /// Lists how many cards become due on each of the next days.
  private static let reviewForecast = Endpoint(
    .get, "/v1/review/forecast",
    [place, Parameter("days", .number(1...3_650), "The number of days (default: 14)."), .timeZone, .limit, .after],
    .list("ForecastDay", problems: [404, 410])
  ) { exchange in
    let (service, query) = (try exchange.navigation(), exchange.query)
    let days = query["days"].flatMap { Int($0) } ?? 14
    return try await exchange.list { try service.reviews.forecast(days: days, in: query.place("place")) }
  }

  /// Lists answers, newest first.
  private static let reviewLog = Endpoint(
    .get, "/v1/review/log", cost: .heavy, [place, .limit, .after], .list("ReviewLogRow", problems: [404, 410])
  ) { exchange in
    let (service, query) = (try exchange.navigation(), exchange.query)
    return try await exchange.list { try service.reviews.log(in: query.place("place")) }
  }

  /// Returns the limits, intervals and weights of a course or of all courses.
  private static let reviewSettings = Endpoint(
    .get, "/v1/review/set", [place], Shape(answer: "ReviewSettings", problems: [404, 409, 410])
  ) { exchange in
    let (service, query) = (try exchange.navigation(), exchange.query)
    return try await exchange.value { try service.reviews.settings(of: query.place("place")) }
  }

  /// Changes the limits, intervals and weights of a course or of all courses, and returns them. `reset` removes them.
  private static let reviewSet = Endpoint(
    .post, "/v1/review/set",
    [], Shape(body: "ReviewSettingsChange", answer: "ReviewSettings", isRepeatable: true, problems: [404, 409, 410])
  ) { exchange in
    let object = try exchange.object(
      knowing: Set(CSVColumns.reviewSettings + ["place", "reset"]))
    let place = try object.text("place").map(PlaceName.text)
    let siblings = try object.text("waitingSiblings").map { word throws(Problem) in
      guard let siblings = ReviewSettings.WaitingSiblings(rawValue: word) else {
        throw .unreadable("Could not read the request: 'waitingSiblings' is \(quoted: word). Use none, new or all.")
      }
      return siblings
    }
    func steps(_ name: String) throws(Problem) -> [Int]? {
      try object.numbers(name)?.map { number throws(Problem) in
        guard let seconds = Int(exactly: number) else {
          throw Problem.unreadable("Could not read the request: '\(name)' is not a list of whole seconds.")
        }
        return seconds
      }
    }
    let change = ReviewSettingsChange(
      retention: try object.number("retention", in: 0...1), newCards: try object.count("newCards"),
      reviews: try object.count("reviews"), hasFourAnswers: try object.bool("hasFourAnswers"),
      newIgnoreLimit: try object.bool("newIgnoreLimit"), waitingSiblings: siblings,
      learningSteps: try steps("learningSteps"), relearningSteps: try steps("relearningSteps"),
      maximumInterval: try object.count("maximumInterval"), leechLapses: try object.count("leechLapses"),
      suspendsLeeches: try object.bool("suspendsLeeches"), dayStart: try object.count("dayStart"),
      weights: try object.numbers("weights"))
    let isReset = try object.bool("reset") ?? false
    guard !isReset || change == ReviewSettingsChange() else {
      throw Problem.unreadable("Could not read the request: 'reset' cannot be combined with other settings.")
    }
    let service = try exchange.navigation(session: exchange.session)
    return try await exchange.perform(object.text) {
      try AnswerText.json(isReset ? service.reviews.reset(of: place) : service.reviews.set(change, of: place))
    }
  }

  /// Records the answer to a card.
  private static let reviewAnswer = Endpoint(
    .post, "/v1/review/answer", [.device, .timeZone],
    Shape(body: "AnswerRequest", answer: "CardAnswer", isRepeatable: true, problems: [404, 409, 410])
  ) { exchange in
    let object = try exchange.object(knowing: ["place", "card", "rating", "seconds"])
    let (place, card) = (try object.required("place"), try object.required("card"))
    let word = try object.required("rating")
    guard let rating = CardRating(name: word) else {
      throw Problem.unreadable(
        "Could not read the request: there is no rating \(quoted: word). "
          + "Use \(CardRating.allCases.map(\.name).joined(separator: ", ")).")
    }
    let seconds = try object.count("seconds") ?? 0
    let service = try exchange.navigation(session: exchange.session)
    return try await exchange.perform(object.text) {
      let id = try service.cards.id(named: card, in: .text(place))
      let answer = try service.reviews.answer(id, rating, after: .seconds(min(seconds, 3_600)))
      return try AnswerText.json(CardAnswerRow(place: service.places.named(.text(place)), answer: answer))
    }
  }

  /// Undoes the last answer or other change of a card of today.
  private static let reviewUndo = Endpoint(
    .post, "/v1/review/undo", [.device, .timeZone], Shape(answer: "Undone", isRepeatable: true, problems: [409])
  ) { exchange in
    let service = try exchange.navigation(session: exchange.session)
    return try await exchange.perform("undo") {
      try AnswerText.json(UndoneRow(undone: try service.changes.undo(onlyCards: true) != nil))
    }
  }

  /// Adds the cards of a place whose lessons the learner has not begun.
  private static let reviewAdd = Endpoint(
    .post, "/v1/review/add", cost: .heavy, [.device, .timeZone],
    Shape(body: "PlaceOfCards", answer: "ChangedCards", isRepeatable: true, problems: [404, 409, 410])
  ) { exchange in
    let object = try exchange.object(knowing: ["place"])
    let place = try object.required("place")
    let service = try exchange.navigation(session: exchange.session)
    return try await exchange.perform(object.text, each: { try service.cards.activities(toInclude: .text(place)) }) {
      try service.cards.include(from: $0)
    }
  }

  /// Suspends the cards of a place: they keep their memory and are not shown.
  private static let reviewSuspend = suspending(true, "suspend")
  /// Resumes the suspended cards of a place.
  private static let reviewResume = suspending(false, "resume")

  private static func suspending(_ isSuspended: Bool, _ name: String) -> Endpoint {
    Endpoint(
      .post, "/v1/review/\(name)", cost: .heavy, [.device, .timeZone],
      Shape(body: "CardsOfPlace", answer: "ChangedCards", isRepeatable: true, problems: [404, 409, 410])
    ) { exchange in
      let object = try exchange.object(knowing: ["place", "card"])
      let (place, card) = (PlaceName.text(try object.required("place")), try object.text("card"))
      let service = try exchange.navigation(session: exchange.session)
      return try await exchange.perform(
        object.text,
        each: {
          try card.map { [try service.cards.id(named: $0, in: place)] }
            ?? service.cards.all(toSuspend: isSuspended, in: place)
        }
      ) { try service.cards.setSuspended(isSuspended, $0) }
    }
  }

  /// Changes a card that the learner has made.
  private static let reviewEdit = changingCard("edit", "CardText", ["question", "answer"]) { object throws(Problem) in
    let (front, back) = (try object.text("question"), try object.text("answer"))
    return { try $0.cards.change($1, front: front, back: back) }
  }

  /// Deletes a card that the learner has made.
  private static let reviewDelete = changingCard("delete", "CardOfPlace", []) { _ in { try $0.cards.remove($1) } }

  /// Sets the day on which a card is due. Without a number of days, makes it a new card again.
  private static let reviewSchedule = changingCard("schedule", "CardSchedule", ["days"]) { object throws(Problem) in
    let days = try object.count("days")
    return { try $0.cards.schedule($1, inDays: days) }
  }

  private static func changingCard(
    _ name: String, _ body: String, _ members: Set<String>,
    change: @escaping @Sendable (JSONObject) throws(Problem) -> @Sendable (NavigationService, CardID) throws -> Void
  ) -> Endpoint {
    Endpoint(
      .post, "/v1/review/\(name)", [.device, .timeZone],
      Shape(body: body, answer: "ChangedCards", isRepeatable: true, problems: [404, 409, 410])
    ) { exchange in
      let object = try exchange.object(knowing: members.union(["place", "card"]))
      let (place, card) = (try object.required("place"), try object.required("card"))
      let perform = try change(object)
      let service = try exchange.navigation(session: exchange.session)
      return try await exchange.perform(object.text) {
        try perform(service, service.cards.id(named: card, in: .text(place)))
        return try AnswerText.json(ChangedCardsRow(cards: 1))
      }
    }
  }

  /// Fits the weights of a course, or of all courses without weights of their own, to the learner's answers. They are used
  /// only if they predict better.
  private static let reviewFit = Endpoint(
    .post, "/v1/review/fit", cost: .fit,
    [
      Parameter("place", .text, "The path of a course (default: all courses without weights of their own)."),
      Parameter("dryRun", .word(["true", "false"]), "Whether nothing is changed."),
    ], Shape(answer: "ReviewFit", problems: [404, 409, 410])
  ) { exchange in
    let (service, query) = (try exchange.navigation(), exchange.query)
    let place = query.place("place")
    let fitting = Task { try await exchange.read { try service.reviews.fittedWeights(of: place) } }
    exchange.whenClientCloses { fitting.cancel() }
    let fit = try await withTaskCancellationHandler {
      try await fitting.value
    } onCancel: {
      fitting.cancel()
    }
    let result =
      query["dryRun"] == "true"
      ? fit : try await exchange.write(isLong: true) { try service.reviews.apply(fit, to: place) }
    return try await exchange.value { result }
  }
}
