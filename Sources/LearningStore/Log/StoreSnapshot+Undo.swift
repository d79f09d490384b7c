package import LearningModel

extension ActivityEventKind {
  /// The kinds of events that can be undone.
  static let undoable: Set<Self> = [
    .markedDone, .markedNotDone, .noted, .noteRemoved, .cardGraded, .cardSuspended, .cardResumed, .cardBuried,
    .cardMade, .cardRemoved, .cardsIncluded, .cardScheduled,
  ]
}

/// An event that can be undone.
package struct UndoableEvent: Hashable, Sendable {
  package let event: ActivityEvent
  /// The card of a review to which the event belongs, or `nil` if it belongs to none.
  package let card: CardReference?
}

extension StoreSnapshot {
  /// The number of a learner's last answers that can be undone.
  package static let maximumUndoableAnswers = 20

  /// Returns the events of the newest change of a learner that can be undone, the newest first. Empty if there is none.
  ///
  /// An event can be undone if it belongs to a session of this database and its activity is in a course. No later event
  /// that is in effect may concern the same card, note or progress.
  ///
  /// - Parameters:
  ///   - start: Earlier events are not undone.
  ///   - areCards: Whether only events of cards are undone.
  package func newestChange(of learner: LearnerID, since start: Timestamp, ofCards areCards: Bool) throws
    -> [UndoableEvent]
  {
    var change: [UndoableEvent] = []
    var changeAction: String?
    // An event is later than the event that it undoes.
    var (undone, subjects): (Set<String>, Set<String>) = ([], [])
    var answerCount = 0
    try statements.run(Self.changesSQL, [learner, start]) { row in
      let event = try ActivityEvent(row: row)
      let (subject, action, isOwn): (String, String?, Bool) = (row[9], row[10], row[11])
      if let first = change.first?.event,
        changeAction == nil || event.session == first.session && action != changeAction
      {
        return false
      }
      if event.kind == .undone {
        undone.insert(subject)
        return true
      }
      if event.kind == .cardGraded, action == nil {
        answerCount += 1
        if answerCount > Self.maximumUndoableAnswers { return false }
      }
      guard !undone.contains(event.uuid), subjects.insert(subject).inserted, isOwn,
        change.isEmpty || action == changeAction, action != CardEventDetail.importAction,
        ActivityEventKind.undoable.contains(event.kind), !areCards || event.kind.rawValue.hasPrefix("card")
      else { return true }
      let key: String? = row[12]
      change.append(UndoableEvent(event: event, card: key.map { CardReference(node: event.node, key: $0) }))
      changeAction = action
      return true
    }
    return change
  }

  private static let changesSQL = StatementText(
    """
    SELECT \(ActivityEvent.columns),
      CASE event.kind
        WHEN 'cardUndone' THEN ifnull(event.detail ->> 'event', '')
        WHEN 'cardsIncluded' THEN event.node || ' cards'
        ELSE event.node || ' ' || coalesce(
          event.detail ->> 'key', event.detail ->> 'note', event.detail ->> 'card', 'progress')
      END,
      event.detail ->> 'action',
      node.living AND (SELECT \(SessionRecord.isOwn) FROM session WHERE id = event.session), event.detail ->> 'key'
    FROM activityEvent AS event INDEXED BY activityEventInOrder
    CROSS JOIN session ON session.id = event.session
    CROSS JOIN contentNode AS node ON node.id = event.node
    WHERE event.learner = ? AND event.orderedAt >= ?
    \(newestFirst)
    """)

  /// The row ID of the last activity event in this database, or 0 before the first one.
  package func lastActivityEvent() throws -> Int64 { try value("SELECT ifnull(max(id), 0) FROM activityEvent") ?? 0 }
}
