package import LearningModel
package import NavigationKit

/// What a page says, without a word on where it stands.
package struct PageModel: Hashable {
  package var place: Place
  package var kind: PlaceKind
  package var trail: Trail
  package var header: Header
  package var cards: CardWindow

  /// Whether the learner, or the quiz, has said that it is done.
  package var isDone = false
  /// How long all of it takes, in seconds; 0 where nothing is known.
  package var seconds = 0
  /// The best thing to do next from here; `nil` where there is no course.
  package var nextStep: NextStep?

  /// The ancestors, from the list of courses down, and where this place stands among its siblings.
  package struct Trail: Hashable {
    package var crumbs: [String]
    /// Such as `goal 2 of 4`; empty where there is nothing to count.
    package var position: String

    package init(crumbs: [String], position: String) {
      self.crumbs = crumbs
      self.position = position
    }
  }

  package struct Header: Hashable {
    package var title: String
    package var summary: String
    /// Whether the author wrote the summary; where not, it says what the place holds.
    package var isSummaryGiven = true
    /// Such as `5 of 14 done`.
    package var topRight: String
    /// Such as `about 55 min left`.
    package var bottomRight: String
    /// What is done of it, 0…1.
    package var fraction: Double
    /// Whether the learner has marked it.
    package var isMarked = false
    /// How many entries of a list are scrolled away above those that are seen.
    package var above = 0

    package init(
      title: String, summary: String, isSummaryGiven: Bool = true, topRight: String, bottomRight: String,
      fraction: Double, isMarked: Bool = false
    ) {
      self.title = title
      self.summary = summary
      self.isSummaryGiven = isSummaryGiven
      self.topRight = topRight
      self.bottomRight = bottomRight
      self.fraction = fraction
      self.isMarked = isMarked
    }
  }
}

/// One thing to choose from.
package struct CardModel: Hashable {
  /// What opens when it is chosen.
  package enum Target: Hashable {
    case node(NodeID)
    case bundledCourse
    /// Asks for a course to add.
    case ownCourse
    /// Shows the learner around.
    case tour
    /// Nothing.
    case unknown
  }

  package enum Mark: Hashable {
    case notBegun, begun, done
  }

  package var target: Target
  package var kind: PlaceKind
  package var title: String
  package var summary: String
  package var mark: Mark
  /// Such as `5 of 14`, without the mark.
  package var topRight: String
  /// Such as `about 55 min left`.
  package var bottomRight: String
  /// What is done of it, 0…1.
  package var fraction: Double
  /// In a list: what kind of activity, or how much is done of it; and how long it is.
  package var column: String
  package var amount: String
  /// Whether the learner has marked it.
  package var isMarked = false

  package init(
    target: Target, kind: PlaceKind, title: String, summary: String, mark: Mark, topRight: String, bottomRight: String,
    fraction: Double, column: String, amount: String, isMarked: Bool = false
  ) {
    self.target = target
    self.kind = kind
    self.title = title
    self.summary = summary
    self.mark = mark
    self.topRight = topRight
    self.bottomRight = bottomRight
    self.fraction = fraction
    self.column = column
    self.amount = amount
    self.isMarked = isMarked
  }

  package var node: NodeID? { if case .node(let id) = target { id } else { nil } }
}

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
    case .begun: card.minutesLeft == 0 ? "" : Words.timeLeft(seconds: Double(card.secondsLeft), isBegun: true)
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

/// What a header says below its title where the author has written no summary: what the place holds.
extension PageModel {
  /// Such as `2 lessons, 9 activities`, `2 readings, 1 quiz`, or of an activity what it is.
  package static func contents(of page: Page) -> String {
    let cards = page.childCards.cards
    // How long a text is, its header says beside.
    if page.place.kind == .activity {
      return page.card.itemCount == nil ? page.card.type?.rawValue ?? "" : CardModel.describe(page.card)
    }
    let total = page.card.progress.total
    let activities = total == 0 ? "" : Words.count(total, "activity", "activities")
    guard let first = cards.first else { return activities }
    let words = cards.map(\.kindWords)
    let kinds = words.reduce(into: [KindWords]()) { if !$0.contains($1) { $0.append($1) } }
    var parts = kinds.map { kind in Words.count(words.count { $0 == kind }, kind.one, kind.many) }
    if cards.count < page.childCards.count {
      // Of a list that is long only some are known, so how many are of which kind is not.
      let isOfOneKind = cards.allSatisfy { $0.place.kind == first.place.kind }
      let kind = isOfOneKind ? KindWords(first.place.kind) : KindWords(one: "place", many: "places")
      parts = [Words.count(page.childCards.count, kind.one, kind.many)]
    }
    if first.place.kind != .activity, total > 0 { parts.append(activities) }
    return parts.joined(separator: ", ")
  }
}

/// What one thing is called, and several.
private struct KindWords: Hashable {
  var one, many: String
}

extension KindWords {
  fileprivate init(_ kind: PlaceKind) {
    self.init(one: kind.rawValue, many: kind == .activity ? "activities" : kind.rawValue + "s")
  }
}

extension Card {
  fileprivate var kindWords: KindWords {
    switch type {
    case .reading: KindWords(one: "reading", many: "readings")
    case .flashcards: KindWords(one: "deck of flashcards", many: "decks of flashcards")
    case .quiz: KindWords(one: "quiz", many: "quizzes")
    case .link: KindWords(one: "link", many: "links")
    case nil: KindWords(place.kind)
    }
  }
}
