import Foundation
import LearningModel
import LearningStore

// What reviews, lists of cards and decks of flashcards have in common.

extension LearnerSession {
  /// Returns the day that contains the current time.
  func reviewDay(of learner: LearnerID?, in snapshot: StoreSnapshot) throws -> Int {
    let start = try ReviewSettingsReader(snapshot: snapshot, learner: learner).dayStart()
    return ReviewDay.number(at: now(), in: timeZone, startingAt: start)
  }

  /// Returns the events of the newest change of today that can be undone: see
  /// `StoreSnapshot.newestChange(of:since:ofCards:)`.
  func newestChange(of learner: LearnerID, ofCards areCards: Bool, in snapshot: StoreSnapshot) throws -> [UndoableEvent]
  {
    let hour = try ReviewSettingsReader(snapshot: snapshot, learner: learner).dayStart()
    let today = ReviewDay.number(at: now(), in: timeZone, startingAt: hour)
    return try snapshot.newestChange(
      of: learner, since: ReviewDay.start(of: today, in: timeZone, startingAt: hour), ofCards: areCards)
  }

  func reviewScope(_ snapshot: StoreSnapshot, _ name: PlaceName?) throws -> ReviewScope {
    let learner = try snapshot.learner(named: learner)?.id
    return try ReviewScope(snapshot, learner: learner, at: name, today: reviewDay(of: learner, in: snapshot))
  }

  /// Applies merged events to the memories of cards, before they are read. If the database cannot be written now, the
  /// events are applied later.
  func settleMemories() { while (try? settleMemories(limit: nil)) ?? false {} }

  /// Calls a function that reads memories, like ``readLatest(_:)``, after merged events were applied to them.
  func readMemories<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws(NavigationError) -> Answer {
    settleMemories()
    return try readLatest(body)
  }

  /// Applies merged events to the memories of cards.
  ///
  /// - Parameter limit: The maximum number of cards, for which other writers wait. If `nil`, 20.
  /// - Returns: Whether there were any such cards.
  func settleMemories(limit: Int?) throws -> Bool {
    guard try readLatest({ try $0.hasStaleMemories(of: learner) }) else { return false }
    return try untypedWrite { transaction in
      let learner = try transaction.snapshot.learner(named: learner)?.id
      return try learner.map { try transaction.settleMemories(of: $0, limit: limit ?? 20) } ?? false
    }
  }

  func stateBeforeAnswer(
    _ card: CardReference, _ learner: LearnerID?, in snapshot: StoreSnapshot
  ) throws -> CardBeforeAnswer {
    let memory = try learner.flatMap { try snapshot.storedMemory(of: card.key, in: card.node, by: $0) }
    let keys = try snapshot.keys(of: card.node)
    let (rules, model) = try ReviewSettingsReader(snapshot: snapshot, learner: learner).scheduling(of: keys?.course)
    let today = try reviewDay(of: learner, in: snapshot)
    return CardBeforeAnswer(
      memory: memory, scheduler: ReviewScheduler(model: model, rules: rules), today: today,
      days: memory?.history.lastDay.map { max(0, today - $0) } ?? 0,
      seed: Self.fuzzSeed(of: card.key, in: keys, answers: memory?.history.state.answers ?? 0))
  }

  /// Returns the seed of the fuzz of a card: see `ReviewScheduler.fuzzSeed(card:answers:)`.
  ///
  /// - Parameter keys: The keys of the course and the activity of the card.
  static func fuzzSeed(of card: String, in keys: (course: String, node: String)?, answers: Int) -> UInt64 {
    var name = ""
    if let keys {
      name.reserveCapacity(keys.course.utf8.count + keys.node.utf8.count + card.utf8.count + 2)
      for part in [keys.course, keys.node] {
        name += part
        name += "\n"
      }
    }
    name += card
    return ReviewScheduler.fuzzSeed(card: name, answers: answers)
  }

  /// Returns the card of an identity.
  ///
  /// - Throws: ``NavigationError/unknownCard(key:place:)`` if the activity does not contain the card.
  func existing(_ id: CardID, for learner: LearnerID, in snapshot: StoreSnapshot) throws -> CardReference {
    guard let node = id.place.node, try snapshot.hasCard(id.key, in: node, for: learner) else {
      throw NavigationError.unknownCard(key: id.key, place: try snapshot.path(of: id.place))
    }
    return CardReference(node: node, key: id.key)
  }

  /// Returns the error for a card that the learner has not made.
  func notOwn(_ id: CardID) throws(NavigationError) -> NavigationError {
    .notOwnCard(key: id.key, place: try read { try $0.path(of: id.place) })
  }

  /// Appends an event that belongs to no card.
  func append(
    _ kind: ActivityEventKind, _ detail: String?, score: Double? = nil, node: NodeID, at time: Timestamp,
    _ record: SessionRecord, _ transaction: StoreTransaction
  ) throws {
    _ = try transaction.append(
      PendingActivityEvent(
        uuid: RandomIdentifier.make(), session: record.session, node: node, kind: kind, detail: detail, score: score,
        at: time))
  }

  /// Appends a card event.
  ///
  /// - Parameters:
  ///   - isImported: Whether the event is an answer in another program, or the state of a card after such an answer.
  ///   - state: The memory of the card and the memory model if they were read in the same transaction.
  /// - Returns: The UUID of the event.
  @discardableResult
  func append(
    _ kind: ActivityEventKind, _ detail: CardEventDetail, node: NodeID, at time: Timestamp, _ record: SessionRecord,
    _ transaction: StoreTransaction, isImported: Bool = false,
    knowing state: (memory: StoredMemory, model: MemoryModel)? = nil
  ) throws -> String {
    let uuid = RandomIdentifier.make()
    var event = PendingActivityEvent(
      uuid: uuid, session: record.session, node: node, kind: kind, card: detail, at: time)
    event.isImported = isImported
    _ = try transaction.append(event, knowing: state)
    return uuid
  }
}

/// A card before an answer, with everything that the answer depends on.
struct CardBeforeAnswer {
  /// The stored memory, or `nil` if the card has no events.
  let memory: StoredMemory?
  let scheduler: ReviewScheduler
  let today: Int
  let days: Int
  let seed: UInt64

  var history: CardHistory { memory?.history ?? CardHistory() }

  var retrievability: Double? {
    history.state.memory.map { scheduler.model.retrievability(stability: $0.stability, days: Double(days)) }
  }
}

extension CardBeforeAnswer {
  /// Returns the state after an answer, and the interval.
  func outcome(of rating: CardRating) -> CardOutcome {
    scheduler.outcome(of: rating, from: history.state, days: days, seed: seed)
  }
}

extension CardEventDetail {
  /// Creates the details of an answer, without its duration.
  init(
    answering card: CardReference, _ rating: CardRating, _ before: CardBeforeAnswer,
    _ outcome: CardOutcome
  ) {
    self.init(key: card.key)
    self.rating = rating.rawValue
    day = before.today
    set(outcome)
  }

  /// Sets the state and the interval to those that an answer to a card has here.
  ///
  /// - Parameters:
  ///   - history: The card before the answer.
  ///   - keys: The keys of the course and the activity of the card.
  mutating func schedule(
    _ rating: CardRating, after history: CardHistory, by scheduler: ReviewScheduler,
    in keys: (course: String, node: String)?
  ) {
    let state = reset == true ? .new : history.state
    if state.memory != nil { memory = nil }
    set(
      scheduler.outcome(
        of: rating, from: state, days: history.lastDay.map { max(0, (day ?? $0) - $0) } ?? 0,
        seed: LearnerSession.fuzzSeed(of: key, in: keys, answers: state.answers)))
  }

  private mutating func set(_ outcome: CardOutcome) {
    phase = outcome.state.phase
    step = outcome.state.step == 0 ? nil : outcome.state.step
    (seconds, days) = (nil, nil)
    switch outcome.interval {
    case .seconds(let seconds): self.seconds = seconds
    case .days(let days): self.days = days
    }
  }
}
