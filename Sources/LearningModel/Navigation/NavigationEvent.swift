/// One step that was performed, as the log keeps it.
public struct NavigationEvent: Hashable, Sendable, Identifiable {
  /// Its row, from 1 and never used again. The order across sessions, and what cursors hold.
  public let id: Int64
  /// Its name everywhere, as lower-case hexadecimal digits with hyphens.
  public let uuid: String
  /// Whose step.
  public let learner: LearnerID
  /// In which sitting.
  public let session: SessionID
  /// Its number in that sitting, from 1 without holes.
  public let sequence: Int
  /// What was done.
  public let operation: NavigationOperation
  /// What the step looked like; `nil` where it led from nowhere, as the first of a session does.
  public let transition: TransitionChoice?
  /// Whether anything moved on a screen.
  public let isAnimated: Bool
  /// Who asked.
  public let cause: NavigationCause
  /// The place before; `nil` for the first step of a session.
  public let from: Place?
  /// The place after.
  public let to: Place
  /// The places from the root to ``to``, after the step.
  public let stack: [Place]
  /// When.
  public let at: Timestamp
  /// When the place was left; `nil` while somebody is there.
  public let leftAt: Timestamp?
  /// How long the learner was present, in milliseconds; `nil` while somebody is there.
  public let activeMilliseconds: Int64?
  /// The revision of the course of ``to`` at that time; `nil` at the root.
  public let courseRevision: Int?

  /// Makes an event from all that is known of it.
  public init(
    id: Int64, uuid: String, learner: LearnerID, session: SessionID, sequence: Int, operation: NavigationOperation,
    transition: TransitionChoice?, isAnimated: Bool, cause: NavigationCause, from: Place?, to: Place, stack: [Place],
    at: Timestamp, leftAt: Timestamp?, activeMilliseconds: Int64?, courseRevision: Int?
  ) {
    self.id = id
    self.uuid = uuid
    self.learner = learner
    self.session = session
    self.sequence = sequence
    self.operation = operation
    self.transition = transition
    self.isAnimated = isAnimated
    self.cause = cause
    self.from = from
    self.to = to
    self.stack = stack
    self.at = at
    self.leftAt = leftAt
    self.activeMilliseconds = activeMilliseconds
    self.courseRevision = courseRevision
  }
}
