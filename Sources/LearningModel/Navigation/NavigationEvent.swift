/// One step that was performed, as the log keeps it.
package struct NavigationEvent: Hashable, Sendable, Identifiable {
  /// Its row, from 1 and never used again. The order across sessions, and what cursors hold.
  package let id: Int64
  /// Its name everywhere, as lower-case hexadecimal digits with hyphens.
  package let uuid: String
  /// Whose step.
  package let learner: LearnerID
  /// In which sitting.
  package let session: SessionID
  /// Its number in that sitting, from 1 without holes.
  package let sequence: Int
  /// What was done.
  package let operation: NavigationOperation
  /// What the step looked like; `nil` where it led from nowhere, as the first of a session does.
  package let transition: TransitionChoice?
  /// Whether anything moved on a screen.
  package let isAnimated: Bool
  /// Who asked.
  package let cause: NavigationCause
  /// The place before; `nil` for the first step of a session.
  package let from: Place?
  /// The place after.
  package let to: Place
  /// The places from the root to ``to``, after the step.
  package let stack: [Place]
  /// When.
  package let at: Timestamp
  /// When the place was left; `nil` while somebody is there.
  package let leftAt: Timestamp?
  /// How long the learner was present, in milliseconds; `nil` while somebody is there.
  package let activeMilliseconds: Int64?
  /// The revision of the course of ``to`` at that time; `nil` at the root.
  package let courseRevision: Int?

  /// Makes an event from all that is known of it.
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

/// What somebody does to get from one place to another.
public enum NavigationOperation: OpenVocabulary {
  /// Goes down to a child.
  case push
  /// Goes up to the parent.
  case pop
  /// Goes up to a place on the stack.
  case popTo
  /// Goes up to the list of courses.
  case popToRoot
  /// Goes to another child of the same parent.
  case select
  /// Goes to what follows in reading order.
  case next
  /// Goes to what precedes in reading order.
  case previous
  /// Goes anywhere.
  case open
  /// Goes to the visit before this one.
  case back
  /// Goes to the visit that ``back`` came from.
  case forward
  /// Takes up where the learner left off.
  case resume
  /// Takes the learner to the nearest place that survived a change of the course. The system does it.
  case repair
  /// One that a later program has written.
  case other(String)

  /// Those that are known here.
  public static let allCases: [Self] = [
    .push, .pop, .popTo, .popToRoot, .select, .next, .previous, .open, .back, .forward, .resume, .repair,
  ]
  /// What their words mean.
  public static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The word in the log.
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

  /// Whether it moves along the visits there have been, and makes no new one.
  public var isTraversal: Bool { self == .back || self == .forward }
}

/// Who or what asked for a step.
public enum NavigationCause: OpenVocabulary {
  /// A key in the browser.
  case key
  /// The mouse in the browser.
  case mouse
  /// A search result.
  case search
  /// A bookmark.
  case bookmark
  /// A link in a text.
  case link
  /// A command in a shell.
  case shell
  /// A program on the library.
  case api
  /// The system itself.
  case system
  /// One that a later program has written.
  case other(String)

  /// Those that are known here.
  public static let allCases: [Self] = [.key, .mouse, .search, .bookmark, .link, .shell, .api, .system]
  /// What their words mean.
  public static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The word in the log.
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

/// The time of a visit: a row of the history without its places.
package struct VisitTime: Hashable, Sendable {
  /// The row number of the step that began the visit.
  package let id: Int64
  /// The number of the session.
  package let session: Int64
  /// The step's number in the session, from 1.
  package let sequence: Int
  /// The operation that began the visit.
  package let operation: NavigationOperation
  /// The origin of the step.
  package let cause: NavigationCause
  /// The beginning of the visit.
  package let at: Timestamp
  /// The learner's presence in milliseconds; `nil` until the visit ends.
  package let activeMilliseconds: Int64?

  /// Makes a time from all of its parts.
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
