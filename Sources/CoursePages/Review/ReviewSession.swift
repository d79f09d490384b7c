package import LearningModel
package import NavigationKit

/// A learner's review: the due cards, one after another.
///
/// Both front ends use it. The session draws nothing. It records each answer through the navigation service, and the
/// answer is on disk before the next card is shown. If recording fails, the session is unchanged.
package struct ReviewSession {
  /// An answer that the learner can give.
  package struct Answer: Hashable {
    package let rating: CardRating
    /// The name of the answer: `forgot` or `knew it` with two answers, otherwise the name of the rating.
    package let name: String
    /// The time until the card is shown again after this answer. `nil` if the answer does not change the schedule.
    package let interval: CardInterval?
  }

  /// The results of a review so far.
  package struct Summary: Hashable {
    /// The number of different cards that were answered.
    package var cards = 0
    /// The number of answers. A card in a learning step is answered several times.
    package var answers = 0
    /// The number of answers in which the learner remembered the card.
    package var remembered = 0
    /// The time that the answers took, in milliseconds.
    package var milliseconds: Int64 = 0
    /// The cards of tomorrow, as in the forecast.
    package var tomorrow = ForecastDay(date: "", cards: 0)
    /// The title of the place whose cards are shown, or `nil` for all courses.
    package var placeTitle: String?
    /// The number of cards that are due and that the daily limits leave for another day.
    package var stillDue = 0
    /// When the next learning step ends, or `nil` if no card is in a step.
    package var nextStepAt: Timestamp?
    /// The number of answers that did not change the schedule.
    package var practised = 0

    /// The share of answers in which the learner remembered the card, 0…1. `nil` without answers.
    package var rememberedShare: Double? { answers == 0 ? nil : Double(remembered) / Double(answers) }
  }

  /// The place whose cards are shown, or `nil` for all courses.
  package let place: PlaceName?
  /// Whether the learner has four answers instead of two.
  package private(set) var hasFourAnswers: Bool
  /// The card that is shown, or `nil` at the end.
  package private(set) var card: ReviewCard?
  /// Whether the answer of the card is visible.
  package private(set) var isTurnedOver = false
  /// Which cards are shown.
  package private(set) var mode: ReviewMode
  /// The text that the learner typed before the card was turned over, or `nil`.
  package private(set) var typedAnswer: String?
  /// The indices of the choices that the learner took, ascending.
  package private(set) var takenChoices: [Int] = []
  /// The last answer that was recorded, or `nil` before the first answer and after it was undone.
  package private(set) var lastAnswer: CardAnswer?

  /// The number of cards that waited at the beginning. `nil` when reviewing ahead, because the number is not limited.
  private var initialCount: Int?
  /// The next cards, if they do not depend on the schedule.
  private var queue: [CardID]?
  private let navigation: NavigationService
  private let now: () -> Timestamp
  private var actions: [Action] = []
  private var shownAt: Timestamp

  /// An answer, a suspension or a burial of this review.
  private struct Action {
    let card: CardID
    let kind: ActivityEventKind
    var rating: CardRating?
    var milliseconds: Int64 = 0
    /// When the card is shown again if the answer leaves it in a learning step, otherwise `nil`.
    var returnsAt: Timestamp?
    /// Whether the answer was not recorded.
    var isPractice = false
    /// The choices and the text of the learner, which are shown again after the answer was undone.
    var takenChoices: [Int] = []
    var typedAnswer: String?
  }

  /// Begins a review with its first card.
  ///
  /// - Parameters:
  ///   - navigation: The service of the learner.
  ///   - place: The place whose cards are shown, or `nil` for all courses.
  ///   - mode: Which cards are shown.
  ///   - now: Returns the current time.
  package init(
    _ navigation: NavigationService, in place: PlaceName? = nil, mode: ReviewMode = .due,
    now: @escaping () -> Timestamp
  ) throws(NavigationError) {
    self.navigation = navigation
    self.place = place
    self.mode = mode
    self.now = now
    shownAt = now()
    hasFourAnswers = try navigation.reviews.settings().hasFourAnswers
    initialCount = try dueCount()
    if case .cram = mode {
      let cards = try navigation.cards.all(toSuspend: true, in: place ?? .place(.root))
      (queue, initialCount) = (cards, cards.count)
    }
    try showNext()
  }

  /// Returns the number of cards that are due now, or `nil` if the cards of the review do not depend on it.
  private func dueCount() throws(NavigationError) -> Int? {
    switch mode {
    case .due: try navigation.reviews.overview(of: place).total.today
    case .own(false): try navigation.cards.ownDue(until: now()).count
    case .cram, .ahead, .own: nil
    }
  }

  // MARK: - The card

  /// The answers that the learner can give, the worst first. Empty at the end. After wrong choices, the learner cannot
  /// answer that the card was known.
  package var answers: [Answer] {
    Self.names(hasFourAnswers).compactMap { rating, name in
      permits(rating)
        ? card?.intervals[rating].map { Answer(rating: rating, name: name, interval: isPractice ? nil : $0) } : nil
    }
  }

  /// Returns whether a rating does not contradict the choices of the learner.
  package func permits(_ rating: CardRating) -> Bool {
    suggestedRating != .again || rating == .again || rating == .hard
  }

  /// Returns the name of an answer.
  package func name(of rating: CardRating) -> String { Self.name(of: rating, hasFourAnswers) }

  static func name(of rating: CardRating, _ hasFourAnswers: Bool) -> String {
    names(hasFourAnswers).first { $0.key == rating }?.value ?? rating.name
  }

  private static func names(_ hasFourAnswers: Bool) -> KeyValuePairs<CardRating, String> {
    hasFourAnswers
      ? [.again: "again", .hard: "hard", .good: "good", .easy: "easy"] : [.again: "forgot", .good: "knew it"]
  }

  /// Whether the learner's choices or typed answer are right. `nil` if the learner gave no answer, or an answer in
  /// their own words, which only the learner can judge.
  package var isRight: Bool? {
    guard isTurnedOver, let card else { return nil }
    if let typedAnswer { return isRight(typed: typedAnswer) ? true : nil }
    guard !takenChoices.isEmpty else { return nil }
    return takenChoices == card.faces.choices.indices.filter { card.faces.choices[$0].isRight }
  }

  /// The answer that fits ``isRight``, or `nil` if the learner has to judge.
  package var suggestedRating: CardRating? { isRight.map { $0 ? .good : .again } }

  /// Returns whether a typed text is the answer of the card. Case, punctuation and white space are ignored.
  package func isRight(typed text: String) -> Bool {
    guard let card else { return false }
    let typed = Self.comparable(text)
    guard !typed.isEmpty else { return false }
    if let expected = card.faces.expected { return Self.comparable(expected) == typed }
    return Self.comparable(card.faces.answer.plainText) == typed
      || card.faces.answer.contains { Self.comparable([$0].plainText) == typed }
  }

  private static func comparable(_ text: String) -> String {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
  }

  /// Turns the card over.
  ///
  /// - Parameter typed: The answer that the learner typed, or `nil`.
  package mutating func turnOver(typed: String? = nil) {
    guard card != nil, !isTurnedOver else { return }
    isTurnedOver = true
    typedAnswer = typed
  }

  /// Takes choices and turns the card over.
  ///
  /// - Parameter numbers: The numbers of the choices, from 1.
  /// - Returns: `false` if the card is turned over already or has no choice with such a number.
  package mutating func choose(_ numbers: [Int]) -> Bool {
    guard let card, !isTurnedOver, !numbers.isEmpty,
      numbers.allSatisfy({ card.faces.choices.indices.contains($0 - 1) })
    else { return false }
    takenChoices = Set(numbers.map { $0 - 1 }).sorted()
    isTurnedOver = true
    return true
  }

  // MARK: - Progress

  /// The number of different cards that were shown, including the current one. A card that returns in a learning step
  /// is counted once.
  package var position: Int { Set(actions.map(\.card) + [card?.id].compactMap { $0 }).count }

  /// The number of cards of this review, at least ``position``. `nil` when reviewing ahead, because the number is then
  /// not limited.
  package var count: Int? { initialCount.map { max($0, position) } }

  /// Whether the daily limits are ignored and cards of later days are shown.
  package var isAhead: Bool { if case .ahead = mode { true } else { false } }

  /// Whether the answer to the card is not recorded, so that the schedule does not change.
  package var isPractice: Bool {
    switch mode {
    case .due, .ahead(reschedules: true), .cram(reschedules: true): false
    case .own, .ahead(reschedules: false): queue != nil
    case .cram(reschedules: false): true
    }
  }

  /// The number of other cards that were answered in this review and are shown again today, in a learning step.
  package var returningCount: Int { returningCount(until: Timestamp(milliseconds: .max)) }

  private func returningCount(until end: Timestamp) -> Int {
    var isReturning: [CardID: Bool] = [:]
    for action in actions { isReturning[action.card] = action.returnsAt.map { $0 <= end } ?? false }
    if let card { isReturning[card.id] = nil }
    return isReturning.values.count { $0 }
  }

  /// The position of the card: `3 of 12`, or `card 3` when reviewing ahead, followed by ``returningCount`` if cards are
  /// asked again: `12 of 12, 4 to repeat`.
  package var positionText: String {
    let text = count.map { "\(position) of \($0)" } ?? "card \(position)"
    return returningCount == 0 ? text : text + ", \(ReviewText.number(returningCount)) to repeat"
  }

  // MARK: - Recording

  /// Records the answer to the card if it is turned over, and shows the next card.
  ///
  /// - Returns: The recorded answer, or `nil` if none was recorded: see ``isPractice`` and ``permits(_:)``.
  package mutating func answer(_ rating: CardRating) throws(NavigationError) -> CardAnswer? {
    guard let card, isTurnedOver, permits(rating) else { return nil }
    let milliseconds = min(600_000, max(0, now().milliseconds - shownAt.milliseconds))
    lastAnswer = nil
    if rating == .again { queue?.append(card.id) }
    if isPractice {
      actions.append(
        Action(
          card: card.id, kind: .cardGraded, rating: rating, milliseconds: milliseconds,
          returnsAt: rating == .again ? now() : nil, isPractice: true))
      try showNext()
      return nil
    }
    let answer: CardAnswer
    do throws(NavigationError) {
      answer = try navigation.reviews.answer(
        card.id, rating, after: .milliseconds(milliseconds), shown: card.state)
    } catch {
      try skipRemovedCard(after: error)
      throw error
    }
    actions.append(
      Action(
        card: card.id, kind: .cardGraded, rating: rating, milliseconds: milliseconds,
        returnsAt: answer.state.phase == .review
          ? nil : now().advanced(byMilliseconds: Int64(answer.interval.seconds) * 1000), takenChoices: takenChoices,
        typedAnswer: typedAnswer))
    lastAnswer = answer
    try showNext()
    return answer
  }

  /// Suspends the card and shows the next one.
  ///
  /// - Returns: `false` at the end.
  @discardableResult
  package mutating func suspend() throws(NavigationError) -> Bool {
    guard let card else { return false }
    do throws(NavigationError) {
      guard try navigation.cards.setSuspended(true, card.id) else { return false }
    } catch {
      try skipRemovedCard(after: error)
      throw error
    }
    actions.append(Action(card: card.id, kind: .cardSuspended))
    try showNext()
    return true
  }

  /// Buries the card until tomorrow and shows the next one.
  ///
  /// - Returns: `false` at the end.
  @discardableResult
  package mutating func bury() throws(NavigationError) -> Bool {
    guard let card else { return false }
    do throws(NavigationError) {
      try navigation.cards.bury(card.id)
    } catch {
      try skipRemovedCard(after: error)
      throw error
    }
    actions.append(Action(card: card.id, kind: .cardBuried))
    try showNext()
    return true
  }

  /// Forgets the card, or sets the day on which it is due, and shows the next card.
  ///
  /// - Parameter days: The days from today, or `nil` to make it a new card again.
  package mutating func schedule(inDays days: Int?) throws(NavigationError) {
    guard let card else { return }
    try navigation.cards.schedule(card.id, inDays: days)
    actions.append(Action(card: card.id, kind: .cardScheduled))
    try showNext()
  }

  /// Undoes the newest change of the learner, and shows it: see ``show(_:)``.
  ///
  /// - Returns: The change, or `nil` if there is none to undo.
  package mutating func undo() throws(NavigationError) -> UndoneChange? {
    guard let change = try navigation.changes.undo() else { return nil }
    try show(change)
    return change
  }

  /// Shows the card of an undone answer, suspension or burial. If the learner had answered, the answer of the card is
  /// visible, with the choices or the text of the learner if they belong to this review.
  ///
  /// After another change, shows the next card if the current one has changed.
  package mutating func show(_ change: UndoneChange) throws(NavigationError) {
    guard change.cards.count == 1, [.cardGraded, .cardSuspended, .cardBuried, .cardScheduled].contains(change.kind),
      let shown = try? navigation.reviews.card(change.cards[0])
    else {
      if card.map({ change.cards.contains($0.id) }) ?? true { try showNext() }
      return
    }
    let index = actions.lastIndex { $0.card == shown.id && $0.kind == change.kind }
    let action = index.map { actions.remove(at: $0) }
    lastAnswer = nil
    show(shown)
    isTurnedOver = change.rating != nil
    (takenChoices, typedAnswer) = (action?.takenChoices ?? [], action?.typedAnswer)
    // The card of a change that does not belong to this review was not due when the review began.
    if action == nil, let initialCount, let due = try dueCount() {
      self.initialCount = max(initialCount, position - 1 + due - returningCount(until: now()))
    }
  }

  /// Adds the cards of a place whose lessons were not begun: “learn these too”. At the end, shows the next card.
  ///
  /// - Returns: The number of added cards.
  package mutating func add(_ name: PlaceName) throws(NavigationError) -> Int {
    let count = try navigation.cards.include(from: name)
    if card == nil { try showNext() }
    return count
  }

  /// Ignores the daily limits from now on, and asks cards of later days after those of today. The answers to these do not
  /// change the schedule. A review of own cards continues with own cards.
  package mutating func reviewAhead() throws(NavigationError) {
    if case .own = mode { mode = .own(ahead: true) } else { mode = .ahead(reschedules: false) }
    (queue, initialCount) = (nil, nil)
    try showNext()
  }

  /// Reads the settings and the card again. The card keeps its visible side, and the intervals of its answers are computed
  /// again. If the card was removed or suspended, shows the next one.
  package mutating func readSettings() throws(NavigationError) {
    hasFourAnswers = try navigation.reviews.settings().hasFourAnswers
    guard let id = card?.id else { return }
    guard let card = try? navigation.reviews.card(id), !card.isSuspended else { return try showNext() }
    self.card = card
  }

  /// Shows the card that is next now, for example after the learner has done something else.
  package mutating func refresh() throws(NavigationError) { try showNext() }

  // MARK: - The summary

  /// Whether the review has an answer, a suspension or a burial, which can be undone.
  package var canUndo: Bool { actions.contains { !$0.isPractice } }

  /// The number of answers of this review, without those that were undone.
  package var answerCount: Int { actions.count { $0.rating != nil } }

  /// Returns the results of the review so far.
  package func summary() throws(NavigationError) -> Summary {
    let answers = actions.filter { $0.rating != nil }
    let overview = try navigation.reviews.overview(of: place)
    return Summary(
      cards: Set(answers.map(\.card)).count, answers: answers.count,
      remembered: answers.count { $0.rating != .again }, milliseconds: answers.map(\.milliseconds).reduce(0, +),
      tomorrow: try navigation.reviews.forecast(days: 2, in: place)[1],
      placeTitle: try place.map { name throws(NavigationError) in try navigation.places.named(name) }
        .flatMap { $0.place == .root ? nil : $0.title },
      stillDue: overview.total.due - overview.total.steps, nextStepAt: overview.nextStepAt,
      practised: answers.count(where: \.isPractice))
  }

  // MARK: - The next card

  private mutating func showNext() throws(NavigationError) {
    if case .own(let isAhead) = mode, queue == nil {
      let due = try navigation.cards.ownDue(until: now().advanced(byMilliseconds: LearnerReviews.stepsAhead))
      if let next = due.first(where: { $0 != actions.last?.card }) ?? due.first {
        return show(try navigation.reviews.card(next))
      }
      queue = isAhead ? try navigation.cards.own().map { CardID(place: $0.place.place, key: $0.note.id) } : []
    }
    if queue == nil {
      let next = try navigation.reviews.nextCard(in: place, ahead: isAhead)
      let today = ReviewDay.date(of: ReviewDay.number(at: now(), in: navigation.timeZone))
      guard mode == .ahead(reschedules: false), next?.state.phase == .review, next?.due ?? today > today else {
        // When reviewing ahead, the service always has a next card. The review ends when a card would be repeated.
        let isRepeated = isAhead && next?.state.phase == .review && actions.contains { $0.card == next?.id }
        return show(isRepeated ? nil : next)
      }
      queue = try navigation.reviews.cardsAhead(in: place, limit: Self.maximumAhead)
    }
    while let id = queue?.first {
      queue?.removeFirst()
      // A card that was suspended or removed meanwhile is not shown.
      if let card = try? navigation.reviews.card(id), !card.isSuspended { return show(card) }
    }
    show(nil)
  }

  /// The maximum number of cards of later days in a review.
  private static let maximumAhead = 200

  private mutating func show(_ next: ReviewCard?) {
    card = next
    (isTurnedOver, typedAnswer, takenChoices) = (false, nil, [])
    shownAt = now()
  }

  /// Shows the next card if the current one was removed from its course during the review.
  private mutating func skipRemovedCard(after error: NavigationError) throws(NavigationError) {
    switch error {
    case .unknownCard, .cardChanged: try showNext()
    default: break
    }
  }
}

/// The review with which a front end begins.
package struct ReviewRequest: Hashable, Sendable {
  /// The place whose cards are shown, or `nil` for all courses.
  package var place: PlaceName?
  /// Which cards are shown.
  package var mode: ReviewMode

  /// Creates a request.
  package init(place: PlaceName? = nil, mode: ReviewMode = .due) { (self.place, self.mode) = (place, mode) }
}

/// The cards that a review shows, and whether its answers change the schedule.
package enum ReviewMode: Hashable, Sendable {
  /// The cards that are due, within the daily limits.
  case due
  /// The own cards that are due, and then, if `ahead`, the others, whose answers are not recorded.
  case own(ahead: Bool)
  /// The cards that are due, without the daily limits, and then those of later days, whose answers are recorded only if
  /// `reschedules`.
  case ahead(reschedules: Bool)
  /// All cards of the place that are not suspended, in reading order. Their answers are recorded only if `reschedules`.
  case cram(reschedules: Bool)
}
