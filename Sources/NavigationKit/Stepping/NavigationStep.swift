public import LearningModel

/// The result of a navigation request: the destination, and the transition to it.
public struct NavigationStep: Hashable, Sendable {
  /// The requested operation.
  public let operation: NavigationOperation
  /// Whether the step was performed, only predicted, or unnecessary.
  public private(set) var outcome: Outcome
  /// The place before the step. `nil` for the first step of a session.
  public let from: NamedPlace?
  /// The place after the step.
  public let to: NamedPlace
  /// The transition. `nil` for the first step of a session, and if nothing was to be done.
  public let transition: StepTransition?
  /// The places from the root to ``to`` after the step. Each place is the parent of the next one.
  public let stack: [NamedPlace]
  /// Information for the user about an unexpected destination. Otherwise `nil`.
  public let note: Note?

  /// The result of performing or predicting a request.
  public enum Outcome: Hashable, Sendable {
    /// The step was performed and committed to the log, with this event.
    case performed(EventStamp)
    /// The request was only computed. Performing it would lead to the same step if the database has not changed.
    case predicted
    /// The requested operation was unnecessary and was not recorded. A `resume` or `repair` that the session needed
    /// first may have been recorded, so the session may be at another place than before: display ``stack``.
    case nothingToDo(NothingToDo)
  }

  /// The reason why a request required no step.
  public enum NothingToDo: Hashable, Sendable {
    /// The list of courses has no parent.
    case atRoot
    /// The destination is the current place.
    case alreadyThere
    /// The current place is the last of its kind in the course.
    case lastOfCourse
    /// The current place is the first of its kind in the course.
    case firstOfCourse
    /// The session has no earlier visit.
    case noVisitBefore
    /// `back` was not used, or another step was performed since.
    case noVisitAfter
  }

  /// Information for the user about the destination of a step.
  public enum Note: Hashable, Sendable {
    /// The learner has no history yet, so the session begins at the list of courses.
    case noHistory
    /// The requested place was removed from its course, so the step leads to the nearest place that still exists.
    case removed(title: String)
  }

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

  /// Returns the same step with its event in the log.
  consuming func performed(as event: EventStamp) -> NavigationStep {
    outcome = .performed(event)
    return self
  }

  /// Whether the step was performed and committed to the log. If not, ``stack`` may still differ from the places before
  /// the request; see ``Outcome/nothingToDo(_:)``.
  public var isPerformed: Bool { event != nil }

  /// The event in the log, or `nil` if the step was not performed.
  public var event: EventStamp? {
    if case .performed(let event) = outcome { event } else { nil }
  }

  /// The course whose end was reached, if the request was to go past the last place of its kind in the course.
  /// Otherwise `nil`. Also `nil` if the request was to go past the last course; ``message`` reports this.
  public var endedCourse: NamedPlace? {
    guard case .nothingToDo(.lastOfCourse) = outcome, to.kind != .course else { return nil }
    return stack.first { $0.kind == .course }
  }

  /// A sentence for the user about a step that was unnecessary or had an unexpected destination. Otherwise `nil`.
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
    case .root: "This is the list of courses: there is no next or previous place."
    case .course: "This is the \(word) course."
    case .goal, .lesson, .activity, .other:
      "This is the \(word) \(to.noun.singular) of the \(to.levels.noun(for: .course).singular)."
    }
  }
}

/// The transition of a step, with the place that moves on the screen.
public struct StepTransition: Hashable, Sendable {
  /// The kind, direction and reason of the transition.
  public let choice: TransitionChoice
  /// The place whose card and header move. `nil` for a cross-fade.
  public let node: NamedPlace?
}

extension StepTransition: Encodable {
  private enum Key: String, CodingKey {
    case kind, direction, reason, node
  }

  /// Encodes `kind`, `direction`, `reason` and the path of the `node`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(choice.kind, forKey: .kind)
    try container.encode(choice.direction, forKey: .direction)
    try container.encode(choice.reason, forKey: .reason)
    try container.encode(node?.path, forKey: .node)
  }
}

/// The identity of a step in the log.
public struct EventStamp: Hashable, Codable, Sendable {
  /// The number of the row. Steps that were added to this database later have larger numbers, across all sessions.
  public let id: Int64
  /// The number of the step in its session, from 1.
  public let sequence: Int
  /// The time of the step.
  public let at: Timestamp
}

extension NavigationStep.NothingToDo: CustomStringConvertible {
  /// The reason as a sentence for the user.
  public var description: String {
    switch self {
    case .atRoot: "This is the list of courses: there is nothing above it."
    case .alreadyThere: "This is already the current place."
    case .lastOfCourse: "Nothing of this kind follows in this course."
    case .firstOfCourse: "Nothing of this kind comes before in this course."
    case .noVisitBefore: "There is no earlier place in this session."
    case .noVisitAfter: "You cannot go forward: you have not gone back, or you have opened another place since then."
    }
  }
}

extension NavigationStep.Note: CustomStringConvertible {
  /// The information as a sentence for the user.
  public var description: String {
    switch self {
    case .noHistory: "There is no history yet: this is the list of courses."
    case .removed(let title): "“\(title)” is no longer in the course: this is the nearest remaining place."
    }
  }
}

extension NavigationStep: Encodable {
  private enum Key: String, CodingKey {
    case operation, performed, traversal, from, to, transition, stack, event, message
  }

  /// Encodes the step in its stable format. `event` is `null` unless the step was performed; `message` is omitted if it
  /// is `nil`.
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
    // Omitted instead of `null`, because most steps have no message.
    if let message { try container.encode(message, forKey: .message) }
  }
}
