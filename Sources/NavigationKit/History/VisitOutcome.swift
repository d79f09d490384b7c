import LearningModel
import LearningStore

/// How far an activity was when a visit to it ended.
public struct VisitOutcome: Hashable, Sendable {
  /// Whether it was done by then.
  public let isDone: Bool
  /// The share that was right, 0…1, where a quiz was answered during the visit; the last one, where there were several.
  public let score: Double?
  /// How far it was read, 0…1; `nil` where the text was not moved, or was read on in a later visit.
  public let fraction: Double?
  /// Of flashcards and of a quiz, how many there are: of so many that share was turned, or answered. `nil` where there is
  /// no share.
  public let itemCount: Int?
}

extension NavigationService {
  /// Returns what became of visits to activities: by the log, and so as it was then, whatever was done since.
  ///
  /// - Parameter visits: Steps of the history; those to places that are no activities have no outcome.
  /// - Returns: The outcomes by the numbers of the steps.
  public func outcomes(of visits: [HistoryRow]) throws(NavigationError) -> [Int64: VisitOutcome] {
    try read { snapshot in
      var acts: [DoneActivities.Key: [ActivityEvent]] = [:]
      var outcomes: [Int64: VisitOutcome] = [:]
      for visit in visits where visit.to.kind == .activity {
        guard let node = visit.to.place.node, let learner = try snapshot.learner(named: visit.learner)?.id else {
          continue
        }
        let key = DoneActivities.Key(learner: learner, node: node)
        let known =
          try acts[key]
          ?? snapshot.activityEvents(of: learner, under: node, kinds: ActivityEventKind.allCases, limit: nil).reversed()
        acts[key] = known
        let position = try snapshot.readingPosition(of: node, for: learner).flatMap { position in
          position.savedAt >= visit.at && visit.leftAt.map { position.savedAt <= $0 } ?? true ? position : nil
        }
        outcomes[visit.id] = VisitOutcome(
          of: visit, known.filter { act in visit.leftAt.map { act.at <= $0 } ?? true }, by: key,
          fraction: position?.fraction,
          itemCount: try position.flatMap { _ in try snapshot.card(of: node, for: learner)?.itemCount })
      }
      return outcomes
    }
  }
}

extension VisitOutcome {
  /// - Parameter acts: What was done there until the visit ended, the oldest first.
  fileprivate init(
    of visit: HistoryRow, _ acts: [ActivityEvent], by key: DoneActivities.Key, fraction: Double?, itemCount: Int?
  ) {
    var done = DoneActivities()
    for act in acts { done.note(act) }
    isDone = done.isDone(key.node, by: key.learner)
    score = acts.last { $0.kind == .quizChecked && $0.at >= visit.at }?.score
    (self.fraction, self.itemCount) = (fraction, itemCount)
  }
}

/// Which activities were done at some moment of the past, by what had been done in them until then: the same rule as that
/// of the progress that is kept.
struct DoneActivities {
  struct Key: Hashable {
    let learner: LearnerID
    let node: NodeID
  }

  private var done: Set<Key> = []
  private var cards: [Key: (graded: Set<Int>, of: Int)] = [:]

  /// Takes in the next thing done, in the order of the log.
  mutating func note(_ event: ActivityEvent) {
    let key = Key(learner: event.learner, node: event.node)
    switch event.kind {
    case .seenToEnd, .markedDone:
      done.insert(key)
    case .quizChecked:
      if event.score ?? 1 >= LearningAct.Detail(of: event)?.pass ?? 0 { done.insert(key) }
    case .markedNotDone:
      done.remove(key)
      cards[key] = nil
    case .cardGraded:
      guard let detail = LearningAct.Detail(of: event) else { return }
      var deck = cards[key] ?? ([], 0)
      if let card = detail.card { deck.graded.insert(card) }
      deck.of = max(deck.of, detail.of ?? 0)
      cards[key] = deck
      if deck.of > 0, deck.graded.count >= deck.of { done.insert(key) }
    case .noted, .noteRemoved, .other: break
    }
  }

  /// Whether a learner had done an activity by now.
  func isDone(_ node: NodeID, by learner: LearnerID) -> Bool { done.contains(Key(learner: learner, node: node)) }
}
