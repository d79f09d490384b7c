import Foundation
import JSONCoding

/// The details of a card event in the log, as JSON. Properties that an event does not need are missing.
package struct CardEventDetail: Codable, Hashable, Sendable {
  /// The key of the card, which is unique in its activity.
  package var key: String
  /// The answer, 1…4.
  package var rating: Int?
  /// The day of the event: see ``ReviewDay``.
  package var day: Int?
  /// The time from the question to the answer, in milliseconds.
  package var ms: Int?
  /// The phase after the event.
  package var phase: CardPhase?
  /// The index of the step after the event.
  package var step: Int?
  /// The interval in seconds, if it is a step.
  package var seconds: Int?
  /// The interval in days.
  package var days: Int?
  /// The day on which the card becomes due. Only for a scheduled card.
  package var due: Int?
  /// The memory and the counts after the event. Only for a scheduled card; the memory also for an imported answer before which
  /// other answers are missing.
  package var stability: Double?
  package var difficulty: Double?
  package var answers: Int?
  package var lapses: Int?
  /// Whether the card became new again before an imported answer.
  package var reset: Bool?
  /// The UUID of the event that an undo takes back.
  package var event: String?
  /// The name of the change to which several events belong, which are undone together.
  package var action: String?
  /// The ``action`` of events that an import of another program's progress has recorded. They cannot be undone.
  package static let importAction = "import"
  /// The question and the answer of a card that the learner has made.
  package var front: String?
  package var back: String?
  /// The passage of which the card was made, like that of a note. Only in the event that makes the card.
  package var anchor: String?
  package var digest: String?
  package var from: Int?
  package var to: Int?
  package var quote: String?

  /// For an answer in a deck of flashcards: the index of the flashcard from 0, the number of flashcards, and whether the
  /// learner knew the back. The progress of the activity is computed from them.
  package var card: Int?
  package var of: Int?
  package var known: Bool?

  package init(key: String) {
    self.key = key
  }

  /// The memory after the event, or `nil` if the event has none.
  package var memory: CardMemory? {
    get { stability.flatMap { stability in difficulty.map { CardMemory(stability: stability, difficulty: $0) } } }
    set { (stability, difficulty) = (newValue?.stability, newValue?.difficulty) }
  }

  /// Stores the passage of which the card was made.
  package mutating func setPassage(_ passage: NoteAnchor) {
    (anchor, digest, quote) = (passage.heading, passage.digest, passage.quote)
    (from, to) = (passage.characters.lowerBound, passage.characters.upperBound)
  }

  /// The details as JSON with sorted keys.
  package var json: String {
    // Encoding cannot fail on strings, integers and finite numbers.
    String(decoding: try! JSONEncoding.sorted(self), as: UTF8.self)
  }
}

/// The numbers of answers of a day.
package struct ReviewCounts: Hashable, Sendable {
  /// All answers.
  package var answers = 0
  /// First answers to new cards.
  package var new = 0
  /// Answers to cards in the phase ``CardPhase/review``.
  package var reviews = 0
  /// Those of ``reviews`` in which the learner remembered the card.
  package var passed = 0
  /// The time that the answers took, in milliseconds.
  package var milliseconds = 0

  package init() {}

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.answers += right.answers
    sum.new += right.new
    sum.reviews += right.reviews
    sum.passed += right.passed
    sum.milliseconds += right.milliseconds
    return sum
  }

  package static func - (left: Self, right: Self) -> Self {
    var negative = Self()
    negative.answers = -right.answers
    negative.new = -right.new
    negative.reviews = -right.reviews
    negative.passed = -right.passed
    negative.milliseconds = -right.milliseconds
    return left + negative
  }
}

/// The state of a learner's card, computed from the events of the card in their order.
package struct CardHistory: Hashable, Sendable {
  /// A card event, in the order of the log.
  package struct Event: Sendable {
    package let uuid: String
    package let kind: ActivityEventKind
    package let detail: CardEventDetail
    package let at: Timestamp

    package init(uuid: String, kind: ActivityEventKind, detail: CardEventDetail, at: Timestamp) {
      self.uuid = uuid
      self.kind = kind
      self.detail = detail
      self.at = at
    }
  }

  /// The beginning of the keys of cards that learners have made.
  package static let madePrefix = "own:"

  package var state = CardState.new
  /// The time and the day of the last answer, or `nil` before the first one.
  package var lastAt: Timestamp?
  package var lastDay: Int?
  /// The day on which the card becomes due, without ``buriedUntil``.
  package var due = 0
  /// The time at which a step ends, or `nil` if the card is due on a day.
  package var stepEndsAt: Timestamp?
  package var isSuspended = false
  /// The first day on which the card is shown again after it was buried, or `nil`.
  package var buriedUntil: Int?
  /// The question and answer of a card that the learner has made, or `nil`.
  package var made: (front: String, back: String)? { ownFront.map { ($0, ownBack ?? "") } }
  private var ownFront: String?
  private var ownBack: String?
  /// The answers of each day, for a history that was computed from events.
  package private(set) var days: [Int: ReviewCounts] = [:]

  package init() {}

  /// Creates the history of a card without its counts of days.
  package init(
    state: CardState, lastAt: Timestamp?, lastDay: Int?, due: Int, stepEndsAt: Timestamp?, isSuspended: Bool,
    buriedUntil: Int?
  ) {
    self.state = state
    self.lastAt = lastAt
    self.lastDay = lastDay
    self.due = due
    self.stepEndsAt = stepEndsAt
    self.isSuspended = isSuspended
    self.buriedUntil = buriedUntil
  }

  /// Computes the state after a sequence of events. Events that an undo names have no effect, even if the undo precedes
  /// them, as it can after a merge.
  package init(_ events: [Event], model: MemoryModel) {
    let undone = Set(events.lazy.filter { $0.kind == .undone }.compactMap(\.detail.event))
    for event in events where undone.isEmpty || !undone.contains(event.uuid) {
      if let (day, counts) = apply(event, model: model) { days[day] = (days[day] ?? ReviewCounts()) + counts }
    }
  }

  /// Whether the card is as if it had no events.
  package var isUntouched: Bool { state == .new && !isSuspended && buriedUntil == nil }

  /// The day from which the card is shown.
  package var shownFrom: Int { max(due, buriedUntil ?? due) }

  /// Changes the state, but not ``days``, by an event that follows all previous ones.
  ///
  /// - Returns: The day of an answer and what it adds to the counts of the day, or `nil` for other events.
  package mutating func apply(_ event: Event, model: MemoryModel) -> (day: Int, counts: ReviewCounts)? {
    let detail = event.detail
    switch event.kind {
    case .cardGraded: return answer(detail, at: event.at, model: model)
    case .cardSuspended: isSuspended = true
    case .cardResumed: isSuspended = false
    case .cardBuried: buriedUntil = (detail.day ?? 0) + 1
    case .cardScheduled: schedule(detail, at: event.at)
    case .cardMade: (ownFront, ownBack) = (detail.front ?? "", detail.back ?? "")
    case .cardRemoved: (ownFront, ownBack) = (nil, nil)
    default: break
    }
    return nil
  }

  private mutating func answer(
    _ detail: CardEventDetail, at time: Timestamp, model: MemoryModel
  ) -> (day: Int, counts: ReviewCounts)? {
    guard let rating = detail.rating.flatMap(CardRating.init), let day = detail.day else { return nil }
    if detail.reset == true {
      state = .new
      lastDay = nil
    }
    var counts = ReviewCounts()
    counts.answers = 1
    counts.new = state.phase == .new ? 1 : 0
    counts.reviews = state.phase == .review ? 1 : 0
    counts.passed = state.phase == .review && rating != .again ? 1 : 0
    counts.milliseconds = detail.ms ?? 0

    let elapsed = lastDay.map { max(0, day - $0) } ?? 0
    if state.phase == .review, rating == .again { state.lapses += 1 }
    state.memory = detail.memory ?? model.memory(after: rating, from: state.memory, days: elapsed)
    state.answers += 1
    state.phase = detail.phase ?? .review
    state.step = detail.step ?? 0
    state.intervalDays = detail.days ?? 0
    due = day + (detail.days ?? 0)
    stepEndsAt = detail.days == nil ? Self.end(ofStep: detail.seconds ?? 0, from: time) : nil
    (lastAt, lastDay) = (time, day)
    return (day, counts)
  }

  private mutating func schedule(_ detail: CardEventDetail, at time: Timestamp) {
    state.phase = detail.phase ?? .new
    state.step = detail.step ?? 0
    state.intervalDays = detail.days ?? 0
    state.answers = detail.answers ?? state.answers
    state.lapses = detail.lapses ?? state.lapses
    if state.phase == .new {
      state = .new
      (lastAt, lastDay) = (nil, nil)
    } else {
      state.memory = detail.memory ?? state.memory
      lastDay = detail.day ?? lastDay
      lastAt = lastAt ?? time
    }
    due = detail.due ?? detail.day ?? 0
    stepEndsAt = detail.seconds.map { Self.end(ofStep: $0, from: time) }
  }

  private static func end(ofStep seconds: Int, from time: Timestamp) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds &+ Int64(min(86_400, max(0, seconds))) * 1000)
  }
}
