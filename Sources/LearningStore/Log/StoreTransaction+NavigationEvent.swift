package import LearningModel

/// A navigation event that is not stored yet.
package struct PendingEvent: Hashable, Sendable {
  /// The UUID in lower-case hexadecimal digits with hyphens.
  package var uuid: String
  package var session: Session
  package var operation: NavigationOperation
  /// For an event that moves back or forward, the sequence number of the visit that it returns to, otherwise `nil`.
  package var returnsTo: Int?
  /// The transition, or `nil` for the first event of a session.
  package var transition: TransitionChoice?
  /// Whether a front end animates the transition.
  package var isAnimated: Bool
  /// The origin of the event, such as user input.
  package var cause: NavigationCause
  /// The nodes on the path from the course to the destination, each the parent of the next. Empty for the root.
  package var stack: [ContentNode]
  package var at: Timestamp
  /// The revision of the course at the time of the event, or `nil` for the root.
  package var courseRevision: Int?

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

extension PendingEvent {
  fileprivate var place: (kind: PlaceKind, node: NodeID?) {
    stack.last.map { (PlaceKind($0.kind), $0.id) } ?? (.root, nil)
  }
}

extension StoredEvent {
  /// Creates the row of an event that has just been stored.
  fileprivate init(_ draft: PendingEvent, id: Int64, sequence: Int, after last: StoredEvent?) {
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
  /// Returns the session after an event that the learner has requested.
  package func following(_ step: StoredEvent) -> SessionRecord {
    saving(Presence(lastInputAt: max(session.lastInputAt, step.event.at)))
  }

  /// Returns the session after the learner's presence was saved.
  package func saving(_ presence: Presence) -> SessionRecord {
    SessionRecord(
      session: Session(
        id: session.id, uuid: session.uuid, learner: session.learner, name: session.name, timeZone: session.timeZone,
        startedAt: session.startedAt, lastInputAt: max(session.lastInputAt, presence.lastInputAt),
        endedAt: session.endedAt),
      lockFile: lockFile, presence: presence, replica: replica, isOwn: isOwn)
  }
}

extension StoreTransaction {
  /// Appends a navigation event to the log and updates the derived tables.
  ///
  /// - Parameters:
  ///   - draft: The event.
  ///   - last: The last event of the session, or `nil` if `draft` is the first. Its visit ends with this event.
  ///   - presence: The learner's active time in the visit of `last`.
  /// - Returns: The stored event.
  @discardableResult
  package func append(_ draft: PendingEvent, after last: StoredEvent?, presence: Presence) throws -> StoredEvent {
    if let last, last.event.leftAt == nil { try leave(last, at: draft.at, presence: presence) }

    let sequence = (last?.event.sequence ?? 0) + 1
    let stack = StackText.write(draft.stack.map(\.id))
    let to = draft.place
    try run(Self.stepSQL) { parameters in
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
    try run(Self.inputSQL, inputAt, draft.session.id)
    return StoredEvent(draft, id: id, sequence: sequence, after: last)
  }

  private static let stepSQL = StatementText(
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
  private static let inputSQL = StatementText(
    "UPDATE session SET lastInputAt = max(lastInputAt, ?), activeMs = 0 WHERE id = ?")

  /// Stores when a visit ended and how long the learner was active in it.
  func leave(_ step: StoredEvent, at time: Timestamp, presence: Presence) throws {
    let leftAt = max(step.event.at, time)
    try run(Self.leaveSQL, leftAt, presence.active(in: step.event.at, leftAt: leftAt), step.event.id)
  }

  private static let leaveSQL = StatementText("UPDATE navigationEvent SET leftAt = ?, activeMs = ? WHERE id = ?")

  private func project(
    _ draft: PendingEvent, stack: String, id: Int64, sequence: Int, after last: StoredEvent?
  ) throws {
    try replaceStack(of: draft.session.id, by: draft.stack.map(\.id))
    try moveVisits(
      of: draft.session.id, operation: draft.operation, sequence: sequence, after: last?.event.operation)
    try recordSubtreeVisits(stack, learner: draft.session.learner, event: id)
    guard let node = draft.stack.last else { return }
    if draft.operation.scores {
      try score(node.id, for: draft.session.learner, visitedAt: draft.at)
    }
    if node.kind == .activity {
      try recordOpening(of: node.id, by: draft.session.learner, at: draft.at)
    }
  }
}
