import LearningModel

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
