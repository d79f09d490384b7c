/// What a learner did in an activity.
public enum ActivityEventKind: OpenVocabulary {
  /// A text was read, and its end was in view.
  case seenToEnd
  /// The learner said that it is done.
  case markedDone
  /// The learner took that back.
  case markedNotDone
  /// A quiz was answered to its end.
  case quizChecked
  /// A card was turned and graded.
  case cardGraded
  /// A note was written, or changed, or words were highlighted.
  case noted
  /// A note or a highlight was taken away.
  case noteRemoved
  /// One that a later program has written.
  case other(String)

  /// Those that are known here.
  public static let allCases: [Self] = [
    .seenToEnd, .markedDone, .markedNotDone, .quizChecked, .cardGraded, .noted, .noteRemoved,
  ]
  /// What their words mean.
  public static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The word in the log.
  public var rawValue: String {
    switch self {
    case .seenToEnd: "seenToEnd"
    case .markedDone: "markedDone"
    case .markedNotDone: "markedNotDone"
    case .quizChecked: "quizChecked"
    case .cardGraded: "cardGraded"
    case .noted: "noted"
    case .noteRemoved: "noteRemoved"
    case .other(let word): word
    }
  }
}

/// One thing done, as the log keeps it.
package struct ActivityEvent: Hashable, Sendable, Identifiable {
  /// Its row, from 1 and never used again.
  package let id: Int64
  /// Its name everywhere.
  package let uuid: String
  /// Who did it.
  package let learner: LearnerID
  /// In which sitting.
  package let session: SessionID
  /// In which activity.
  package let node: NodeID
  /// What was done.
  package let kind: ActivityEventKind
  /// What was answered or graded, as JSON; `nil` where there is nothing more to say.
  package let detail: String?
  /// The share that was right, 0…1; `nil` where nothing was asked.
  package let score: Double?
  /// When.
  package let at: Timestamp

  /// Makes an event from all that is known of it.
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
