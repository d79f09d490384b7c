package import LearningModel

/// A selection of the data of a learner, for synchronisation.
package struct RecordDelta: Hashable, Codable, Sendable {
  /// The requested sessions, in this order.
  package var sessions: [SessionDelta]
  /// The keys of the requested bookmarks, positions, settings and other entries.
  package var facts: [String]

  package init(sessions: [SessionDelta] = [], facts: [String] = []) {
    self.sessions = sessions
    self.facts = facts
  }

  /// Whether nothing is selected.
  package var isEmpty: Bool { sessions.isEmpty && facts.isEmpty }
}

/// The requested part of a session: all events after those that are already known.
package struct SessionDelta: Hashable, Codable, Sendable {
  package var uuid: String
  /// The number of known navigation events. The last one of them is sent again, to verify that both databases have the
  /// same events, and because its visit may have ended since.
  package var steps: Int
  /// The number of known activity events. The last one of them is sent again.
  package var acts: Int

  package init(uuid: String, steps: Int, acts: Int) {
    (self.uuid, self.steps, self.acts) = (uuid, steps, acts)
  }
}

/// An element of a learner's record, in the order of ``StoreSnapshot/forEachElement(ofRecordOf:_:)``.
package enum RecordElement {
  /// The record without its nodes, sessions, navigation events and activity events.
  case head(LearnerRecord)
  case node(LearnerRecord.Node)
  case session(LearnerRecord.SessionRow)
  case step(LearnerRecord.NavigationEventRow)
  case activity(LearnerRecord.ActivityEventRow)
}

extension StoreSnapshot {
  /// Calls `body` with all data of one learner: first the head, then every node, session, navigation event and activity
  /// event. Does not call it if there is no such learner.
  ///
  /// The memory use does not depend on the number of events.
  package func forEachElement(ofRecordOf id: LearnerID, _ body: (RecordElement) throws -> Void) throws {
    guard var record = try emptyRecord(of: id) else { return }
    let writer = RecordWriter(self)
    // Nodes must precede the events that refer to them, so the logs are read twice.
    try writer.numberNodes(ofLogsOf: id)
    try writer.addFacts(of: id, to: &record)
    try body(.head(record))
    for node in writer.nodes { try body(.node(node)) }
    for session in try sessions(of: id).reversed() { try body(.session(writer.sessionRow(session))) }
    try writer.forEachNavigationEvent(Self.stepsOfLearnerSQL, [id]) { try body(.step($0)) }
    try writer.forEachActivityEvent(Self.actsOfLearnerSQL, [id]) { try body(.activity($0)) }
  }

  /// Returns all data of one learner, or `nil` if there is no such learner.
  package func record(of id: LearnerID) throws -> LearnerRecord? {
    var record: LearnerRecord?
    try forEachElement(ofRecordOf: id) { element in
      switch element {
      case .head(let header): record = header
      case .node(let node): record?.nodes.append(node)
      case .session(let session): record?.sessions.append(session)
      case .step(let step): record?.steps.append(step)
      case .activity(let event): record?.activities.append(event)
      }
    }
    return record
  }

  /// Returns the selected data of a learner's record, up to a limit.
  ///
  /// - Parameters:
  ///   - delta: The selected data.
  ///   - limit: The maximum total number of navigation events, activity events and other entries. Must be greater than
  ///     1.
  /// - Returns: The record and the remaining selection, or `nil` if there is no such learner.
  package func record(
    of id: LearnerID, delta: RecordDelta, limit: Int
  ) throws -> (record: LearnerRecord, rest: RecordDelta)? {
    guard var record = try emptyRecord(of: id) else { return nil }
    let writer = RecordWriter(self)
    var (remaining, capacity) = (delta, limit)
    while let next = remaining.sessions.first, capacity > 1 {
      guard let session = try session(withUUID: next.uuid), session.session.learner == id else {
        remaining.sessions.removeFirst()
        continue
      }
      record.sessions.append(writer.sessionRow(session))
      let lengths = try contentLengths(of: session.session.id)
      let (navigationCount, activityCount) = (record.steps.count, record.activities.count)
      try writer.forEachNavigationEvent(Self.stepsFromSQL, [session.session.id, max(1, next.steps), capacity]) {
        record.steps.append($0)
      }
      capacity -= record.steps.count - navigationCount
      try writer.forEachActivityEvent(Self.actsFromSQL, [session.session.id, max(1, next.acts), max(0, capacity)]) {
        record.activities.append($0)
      }
      capacity -= record.activities.count - activityCount
      let sent = SessionDelta(
        uuid: next.uuid, steps: max(next.steps, record.steps.dropFirst(navigationCount).last?.sequence ?? 0),
        acts: max(next.acts, record.activities.dropFirst(activityCount).last?.sequence ?? 0))
      if sent.steps < lengths.steps || sent.acts < lengths.acts {
        record.sessions[record.sessions.count - 1].endedAt = nil
        remaining.sessions[0] = sent
        break
      }
      remaining.sessions.removeFirst()
    }
    if remaining.sessions.isEmpty, capacity > 0 {
      try writer.addFacts(of: id, Set(remaining.facts.prefix(capacity)), to: &record)
      remaining.facts.removeFirst(min(capacity, remaining.facts.count))
    }
    record.nodes = writer.nodes
    return (record, remaining)
  }

  private func emptyRecord(of id: LearnerID) throws -> LearnerRecord? {
    var record = try first("SELECT uuid, name, createdAt FROM learner WHERE id = ?", id) { row in
      LearnerRecord(uuid: row[0], name: row[1], createdAt: row[2])
    }
    try record?.erased = erased(of: id)
    return record
  }

  private static let stepsOfLearnerSQL = navigationEvents("learner = ? ORDER BY id")
  private static let stepsFromSQL = navigationEvents("session = ? AND sequence >= ? ORDER BY sequence LIMIT ?")
  private static let actsOfLearnerSQL = activityEvents("learner = ? ORDER BY id")
  private static let actsFromSQL = activityEvents("session = ? AND sequence >= ? ORDER BY sequence LIMIT ?")

  private static func navigationEvents(_ condition: String) -> StatementText {
    StatementText("SELECT \(StoredEvent.columns) FROM navigationEvent AS event WHERE \(condition)")
  }

  private static func activityEvents(_ condition: String) -> StatementText {
    StatementText(
      "SELECT uuid, session, sequence, node, kind, detail, score, at, orderedAt FROM activityEvent WHERE \(condition)")
  }
}

/// Converts rows to elements of a record, and assigns indices to the nodes that they refer to. Parents precede their
/// children.
private final class RecordWriter {
  private let snapshot: StoreSnapshot
  private var names: [SessionID: String] = [:]
  private var numbers: [NodeID: Int] = [:]
  private var courses: [NodeID: String] = [:]
  private(set) var nodes: [LearnerRecord.Node] = []

  init(_ snapshot: StoreSnapshot) {
    self.snapshot = snapshot
  }

  func number(_ id: NodeID) throws -> Int {
    if let number = numbers[id] { return number }
    for node in try snapshot.chain(to: id) where numbers[node.id] == nil {
      if node.parent == nil { courses[node.id] = node.key }
      numbers[node.id] = nodes.count
      nodes.append(
        LearnerRecord.Node(
          course: courses[node.course] ?? "", key: node.key, parent: node.parent.flatMap { numbers[$0] },
          kind: try kind(of: node), slug: node.slug, title: node.title,
          sourceKey: try snapshot.value(Self.sourceKeySQL, node.id)))
    }
    return numbers[id] ?? 0
  }

  private static let sourceKeySQL = StatementText("SELECT key FROM sourceKey WHERE node = ?")

  /// Returns the kind of a node. For a removed node that was added by merging a record, returns the kind from that
  /// record.
  private func kind(of node: ContentNode) throws -> PlaceKind {
    guard node.isRemoved,
      let recordedKind: String = try snapshot.value("SELECT toldKind FROM contentNode WHERE id = ?", node.id)
    else {
      return PlaceKind(node.kind)
    }
    return PlaceKind(logged: recordedKind)
  }

  /// Assigns an index to each node to which a learner's logs refer. The indices follow the order of the first
  /// references, with all navigation events before the activity events.
  func numberNodes(ofLogsOf learner: LearnerID) throws {
    try snapshot.statements.run(
      "SELECT movingNode, fromNode, toNode, stack FROM navigationEvent WHERE learner = ? ORDER BY id", [learner]
    ) { row in
      for column in 0..<3 { if let node: NodeID = row[column] { _ = try number(node) } }
      for node in StackText.places(row[3]).compactMap(\.node) { _ = try number(node) }
      return true
    }
    try snapshot.statements.run("SELECT node FROM activityEvent WHERE learner = ? ORDER BY id", [learner]) { row in
      _ = try number(row[0])
      return true
    }
  }

  /// Returns a session for a record, and remembers its UUID for its events, which must be converted afterwards.
  func sessionRow(_ record: SessionRecord) -> LearnerRecord.SessionRow {
    let session = record.session
    names[session.id] = session.uuid
    return LearnerRecord.SessionRow(
      uuid: session.uuid, name: session.name, timeZone: session.timeZone, startedAt: session.startedAt,
      lastInputAt: session.lastInputAt, activeMs: record.presence.activeMilliseconds,
      endedAt: session.endedAt, replica: record.replica)
  }

  func forEachNavigationEvent(
    _ text: StatementText, _ values: [any ColumnValue], _ body: (LearnerRecord.NavigationEventRow) throws -> Void
  ) throws {
    try snapshot.statements.run(text, values) { row in
      try body(navigationEvent(StoredEvent(row: row)))
      return true
    }
  }

  private func navigationEvent(_ step: StoredEvent) throws -> LearnerRecord.NavigationEventRow {
    let event = step.event
    return LearnerRecord.NavigationEventRow(
      uuid: event.uuid, session: names[event.session] ?? "", sequence: event.sequence, operation: event.operation,
      returnsTo: step.returnsTo,
      transition: try event.transition.map {
        LearnerRecord.TransitionRow(
          kind: $0.kind, direction: $0.direction, reason: $0.reason, node: try $0.node.map { try number($0) })
      }, animated: event.isAnimated, cause: event.cause,
      from: try step.fromKind.map {
        LearnerRecord.ScreenPosition(kind: $0, node: try event.from?.node.map { try number($0) })
      }, to: LearnerRecord.ScreenPosition(kind: step.toKind, node: try event.to.node.map { try number($0) }),
      stack: try event.stack.compactMap(\.node).map { try number($0) }, at: event.at, leftAt: event.leftAt,
      activeMs: event.activeMilliseconds, courseRevision: event.courseRevision)
  }

  func forEachActivityEvent(
    _ text: StatementText, _ values: [any ColumnValue], _ body: (LearnerRecord.ActivityEventRow) throws -> Void
  ) throws {
    try snapshot.statements.run(text, values) { row in
      try body(
        LearnerRecord.ActivityEventRow(
          uuid: row[0], session: names[row[1]] ?? "", sequence: row[2], node: try number(row[3]),
          kind: try row.word(ActivityEventKind.self, at: 4) ?? .seenToEnd, detail: row[5], score: row[6], at: row[7],
          orderedAt: row[8]))
      return true
    }
  }

  /// Adds the bookmarks, positions, quizzes, passages, settings and other entries of a learner to a record.
  ///
  /// - Parameter keys: The keys of the entries to add, or `nil` for all of them.
  func addFacts(of id: LearnerID, _ keys: Set<String>? = nil, to record: inout LearnerRecord) throws {
    for fact in try snapshot.facts(of: id) where keys?.contains(fact.key) ?? true {
      if fact.kind == nil {
        record.passages.append(
          LearnerRecord.ReadPassage(
            node: try fact.node.map { try number($0) } ?? 0, digest: fact.name, characters: fact.characters,
            savedAt: Timestamp(milliseconds: fact.version.stamp)))
      }
      guard let kind = fact.kind else { continue }
      let node = try fact.node.map { try number($0) }
      record.changes.append(
        LearnerRecord.FactChangeRow(
          kind: kind, node: node, name: fact.name.isEmpty ? nil : fact.name, stamp: fact.version.stamp,
          replica: fact.version.replica))
      switch (kind, fact.node, node) {
      case (.setting, _, _): record.settings[fact.name] = try snapshot.setting(fact.name, of: id)
      case (.other, _, _):
        if let other = try snapshot.otherFact(of: kind, at: fact.node, named: fact.name, by: id) {
          record.others =
            (record.others ?? []) + [
              LearnerRecord.OtherFact(
                kind: kind, node: node, name: fact.name.isEmpty ? nil : fact.name, value: other.value,
                savedAt: other.savedAt)
            ]
        }
      case (.bookmark, let place?, let node?):
        if let createdAt = try snapshot.bookmark(at: place, of: id) {
          record.bookmarks.append(LearnerRecord.BookmarkRow(node: node, createdAt: createdAt))
        }
      case (.position, let place?, let node?):
        if let position = try snapshot.readingPosition(of: place, for: id) {
          record.positions.append(
            LearnerRecord.ReadingPositionRow(
              node: node, block: position.block, blockOffset: position.blockOffset, fraction: position.fraction,
              heading: position.heading, savedAt: position.savedAt))
        }
      case (.quiz, let place?, let node?):
        if let quiz = try snapshot.unfinishedQuiz(of: place, for: id) {
          record.quizzes.append(
            LearnerRecord.UnfinishedQuizRow(
              node: node, questions: quiz.questions, answers: quiz.answers, question: quiz.question,
              isChecked: quiz.isChecked, savedAt: quiz.savedAt))
        }
      case (_, nil, _), (_, _, nil): break
      }
    }
  }
}
