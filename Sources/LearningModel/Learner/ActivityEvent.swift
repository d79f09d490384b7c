/// The kind of an activity event: something that a learner did in an activity.
public enum ActivityEventKind: OpenVocabulary {
  /// The learner read the text until its end was visible.
  case seenToEnd
  /// The learner marked the activity as done.
  case markedDone
  /// The learner marked the activity as not done.
  case markedNotDone
  /// The learner answered all questions of a quiz.
  case quizChecked
  /// The files of an exercise were checked.
  case exerciseChecked
  /// The learner turned a flashcard and graded it, or answered a card of a review.
  case cardGraded
  /// The learner undid another event, which `event` in the details names. That event then has no effect.
  case undone
  /// The learner suspended a card: it is not shown until it is resumed.
  case cardSuspended
  /// The learner resumed a suspended card.
  case cardResumed
  /// The learner buried a card until the next day.
  case cardBuried
  /// The state of a card was set, for example by an import of another program's progress.
  case cardScheduled
  /// The learner made a card of a passage or of a question, or changed it.
  case cardMade
  /// The learner removed a card that they had made.
  case cardRemoved
  /// The learner added the cards of an activity to the review before beginning its lesson.
  case cardsIncluded
  /// The learner added or changed a note or a highlight.
  case noted
  /// The learner removed a note or a highlight.
  case noteRemoved
  /// A kind that a newer version has written.
  case other(String)

  /// The kinds that this version knows.
  public static let allCases: [Self] = [
    .seenToEnd, .markedDone, .markedNotDone, .quizChecked, .exerciseChecked, .cardGraded, .noted, .noteRemoved, .undone,
    .cardSuspended, .cardResumed, .cardBuried, .cardScheduled, .cardMade, .cardRemoved, .cardsIncluded,
  ]
  /// The known kinds by their raw values.
  public static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The name of the kind in the log.
  public var rawValue: String {
    switch self {
    case .seenToEnd: "seenToEnd"
    case .markedDone: "markedDone"
    case .markedNotDone: "markedNotDone"
    case .quizChecked: "quizChecked"
    case .exerciseChecked: "exerciseChecked"
    case .cardGraded: "cardGraded"
    // At first, only events of cards could be undone.
    case .undone: "cardUndone"
    case .cardSuspended: "cardSuspended"
    case .cardResumed: "cardResumed"
    case .cardBuried: "cardBuried"
    case .cardScheduled: "cardScheduled"
    case .cardMade: "cardMade"
    case .cardRemoved: "cardRemoved"
    case .cardsIncluded: "cardsIncluded"
    case .noted: "noted"
    case .noteRemoved: "noteRemoved"
    case .other(let word): word
    }
  }
}

/// An activity event in the log.
package struct ActivityEvent: Hashable, Sendable, Identifiable {
  /// The number of the row, from 1. Numbers of deleted rows are not reused.
  package let id: Int64
  /// The event's UUID, which is the same in all databases.
  package let uuid: String
  package let learner: LearnerID
  package let session: SessionID
  /// The activity in which the event happened.
  package let node: NodeID
  package let kind: ActivityEventKind
  /// The answers or the grade as JSON, or `nil` if the kind has no details.
  package let detail: String?
  /// The share of right answers, 0…1; 1 for a passed check of an exercise and 0 for a failed one. `nil` unless the event is
  /// an attempt at a quiz, a check, or the grading of a flashcard.
  package let score: Double?
  /// The time of the event.
  package let at: Timestamp

  package init(
    id: Int64, uuid: String, learner: LearnerID, session: SessionID, node: NodeID, kind: ActivityEventKind,
    detail: String?, score: Double?, at: Timestamp
  ) {
    self.id = id
    self.uuid = uuid
    self.learner = learner
    self.session = session
    self.node = node
    self.kind = kind
    self.detail = detail
    self.score = score
    self.at = at
  }
}
