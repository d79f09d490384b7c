import LearningModel
import LearningStore

/// The state of an activity at the end of a visit.
public struct VisitOutcome: Hashable, Sendable {
  /// Whether the activity was done.
  public let isDone: Bool
  /// The share of right answers in the last attempt at the quiz during the visit, 0…1. `nil` if there was no attempt.
  public let score: Double?
  /// The reading progress at the end of the visit, 0…1. `nil` if the reading position was not saved during the visit,
  /// or was saved again in a later visit.
  public let fraction: Double?
  /// The number of flashcards or questions of which ``fraction`` is a share. `nil` if the activity has none, or if
  /// ``fraction`` is `nil`.
  public let itemCount: Int?
}

extension LearnerHistory {
  /// Returns the outcomes of visits to activities. They are computed from the log as of the end of each visit, so later
  /// activity does not change them.
  ///
  /// - Parameter visits: Steps of the history. Visits to places other than activities have no outcome.
  /// - Returns: The outcomes by the number of the step (``HistoryRow/id``).
  /// - Throws: ``NavigationError/database(_:)``.
  public func outcomes(of visits: [HistoryRow]) throws(NavigationError) -> [Int64: VisitOutcome] {
    try session.read { snapshot in
      var eventCache: [DoneActivities.Key: [ActivityEvent]] = [:]
      var outcomes: [Int64: VisitOutcome] = [:]
      for visit in visits where visit.to.kind == .activity {
        guard let node = visit.to.place.node, let learner = try snapshot.learner(named: visit.learner)?.id else {
          continue
        }
        let key = DoneActivities.Key(learner: learner, node: node)
        let activityEvents =
          try eventCache[key]
          ?? snapshot.activityEvents(of: learner, under: node, kinds: ActivityEventKind.allCases, limit: nil).reversed()
        eventCache[key] = activityEvents
        let position = try snapshot.readingPosition(of: node, for: learner).flatMap { position in
          position.savedAt >= visit.at && visit.leftAt.map { position.savedAt <= $0 } ?? true ? position : nil
        }
        outcomes[visit.id] = VisitOutcome(
          of: visit, activityEvents.filter { event in visit.leftAt.map { event.at <= $0 } ?? true }, by: key,
          fraction: position?.fraction,
          itemCount: try position.flatMap { _ in try snapshot.card(of: node, for: learner, at: visit.at)?.itemCount })
      }
      return outcomes
    }
  }
}

extension VisitOutcome {
  /// - Parameter events: The activity events until the end of the visit, the oldest first.
  fileprivate init(
    of visit: HistoryRow, _ events: [ActivityEvent], by key: DoneActivities.Key, fraction: Double?, itemCount: Int?
  ) {
    var done = DoneActivities()
    for event in events { done.add(event) }
    isDone = done.isDone(key.node, by: key.learner)
    score = events.last { $0.kind == .quizChecked && $0.at >= visit.at }?.score
    (self.fraction, self.itemCount) = (fraction, itemCount)
  }
}

/// The set of activities that are done after some events of the log. Applies the same rule as the stored progress.
struct DoneActivities {
  struct Key: Hashable {
    let learner: LearnerID
    let node: NodeID
  }

  private var done: Set<Key> = []
  private var cards: [Key: (graded: Set<Int>, of: Int)] = [:]

  /// Applies the next event of the log.
  mutating func add(_ event: ActivityEvent) {
    let key = Key(learner: event.learner, node: event.node)
    switch event.kind {
    case .seenToEnd, .markedDone:
      done.insert(key)
    case .quizChecked:
      if event.score ?? 1 >= ActivityEventContent.Detail(of: event)?.pass ?? 0 { done.insert(key) }
    case .exerciseChecked:
      if let check = ExerciseCheck(of: event), check.isPassed, check.isChanged { done.insert(key) }
    case .markedNotDone:
      done.remove(key)
      cards[key] = nil
    case .cardGraded:
      guard let detail = ActivityEventContent.Detail(of: event) else { return }
      var deck = cards[key] ?? ([], 0)
      if let card = detail.card { deck.graded.insert(card) }
      deck.of = max(deck.of, detail.of ?? 0)
      cards[key] = deck
      if deck.of > 0, deck.graded.count >= deck.of { done.insert(key) }
    default: break
    }
  }

  /// Returns whether an activity is done after the events so far.
  func isDone(_ node: NodeID, by learner: LearnerID) -> Bool { done.contains(Key(learner: learner, node: node)) }
}
