public import LearningModel
import LearningStore

/// A change of the learner that was undone.
public struct UndoneChange: Hashable, Sendable {
  /// The kind of the undone events.
  public let kind: ActivityEventKind
  /// The activity. If a change of several activities was undone, the last of them.
  public let place: NamedPlace
  /// The titles of the activity and of its course. If a change of several activities was undone, only those that are the
  /// same for all of them.
  package let location: [String]
  /// The cards that were answered, suspended, resumed, buried, made or removed.
  public let cards: [CardID]
  /// The answer that was undone, or `nil` for another change.
  public let rating: CardRating?
  /// The number of cards that are not part of the reviews any more, if adding them was undone.
  public let removedCards: Int
  /// Whether the note or the made card exists, or the activity is done, after the undo.
  public let isPresent: Bool
  /// The question of the first card without markup, on one line. `nil` if the activity does not contain it.
  package let question: String?
  /// The index of the flashcard whose grade was undone, or `nil` for another change.
  package let item: Int?
  /// The note as it is after the undo or, if it was removed, before it. `nil` for another change.
  package let note: Note?
}

/// The changes that the log of activity events records and that the learner can undo: answers, marks as done, notes and
/// changes of cards.
public struct LearnerChanges: Sendable {
  let session: LearnerSession

  /// The position of the last event in the log, for ``undo(onlyCards:after:waitingAtMost:)``.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func position() throws(NavigationError) -> Int64 { try session.readLatest { try $0.lastActivityEvent() } }

  /// Undoes the newest change of today that is not undone yet. The log only grows: this is a new event.
  ///
  /// Changes of all sessions of this database can be undone, including the last 20 answers. A change is left out if its
  /// activity was removed or its card, note or progress has another change since, for example from a synchronisation. An
  /// undo cannot be undone.
  ///
  /// - Parameters:
  ///   - areCards: Whether only changes of cards are undone.
  ///   - position: Changes up to this position in the log are not undone.
  ///   - timeout: How long to wait for another writer; `nil` for the database's busy timeout.
  /// - Returns: The change, or `nil` if there is none to undo.
  /// - Throws: ``NavigationError/busy`` and other errors of the database.
  @discardableResult
  public func undo(
    onlyCards areCards: Bool = false, after position: Int64 = 0, waitingAtMost timeout: Duration? = nil
  ) throws(NavigationError) -> UndoneChange? {
    func newest(_ learner: LearnerID, _ snapshot: StoreSnapshot) throws -> [UndoableEvent]? {
      let events = try session.newestChange(of: learner, ofCards: areCards, in: snapshot)
      return events.first.flatMap { $0.event.id > position ? events : nil }
    }
    // Nothing to undo begins no session.
    let hasChange = try session.readLatest { snapshot in
      try snapshot.learner(named: session.learner).flatMap { try newest($0.id, snapshot) } != nil
    }
    guard hasChange else { return nil }
    return try session.beginning(waitingAtMost: timeout) { transaction, record, time in
      try newest(record.session.learner, transaction.snapshot).map { try undo($0, at: time, record, transaction) }
    }
  }

  private func undo(
    _ events: [UndoableEvent], at time: Timestamp, _ record: SessionRecord, _ transaction: StoreTransaction
  ) throws -> UndoneChange {
    let (snapshot, learner, newest) = (transaction.snapshot, record.session.learner, events[0].event)
    let detail = ActivityEventContent.Detail(of: newest)
    let cards = events.compactMap(\.card)
    func question() throws -> String? {
      try cards.first.flatMap { try snapshot.faces(of: $0, for: learner) }?.question.plainText
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    func note() throws -> Note? { try detail?.note.flatMap { try snapshot.note($0, of: learner)?.note } }
    func newCards() throws -> Int {
      newest.kind == .cardsIncluded ? try snapshot.newCards(of: learner).map(\.cards).reduce(0, +) : 0
    }
    let before = (note: try note(), question: try question(), cards: try newCards())
    for (event, card) in events.map({ ($0.event, $0.card) }) {
      if let card {
        var detail = CardEventDetail(key: card.key)
        detail.event = event.uuid
        try session.append(.undone, detail, node: event.node, at: time, record, transaction)
      } else {
        try session.append(.undone, "{\"event\":\"\(event.uuid)\"}", node: event.node, at: time, record, transaction)
      }
    }
    let after = (note: try note(), question: try question())
    let isDone = try snapshot.progress(of: newest.node, for: learner).done > 0
    let chains = try Set(events.map(\.event.node)).map { try snapshot.chain(to: $0) }
    let titles = [chains.map(\.last), chains.map(\.first)].compactMap { nodes in
      Set(nodes.map { $0?.id }).count == 1 ? nodes[0]?.title : nil
    }
    return UndoneChange(
      kind: newest.kind, place: NamedPlace(try snapshot.chain(to: newest.node)), location: titles,
      cards: cards.map { CardID(place: .node($0.node), key: $0.key) },
      rating: detail?.rating.flatMap(CardRating.init) ?? detail?.known.map { $0 ? .good : .again },
      removedCards: before.cards - (try newCards()),
      isPresent: detail?.note != nil ? after.note != nil : cards.isEmpty ? isDone : after.question != nil,
      question: before.question ?? after.question, item: detail?.card,
      note: after.note ?? before.note)
  }
}
