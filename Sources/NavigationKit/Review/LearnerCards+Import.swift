package import LearningModel
import LearningStore

extension LearnerCards {
  /// Records the progress of cards in another program as events.
  ///
  /// A card that has progress here gets the answers that are new, in the order of their times, so that both programs can be used
  /// side by side. It gets the state in the other program if its last answer was given there.
  ///
  /// - Parameters:
  ///   - progress: The progress of the cards of a course.
  ///   - course: The path of the course.
  /// - Returns: The number of cards whose progress was recorded.
  /// - Throws: The errors of `NavigationService.perform`.
  package func record(_ progress: [CardProgress], in course: PlacePath) throws(NavigationError) -> Int {
    guard !progress.isEmpty else { return 0 }
    return try session.beginning(waitingAtMost: nil) { transaction, record, time in
      let snapshot = transaction.snapshot
      guard case .node(let course)? = try snapshot.place(at: course) else { return 0 }
      var nodes: [String: NodeID?] = [:]
      var pending: [PendingCardEvent] = []
      var count = 0
      for card in progress {
        if nodes[card.activity] == nil {
          nodes[card.activity] = try snapshot.node(withKey: card.activity, inCourse: course)?.id
        }
        guard let node = nodes[card.activity] ?? nil,
          try snapshot.hasCard(card.card, in: node, for: record.session.learner)
        else { continue }
        let learner = record.session.learner
        let memory = try snapshot.storedMemory(of: card.card, in: node, by: learner)
        var answers = card.answers
        if memory != nil {
          let known = try snapshot.answerTimes(of: CardReference(node: node, key: card.card), by: learner)
          answers.removeAll { known.contains(min($0.at, time)) }
          if answers.isEmpty { continue }
        }
        let isNewest = memory?.history.lastAt.map { $0 < answers.last?.at ?? $0 } ?? true
        count += 1
        func schedule(at time: Timestamp, _ change: (inout CardEventDetail) -> Void) {
          var detail = CardEventDetail(key: card.card)
          change(&detail)
          pending.append(PendingCardEvent(kind: .cardScheduled, detail: detail, node: node, at: time))
        }
        for answer in answers {
          var detail = CardEventDetail(key: card.card)
          detail.rating = answer.rating.rawValue
          detail.day = ReviewDay.number(at: answer.at, in: session.timeZone)
          detail.ms = min(600_000, max(0, answer.milliseconds))
          switch answer.interval {
          case .seconds(let seconds): (detail.seconds, detail.phase) = (seconds, .learning)
          case .days(let days): (detail.days, detail.phase) = (days, .review)
          }
          detail.memory = answer.memory
          detail.reset = answer.isReset ? true : nil
          pending.append(PendingCardEvent(kind: .cardGraded, detail: detail, node: node, at: min(answer.at, time)))
        }
        guard isNewest else { continue }
        if card.phase != .new {
          schedule(at: time) { detail in
            detail.phase = card.phase
            detail.days = card.intervalDays
            detail.day = ReviewDay.number(at: card.answers.last?.at ?? time, in: session.timeZone)
            detail.memory = card.memory
            detail.answers = card.answerCount
            detail.lapses = card.lapses
            switch card.due {
            case .day(let days, let start): detail.due = ReviewDay.number(at: start, in: session.timeZone) + days
            case .time(let end):
              detail.due = ReviewDay.number(at: end, in: session.timeZone)
              detail.seconds = Int((end.milliseconds - time.milliseconds) / 1000)
            case nil: break
            }
          }
        } else if !card.answers.isEmpty {
          schedule(at: time) { $0.phase = .new }
        }
        if card.isSuspended {
          pending.append(
            PendingCardEvent(
              kind: .cardSuspended, detail: CardEventDetail(key: card.card), node: node, at: time))
        }
        if card.isBuried {
          var detail = CardEventDetail(key: card.card)
          detail.day = ReviewDay.number(at: time, in: session.timeZone)
          pending.append(PendingCardEvent(kind: .cardBuried, detail: detail, node: node, at: time))
        }
      }
      // In the order of their times, so that each answer follows the previous ones of its card.
      for event in pending.enumerated().sorted(by: { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }) {
        var event = event.element
        event.detail.action = CardEventDetail.importAction
        try session.append(
          event.kind, event.detail, node: event.node, at: event.at, record, transaction,
          isImported: event.kind == .cardGraded)
      }
      return count
    }
  }
}

private struct PendingCardEvent {
  let kind: ActivityEventKind
  var detail: CardEventDetail
  let node: NodeID
  let at: Timestamp
}
