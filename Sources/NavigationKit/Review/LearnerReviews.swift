public import LearningModel
import LearningStore

/// The reviews of a learner: asks cards, records answers, and answers questions about the schedule.
public struct LearnerReviews: Sendable {
  let session: LearnerSession

  /// How far ahead of its end a step is shown if no other card is due, in milliseconds: twenty minutes, as in Anki.
  package static let stepsAhead: Int64 = 20 * 60_000

  // MARK: - The queue

  /// Returns the due cards of today, by course.
  ///
  /// - Parameter name: A place, to count its cards only. `nil` or the root for all courses.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/database(_:)``.
  public func overview(of name: PlaceName? = nil) throws(NavigationError) -> ReviewOverview {
    try session.readMemories { try overview(in: session.reviewScope($0, name)) }
  }

  func overview(in scope: ReviewScope) throws -> ReviewOverview {
    let snapshot = scope.snapshot
    let names = PlaceNames(snapshot)
    let newCards = try scope.newCards()
    let allowance = try scope.allowance()
    let now = session.now()
    let askedUntil = now.advanced(byMilliseconds: Self.stepsAhead)
    var newByCourse: [NodeID: Int] = [:]
    for new in newCards { newByCourse[new.course, default: 0] += new.cards }

    func row(_ place: NamedPlace, _ cards: CardScope, course: NodeID, notMet: Int) throws -> WaitingReviews {
      let waiting = try scope.waitingCards(in: cards, at: now)
      // A row is what a review of the place alone would ask, so the limits of the learner apply to each row too.
      let own = try scope.allowance(of: course)
      let allowed = try scope.allowance(due: min(waiting.reviews, own.reviews)).limited(by: own)
      let all = notMet + waiting.touchedNew
      let new = min(all, allowed.newCards)
      let shown = min(new, try scope.shownNewCards(of: course, atMost: new) + waiting.touchedNew)
      let reviews = min(waiting.reviews, allowed.reviews)
      return WaitingReviews(
        place: place, steps: waiting.steps, later: waiting.laterSteps, nextStepAt: waiting.nextStepAt,
        lastStepAt: waiting.lastStepAt, reviews: reviews, new: shown, due: waiting.steps + waiting.reviews, notMet: all,
        canBeAsked: waiting.steps + reviews + shown > 0 || waiting.nextStepAt.map { $0 <= askedUntil } ?? false)
    }

    let courses = Set(scope.courses).union(newByCourse.keys)
    var rows: [WaitingReviews] = []
    if scope.chain.isEmpty {
      let ordered = try snapshot.children(of: .root).map(\.id).filter(courses.contains)
      rows = try ordered.map {
        try row(names.name(of: .node($0)), .courses([$0]), course: $0, notMet: newByCourse[$0] ?? 0)
      }
      if scope.tagged != nil { rows.removeAll { $0.due + $0.later + $0.notMet == 0 } }
    } else {
      rows = [
        try row(
          NamedPlace(scope.chain), scope.cards, course: scope.chain[0].id, notMet: newByCourse.values.reduce(0, +))
      ]
    }
    func sum(_ value: (WaitingReviews) -> Int) -> Int { rows.map(value).reduce(0, +) }
    let total = WaitingReviews(
      place: NamedPlace(scope.chain), steps: sum(\.steps), later: sum(\.later),
      nextStepAt: rows.compactMap(\.nextStepAt).min(), lastStepAt: rows.compactMap(\.lastStepAt).max(),
      reviews: min(sum(\.reviews), allowance.reviews), new: min(sum(\.new), allowance.newCards), due: sum(\.due),
      notMet: sum(\.notMet), canBeAsked: rows.contains(where: \.canBeAsked))
    let step = try scope.learner.flatMap {
      try snapshot.stepCard(of: $0, in: scope.cards, on: scope.today, where: scope.contains)
    }
    return ReviewOverview(
      date: ReviewDay.date(of: scope.today), total: total, courses: scope.chain.isEmpty ? rows : [],
      nextStepAt: step?.endsAt, done: ReviewDaySummary(day: scope.today, try scope.done()))
  }

  /// Returns the number of cards that were due before today, or `nil` if there is none.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  package func overdueCards() throws(NavigationError) -> Int? {
    try session.readMemories { snapshot in
      let scope = try session.reviewScope(snapshot, nil)
      let days =
        try scope.learner.map { try snapshot.dueDays(of: $0, in: scope.cards, days: 0...scope.today - 1) } ?? [:]
      return days.isEmpty ? nil : days.values.reduce(0, +)
    }
  }

  /// Returns the numbers of cards that come back today, including those in a learning step, and tomorrow. New cards are
  /// not counted.
  ///
  /// - Parameter name: A place, to count its cards only. `nil` or the root for all courses.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/database(_:)``.
  public func cardsComingBack(in name: PlaceName? = nil) throws(NavigationError) -> (today: Int, tomorrow: Int) {
    try session.readMemories { snapshot in
      let scope = try session.reviewScope(snapshot, name)
      let total = try overview(in: scope).total
      let tomorrow = try forecast(days: 2, in: scope)[1]
      return (total.due + total.later, tomorrow.cards - tomorrow.new)
    }
  }

  /// Returns the card to show next, or `nil` if no card is due.
  ///
  /// The order is: steps that have ended; then reviews, the card that is most likely to be forgotten first, mixed with
  /// new cards; then steps that end within twenty minutes. The card that was answered last and its siblings are returned only
  /// if no other card is due.
  ///
  /// - Parameters:
  ///   - name: A place, to ask its cards only. `nil` or the root for all courses.
  ///   - isAhead: Whether the daily limits are ignored and cards of later days are shown after those of today. New cards
  ///     that the limits exclude are shown only if no other card is left.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/database(_:)``.
  public func nextCard(in name: PlaceName? = nil, ahead isAhead: Bool = false) throws(NavigationError) -> ReviewCard? {
    try session.readMemories { snapshot in
      let scope = try session.reviewScope(snapshot, name)
      guard let reference = try nextCard(in: scope, isAhead: isAhead) else { return nil }
      return try reviewCard(reference, in: snapshot)
    }
  }

  func nextCard(in scope: ReviewScope, isAhead: Bool) throws -> CardReference? {
    guard let learner = scope.learner else { return nil }
    let step = try scope.snapshot.stepCard(of: learner, in: scope.cards, on: scope.today, where: scope.contains)
    if let step, step.endsAt <= session.now() { return step.card }
    if let note = scope.answeredNotes.first,
      let card = try nextCard(in: scope, learner, isAhead: isAhead, after: note)
    {
      return card
    }
    return try nextCard(in: scope, learner, isAhead: isAhead, after: nil)
  }

  /// Returns the next card that does not belong to a note.
  private func nextCard(
    in scope: ReviewScope, _ learner: LearnerID, isAhead: Bool, after note: CardReference?
  ) throws -> CardReference? {
    let snapshot = scope.snapshot
    let time = session.now().milliseconds
    func isOther(_ card: CardReference) throws -> Bool {
      try scope.contains(card) && (note == nil || snapshot.note(of: card) != note)
    }
    let done = try scope.done()
    let allowance = try scope.allowance()
    var review: CardReference?
    if isAhead || allowance.reviews > 0 {
      review = try snapshot.dueCard(
        of: learner, in: isAhead ? scope.cards : scope.withReviewsAllowed(), on: scope.today,
        consideringAll: scope.tagged != nil
      ) {
        try isOther($0) && !scope.waits(snapshot.note(of: $0), isNew: false)
      }
    }
    if let review {
      // New cards are spread over the reviews of the day.
      guard !isAhead, allowance.newCards > 0, allowance.reviews > 0 else { return review }
      let reviews = done.reviews + min(allowance.reviews, try scope.dueReviews())
      let isNewNext = (done.new + 1) * (reviews + 1) <= (done.reviews + 1) * (done.new + allowance.newCards + 1)
      guard isNewNext, let new = try newCard(in: scope, learner, isAhead: false, after: note) else { return review }
      return new
    }
    if allowance.newCards > 0, let new = try newCard(in: scope, learner, isAhead: false, after: note) { return new }
    let step = try snapshot.stepCard(of: learner, in: scope.cards, on: scope.today, where: isOther)
    if let step, isAhead || step.endsAt.milliseconds <= time + Self.stepsAhead { return step.card }
    guard isAhead else { return nil }
    return try cardsAhead(in: scope, limit: 1).first
      ?? newCard(in: scope, learner, isAhead: true, after: note)
  }

  private func newCard(
    in scope: ReviewScope, _ learner: LearnerID, isAhead: Bool, after last: CardReference?
  ) throws -> CardReference? {
    var allowed: [NodeID: Bool] = [:]
    func isAllowed(_ course: NodeID) throws -> Bool {
      if isAhead { return true }
      if let known = allowed[course] { return known }
      let isAllowed = try scope.allowance(of: course).newCards > 0
      allowed[course] = isAllowed
      return isAllowed
    }
    func isWanted(_ note: CardReference) throws -> Bool {
      try note != last && (isAhead || !scope.waits(note, isNew: true))
    }
    let cards: CardScope =
      switch scope.cards {
      case .courses(let courses): .courses(try courses.filter(isAllowed))
      case .activities(let nodes): try isAllowed(scope.chain[0].id) ? .activities(nodes) : .activities([])
      }
    let touched = try scope.snapshot.touchedNewCard(of: learner, in: cards, on: scope.today) {
      try scope.contains($0) && isWanted(scope.snapshot.note(of: $0))
    }
    if let touched { return touched }
    // As in Anki, the first cards of the course are those of the day, and their first sides are shown first.
    var best: (card: CardReference, course: NodeID, side: Int)?
    var (remaining, notes) = (1, Set<CardReference>())
    for new in try scope.newCards()
    where try remaining > 0 && new.course == best?.course ?? new.course && isAllowed(new.course) {
      let hasSiblings = try scope.waitingSiblings(in: new.node) == .none
      try scope.snapshot.forEachNewCard(in: new.node, of: learner) { card, note, side in
        guard scope.contains(card), try isWanted(note), hasSiblings || notes.insert(note).inserted else { return true }
        if best == nil, !isAhead {
          remaining = try scope.allowance().limited(by: scope.allowance(of: new.course)).newCards
        }
        if side < best?.side ?? .max { best = (card, new.course, side) }
        remaining -= 1
        return remaining > 0
      }
    }
    return best?.card
  }

  /// Returns the courses that contain cards, in their order, with the numbers of all cards and of those that the learner has
  /// met.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  package func courseCards() throws(NavigationError) -> [(place: NamedPlace, all: Int, met: Int)] {
    try session.readMemories { snapshot in
      let cards = try snapshot.cardsByCourse(of: snapshot.learner(named: session.learner)?.id)
      return try snapshot.children(of: .root).compactMap { course in
        cards[course.id].map { (NamedPlace([course]), $0.all, $0.met) }
      }
    }
  }

  /// Returns the cards of later days that are not suspended, those that are due first first.
  ///
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/database(_:)``.
  package func cardsAhead(in name: PlaceName? = nil, limit: Int) throws(NavigationError) -> [CardID] {
    try session.readMemories { snapshot in
      try cardsAhead(in: session.reviewScope(snapshot, name), limit: limit).map {
        CardID(place: .node($0.node), key: $0.key)
      }
    }
  }

  private func cardsAhead(in scope: ReviewScope, limit: Int) throws -> [CardReference] {
    try scope.learner.map {
      try scope.snapshot.cardsAhead(
        of: $0, in: scope.cards, after: scope.today, limit: limit,
        where: scope.tagged == nil ? nil : { scope.contains($0) })
    } ?? []
  }

  /// Returns the cards of a review in the order in which it shows them if none comes back today, and then cards of later days.
  ///
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/database(_:)``.
  package func nextCards(in name: PlaceName? = nil, limit: Int) throws(NavigationError) -> [CardID] {
    try session.readMemories { snapshot in
      var scope = try session.reviewScope(snapshot, name)
      var cards: [CardReference] = []
      while cards.count < limit, let card = try nextCard(in: scope, isAhead: false) {
        cards.append(card)
        try scope.assumeAnswer(to: card)
      }
      if cards.count < limit { cards += try cardsAhead(in: scope, limit: limit - cards.count) }
      return cards.map { CardID(place: .node($0.node), key: $0.key) }
    }
  }

  /// Returns the last answers to a card that were not undone, the newest first.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  package func lastAnswers(to id: CardID, limit: Int) throws(NavigationError) -> [(rating: CardRating, at: Timestamp)] {
    try session.read { snapshot in
      guard let learner = try snapshot.learner(named: session.learner)?.id, let node = id.place.node else { return [] }
      return try snapshot.lastAnswers(to: CardReference(node: node, key: id.key), by: learner, limit: limit).map {
        ($0.detail.rating.flatMap(CardRating.init) ?? .good, $0.at)
      }
    }
  }

  /// Returns a card with its state today.
  ///
  /// - Throws: ``NavigationError/unknownCard(key:place:)`` if the activity does not contain the card.
  public func card(_ id: CardID) throws(NavigationError) -> ReviewCard {
    try session.readMemories { snapshot in
      guard let node = id.place.node,
        let card = try reviewCard(CardReference(node: node, key: id.key), in: snapshot)
      else { throw NavigationError.unknownCard(key: id.key, place: try snapshot.path(of: id.place)) }
      return card
    }
  }

  func reviewCard(_ reference: CardReference, in snapshot: StoreSnapshot) throws -> ReviewCard? {
    let learner = try snapshot.learner(named: session.learner)?.id
    guard let faces = try snapshot.faces(of: reference, for: learner) else { return nil }
    let chain = try snapshot.chain(to: reference.node)
    let before = try session.stateBeforeAnswer(reference, learner, in: snapshot)
    let outcomes = before.scheduler.outcomes(from: before.history.state, days: before.days, seed: before.seed)
    return ReviewCard(
      id: CardID(place: .node(reference.node), key: reference.key), place: NamedPlace(chain),
      ancestorTitles: chain.dropLast().map(\.title), item: try snapshot.item(of: reference),
      faces: faces.shuffled(seed: before.seed),
      state: before.history.state, retrievability: before.retrievability, intervals: outcomes.mapValues(\.interval),
      isSuspended: before.history.isSuspended, isLeech: before.scheduler.rules.isLeech(before.history.state),
      due: before.history.state.phase == .new ? nil : ReviewDay.date(of: before.history.due),
      stepEndsAt: before.history.stepEndsAt,
      stepSeconds: before.history.stepEndsAt.flatMap { end in
        before.history.lastAt.map { Int((end.milliseconds - $0.milliseconds + 500) / 1000) }
      })
  }

  // MARK: - The next lesson

  /// Returns the next lesson with cards that the learner has not begun, in reading order. Courses with cards of the
  /// learner come first.
  ///
  /// - Parameter name: A place, to search in it only. `nil` or the root for all courses.
  /// - Returns: The lesson and the number of its new cards, or `nil` if there is no such lesson.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/database(_:)``.
  package func nextLesson(in name: PlaceName? = nil) throws(NavigationError) -> (lesson: NamedPlace, cards: Int)? {
    try session.readMemories { snapshot in
      let scope = try session.reviewScope(snapshot, name)
      let learner = scope.learner
      let begun = Set(try learner.map { try snapshot.newCards(of: $0) }?.map(\.node) ?? [])
      let known = Set(scope.courses)
      let courses = try scope.chain.last.map { [$0] } ?? snapshot.children(of: .root)
      for course in courses.filter({ known.contains($0.id) }) + courses.filter({ !known.contains($0.id) }) {
        let activities = try snapshot.activitiesWithCards(under: course.id, madeBy: learner).filter {
          !begun.contains($0)
        }
        for activity in activities {
          guard try newCards(in: activity, of: learner, snapshot) > 0 else { continue }
          let lesson = Array(try snapshot.chain(to: activity).dropLast())
          guard let parent = lesson.last else { continue }
          let siblings = Set(try snapshot.children(of: .node(parent.id)).map(\.id))
          let cards = try activities.filter(siblings.contains).map { try newCards(in: $0, of: learner, snapshot) }
          return (NamedPlace(lesson), cards.reduce(0, +))
        }
      }
      return nil
    }
  }

  /// The number of cards of an activity that a learner has not met.
  private func newCards(in activity: NodeID, of learner: LearnerID?, _ snapshot: StoreSnapshot) throws -> Int {
    guard let learner else { return try snapshot.cardReferences(in: activity, of: nil).count }
    return try snapshot.newCardCount(in: activity, of: learner)
  }

  // MARK: - Answers

  /// Records an answer. It is committed when the function returns.
  ///
  /// Begins a session if none is open, like a step.
  ///
  /// - Parameters:
  ///   - id: The card.
  ///   - rating: The answer. With two answers, *forgot* is `CardRating.again` and *knew it* is `CardRating.good`.
  ///   - duration: The time from the question to the answer. Times over ten minutes are stored as ten minutes.
  ///   - shown: The state of the card when it was shown. `nil` to answer it in any state.
  ///   - timeout: How long to wait for another writer; `nil` for the database's busy timeout.
  /// - Returns: The interval that ``ReviewCard/intervals`` has shown, and the state after the answer.
  /// - Throws: ``NavigationError/unknownCard(key:place:)`` if the activity does not contain the card,
  ///   ``NavigationError/cardChanged``, and the errors of `NavigationService.perform`.
  @discardableResult
  public func answer(
    _ id: CardID, _ rating: CardRating, after duration: Duration = .zero, shown: CardState? = nil,
    waitingAtMost timeout: Duration? = nil
  ) throws(NavigationError) -> CardAnswer {
    try session.beginning(waitingAtMost: timeout) { transaction, record, time in
      let snapshot = transaction.snapshot
      let learner = record.session.learner
      let card =
        try id.place.node.map { CardReference(node: $0, key: id.key) }
        ?? session.existing(id, for: learner, in: snapshot)
      let before = try session.stateBeforeAnswer(card, learner, in: snapshot)
      if before.memory?.isPresent != true { _ = try session.existing(id, for: learner, in: snapshot) }
      if let shown, shown != before.history.state { throw NavigationError.cardChanged }
      let outcome = before.outcome(of: rating)
      var detail = CardEventDetail(answering: card, rating, before, outcome)
      let taken = min(.seconds(600), max(.zero, duration)).components
      detail.ms = Int(taken.seconds) * 1000 + Int(taken.attoseconds / 1_000_000_000_000_000)
      let event = try session.append(
        .cardGraded, detail, node: card.node, at: time, record, transaction,
        knowing: before.memory.map { ($0, before.scheduler.model) })
      let becameLeech =
        outcome.state.lapses > before.history.state.lapses && before.scheduler.rules.isLeechAgain(outcome.state)
      let isSuspended =
        try becameLeech
        && ReviewSettingsReader(snapshot: snapshot, learner: learner)
          .settings(of: snapshot.keys(of: card.node)?.course).suspendsLeeches
      if isSuspended {
        try session.append(
          .cardSuspended, CardEventDetail(key: card.key), node: card.node, at: time, record, transaction)
      }
      return CardAnswer(
        id: id, event: event, rating: rating, interval: outcome.interval, state: outcome.state,
        isLeech: before.scheduler.rules.isLeech(outcome.state), becameLeech: becameLeech, isSuspended: isSuspended)
    }
  }
}

extension ReviewDaySummary {
  init(day: Int, _ counts: ReviewCounts) {
    self.init(
      date: ReviewDay.date(of: day), answers: counts.answers, new: counts.new, reviews: counts.reviews,
      passed: counts.passed, milliseconds: counts.milliseconds)
  }
}
