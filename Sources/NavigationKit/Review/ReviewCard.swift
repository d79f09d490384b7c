public import LearningModel

/// The identity of a card: its activity, and its key in the activity.
public struct CardID: Hashable, Sendable {
  /// The activity that contains the card.
  public let place: Place
  /// The key of the card, which is unique in its activity.
  public let key: String

  /// Creates an identity.
  public init(place: Place, key: String) {
    self.place = place
    self.key = key
  }
}

/// A card to be answered.
public struct ReviewCard: Hashable, Sendable {
  /// The identity of the card.
  public let id: CardID
  /// The activity that contains the card: its source.
  public let place: NamedPlace
  /// The titles of the activity's ancestors, the course first.
  public let ancestorTitles: [String]
  /// The index of the flashcard or question in the activity. `nil` for a card that the learner has made.
  package let item: Int?
  /// The question and the answer. Choices are in an order that is the same until the card is answered.
  public let faces: CardFaces
  /// The state before the answer.
  public let state: CardState
  /// The probability of recall, 0…1, or `nil` for a new card.
  public let retrievability: Double?
  /// The time until the card is shown again, for each of the four answers.
  public let intervals: [CardRating: CardInterval]
  /// Whether the learner has suspended the card.
  public let isSuspended: Bool
  /// Whether the card was forgotten so often that it is a leech.
  package let isLeech: Bool
  /// The day on which the card is due: `2026-11-28`. `nil` for a new card.
  public let due: String?
  /// When the step of minutes ends in which the card is, or `nil` if it is in none.
  package let stepEndsAt: Timestamp?
  /// The length of this step in seconds.
  package let stepSeconds: Int?
}

/// The result of an answer.
public struct CardAnswer: Hashable, Sendable {
  /// The answered card.
  public let id: CardID
  /// The UUID of the answer in the log.
  public let event: String
  /// How well the learner remembered the card.
  public let rating: CardRating
  /// The time until the card is shown again.
  public let interval: CardInterval
  /// The state after the answer.
  public let state: CardState
  /// Whether the card is a leech after the answer.
  public let isLeech: Bool
  /// Whether the card became a leech with this answer, or should be pointed out as one again: with the standard settings, when
  /// it was forgotten for the eighth, twelfth, … time.
  public let becameLeech: Bool
  /// Whether the card was suspended, because it became a leech: see ``ReviewSettings/suspendsLeeches``.
  public let isSuspended: Bool
}

/// The numbers of due cards in a place.
public struct WaitingReviews: Hashable, Encodable, Sendable {
  /// The place. The root for the sum of all courses.
  public let place: NamedPlace
  /// Cards in a learning or relearning step that has ended. They are not limited.
  public let steps: Int
  /// Cards in a learning or relearning step that ends later today. They are not due yet.
  public let later: Int
  /// When the first step of ``later`` ends. `nil` if there is none.
  public let nextStepAt: Timestamp?
  /// When the last step of ``later`` ends. `nil` if there is none.
  public let lastStepAt: Timestamp?
  /// Cards to review today, within the daily limits.
  public let reviews: Int
  /// New cards to learn today, within the daily limits.
  public let new: Int
  /// All cards that are due, without the daily limits.
  public let due: Int
  /// All new cards of begun lessons, without the daily limits.
  public let notMet: Int

  /// The number of cards to answer now, within the daily limits.
  public var today: Int { steps + reviews + new }
  /// Whether a card can be shown: one is due, or a step ends within twenty minutes.
  public let canBeAsked: Bool

  /// Creates the row of a course without due cards.
  package init(without place: NamedPlace) {
    self.init(
      place: place, steps: 0, later: 0, nextStepAt: nil, reviews: 0, new: 0, due: 0, notMet: 0, canBeAsked: false)
  }

  init(
    place: NamedPlace, steps: Int, later: Int, nextStepAt: Timestamp?, lastStepAt: Timestamp? = nil, reviews: Int,
    new: Int,
    due: Int, notMet: Int, canBeAsked: Bool
  ) {
    (self.place, self.steps, self.later) = (place, steps, later)
    (self.nextStepAt, self.lastStepAt) = (nextStepAt, lastStepAt)
    (self.reviews, self.new, self.due, self.notMet, self.canBeAsked) = (reviews, new, due, notMet, canBeAsked)
  }

  private enum Key: String, CodingKey { case today, later, steps, reviews, new, due, notMet }

  /// Encodes `path`, `kind` and `title`, followed by `today`, `later`, `steps`, `reviews`, `new`, `due` and `notMet`.
  public func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(today, forKey: .today)
    try container.encode(later, forKey: .later)
    try container.encode(steps, forKey: .steps)
    try container.encode(reviews, forKey: .reviews)
    try container.encode(new, forKey: .new)
    try container.encode(due, forKey: .due)
    try container.encode(notMet, forKey: .notMet)
  }
}

/// The cards that are due today, and the answers of today.
public struct ReviewOverview: Hashable, Sendable {
  /// The date of the day, which began at 4 in the morning: `2026-11-28`.
  public let date: String
  /// The sum of all courses, or the numbers of the requested place.
  public let total: WaitingReviews
  /// The courses with cards, in their order. Empty if a place was requested.
  public let courses: [WaitingReviews]
  /// When the next learning or relearning step ends, or `nil` if no card is in a step.
  public let nextStepAt: Timestamp?
  /// The answers of today.
  public let done: ReviewDaySummary
}

/// The answers of one day.
public struct ReviewDaySummary: Hashable, Encodable, Sendable {
  /// The date: `2026-11-28`.
  public let date: String
  /// The number of answers.
  public let answers: Int
  /// The number of cards that were answered for the first time.
  public let new: Int
  /// The number of answers to cards that were due after days.
  public let reviews: Int
  /// The number of ``reviews`` in which the learner remembered the card.
  public let passed: Int
  /// The time that the answers took, in milliseconds.
  public let milliseconds: Int

  private enum CodingKeys: String, CodingKey {
    case date, answers, new, reviews, passed, milliseconds = "durationMs"
  }
}

/// The answers of one month to cards that were due after days.
public struct MonthRetention: Hashable, Encodable, Sendable {
  /// The month: `2026-11`.
  public let month: String
  /// The number of answers.
  public let reviews: Int
  /// The share of remembered cards, 0…1. `nil` for a month without reviews.
  public let retention: Double?

  private enum CodingKeys: String, CodingKey { case month, reviews, retention }

  /// Encodes all values, with `null` for a missing share.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(month, forKey: .month)
    try container.encode(reviews, forKey: .reviews)
    try container.encode(retention, forKey: .retention)
  }
}

/// The number of cards that become due on a day.
public struct ForecastDay: Hashable, Encodable, Sendable {
  /// The date: `2026-11-28`.
  public let date: String
  /// The number of cards: those to repeat, and ``new``. Today, the daily limits apply to both.
  public let cards: Int
  /// The number of new cards that the daily limits add.
  public let new: Int

  package init(date: String, cards: Int, new: Int = 0) { (self.date, self.cards, self.new) = (date, cards, new) }
}
