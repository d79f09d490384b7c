public import LearningModel

/// A step in the history, with the names of its learner and places.
public struct HistoryRow: Hashable, Sendable {
  /// The number of the row. Steps that were added to this database later have larger numbers, across all sessions.
  public let id: Int64
  /// The step's UUID, which is the same in all databases.
  public let uuid: String
  /// The learner's name.
  public let learner: String
  /// The number of the session.
  public let session: Int64
  /// The step's number in the session, from 1.
  public let sequence: Int
  /// The operation that the step performed.
  public let operation: NavigationOperation
  /// Whether a front end animated the step.
  public let isAnimated: Bool
  /// The cause of the step, such as a key press or a command.
  public let cause: NavigationCause
  /// The transition, with the place that moved. `nil` for the first step of a session.
  public let transition: StepTransition?
  /// The place before the step, with its kind at that time. `nil` for the first step of a session.
  public let from: NamedPlace?
  /// The place after the step.
  public let to: NamedPlace
  /// The places from the root to ``to`` at the time of the step.
  public let stack: [NamedPlace]
  /// The time of the step.
  public let at: Timestamp
  /// The time at which the learner left the place. `nil` while the learner is there.
  public let leftAt: Timestamp?
  /// How long the learner was present at the place. `nil` until the learner leaves it.
  public let activeTime: Duration?

  /// Creates a row for a step in the database, or for a step that is displayed but not stored.
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

  /// The time between arriving at the place and leaving it. `nil` until the learner leaves it.
  public var dwellTime: Duration? {
    leftAt.map { .milliseconds($0.milliseconds - at.milliseconds) }
  }
}

extension HistoryRow {
  /// The times of the visit, without its places.
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

  /// Encodes every key of a history row. Missing values are encoded as `null`.
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

/// A page of the history.
public struct HistoryPage: Hashable, Sendable {
  /// The rows, the newest first.
  public let rows: [HistoryRow]
  /// The start of the next page, or `nil` if this is the last page.
  public let next: HistoryCursor?
}
