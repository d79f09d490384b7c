public import LearningModel

/// A step of the history, with the names of its learner and places.
public struct HistoryRow: Hashable, Sendable {
  /// Its row: the order across sessions.
  public let id: Int64
  /// Its name everywhere.
  public let uuid: String
  /// Whose step.
  public let learner: String
  /// In which session.
  public let session: Int64
  /// Its number in the session, from 1.
  public let sequence: Int
  /// What was done.
  public let operation: NavigationOperation
  /// Whether anything moved on a screen.
  public let isAnimated: Bool
  /// Who asked.
  public let cause: NavigationCause
  /// The transition, with the place that moved; `nil` for the first step of a session.
  public let transition: StepTransition?
  /// The place before; `nil` where a session began. The kind is what it was then.
  public let from: NamedPlace?
  /// The place after.
  public let to: NamedPlace
  /// The places from the root to ``to``, as the stack was then.
  public let stack: [NamedPlace]
  /// When.
  public let at: Timestamp
  /// When the place was left; `nil` while somebody is there.
  public let leftAt: Timestamp?
  /// How long the learner was present; `nil` until the place is left.
  public let activeTime: Duration?

  /// Creates a row of a step that was performed, or of one that is only displayed.
  package init(
    id: Int64, uuid: String, learner: String, session: Int64, sequence: Int, operation: NavigationOperation,
    isAnimated: Bool, cause: NavigationCause, transition: StepTransition?, from: NamedPlace?, to: NamedPlace,
    stack: [NamedPlace], at: Timestamp, leftAt: Timestamp?, activeTime: Duration?
  ) {
    self.id = id
    self.uuid = uuid
    self.learner = learner
    self.session = session
    self.sequence = sequence
    self.operation = operation
    self.isAnimated = isAnimated
    self.cause = cause
    self.transition = transition
    self.from = from
    self.to = to
    self.stack = stack
    self.at = at
    self.leftAt = leftAt
    self.activeTime = activeTime
  }

  /// The time between arriving and leaving; `nil` until the place is left.
  public var dwellTime: Duration? {
    leftAt.map { .milliseconds($0.milliseconds - at.milliseconds) }
  }
}

extension HistoryRow {
  /// The row without its places.
  package var visitTime: VisitTime {
    VisitTime(
      id: id, session: session, sequence: sequence, operation: operation, cause: cause, at: at,
      activeMilliseconds: activeTime?.milliseconds)
  }
}

extension HistoryRow: Encodable {
  private enum Key: String, CodingKey {
    case id, uuid, learner, session, sequence, operation, traversal, animated, cause, transition, from, to, stack, at
    case leftAt, dwellMs, activeMs
  }

  /// Encodes every key of a history row. A missing value is null.
  public func encode(to encoder: any Encoder) throws {
    var row = encoder.container(keyedBy: Key.self)
    try row.encode(id, forKey: .id)
    try row.encode(uuid, forKey: .uuid)
    try row.encode(learner, forKey: .learner)
    try row.encode(session, forKey: .session)
    try row.encode(sequence, forKey: .sequence)
    try row.encode(operation, forKey: .operation)
    try row.encode(operation.isTraversal, forKey: .traversal)
    try row.encode(isAnimated, forKey: .animated)
    try row.encode(cause, forKey: .cause)
    try row.encode(transition, forKey: .transition)
    try row.encode(from, forKey: .from)
    try row.encode(to, forKey: .to)
    try row.encode(stack.map(\.path), forKey: .stack)
    try row.encode(at, forKey: .at)
    try row.encode(leftAt, forKey: .leftAt)
    try row.encode(dwellTime?.milliseconds, forKey: .dwellMs)
    try row.encode(activeTime?.milliseconds, forKey: .activeMs)
  }
}

/// Some rows of the history, and where the next ones begin.
public struct HistoryPage: Hashable, Sendable {
  /// The rows, the newest first.
  public let rows: [HistoryRow]
  /// Where the next page begins; `nil` where this is the end.
  public let next: HistoryCursor?
}
