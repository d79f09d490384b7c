import LearningModel
package import NavigationService

/// What the service knows of a page, in the words that a page shows.
extension PageModel {
  /// - Parameters:
  ///   - learner: Whose courses they are; the list of courses says so.
  ///   - lastSitting: When the learner was here before, in words, which the list of courses says; `nil` for what the
  ///     service knows.
  package init(_ page: Page, clock: DayNames, learner: String, lastSitting: String? = nil) {
    let place = page.place
    self.init(
      place: place.place, kind: place.kind,
      trail: Trail(
        crumbs: page.trail.map(\.title),
        position: page.position.map { "\(place.kind.rawValue) \($0.number) of \($0.count)" } ?? ""),
      header: Header(page.card, courses: page.childCards.count, clock: clock),
      cards: CardWindow(page.childCards))
    nextStep = page.nextStep
    isDone = page.card.state == .done
    seconds = page.card.seconds
    guard place.kind == .root else {
      if header.summary.isEmpty { (header.summary, header.isSummaryGiven) = (Self.contents(of: page), false) }
      return
    }
    trail = .top(of: learner)
    if let lastSitting { header.summary = lastSitting }
  }
}

extension PageModel {
  /// The list of courses where there are none yet.
  package static func welcome(_ learner: String) -> PageModel {
    PageModel(
      place: .root, kind: .root, trail: .top(of: learner),
      header: Header(
        title: "Welcome", summary: "There is no course here yet. Choose how to begin.", topRight: "", bottomRight: "",
        fraction: 0),
      cards: CardWindow([
        CardModel(
          target: .bundledCourse, kind: .course, title: "English for Business",
          summary: "The course that comes with Waymark. Opens at once.", mark: .notBegun,
          topRight: "4 goals, 52 activities",
          bottomRight: "about 5 h", fraction: 0, column: "", amount: "about 5 h"),
        CardModel(
          target: .ownCourse, kind: .course, title: "Add a course of your own",
          summary: "A Waymark folder, a book or an archive. You see what will change first.", mark: .notBegun,
          topRight: "a", bottomRight: "", fraction: 0, column: "", amount: ""),
        CardModel(
          target: .tour, kind: .course, title: "Show me around",
          summary: "The browser walks itself through a course. Any key takes over.", mark: .notBegun,
          topRight: "20 seconds", bottomRight: "", fraction: 0, column: "", amount: ""),
      ]))
  }
}

extension PageModel.Trail {
  /// Above the list of courses there is only the program, and who uses it.
  fileprivate static func top(of learner: String) -> Self { Self(crumbs: ["Waymark"], position: learner) }
}

extension PageModel.Header {
  fileprivate init(_ card: Card, courses: Int, clock: DayNames) {
    let kind = card.place.kind
    self.init(title: card.place.title, summary: card.summary, topRight: "", bottomRight: "", fraction: 0)
    isMarked = card.isBookmarked
    switch kind {
    case .root:
      topRight = Words.count(courses, "course")
      summary = card.lastVisitAt.map { "You were here \(clock.on($0))." } ?? "Choose a course, and open it with Enter."
    case .course, .goal, .lesson, .other:
      fraction = card.progress.fraction
      topRight = card.progress.total == 0 ? "" : Words.progress(card.progress) + " done"
      bottomRight = CardModel.timeLeft(card)
    case .activity:
      fraction = CardModel.fraction(ofActivity: card)
      topRight = CardModel.activityState(card)
      bottomRight = CardModel.timeLeft(card)
    }
  }
}

extension CardModel {
  package init(_ card: Card) {
    let kind = card.place.kind
    let mark: Mark =
      switch card.state {
      case .notBegun: .notBegun
      case .begun: .begun
      case .done: .done
      }
    self.init(
      target: card.place.place.node.map(Target.node) ?? .bundledCourse, kind: kind, title: card.place.title,
      summary: card.summary, mark: mark, topRight: "", bottomRight: Self.timeLeft(card),
      fraction: card.progress.fraction, column: "", amount: "", isMarked: card.isBookmarked)
    switch kind {
    case .activity:
      fraction = Self.fraction(ofActivity: card)
      topRight = Self.activityState(card)
      column = card.type?.rawValue ?? ""
      amount = Self.result(card) ?? Self.amount(card)
      bottomRight = card.state == .notBegun ? "" : Self.result(card) == nil ? topRight : Self.amount(card)
      if let heading = card.reading?.heading, card.state == .begun { summary = "You stopped at “\(heading)”." }
      if card.state == .notBegun { topRight = amount }
    default:
      topRight =
        card.progress.total == 0
        ? "empty" : card.state == .notBegun && kind == .course ? "not begun" : Words.progress(card.progress)
      column = card.progress.total == 0 ? "" : Words.progress(card.progress)
      amount = Self.timeLeft(card)
    }
  }

  /// What is done of an activity, 0…1: of a quiz that was answered to its end and not passed, nothing.
  fileprivate static func fraction(ofActivity card: Card) -> Double {
    switch card.state {
    case .done: 1
    case .notBegun, .begun: card.best == nil ? card.reading?.fraction ?? 0 : 0
    }
  }

  package static func timeLeft(_ card: Card) -> String {
    switch card.state {
    case .done: card.place.kind == .activity ? "" : "done"
    case .notBegun: card.minutes == 0 ? "" : Words.about(minutes: card.minutes)
    case .begun: card.minutesLeft == 0 ? "" : Words.about(minutes: card.minutesLeft) + " left"
    }
  }

  /// How well a quiz went at best: `4 of 5 right`, or, where that did not pass, `tried, 1 of 5`; `nil` where it was not
  /// answered to its end, or nothing in it can be wrong.
  package static func result(_ card: Card) -> String? {
    guard let best = card.best, best.of > 0 else { return nil }
    return card.state == .done ? "\(best.right) of \(best.of) right" : "tried, \(best.right) of \(best.of)"
  }

  /// How far an activity is done: `done`, `62 % read`, `3 of 8 questions`, `tried, 1 of 5`, `begun`.
  package static func activityState(_ card: Card) -> String {
    if let result = result(card) { return result }
    return switch card.state {
    case .done: "done"
    case .notBegun: ""
    case .begun: card.reading.flatMap { begun($0.fraction, card) } ?? "begun"
    }
  }

  private static func begun(_ fraction: Double, _ card: Card) -> String? {
    guard fraction > 0 else { return nil }
    switch (card.type, card.itemCount) {
    case (.flashcards, let count?):
      return "\(Words.share(fraction, of: count)) of " + Words.count(count, "card")
    case (.quiz, let count?):
      return "\(Words.share(fraction, of: count)) of " + Words.count(count, "question")
    default: return Words.percent(fraction) + " read"
    }
  }

  /// What an activity is, and how long: `flashcards, 12 cards`.
  package static func describe(_ card: Card) -> String {
    [card.type?.rawValue ?? "", amount(card)].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private static func amount(_ card: Card) -> String {
    switch (card.type, card.itemCount) {
    case (.flashcards, let count?): Words.count(count, "card")
    case (.quiz, let count?): Words.count(count, "question")
    default: card.minutes == 0 ? "" : "\(card.minutes) min"
    }
  }
}
