package import LearningModel

/// A step that is to be written into the log.
package struct StepDraft: Hashable, Sendable {
  /// Its name everywhere, as lower-case hexadecimal digits with hyphens.
  package var uuid: String
  /// Whose session.
  package var session: Session
  /// What was done.
  package var operation: NavigationOperation
  /// Of a traversal, the sequence of the visit that it returns to.
  package var returnsTo: Int?
  /// What it looks like; `nil` where it leads from nowhere.
  package var transition: TransitionChoice?
  /// Whether anything moves on a screen.
  package var isAnimated: Bool
  /// Who asked.
  package var cause: NavigationCause
  /// The nodes from the course down to the place after, none for the root; each is the parent of the next.
  package var stack: [ContentNode]
  /// When.
  package var at: Timestamp
  /// The revision of the course at that time; `nil` at the root.
  package var courseRevision: Int?

  /// Makes a draft from all that is known of the step.
  package init(
    uuid: String, session: Session, operation: NavigationOperation, returnsTo: Int? = nil,
    transition: TransitionChoice?, isAnimated: Bool, cause: NavigationCause, stack: [ContentNode], at: Timestamp,
    courseRevision: Int?
  ) {
    self.uuid = uuid
    self.session = session
    self.operation = operation
    self.returnsTo = returnsTo
    self.transition = transition
    self.isAnimated = isAnimated
    self.cause = cause
    self.stack = stack
    self.at = at
    self.courseRevision = courseRevision
  }
}

extension StepDraft {
  fileprivate var place: (kind: PlaceKind, node: NodeID?) {
    stack.last.map { (PlaceKind($0.kind), $0.id) } ?? (.root, nil)
  }
}

extension LoggedStep {
  /// What the log says of a step that was written just now.
  fileprivate init(_ draft: StepDraft, id: Int64, sequence: Int, after last: LoggedStep?) {
    fromKind = last?.toKind
    toKind = draft.place.kind
    returnsTo = draft.returnsTo
    event = NavigationEvent(
      id: id, uuid: draft.uuid, learner: draft.session.learner, session: draft.session.id, sequence: sequence,
      operation: draft.operation, transition: draft.transition, isAnimated: draft.isAnimated, cause: draft.cause,
      from: last?.event.to, to: Place(draft.place.node), stack: [.root] + draft.stack.map { .node($0.id) },
      at: draft.at, leftAt: nil, activeMilliseconds: nil, courseRevision: draft.courseRevision)
  }
}

extension SessionRecord {
  /// What the database says of a session after a step that was asked for.
  package func following(_ step: LoggedStep) -> SessionRecord {
    let inputAt = max(session.lastInputAt, step.event.at)
    return SessionRecord(
      session: Session(
        id: session.id, uuid: session.uuid, learner: session.learner, name: session.name, timeZone: session.timeZone,
        startedAt: session.startedAt, lastInputAt: inputAt, endedAt: session.endedAt),
      lockFile: lockFile, presence: Presence(lastInputAt: inputAt), isOpenElsewhere: isOpenElsewhere)
  }
}

extension StoreTransaction {
  /// Writes a step into the log, and what follows from it into the projections.
  ///
  /// - Parameters:
  ///   - draft: The step.
  ///   - last: The last step of the session; `nil` before its first. Its visit ends with this step.
  ///   - presence: The learner's presence in that visit.
  /// - Returns: The step, as the log would be read.
  @discardableResult
  package func append(_ draft: StepDraft, after last: LoggedStep?, presence: Presence) throws -> LoggedStep {
    if let last, last.event.leftAt == nil { try leave(last, at: draft.at, presence: presence) }

    let sequence = (last?.event.sequence ?? 0) + 1
    let stack = StackText.write(draft.stack.map(\.id))
    let to = draft.place
    try run(Self.stepText) { parameters in
      parameters.add(draft.uuid)
      parameters.add(draft.session.learner)
      parameters.add(draft.session.id)
      parameters.add(sequence)
      parameters.add(draft.operation.rawValue)
      parameters.add(draft.returnsTo)
      parameters.add(draft.transition?.kind.rawValue)
      parameters.add(draft.transition?.direction?.rawValue)
      parameters.add(draft.transition?.reason.rawValue)
      parameters.add(draft.transition?.node)
      parameters.add(draft.isAnimated)
      parameters.add(draft.cause.rawValue)
      parameters.add(last?.toKind.rawValue)
      parameters.add(last?.event.to.node)
      parameters.add(to.kind.rawValue)
      parameters.add(to.node)
      parameters.add(stack)
      parameters.add(draft.at)
      parameters.add(draft.courseRevision)
    }
    let id = lastRow

    try project(draft, stack: stack, id: id, sequence: sequence, after: last)
    let inputAt = draft.operation == .repair ? Timestamp(milliseconds: 0) : draft.at
    try run(Self.inputText, inputAt, draft.session.id)
    return LoggedStep(draft, id: id, sequence: sequence, after: last)
  }

  private static let stepText = StatementText(
    """
    INSERT INTO navigationEvent (
      uuid, learner, session, sequence, operation, returnsTo, transition, direction, reason, movingNode, animated,
      cause, fromKind, fromNode, toKind, toNode, stack, at, clock, courseRevision)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
      max(?18, ifnull((
        SELECT clock FROM navigationEvent INDEXED BY navigationEventOfLearner
        WHERE learner = ?2 ORDER BY id DESC LIMIT 1), ?18)),
      ?19)
    """)
  private static let inputText = StatementText(
    "UPDATE session SET lastInputAt = max(lastInputAt, ?), activeMs = 0 WHERE id = ?")

  /// Fills in when a visit ended and how much of it the learner was present.
  func leave(_ step: LoggedStep, at moment: Timestamp, presence: Presence) throws {
    let leftAt = max(step.event.at, moment)
    try run(Self.leaveText, leftAt, presence.active(in: step.event.at, leftAt: leftAt), step.event.id)
  }

  private static let leaveText = StatementText("UPDATE navigationEvent SET leftAt = ?, activeMs = ? WHERE id = ?")

  private func project(
    _ draft: StepDraft, stack: String, id: Int64, sequence: Int, after last: LoggedStep?
  ) throws {
    try replaceStack(of: draft.session.id, by: draft.stack.map(\.id))
    try moveVisits(
      of: draft.session.id, operation: draft.operation, sequence: sequence, after: last?.event.operation)
    try noteUnder(stack, learner: draft.session.learner, event: id)
    guard let node = draft.stack.last else { return }
    if draft.operation.scores {
      try score(node.id, for: draft.session.learner, visitedAt: draft.at)
    }
    if node.kind == .activity {
      try begin(node.id, for: draft.session.learner, at: draft.at)
    }
  }
}
