public import LearningModel

/// What the service answers to a request: where it leads, and what the way there looks like.
public struct NavigationStep: Hashable, Sendable {
  /// What was asked for.
  public let operation: NavigationOperation
  /// Whether it was performed, only computed, or had nothing to do.
  public private(set) var outcome: Outcome
  /// The place before; `nil` where a session begins.
  public let from: NamedPlace?
  /// The place after.
  public let to: NamedPlace
  /// The transition that applies; `nil` where a session begins and where nothing was to do.
  public let transition: StepTransition?
  /// The places from the root to ``to``, after the step. Each is the parent of the next.
  public let stack: [NamedPlace]
  /// What somebody should know of it beyond where it led.
  public let note: Note?

  /// What became of a request.
  public enum Outcome: Hashable, Sendable {
    /// The log holds it, and it survives whatever happens next.
    case performed(EventStamp)
    /// It was asked for as a dry run: performed now, it would do what this step says.
    case predicted
    /// There was nothing to do, and no event.
    case nothingToDo(NothingToDo)
  }

  /// Why a request had nothing to do.
  public enum NothingToDo: Hashable, Sendable {
    /// The list of courses has nothing above it.
    case atRoot
    /// The place asked for is the current one.
    case alreadyThere
    /// Nothing of this kind follows in the course.
    case lastOfCourse
    /// Nothing of this kind precedes in the course.
    case firstOfCourse
    /// No visit of this session came before.
    case noVisitBefore
    /// `back` was not used, or something else was done since.
    case noVisitAfter
  }

  /// What somebody should know of a step.
  public enum Note: Hashable, Sendable {
    /// The learner has no history yet: the session begins at the list of courses.
    case noHistory
    /// The place that was meant is not in the course any more; the step leads to the nearest one that is.
    case removed(title: String)
  }

  /// Creates a step from its parts.
  package init(
    operation: NavigationOperation, outcome: Outcome, from: NamedPlace?, to: NamedPlace,
    transition: StepTransition?, stack: [NamedPlace], note: Note? = nil
  ) {
    self.operation = operation
    self.outcome = outcome
    self.from = from
    self.to = to
    self.transition = transition
    self.stack = stack
    self.note = note
  }

  /// The same step once the log holds it as that event.
  consuming func performed(as event: EventStamp) -> NavigationStep {
    outcome = .performed(event)
    return self
  }

  /// Whether the log holds it.
  public var isPerformed: Bool { event != nil }

  /// Its event in the log; `nil` unless it was performed.
  public var event: EventStamp? {
    if case .performed(let event) = outcome { event } else { nil }
  }

  /// The course whose end was reached, if the step was meant to lead past the last place of its kind in it. `nil` in the
  /// list of courses, where ``message`` reports the last one.
  public var endedCourse: NamedPlace? {
    guard case .nothingToDo(.lastOfCourse) = outcome, to.kind != .course else { return nil }
    return stack.first { $0.kind == .course }
  }

  /// A sentence for a person where there is something to say.
  public var message: String? {
    switch outcome {
    case .nothingToDo(.lastOfCourse): neighbourless("last")
    case .nothingToDo(.firstOfCourse): neighbourless("first")
    case .nothingToDo(let reason): reason.description
    case .performed, .predicted: note?.description
    }
  }

  private func neighbourless(_ word: String) -> String {
    switch to.kind {
    case .root: "This is the list of courses: nothing stands beside it."
    case .course: "This is the \(word) course."
    case .goal, .lesson, .activity, .other: "This is the \(word) \(to.kind.rawValue) of the course."
    }
  }
}

/// The transition of a step, with the node that moves as a place.
public struct StepTransition: Hashable, Sendable {
  /// Which transition, which way, and why.
  public let choice: TransitionChoice
  /// The place whose card, header and crumb move; `nil` for a cross-fade.
  public let node: NamedPlace?
}

extension StepTransition: Encodable {
  private enum Key: String, CodingKey {
    case kind, direction, reason, node
  }

  /// Writes `kind`, `direction`, `reason` and the path of the `node`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(choice.kind, forKey: .kind)
    try container.encode(choice.direction, forKey: .direction)
    try container.encode(choice.reason, forKey: .reason)
    try container.encode(node?.path, forKey: .node)
  }
}

/// Which event of the log.
public struct EventStamp: Hashable, Codable, Sendable {
  /// Its row: the order across sessions.
  public let id: Int64
  /// Its number in its session, from 1.
  public let sequence: Int
  /// When it happened.
  public let at: Timestamp
}

extension NavigationStep.NothingToDo: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    switch self {
    case .atRoot: "This is the list of courses: there is nothing above it."
    case .alreadyThere: "You are there already."
    case .lastOfCourse: "Nothing of this kind follows in this course."
    case .firstOfCourse: "Nothing of this kind comes before in this course."
    case .noVisitBefore: "There is nowhere to go back to in this session."
    case .noVisitAfter: "There is nowhere to go forward to: you have not gone back, or have moved on since."
    }
  }
}

extension NavigationStep.Note: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    switch self {
    case .noHistory: "You have not been anywhere yet: this is the list of courses."
    case .removed(let title): "“\(title)” is not in the course any more: this is the nearest place that is."
    }
  }
}

extension NavigationStep: Encodable {
  private enum Key: String, CodingKey {
    case operation, performed, traversal, from, to, transition, stack, event, message
  }

  /// Writes the stable shape of a step; `event` is null unless it was performed, and `message` stands only where there is one.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(operation, forKey: .operation)
    try container.encode(isPerformed, forKey: .performed)
    try container.encode(operation.isTraversal, forKey: .traversal)
    try container.encode(from, forKey: .from)
    try container.encode(to, forKey: .to)
    try container.encode(transition, forKey: .transition)
    try container.encode(stack.map(\.path), forKey: .stack)
    try container.encode(event, forKey: .event)
    // Most steps have nothing more to say; the key stands only where there is something.
    if let message { try container.encode(message, forKey: .message) }
  }
}
