package import LearningModel
import LearningStore

extension LearnerCards {
  /// Records the progress of cards in another program as events.
  ///
  /// A card that has progress here gets the answers that are new, so that both programs can be used side by side. Its memory
  /// follows from all answers in the order of their times: the answers here that are later than those in the other program
  /// follow the state of the card there. Otherwise, the added answers that follow an answer here get the intervals that they
  /// would have had here.
  ///
  /// - Parameters:
  ///   - progress: The progress of the cards of a course.
  ///   - course: The path of the course of the cards that name no other.
  /// - Returns: The numbers of cards and answers that were recorded.
  /// - Throws: The errors of `NavigationService.perform`.
  package func record(_ progress: [CardProgress], in course: PlacePath) throws(NavigationError) -> RecordedProgress {
    guard !progress.isEmpty else { return RecordedProgress() }
    return try session.beginning(waitingAtMost: nil) { transaction, record, time in
      let snapshot = transaction.snapshot
      guard case .node(let imported)? = try snapshot.place(at: course) else { return RecordedProgress() }
      let settings = ReviewSettingsReader(snapshot: snapshot, learner: record.session.learner)
      let dayStart = try settings.dayStart()
      func day(_ time: Timestamp) -> Int {
        ReviewDay.number(at: time, in: session.timeZone, startingAt: dayStart)
      }
      var nodes: [[String?]: NodeID?] = [:]
      var schedulers: [NodeID: (ReviewScheduler, keys: (course: String, node: String)?)] = [:]
      let learner = record.session.learner
      var pending: [PendingCardEvent] = []
      var recorded = RecordedProgress()
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
        let events = memory == nil ? [] : try snapshot.cardEvents(of: card.card, in: node, by: learner)
        let undone = Set(events.filter { $0.kind == .undone }.compactMap(\.detail.event))
        var (answers, own) = (card.answers, events.filter { $0.kind == .cardGraded })
        answers.removeAll { own.removeAnswer(at: min($0.at, time), $0.rating) }
        if answers.isEmpty, memory != nil { continue }
        own += events.filter { $0.kind == .cardScheduled && $0.detail.action != CardEventDetail.importAction }
        own.removeAll { undone.contains($0.uuid) }
        // The state follows the last answer in the other program, and the state that an earlier import has recorded.
        let former = events.last { $0.kind == .cardScheduled && $0.detail.action == CardEventDetail.importAction }
        let stateAt = min(
          time, [card.answers.last?.at, former?.at.advanced(byMilliseconds: 1)].compactMap(\.self).max() ?? time)
        let isMerged = own.contains { $0.at <= stateAt }
        let isNewest = memory?.history.lastAt.map { $0 < answers.last?.at ?? $0 } ?? true
        if schedulers[node] == nil {
          let keys = try snapshot.keys(of: node)
          let (rules, model) = try settings.scheduling(of: keys?.course)
          schedulers[node] = (ReviewScheduler(model: model, rules: rules), keys)
        }
        let (scheduler, keys) = schedulers[node]!
        recorded.cards += 1
        recorded.answers += answers.count
        if !own.isEmpty { recorded.mergedCards += 1 }
        let ownIDs = Set(own.map(\.uuid))
        var followsOwn = false
        var history = CardHistory()
        var earlier = events.filter { !undone.contains($0.uuid) }[...]
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
          if isMerged {
            while let event = earlier.first, event.at <= answer.at {
              _ = history.apply(event, model: scheduler.model)
              if ownIDs.contains(event.uuid) { followsOwn = true }
              earlier.removeFirst()
            }
            if followsOwn { detail.schedule(answer.rating, after: history, by: scheduler, in: keys) }
            _ = history.apply(
              CardHistory.Event(uuid: "", kind: .cardGraded, detail: detail, at: answer.at), model: scheduler.model)
          }
          pending.append(PendingCardEvent(kind: .cardGraded, detail: detail, node: node, at: min(answer.at, time)))
        }
        if !isMerged, card.phase != .new || !card.answers.isEmpty {
          var detail = CardEventDetail(key: card.card)
          detail.phase = card.phase
          if card.phase != .new {
            let steps =
              card.phase == .learning
              ? scheduler.rules.learningSteps.count
              : card.phase == .relearning ? scheduler.rules.relearningSteps.count : 0
            let step = min(steps - 1, steps - card.remainingSteps)
            detail.step = step > 0 ? step : nil
            detail.days = card.intervalDays
            detail.day = day(card.answers.last?.at ?? time)
            detail.memory = card.memory
            detail.answers = card.answerCount
            detail.lapses = card.lapses
            switch card.due {
            case .day(let days, let start): detail.due = day(start) + days
            case .time(let end):
              detail.due = day(end)
              detail.seconds = Int((end.milliseconds - stateAt.milliseconds) / 1000)
            case nil: break
            }
          }
          pending.append(PendingCardEvent(kind: .cardScheduled, detail: detail, node: node, at: stateAt))
        }
        guard own.isEmpty || isNewest else { continue }
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
          isImported: event.kind == .cardGraded || event.kind == .cardScheduled)
      }
      // The new cards of the deck are learned without its lessons being begun, as in the other program.
      if recorded.cards > 0 {
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
      return recorded
    }
  }
}

/// The numbers of what an import of another program's progress has recorded.
package struct RecordedProgress: Hashable, Sendable {
  package var cards = 0
  /// The answers that were not recorded before.
  package var answers = 0
  /// Those of ``cards`` that were also answered or scheduled here.
  package var mergedCards = 0
  package var exercises = 0

  package init() {}
}

extension Array where Element == CardHistory.Event {
  /// Removes a recorded answer, so that it equals only one answer of the other program.
  ///
  /// The export of several answers at the same time gives them different milliseconds. Two answers to a card with
  /// the same rating within a second are therefore one answer.
  ///
  /// - Returns: Whether there was such an answer.
  fileprivate mutating func removeAnswer(at time: Timestamp, _ rating: CardRating) -> Bool {
    let index =
      firstIndex { $0.at == time }
      ?? firstIndex {
        $0.detail.rating == rating.rawValue && (0..<1000).contains(time.milliseconds - $0.at.milliseconds)
      }
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
