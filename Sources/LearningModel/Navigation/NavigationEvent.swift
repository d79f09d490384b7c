/// A performed step in the log.
package struct NavigationEvent: Hashable, Sendable, Identifiable {
  /// The number of the row, from 1. Steps that were added to this database later have larger numbers, across all
  /// sessions. Numbers of deleted rows are not reused.
  package let id: Int64
  /// The step's UUID in lower case, which is the same in all databases.
  package let uuid: String
  package let learner: LearnerID
  package let session: SessionID
  /// The number of the step in its session, from 1 and without gaps.
  package let sequence: Int
  package let operation: NavigationOperation
  /// The transition, or `nil` for the first step of a session.
  package let transition: TransitionChoice?
  /// Whether a front end animated the step.
  package let isAnimated: Bool
  /// The cause of the step, such as a key press or a command.
  package let cause: NavigationCause
  /// The place before the step. `nil` for the first step of a session.
  package let from: Place?
  /// The place after the step.
  package let to: Place
  /// The places from the root to ``to`` after the step.
  package let stack: [Place]
  /// The time of the step.
  package let at: Timestamp
  /// The time at which the learner left the place. `nil` while the learner is there.
  package let leftAt: Timestamp?
  /// How long the learner was present, in milliseconds. `nil` while the learner is there.
  package let activeMilliseconds: Int64?
  /// The revision of the course of ``to`` at the time of the step. `nil` at the root.
  package let courseRevision: Int?

  package init(
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

/// The operation of a step.
public enum NavigationOperation: OpenVocabulary {
  /// Goes to a child of the current place.
  case push
  /// Goes to the parent.
  case pop
  /// Goes to a place on the stack.
  case popTo
  /// Goes to the list of courses.
  case popToRoot
  /// Goes to another child of the parent.
  case select
  /// Goes to the next place in reading order.
  case next
  /// Goes to the previous place in reading order.
  case previous
  /// Goes to any place.
  case open
  /// Goes to the previous visit.
  case back
  /// Goes to the visit from which ``back`` came.
  case forward
  /// Goes to the place at which the learner left off.
  case resume
  /// Goes to the nearest ancestor that still exists, after the current place was removed from its course. Performed by
  /// the program, not by the learner.
  case repair
  /// An operation that a newer version has written.
  case other(String)

  /// The operations that this version knows.
  public static let allCases: [Self] = [
    .push, .pop, .popTo, .popToRoot, .select, .next, .previous, .open, .back, .forward, .resume, .repair,
  ]
  /// The known operations by their raw values.
  public static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The name of the operation in the log.
  public var rawValue: String {
    switch self {
    case .push: "push"
    case .pop: "pop"
    case .popTo: "popTo"
    case .popToRoot: "popToRoot"
    case .select: "select"
    case .next: "next"
    case .previous: "previous"
    case .open: "open"
    case .back: "back"
    case .forward: "forward"
    case .resume: "resume"
    case .repair: "repair"
    case .other(let word): word
    }
  }

  /// Whether the operation moves along the list of earlier visits instead of adding a visit to it.
  public var isTraversal: Bool { self == .back || self == .forward }
}

/// The cause of a step.
public enum NavigationCause: OpenVocabulary {
  /// A key press in the browser.
  case key
  /// A mouse click in the browser.
  case mouse
  /// The choice of a search result.
  case search
  /// The choice of a bookmark.
  case bookmark
  /// The choice of a link in a text.
  case link
  /// A command in a shell.
  case shell
  /// A call of a program that uses the library or the server.
  case api
  /// The program itself.
  case system
  /// A cause that a newer version has written.
  case other(String)

  /// The causes that this version knows.
  public static let allCases: [Self] = [.key, .mouse, .search, .bookmark, .link, .shell, .api, .system]
  /// The known causes by their raw values.
  public static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The name of the cause in the log.
  public var rawValue: String {
    switch self {
    case .key: "key"
    case .mouse: "mouse"
    case .search: "search"
    case .bookmark: "bookmark"
    case .link: "link"
    case .shell: "shell"
    case .api: "api"
    case .system: "system"
    case .other(let word): word
    }
  }
}

/// The time of a visit, without its places.
package struct VisitTime: Hashable, Sendable {
  /// The number of the row of the step that began the visit.
  package let id: Int64
  package let session: Int64
  /// The step's number in the session, from 1.
  package let sequence: Int
  package let operation: NavigationOperation
  package let cause: NavigationCause
  package let at: Timestamp
  /// How long the learner was present, in milliseconds. `nil` until the visit ends.
  package let activeMilliseconds: Int64?

  package init(
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
