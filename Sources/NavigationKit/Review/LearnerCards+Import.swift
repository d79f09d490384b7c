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
  ///   - course: The path of the course of the cards that name no other.
  /// - Returns: The number of cards whose progress was recorded.
  /// - Throws: The errors of `NavigationService.perform`.
  package func record(_ progress: [CardProgress], in course: PlacePath) throws(NavigationError) -> Int {
    guard !progress.isEmpty else { return 0 }
    return try session.beginning(waitingAtMost: nil) { transaction, record, time in
      let snapshot = transaction.snapshot
      guard case .node(let imported)? = try snapshot.place(at: course) else { return 0 }
      let dayStart = try ReviewSettingsReader(snapshot: snapshot, learner: record.session.learner).dayStart()
      func day(_ time: Timestamp) -> Int {
        ReviewDay.number(at: time, in: session.timeZone, startingAt: dayStart)
      }
      var nodes: [[String?]: NodeID?] = [:]
      let learner = record.session.learner
      var pending: [PendingCardEvent] = []
      var count = 0
      for card in progress {
        let place: [String?] = [card.course, card.activity]
        if nodes[place] == nil {
          let course = try card.course.map { try snapshot.course(withKey: $0)?.node.id } ?? imported
          nodes[place] = try course.flatMap { try snapshot.node(withKey: card.activity, inCourse: $0)?.id }
        }
        guard let node = nodes[place] ?? nil,
          try snapshot.hasCard(card.card, in: node, for: record.session.learner)
        else { continue }
        let memory = try snapshot.storedMemory(of: card.card, in: node, by: learner)
        var answers = card.answers
        if memory != nil {
          var known = try snapshot.answerTimes(of: CardReference(node: node, key: card.card), by: learner)
          answers.removeAll { known.removeAnswer(at: min($0.at, time), $0.rating) }
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
          detail.day = day(answer.at)
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
            detail.day = day(card.answers.last?.at ?? time)
            detail.memory = card.memory
            detail.answers = card.answerCount
            detail.lapses = card.lapses
            switch card.due {
            case .day(let days, let start): detail.due = day(start) + days
            case .time(let end):
              detail.due = day(end)
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
          detail.day = day(time)
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
      // The new cards of the deck are learned without its lessons being begun, as in the other program.
      if count > 0 {
        let activities =
          progress.contains { $0.course == nil }
          ? try snapshot.activitiesWithCards(under: imported, madeBy: learner) : []
        try include(activities, action: CardEventDetail.importAction, at: time, record, transaction)
        // An activity of which every card was answered is done.
        let done = ActivityEventContent.markedDone
        for node in Set(pending.lazy.filter { $0.kind == .cardGraded }.map(\.node)).sorted() {
          guard try snapshot.newCardCount(in: node, of: learner) == 0,
            try snapshot.progress(of: node, for: learner).done == 0
          else { continue }
          try session.append(done.kind, done.detail, score: done.score, node: node, at: time, record, transaction)
        }
      }
      return count
    }
  }
}

extension Array where Element == StoreSnapshot.KnownAnswer {
  /// Removes a recorded answer, so that it equals only one answer of the other program.
  ///
  /// The export of several answers at the same time gives them different milliseconds. Two answers to a card with
  /// the same rating within a second are therefore one answer.
  ///
  /// - Returns: Whether there was such an answer.
  fileprivate mutating func removeAnswer(at time: Timestamp, _ rating: CardRating) -> Bool {
    let index =
      firstIndex { $0.at == time }
      ?? firstIndex { $0.rating == rating && (0..<1000).contains(time.milliseconds - $0.at.milliseconds) }
    if let index { remove(at: index) }
    return index != nil
  }
}

private struct PendingCardEvent {
  let kind: ActivityEventKind
  var detail: CardEventDetail
  let node: NodeID
  let at: Timestamp
}
