package import LearningModel
package import NavigationKit

/// The content of a page, without its layout.
package struct PageModel: Hashable {
  package var place: Place
  package var kind: PlaceKind
  package var breadcrumb: Breadcrumb
  package var header: Header
  package var cards: CardWindow

  /// The names of the levels of the place's course.
  package var levels = LevelNames.course
  /// Whether the place is done, because the learner marked it as done or passed its quiz.
  package var isDone = false
  /// The state of an exercise, or `nil` for other places.
  package var exercise: PlaceSummary.ExerciseState?
  /// The duration of the whole place in seconds, or 0 if unknown.
  package var seconds = 0
  /// The suggested next step, or `nil` if there is no course.
  package var nextStep: NextStep?

  /// The ancestors, from the list of courses down, and the position among the siblings.
  package struct Breadcrumb: Hashable {
    package var titles: [String]
    /// The ancestors to which the titles belong.
    package var places: [Place]
    /// The position, such as `goal 2 of 4`. Empty if the place has no position to show.
    package var position: String

    package init(titles: [String], places: [Place], position: String) {
      self.titles = titles
      self.places = places
      self.position = position
    }
  }

  package struct Header: Hashable {
    /// The name of the page in other pages. The title is the same, except in the list of courses, which shows where the
    /// learner was.
    package let name: String
    package var title: String
    package var summary: String
    /// Whether the author wrote the summary. If `false`, the summary describes the content of the place.
    package var hasAuthoredSummary = true
    /// The progress, such as `5 of 14 done`.
    package var topRight: String
    /// The time, such as `about 55 min left`.
    package var bottomRight: String
    /// The progress, 0…1.
    package var fraction: Double
    /// Whether the place has a bookmark.
    package var isBookmarked = false
    /// The number of list entries that are scrolled out above.
    package var hiddenEntriesAbove = 0

    package init(
      title: String, summary: String, hasAuthoredSummary: Bool = true, topRight: String, bottomRight: String,
      fraction: Double, isBookmarked: Bool = false
    ) {
      name = title
      self.title = title
      self.summary = summary
      self.hasAuthoredSummary = hasAuthoredSummary
      self.topRight = topRight
      self.bottomRight = bottomRight
      self.fraction = fraction
      self.isBookmarked = isBookmarked
    }
  }
}

/// An entry of a list.
package struct CardModel: Hashable {
  /// The target of an entry.
  package enum Target: Hashable {
    case node(NodeID)
    case bundledCourse
    /// Opens the dialog for adding a course.
    case addCourse
    /// Starts the tour.
    case tour
    /// No target: the card is not loaded.
    case unknown
  }

  package var target: Target
  package var kind: PlaceKind
  package var title: String
  package var summary: String
  package var progressState: PlaceSummary.State
  /// The progress without its symbol, for the status column: `5 of 14`, `7 of 94 passed`, `88 %`, `done`. Empty if an activity was not
  /// started.
  package var status: String
  /// The remaining time, for the time column: `30 min`, `1 h 10`. Empty if the place is done or the time is unknown.
  package var time: String
  /// The progress, 0…1.
  package var fraction: Double
  /// The type of an activity. Empty for other places.
  package var type: String
  /// The type and the amount of an activity, such as `quiz, 5 questions`, or the passed exercises of a place that also has
  /// other activities. Empty for other places.
  package var amount: String
  /// Whether the place has a bookmark.
  package var isBookmarked = false

  package init(
    target: Target, kind: PlaceKind, title: String, summary: String, progressState: PlaceSummary.State = .notBegun,
    status: String = "", time: String = "", fraction: Double = 0, type: String = "", amount: String = "",
    isBookmarked: Bool = false
  ) {
    self.target = target
    self.kind = kind
    self.title = title
    self.summary = summary
    self.progressState = progressState
    self.status = status
    self.time = time
    self.fraction = fraction
    self.type = type
    self.amount = amount
    self.isBookmarked = isBookmarked
  }

  package var node: NodeID? { if case .node(let id) = target { id } else { nil } }
}

/// The formatting of the service's data for a page.
extension PageModel {
  /// - Parameters:
  ///   - learner: The learner's name, shown at the list of courses.
  ///   - previousSession: The time of the previous session, shown at the list of courses if there is nothing to continue
  ///     with. If `nil`, the time in `page` is used.
  ///   - comingBack: What the list of courses shows first.
  package init(
    _ page: PlacePage, clock: RelativeDateFormat, learner: String, previousSession: String? = nil,
    comingBack: ComingBack? = nil
  ) {
    let place = page.place
    self.init(
      place: place.place, kind: place.kind,
      breadcrumb: Breadcrumb(
        titles: page.breadcrumb.map(\.title), places: page.breadcrumb.map(\.place), position: page.level?.text ?? ""),
      header: Header(page.summary, courses: page.childSummaries.count, clock: clock),
      cards: CardWindow(page.childSummaries))
    levels = place.levels
    nextStep = page.nextStep
    isDone = page.summary.state == .done
    exercise = page.summary.exercise
    seconds = page.summary.seconds
    guard place.kind == .root else {
      if header.summary.isEmpty { (header.summary, header.hasAuthoredSummary) = (Self.contents(of: page), false) }
      return
    }
    breadcrumb = .root(of: learner)
    if let previousSession { header.summary = previousSession }
    header.show(comingBack)
    // The courses that were used last come first.
    cards = CardWindow(
      page.childSummaries.summaries.enumerated().sorted {
        ($0.element.lastVisitAt?.milliseconds ?? .min, -$0.offset) > (
          $1.element.lastVisitAt?.milliseconds ?? .min, -$1.offset
        )
      }.map { CardModel($0.element) })
  }

  /// Returns the list of courses before the first import.
  package static func welcome(_ learner: String) -> PageModel {
    PageModel(
      place: .root, kind: .root, breadcrumb: .root(of: learner),
      header: Header(
        title: "Welcome", summary: "No courses yet. Select how to start.", topRight: "", bottomRight: "",
        fraction: 0),
      cards: CardWindow([
        CardModel(
          target: .bundledCourse, kind: .course, title: "English for Business",
          summary: "The bundled course. Opens immediately.", status: "52 activities", time: "4 h 40"),
        CardModel(
          target: .addCourse, kind: .course, title: "Add a course of your own",
          summary: "A Waymark folder, a book or an archive. Shows a preview first.", status: "a"),
        CardModel(
          target: .tour, kind: .course, title: "Take the tour",
          summary: "Waymark shows a course by itself. Esc ends the tour.", time: "20 s"),
      ]))
  }
}

extension PageModel.Breadcrumb {
  /// Returns the breadcrumbs of the list of courses: the names of the program and the learner.
  fileprivate static func root(of learner: String) -> Self {
    Self(titles: ["Waymark"], places: [.root], position: "learner " + learner)
  }
}

extension PageModel.Header {
  /// Shows where the learner was and what is due, in place of the title and the summary.
  fileprivate mutating func show(_ comingBack: ComingBack?) {
    func label(_ row: ComingBack.Row) -> String {
      row.label + String(repeating: " ", count: 11 - row.label.count) + row.text
    }
    func facts(_ row: ComingBack.Row) -> String {
      [row.facts, row.more].filter { !$0.isEmpty }.joined(separator: "   ")
    }
    let rows = [comingBack?.next, comingBack?.review].compactMap { $0 }
    if let first = rows.first { (title, topRight) = (label(first), facts(first)) }
    if rows.count > 1 { (summary, bottomRight) = (label(rows[1]), facts(rows[1])) }
  }

  fileprivate init(_ card: PlaceSummary, courses: Int, clock: RelativeDateFormat) {
    let kind = card.place.kind
    self.init(title: card.place.title, summary: card.summary, topRight: "", bottomRight: "", fraction: 0)
    isBookmarked = card.isBookmarked
    switch kind {
    case .root:
      topRight = DisplayFormat.count(courses, "course")
      summary = card.lastVisitAt.map { "Last visit: \(clock.on($0))." } ?? "Select a course and press Enter."
    case .course, .goal, .lesson, .other:
      fraction = card.progress.fraction
      let done = card.progress.total == 0 ? nil : DisplayFormat.progress(card.progress) + " done"
      topRight = [done, card.passedText].compactMap(\.self).joined(separator: ", ")
      bottomRight = CardModel.remainingTimeText(card)
    case .activity:
      fraction = CardModel.fraction(ofActivity: card)
      topRight = card.exercise?.text ?? CardModel.activityState(card)
      bottomRight = CardModel.remainingTimeText(card)
    }
  }
}

extension CardModel {
  package init(_ card: PlaceSummary) {
    let kind = card.place.kind
    self.init(
      target: card.place.place.node.map(Target.node) ?? .bundledCourse, kind: kind, title: card.place.title,
      summary: card.summary, progressState: card.state,
      time: card.state == .done ? "" : DisplayFormat.timeColumn(minutes: card.minutesLeft),
      fraction: card.progress.fraction, isBookmarked: card.isBookmarked)
    switch kind {
    case .activity:
      fraction = Self.fraction(ofActivity: card)
      let state = Self.activityState(card)
      status = state == "done" ? state : DisplayFormat.shortened(state)
      type = card.type?.rawValue ?? ""
      amount = card.itemCount == nil ? type : Self.describe(card)
      if let heading = card.reading?.heading, card.state == .begun { summary = "You stopped at “\(heading)”." }
    default:
      status = card.progress.total == 0 ? "empty" : DisplayFormat.progress(card.progress)
      guard let passed = card.passedText else { break }
      if card.exercises?.total == card.progress.total { status = passed } else { amount = passed }
    }
  }

  /// Returns the progress of an activity, 0…1.
  fileprivate static func fraction(ofActivity card: PlaceSummary) -> Double {
    card.state == .done ? 1 : card.readShare
  }

  package static func remainingTimeText(_ card: PlaceSummary) -> String {
    switch card.state {
    case .done: card.place.kind == .activity ? "" : "done"
    case .notBegun: card.minutes == 0 ? "" : DisplayFormat.about(minutes: card.minutes)
    case .begun:
      card.minutesLeft == 0
        ? ""
        : DisplayFormat.remainingTime(
          seconds: Double(card.secondsLeft), isBegun: card.place.kind != .activity || card.readShare > 0)
    }
  }

  /// Returns the best result of a quiz: `4 of 5 right` if it was passed, otherwise `tried, 1 of 5`. Returns `nil` if
  /// the quiz was not completed or has no questions with choices.
  package static func result(_ card: PlaceSummary) -> String? {
    guard let best = card.best, best.of > 0 else { return nil }
    return card.state == .done ? "\(best.right) of \(best.of) right" : "not passed, \(best.right) of \(best.of)"
  }

  /// Returns the progress of an activity: `done`, `62 % read`, `3 of 8 questions`, `tried, 1 of 5`. Empty if it was
  /// not begun.
  package static func activityState(_ card: PlaceSummary) -> String {
    if let result = result(card) { return result }
    if let exercise = card.exercise { return exercise == .notChecked ? "" : exercise.text }
    return switch card.state {
    case .done: "done"
    case .notBegun: ""
    case .begun: progressText(card.readShare, card)
    }
  }

  private static func progressText(_ fraction: Double, _ card: PlaceSummary) -> String {
    card.portion(fraction) ?? DisplayFormat.percent(fraction) + " read"
  }

  /// Returns the type and the amount of an activity: `flashcards, 12 cards`.
  package static func describe(_ card: PlaceSummary) -> String {
    [card.type?.rawValue ?? "", amount(card)].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private static func amount(_ card: PlaceSummary) -> String {
    card.items ?? (card.minutes == 0 ? "" : DisplayFormat.timeColumn(minutes: card.minutes))
  }
}

/// A description of a place's content, which replaces the summary if the author wrote none.
extension PageModel {
  /// Returns the content of a place, such as `2 lessons, 9 activities` or `2 interpretations, 1 quiz`. For an activity,
  /// returns its type.
  package static func contents(of page: PlacePage) -> String {
    let cards = page.childSummaries.summaries
    // The header shows the duration of a text next to its title.
    if page.place.kind == .activity {
      return page.summary.itemCount == nil ? page.summary.type?.rawValue ?? "" : CardModel.describe(page.summary)
    }
    let total = page.summary.progress.total
    let activities = total == 0 ? "" : page.place.levels.noun(for: .activity).counted(total)
    guard let first = cards.first else { return activities }
    let kindNames = cards.map(\.kindWords)
    let kinds = kindNames.reduce(into: [Noun]()) { if !$0.contains($1) { $0.append($1) } }
    var counts = kinds.map { kind in kind.counted(kindNames.count { $0 == kind }) }
    if cards.count < page.childSummaries.count {
      // Only some cards of a long list are loaded, so the number of each kind is unknown.
      let isOfOneKind = cards.allSatisfy { $0.place.kind == first.place.kind }
      counts = [(isOfOneKind ? first.place.noun : "place").counted(page.childSummaries.count)]
    }
    if first.place.kind != .activity, total > 0 { counts.append(activities) }
    return counts.joined(separator: ", ")
  }
}

extension PlaceSummary {
  /// The number of cards or questions, such as `12 cards`. `nil` for an activity without cards and questions.
  package var items: String? {
    itemCount.flatMap { count in type?.itemWords.map { DisplayFormat.count(count, $0.noun) } }
  }

  /// Returns a part of the cards or questions, such as `3 of 12 cards`. `nil` for an activity without cards and
  /// questions.
  package func portion(_ fraction: Double) -> String? {
    itemCount.flatMap { count in items.map { "\(DisplayFormat.portion(fraction, of: count)) of \($0)" } }
  }

  fileprivate var kindWords: Noun {
    switch type {
    case .flashcards: Noun("deck of flashcards", "decks of flashcards")
    case .quiz: Noun("quiz", "quizzes")
    case let type?: Noun(type.rawValue)
    case nil: place.noun
    }
  }
}
