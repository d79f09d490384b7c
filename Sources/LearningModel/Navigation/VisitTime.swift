/// The time of a visit: a row of the history without its places.
public struct VisitTime: Hashable, Sendable {
  /// The row number of the step that began the visit.
  public let id: Int64
  /// The number of the session.
  public let session: Int64
  /// The step's number in the session, from 1.
  public let sequence: Int
  /// The operation that began the visit.
  public let operation: NavigationOperation
  /// The origin of the step.
  public let cause: NavigationCause
  /// The beginning of the visit.
  public let at: Timestamp
  /// The learner's presence in milliseconds; `nil` until the visit ends.
  public let activeMilliseconds: Int64?

  /// Makes a time from all of its parts.
  public init(
    id: Int64, session: Int64, sequence: Int, operation: NavigationOperation, cause: NavigationCause, at: Timestamp,
    activeMilliseconds: Int64?
  ) {
    self.id = id
    self.session = session
    self.sequence = sequence
    self.operation = operation
    self.cause = cause
    self.at = at
    self.activeMilliseconds = activeMilliseconds
  }
}
