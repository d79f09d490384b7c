public import LearningModel
import LearningStore

/// A learner's progress in a place.
public struct ProgressRow: Hashable, Encodable, Sendable {
  /// The place whose activities are counted.
  public let place: NamedPlace
  /// The learner's name.
  public let learner: String
  /// The number of activities, and how many of them are done.
  public let progress: LearningProgress
  /// The number of exercises in the place, and how many of them the learner has passed.
  public let exercises: LearningProgress

  package init(place: NamedPlace, learner: String, progress: LearningProgress, exercises: LearningProgress?) {
    self.place = place
    self.learner = learner
    self.progress = progress
    self.exercises = exercises ?? LearningProgress(done: 0, total: 0)
  }

  private enum Key: String, CodingKey {
    case done, total, learner, exercises, passed
  }

  /// Encodes `path`, `kind`, `title`, `done`, `total`, `learner`, `exercises` and `passed`.
  public func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(progress.done, forKey: .done)
    try container.encode(progress.total, forKey: .total)
    try container.encode(learner, forKey: .learner)
    try container.encode(exercises.total, forKey: .exercises)
    try container.encode(exercises.done, forKey: .passed)
  }
}

/// Records what a learner does in activities, and answers questions about the learner's progress, reading positions and
/// quizzes.
public struct LearnerProgress: Sendable {
  let session: LearnerSession

  /// Records an activity event and returns the activity with its progress after the event.
  ///
  /// Begins a session if none is open, like a step.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - name: The activity.
  ///   - timeout: How long to wait for another writer; `nil` for the database's busy timeout.
  /// - Returns: The activity with its progress.
  /// - Throws: ``NavigationError/notAnActivity(place:)`` if the place is not an activity, and the errors of
  ///   `NavigationService.perform`.
  @discardableResult
  public func record(_ event: ActivityEventContent, in name: PlaceName, waitingAtMost timeout: Duration? = nil)
    throws(NavigationError) -> PlaceSummary
  {
    try session.beginning(waitingAtMost: timeout) { transaction, record, time in
      let (node, chain) = try transaction.snapshot.activity(name)
      if case .cardGraded(let item, let count, let isKnown) = event,
        let card = try transaction.snapshot.card(ofItem: item, in: node.id)
      {
        try answer(card, ofItem: item, of: count, isKnown: isKnown, at: time, record, transaction)
      } else {
        try session.append(
          event.kind, event.detail, score: event.score, node: node.id, at: time, record, transaction)
      }
      let learner = try transaction.snapshot.learner(record.session.learner)
      return try Pages(snapshot: transaction.snapshot, learner: learner, at: time).summary(of: chain)
    }
  }

  /// Appends the grade of a flashcard, which is also the answer to its card in reviews.
  private func answer(
    _ card: CardReference, ofItem item: Int, of count: Int, isKnown: Bool, at time: Timestamp, _ record: SessionRecord,
    _ transaction: StoreTransaction
  ) throws {
    let before = try session.stateBeforeAnswer(card, record.session.learner, in: transaction.snapshot)
    let rating: CardRating = isKnown ? .good : .again
    var detail = CardEventDetail(answering: card, rating, before, before.outcome(of: rating))
    (detail.card, detail.of, detail.known) = (item, count, isKnown)
    try session.append(
      .cardGraded, detail, node: card.node, at: time, record, transaction,
      knowing: before.memory.map { ($0, before.scheduler.model) })
  }

  /// Records an activity event like the synchronous variant, without blocking the calling thread.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - name: The activity.
  ///   - timeout: How long to wait for other writers; `nil` for the database's busy timeout.
  /// - Returns: The activity with its progress.
  /// - Throws: ``NavigationError``; ``NavigationError/cancelled`` if the task was cancelled while another program wrote.
  @discardableResult
  public func record(
    _ event: ActivityEventContent, in name: PlaceName, waitingAtMost timeout: Duration? = nil
  ) async throws(NavigationError) -> PlaceSummary {
    try await BlockingWork.run { () throws(NavigationError) in
      try session.store.typed { try record(event, in: name, waitingAtMost: timeout) }
    }
  }

  /// Returns the progress in a place, followed by the progress in each of its children.
  ///
  /// - Parameters:
  ///   - name: The place. If `nil`, the progress in each course is returned.
  ///   - scope: The learners. For ``LearnerScope/everyone``, there is a row for each learner and place.
  /// - Throws: ``NavigationError`` if the place or learner does not exist.
  public func rows(of name: PlaceName? = nil, by scope: LearnerScope = .current) throws(NavigationError)
    -> [ProgressRow]
  {
    try session.read { snapshot in
      let node = try name.flatMap { try PlaceResolver(snapshot: snapshot, current: []).resolve($0, nearby: nil).last }
      let places = try (node.map { [$0] } ?? []) + snapshot.children(of: Place(node?.id))
      let names = PlaceNames(snapshot)
      var exercises: [LearnerID?: [NodeID: LearningProgress]] = [:]
      return try places.flatMap { place in
        let name = try names.name(of: .node(place.id))
        func row(_ learner: LearnerID?, _ learnerName: String, _ progress: PlaceProgress) throws -> ProgressRow {
          let counts = try exercises[learner] ?? snapshot.passedExercises(by: learner, in: node?.course)
          exercises[learner] = counts
          return ProgressRow(
            place: name, learner: learnerName, progress: LearningProgress(progress), exercises: counts[place.id])
        }
        switch try snapshot.resolve(scope, own: session.learner) {
        case .everyone:
          return try snapshot.progressOfLearners(at: place.id).map {
            try row($0.learner.id, $0.learner.name, $0.progress)
          }
        case .one(let id): return [try row(id, names.name(of: id), snapshot.progress(of: place.id, for: id))]
        case .nobody: return [try row(nil, session.learner, snapshot.progress(of: place.id, for: nil))]
        }
      }
    }
  }
}

extension LearningProgress {
  init(_ progress: PlaceProgress) {
    self.init(done: progress.done, total: progress.total)
  }
}

/// An attempt at a quiz, a check of an exercise, or the grading of a flashcard.
public struct ActivityAttempt: Hashable, Encodable, Sendable {
  /// The quiz, the exercise or the deck of flashcards.
  public let place: NamedPlace
  /// The learner's name.
  public let learner: String
  /// The kind of the attempt: `quizChecked`, `exerciseChecked` or `cardGraded`.
  public let kind: ActivityEventKind
  /// The key of the card that was graded; `nil` for other attempts, and for a card that its deck does not contain any more.
  public let card: String?
  /// The question of the card without markup, on one line; `nil` like ``card``.
  public let question: String?
  /// The share of right answers, 0…1. For a flashcard, 1 if the learner knew its back, otherwise 0; for an exercise, 1
  /// if the check was passed, otherwise 0.
  public let score: Double?
  /// The time of the attempt.
  public let at: Timestamp

  private enum Key: String, CodingKey {
    case learner, attempt, card, question, score, at
  }

  /// Encodes `path`, `kind`, `title`, `learner`, `attempt`, `card`, `question`, `score` and `at`.
  public func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(learner, forKey: .learner)
    try container.encode(kind, forKey: .attempt)
    try container.encode(card, forKey: .card)
    try container.encode(question, forKey: .question)
    try container.encode(score, forKey: .score)
    try container.encode(at, forKey: .at)
  }
}

extension LearnerProgress {
  /// Returns the attempts at quizzes, the checks of exercises and the gradings of flashcards, the newest first. Undone answers are
  /// omitted.
  ///
  /// - Parameters:
  ///   - name: The place that contains the activities. It may have been removed. If `nil`, all places.
  ///   - scope: The learners.
  ///   - limit: The maximum number of attempts; `nil` for all.
  /// - Throws: ``NavigationError`` if the place or learner does not exist.
  public func attempts(
    in name: PlaceName? = nil, by scope: LearnerScope = .current, limit: Int? = nil
  ) throws(NavigationError) -> [ActivityAttempt] {
    try session.read { snapshot in
      let node = try name.flatMap { try PlaceResolver(snapshot: snapshot, current: []).resolveEvenRemoved($0) }
      guard let learner = try snapshot.resolve(scope, own: session.learner).learner else { return [] }
      let names = PlaceNames(snapshot)
      var questions: [CardReference: String?] = [:]
      func question(_ card: CardReference, _ learner: LearnerID) throws -> String? {
        if let known = questions[card] { return known }
        let text = try snapshot.faces(of: card, for: learner)?.question.plainText
        let line = text?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        questions[card] = .some(line)
        return line
      }
      return try snapshot.activityEvents(
        of: learner, under: node?.id, kinds: [.quizChecked, .exerciseChecked, .cardGraded], limit: limit
      ).map { event in
        let graded = event.kind == .cardGraded ? ActivityEventContent.Detail(of: event) : nil
        let key = try graded?.key ?? graded?.card.flatMap { try snapshot.cardKey(ofItem: $0, in: event.node) }
        let card = key.map { CardReference(node: event.node, key: $0) }
        return ActivityAttempt(
          place: try names.name(of: .node(event.node)), learner: try names.name(of: event.learner), kind: event.kind,
          card: key, question: try card.flatMap { try question($0, event.learner) }, score: event.score, at: event.at)
      }
    }
  }
}
