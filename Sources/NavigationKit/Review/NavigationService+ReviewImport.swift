import Foundation
public import LearningModel
import LearningStore

/// The progress of a card in another program.
public struct ImportedCard: Hashable, Sendable {
  /// An answer in the other program.
  public struct Answer: Hashable, Sendable {
    /// A name that identifies the answer in the other program, so that importing it twice records it once.
    public let name: String
    /// How well the learner remembered the card.
    public let rating: CardRating
    /// The time of the answer.
    public let at: Timestamp
    /// The time that the answer took, in milliseconds.
    public let milliseconds: Int
    /// The interval that the other program has chosen.
    public let interval: CardInterval

    /// Creates an answer.
    public init(name: String, rating: CardRating, at: Timestamp, milliseconds: Int, interval: CardInterval) {
      self.name = name
      self.rating = rating
      self.at = at
      self.milliseconds = milliseconds
      self.interval = interval
    }
  }

  /// The card that was answered in the other program.
  public let id: CardID
  /// The answers, the oldest first.
  public var answers: [Answer]
  /// The state in the other program, or `nil` if it follows from the answers. Without a memory, the memory that follows
  /// from the answers is kept.
  public var state: CardState?
  /// The number of the day on which the card is due: see `ReviewDay`. `nil` for a new card.
  public var due: Int?
  /// Whether the card is suspended.
  public var isSuspended: Bool

  /// Creates the progress of a card.
  public init(id: CardID, answers: [Answer] = [], state: CardState? = nil, due: Int? = nil, isSuspended: Bool = false) {
    self.id = id
    self.answers = answers
    self.state = state
    self.due = due
    self.isSuspended = isSuspended
  }
}

extension NavigationService {
  /// Records the progress of cards in another program, in one transaction. Answers that were imported before are
  /// skipped. A state is only recorded together with new answers, or for a card without events.
  ///
  /// - Returns: The number of recorded answers.
  /// - Throws: ``NavigationError/unknownCard(key:place:)``, and the errors of
  ///   `perform(_:cause:animated:waitingAtMost:)`. Nothing is recorded if the call throws.
  @discardableResult
  public func importReviews(_ cards: [ImportedCard]) throws(NavigationError) -> Int {
    let time = now()
    let today = reviewDay
    return try beginning(at: time, waitingAtMost: nil) { transaction, record in
      var count = 0
      for card in cards {
        let reference = try existing(card.id, for: record.session.learner, in: transaction.snapshot)
        let isNew =
          try transaction.snapshot.storedMemory(of: reference.key, in: reference.node, by: record.session.learner)
          == nil
        var recorded = 0
        for answer in card.answers {
          let name = "waymark:answer/\(learner)/\(reference.key)/\(answer.name)"
          let uuid = UUID(name, in: UUID.addresses).uuidString.lowercased()
          guard try !transaction.snapshot.hasActivityEvent(uuid) else { continue }
          var detail = CardEventDetail(key: reference.key)
          detail.rating = answer.rating.rawValue
          detail.day = ReviewDay.number(at: answer.at, in: timeZone)
          detail.ms = min(600_000, max(0, answer.milliseconds))
          switch answer.interval {
          case .seconds(let seconds): (detail.phase, detail.seconds) = (.learning, seconds)
          case .days(let days): (detail.phase, detail.days) = (.review, days)
          }
          _ = try transaction.append(
            PendingActivityEvent(
              uuid: uuid, session: record.session, node: reference.node, kind: .cardGraded, card: detail,
              at: answer.at))
          recorded += 1
        }
        count += recorded
        guard isNew || recorded > 0 else { continue }
        if let state = card.state, state.phase != .new {
          var detail = CardEventDetail(key: reference.key)
          (detail.phase, detail.step) = (state.phase, state.step)
          (detail.answers, detail.lapses) = (state.answers, state.lapses)
          (detail.stability, detail.difficulty) = (state.memory?.stability, state.memory?.difficulty)
          detail.days = state.intervalDays
          detail.due = card.due ?? today
          detail.day = card.answers.last.map { ReviewDay.number(at: $0.at, in: timeZone) } ?? today
          try append(.cardScheduled, detail, node: reference.node, at: time, record, transaction)
        }
        if card.isSuspended {
          try append(
            .cardSuspended, CardEventDetail(key: reference.key), node: reference.node, at: time, record, transaction)
        }
      }
      return count
    }
  }
}
