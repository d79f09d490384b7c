import GRDB
package import LearningModel

/// The result of merging a learner's record.
package struct MergedRecord: Hashable, Sendable {
  package var learner: Learner
  /// The number of sessions that were added or extended.
  package var sessions = 0
  /// The number of added navigation events.
  package var steps = 0
  /// The number of added activity events.
  package var activities = 0
  /// The changes whose timestamps were too far in the future, with the reduced timestamps that were stored.
  package var limited: [FactVersion] = []
  /// The number of nodes that no course of this database contains. They are stored as removed, until a course that
  /// contains them is imported.
  package var unknownNodes = 0
  /// The parts of sessions that were not merged because the sessions are open in this database.
  package var skipped: [SkippedSession] = []
}

extension StoreTransaction {
  /// Merges a learner's record into the store. Merging the same record twice has no further effect.
  ///
  /// Sessions are matched by UUID. Both logs of a session are gap-free, so only the events after the last stored
  /// sequence number are appended.
  ///
  /// - A session that is open in this store is left unchanged. ``MergedRecord/skipped`` lists the part that was not
  ///   merged.
  /// - A session that is open in the other store is stored as ended at its last input, and extended by later merges.
  /// - If a database was copied in the middle of a visit, both copies may have ended the visit. If one of them has
  ///   continued the session, its end is stored, otherwise the later of both ends.
  /// - Activity events are applied to the current content of the activity. If an entry such as a bookmark, position or
  ///   setting was changed in both stores, the later change wins. The read passages of both stores are combined. Events
  ///   and entries that were erased in either store are not restored.
  ///
  /// - Parameters:
  ///   - record: The record to merge, or a part of one.
  ///   - target: The learner to merge into. If `nil`, the learner with the record's name, created if missing.
  ///   - now: The current time. A change with a timestamp more than five minutes later is treated as if it were made
  ///     five minutes from now.
  ///   - trustsTimes: Whether the record comes from the central server, so that the timestamps of changes are stored
  ///     without a limit.
  /// - Throws: ``LearningDatabaseError/contradictoryRecord(learner:detail:)``,
  ///   ``LearningDatabaseError/anotherLearner(learner:other:)``, ``LearningDatabaseError/fork(session:)``,
  ///   ``LearningDatabaseError/otherContent(uuid:)``.
  package func merge(
    _ record: LearnerRecord, into target: Learner? = nil, at now: Timestamp, trustsTimes: Bool = false
  ) throws -> MergedRecord {
    do {
      let learner = try target ?? makeLearner(named: record.name, uuid: record.uuid, at: record.createdAt)
      var state = MergeState(learner: learner, now: now, believesFacts: trustsTimes)
      try database.execute(sql: "INSERT INTO merging (learner) VALUES (?)", arguments: [learner.id.rawValue])
      let isCut = try erase(record.erased, of: learner.id)
      let lastEvent: Int64 = try snapshot.value("SELECT ifnull(max(id), 0) FROM activityEvent") ?? 0
      state.nodes = try adopt(record.nodes, into: &state.merged)
      try begin(record, in: &state)
      for step in record.steps { try merge(step, in: &state) }
      for event in record.activities { try merge(event, in: &state) }
      try finish(&state)
      // Before the settings are merged: other weights compute all memories again.
      if !isCut { try updateMemories(of: learner.id, addedAfter: lastEvent) }
      try mergeFacts(of: record, in: &state)
      try database.execute(sql: "DELETE FROM merging")
      if isCut { try rebuildProjections(of: learner.id) } else { try updateProjections(state) }
      return state.merged
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw LearningDatabaseError.contradictoryRecord(
        learner: record.name, detail: error.message ?? "\(error.resultCode)")
    } catch is NodeList.NoNode {
      throw LearningDatabaseError.contradictoryRecord(
        learner: record.name, detail: "it names a node that it does not list")
    }
  }

  /// The state of a running merge.
  struct MergeState {
    let learner: LearnerID
    let now: Timestamp
    let believesFacts: Bool
    var merged: MergedRecord
    var nodes = NodeList()
    /// The sessions to which the record may add events, by UUID.
    var sessions: [String: OpenedSession] = [:]
    /// The added navigation events with their row IDs.
    var steps: [(row: Int64, step: LearnerRecord.NavigationEventRow)] = []
    /// The activities with added activity events, and the times of their earliest ones.
    var activityEvents: [NodeID: Timestamp] = [:]

    init(learner: Learner, now: Timestamp, believesFacts: Bool) {
      (self.learner, self.now, self.believesFacts) = (learner.id, now, believesFacts)
      merged = MergedRecord(learner: learner)
    }
  }

  /// A session to which a record may add events.
  struct OpenedSession {
    let id: SessionID
    let record: LearnerRecord.SessionRow
    /// The numbers of stored navigation events and activity events.
    var navigationEventCount = 0
    var activityEventCount = 0
    /// The sequence numbers from which events were erased, or `nil` if none were.
    let erasureCut: LearnerRecord.Cut?
    /// Whether the session is open in another database, so that its last visit ends here only because later events have
    /// not arrived yet.
    let isOpenElsewhere: Bool
    /// The time of the learner's last input in the session, as stored here.
    var inputAt = Timestamp(milliseconds: .min)
    /// Whether the record contains events of the session that were erased here.
    var exceedsErasureCut = false
    /// Whether events are added to the session.
    var isLonger = false
    /// The last stored navigation event, as the record contains it, if its visit has ended there. `nil` otherwise.
    var last: LearnerRecord.NavigationEventRow?
    /// Whether the last visit ended later in the record.
    var isLeftLater = false

    /// Whether the record contains a later end or later input of a session that is open in another database.
    var endsLater: Bool { isOpenElsewhere && (record.endedAt != nil || record.lastInputAt > inputAt) }
  }

  // MARK: - Sessions

  private func begin(_ record: LearnerRecord, in state: inout MergeState) throws {
    let cuts = try snapshot.erased(of: state.learner).sessions
    let cutOf = Dictionary(cuts.map { ($0.session, $0) }) { first, _ in first }
    for row in record.sessions {
      let cut = cutOf[row.uuid]
      if let stored = try snapshot.session(withUUID: row.uuid) {
        let session = stored.session
        guard session.learner == state.learner else {
          throw LearningDatabaseError.anotherLearner(
            learner: record.name, other: try snapshot.learner(session.learner)?.name ?? "")
        }
        guard session.endedAt != nil else {
          if let skipped = try snapshot.skipped(stored, of: record) { state.merged.skipped.append(skipped) }
          continue
        }
        let lengths = try snapshot.contentLengths(of: session.id)
        state.sessions[row.uuid] = OpenedSession(
          id: session.id, record: row, navigationEventCount: lengths.steps, activityEventCount: lengths.acts,
          erasureCut: cut,
          isOpenElsewhere: stored.isOpenElsewhere, inputAt: session.lastInputAt)
      } else if cut?.step != 1 {
        let id = try beginSession(row, of: state.learner)
        var session = OpenedSession(id: id, record: row, erasureCut: cut, isOpenElsewhere: true)
        session.isLonger = true
        state.merged.sessions += 1
        state.sessions[row.uuid] = session
      }
    }
  }

  private func beginSession(_ row: LearnerRecord.SessionRow, of learner: LearnerID) throws -> SessionID {
    // Because of the lock file, this session is not continued when the learner opens a session by name.
    try database.execute(
      sql: """
        INSERT INTO session (uuid, learner, name, timeZone, lockFile, startedAt, lastInputAt, activeMs, begunElsewhere,
          openElsewhere, forkOf, forkAfter)
        VALUES (?1, ?2, ?3, ?4, ?1, ?5, ?6, ?7, 1, 1, ?8, ?9)
        """,
      arguments: [
        row.uuid, learner.rawValue, row.name, row.timeZone, row.startedAt.milliseconds,
        row.lastInputAt.milliseconds, row.activeMs, row.forkOf, row.forkAfter,
      ])
    return SessionID(rawValue: database.lastInsertedRowID)
  }

  /// Reopens a session that has ended here, because the record contains more events of it.
  private func reopen(_ uuid: String, in state: inout MergeState) throws {
    guard let session = state.sessions[uuid], !session.isLonger else { return }
    state.sessions[uuid]?.isLonger = true
    state.merged.sessions += 1
    try database.execute(
      sql: "UPDATE session SET endedAt = NULL, lockFile = uuid WHERE id = ?", arguments: [session.id.rawValue])
  }

  private func finish(_ state: inout MergeState) throws {
    var ended = 0
    defer { state.merged.sessions += ended }
    for var session in state.sessions.values {
      try extendLastVisit(&session)
      let row = session.record
      if session.exceedsErasureCut {
        if session.isLonger || session.isOpenElsewhere { try end(cut: session.id) }
        continue
      }
      guard session.isLonger || session.endsLater || session.isLeftLater else { continue }
      if !session.isLonger, row.endedAt != nil { ended += 1 }
      try database.execute(
        sql: """
          UPDATE session SET lockFile = NULL, lastInputAt = ?2, activeMs = ?3, openElsewhere = ?4, endedAt = ?5
          WHERE id = ?1
          """,
        arguments: [
          session.id.rawValue, row.lastInputAt.milliseconds, row.activeMs, row.endedAt == nil,
          max(row.startedAt, row.endedAt ?? row.lastInputAt).milliseconds,
        ])
    }
  }

  // MARK: - Events

  private func merge(_ step: LearnerRecord.NavigationEventRow, in state: inout MergeState) throws {
    guard let session = state.sessions[step.session] else { return }
    guard step.sequence < session.erasureCut?.step ?? .max else {
      state.sessions[step.session]?.exceedsErasureCut = true
      return
    }
    if step.sequence <= session.navigationEventCount {
      try check(
        step.uuid, is: step.sequence, in: session, named: Self.knownStepSQL,
        [step.operation.rawValue, step.at.milliseconds, try step.to.node.map { try state.nodes[$0].rawValue }])
      guard step.sequence == session.navigationEventCount else { return }
      // A visit that ended here because later events were missing now ends as in the record.
      if session.isOpenElsewhere {
        if step.leftAt != nil || session.endsLater { try leave(step, in: session) }
      } else if step.leftAt != nil {
        state.sessions[step.session]?.last = step
      }
      return
    }
    // The other database has continued the session, so the visit ended when it was left there.
    if let last = session.last { try leave(last, in: session) }
    state.sessions[step.session]?.last = nil
    try reopen(step.session, in: &state)
    let row = try insert(step, of: session, in: state)
    state.steps.append((row, step))
    state.sessions[step.session]?.navigationEventCount += 1
    state.merged.steps += 1
  }

  private func leave(_ step: LearnerRecord.NavigationEventRow, in session: OpenedSession) throws {
    let end = leaving(step, in: session)
    try database.execute(
      sql: "UPDATE navigationEvent SET leftAt = ?, activeMs = ? WHERE session = ? AND sequence = ?",
      arguments: [end.at.milliseconds, end.activeMs, session.id.rawValue, step.sequence])
  }

  /// If two copies of a database have ended the same visit independently, the later end is stored.
  private func extendLastVisit(_ session: inout OpenedSession) throws {
    guard let step = session.last, let leftAt = step.leftAt else { return }
    let stored = try Row.fetchOne(
      database, sql: "SELECT leftAt, activeMs FROM navigationEvent WHERE session = ? AND sequence = ?",
      arguments: [session.id.rawValue, step.sequence])
    guard let stored, let storedLeftAt: Int64 = stored["leftAt"],
      (leftAt.milliseconds, step.activeMs ?? 0) > (storedLeftAt, stored["activeMs"] ?? 0)
    else { return }
    try leave(step, in: session)
    session.isLeftLater = session.record.endedAt != nil
  }

  /// Returns when a visit ended and how long the learner was active. A visit that has not ended is ended at the
  /// learner's last input.
  private func leaving(_ step: LearnerRecord.NavigationEventRow, in session: OpenedSession) -> (
    at: Timestamp, activeMs: Int64
  ) {
    let leftAt = step.leftAt ?? max(step.at, session.record.lastInputAt)
    let duration = leftAt.milliseconds - step.at.milliseconds
    return (leftAt, step.activeMs ?? min(max(0, session.record.activeMs), max(0, duration)))
  }

  /// Checks that an event with a sequence number is the same in the database and in the record.
  ///
  /// - Parameters:
  ///   - uuid: The UUID of the event in the record.
  ///   - sql: A query for the UUID and the values of the event with a sequence number in a session.
  ///   - content: The values of the event in the record.
  /// - Throws: ``LearningDatabaseError/fork(session:)`` if the database contains another event with this number, and
  ///   ``LearningDatabaseError/otherContent(uuid:)`` if the same event has other values.
  private func check(
    _ uuid: String, is sequence: Int, in session: OpenedSession, named sql: String,
    _ content: [(any DatabaseValueConvertible)?]
  ) throws {
    let stored = try Row.fetchOne(
      database.cachedStatement(sql: sql), arguments: [session.id.rawValue, sequence])
    guard let stored, stored["uuid"] == uuid else { throw LearningDatabaseError.fork(session: session.record.uuid) }
    guard Array(stored.databaseValues.dropFirst()) == content.map({ $0?.databaseValue ?? .null }) else {
      throw LearningDatabaseError.otherContent(uuid: uuid)
    }
  }

  private static let knownStepSQL =
    "SELECT uuid, operation, at, toNode FROM navigationEvent WHERE session = ? AND sequence = ?"
  private static let knownActSQL =
    "SELECT uuid, kind, at, node, orderedAt FROM activityEvent WHERE session = ? AND sequence = ?"

  private func insert(_ step: LearnerRecord.NavigationEventRow, of session: OpenedSession, in state: MergeState)
    throws -> Int64
  {
    let (nodes, learner) = (state.nodes, state.learner)
    let end = leaving(step, in: session)
    // `clock` is computed from a limited time, so that an event from the future does not take precedence over all later
    // events.
    let sql = """
      INSERT INTO navigationEvent (
        uuid, learner, session, sequence, operation, returnsTo, transition, direction, reason, movingNode, animated,
        cause, fromKind, fromNode, toKind, toNode, stack, at, clock, leftAt, activeMs, courseRevision)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
        max(?22, ifnull((
          SELECT clock FROM navigationEvent INDEXED BY navigationEventOfLearner
          WHERE learner = ?2 ORDER BY id DESC LIMIT 1), ?22)),
        ?19, ?20, ?21)
      """
    try database.cachedStatement(sql: sql).execute(arguments: [
      step.uuid, learner.rawValue, session.id.rawValue, step.sequence, step.operation.rawValue, step.returnsTo,
      step.transition?.kind.rawValue, step.transition?.direction?.rawValue, step.transition?.reason.rawValue,
      try step.transition?.node.map { try nodes[$0].rawValue }, step.animated, step.cause.rawValue,
      step.from?.kind.rawValue, try step.from?.node.map { try nodes[$0].rawValue }, step.to.kind.rawValue,
      try step.to.node.map { try nodes[$0].rawValue }, StackText.write(try step.stack.map { try nodes[$0] }),
      step.at.milliseconds, end.at.milliseconds, end.activeMs, step.courseRevision,
      step.at.limited(at: state.now).milliseconds,
    ])
    return database.lastInsertedRowID
  }

  private func merge(_ event: LearnerRecord.ActivityEventRow, in state: inout MergeState) throws {
    guard let session = state.sessions[event.session] else { return }
    guard event.sequence < session.erasureCut?.act ?? .max else {
      state.sessions[event.session]?.exceedsErasureCut = true
      return
    }
    let node = try state.nodes[event.node]
    if event.sequence <= session.activityEventCount {
      return try check(
        event.uuid, is: event.sequence, in: session, named: Self.knownActSQL,
        [event.kind.rawValue, event.at.milliseconds, node.rawValue, event.orderedAt])
    }
    try reopen(event.session, in: &state)
    let sql = """
      INSERT INTO activityEvent (uuid, learner, session, sequence, node, kind, detail, score, at, orderedAt)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    try database.cachedStatement(sql: sql).execute(arguments: [
      event.uuid, state.learner.rawValue, session.id.rawValue, event.sequence, node.rawValue, event.kind.rawValue,
      event.detail, event.score, event.at.milliseconds, event.orderedAt,
    ])
    state.activityEvents[node] = min(state.activityEvents[node] ?? event.at, event.at)
    state.sessions[event.session]?.activityEventCount += 1
    state.merged.activities += 1
  }

  // MARK: - Derived tables

  /// Updates the derived tables with the added events.
  private func updateProjections(_ state: MergeState) throws {
    let learner = state.learner
    var chains: [Int: String] = [:]
    for (row, step) in state.steps {
      guard let number = step.to.node else { continue }
      let node = try state.nodes[number]
      let chain = try chains[number] ?? StackText.write(try snapshot.chain(to: node).map(\.id))
      if chains.updateValue(chain, forKey: number) == nil { try noteLastVisits(chain, learner: learner, by: state.now) }
      try recordSubtreeVisits(chain, learner: learner, event: row, at: step.at)
      if step.operation.scores { try score(node, for: learner, visitedAt: step.at) }
      if step.to.kind == .activity { try recordOpening(of: node, by: learner, at: step.at) }
    }
    for (node, firstAt) in state.activityEvents {
      try recordOpening(of: node, by: learner, at: firstAt)
      try updateActivityProjections(in: node, by: learner)
    }
  }
}

extension StoreSnapshot {
  /// Returns the numbers of navigation events and activity events of a session.
  func contentLengths(of session: SessionID) throws -> (steps: Int, acts: Int) {
    try first(Self.lengthsSQL, session) { (steps: $0[0], acts: $0[1]) } ?? (0, 0)
  }

  private static let lengthsSQL = StatementText(
    """
    SELECT (SELECT ifnull(max(sequence), 0) FROM navigationEvent WHERE session = ?1),
      (SELECT ifnull(max(sequence), 0) FROM activityEvent WHERE session = ?1)
    """)
}

/// The IDs that the nodes of a record have in this database, by their indices in the record.
struct NodeList {
  struct NoNode: Error {}

  var ids: [NodeID] = []

  subscript(number: Int) -> NodeID {
    get throws {
      guard ids.indices.contains(number) else { throw NoNode() }
      return ids[number]
    }
  }
}

/// The part of a session that was not merged because the session is open in this database.
package struct SkippedSession: Hashable, Sendable {
  /// The session in this database.
  package var record: SessionRecord
  /// The number of navigation events that are missing in this database.
  package var steps: Int
  /// The number of activity events that are missing in this database.
  package var activities: Int
  /// Whether both databases have continued the session.
  package var isForked: Bool
}

extension StoreSnapshot {
  /// Returns the part of an open session that only a record contains, or `nil` if the record contains no further
  /// events.
  func skipped(_ stored: SessionRecord, of record: LearnerRecord) throws -> SkippedSession? {
    let uuid = stored.session.uuid
    let lengths = try contentLengths(of: stored.session.id)
    let steps = record.steps.filter { $0.session == uuid }.map { (sequence: $0.sequence, uuid: $0.uuid) }
    let events = record.activities.filter { $0.session == uuid }.map { (sequence: $0.sequence, uuid: $0.uuid) }
    var skipped = SkippedSession(
      record: stored, steps: steps.count { $0.sequence > lengths.steps },
      activities: events.count { $0.sequence > lengths.acts }, isForked: false)
    // Sequence numbers have no gaps. If both logs have the same event at the last common number, they agree up to it.
    let lastStep = steps.last { $0.sequence <= lengths.steps }
    let lastAct = events.last { $0.sequence <= lengths.acts }
    if try lastStep.map({ try value(Self.stepNameSQL, stored.session.id, $0.sequence) != $0.uuid }) ?? false
      || lastAct.map({ try value(Self.actNameSQL, stored.session.id, $0.sequence) != $0.uuid }) ?? false
    {
      skipped.isForked = true
      let names = try names(inSession: uuid)
      let (stepsHere, actsHere) = (Set(names?.steps ?? []), Set(names?.acts ?? []))
      skipped.steps = steps.count { !stepsHere.contains($0.uuid) }
      skipped.activities = events.count { !actsHere.contains($0.uuid) }
    }
    return skipped.steps > 0 || skipped.activities > 0 ? skipped : nil
  }

  private static let stepNameSQL = StatementText("SELECT uuid FROM navigationEvent WHERE session = ? AND sequence = ?")
  private static let actNameSQL = StatementText("SELECT uuid FROM activityEvent WHERE session = ? AND sequence = ?")
}

// Nodes that a learner has visited in another database and that no course of this database contains.

extension StoreTransaction {
  /// Finds the nodes of a record by their keys. A missing node is stored as removed, with its title and path, so that
  /// the history can show it. It is restored when a course that contains it is imported.
  func adopt(_ nodes: [LearnerRecord.Node], into merged: inout MergedRecord) throws -> NodeList {
    var list = NodeList()
    for node in nodes {
      let course = try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT id FROM contentNode WHERE parent IS NULL AND key = ?"),
        arguments: [node.course])
      let stored = try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT id FROM contentNode WHERE course = ? AND key = ?"),
        arguments: [course, node.key])
      if let stored {
        list.ids.append(NodeID(rawValue: stored))
        continue
      }
      merged.unknownNodes += 1
      if let course {
        let parent = try node.parent.map { try list[$0] } ?? NodeID(rawValue: course)
        list.ids.append(try adopt(node, in: NodeID(rawValue: course), under: parent))
      } else {
        guard node.parent == nil else { throw NodeList.NoNode() }
        list.ids.append(try adoptCourse(node))
      }
    }
    return list
  }

  private func adoptCourse(_ node: LearnerRecord.Node) throws -> NodeID {
    let id = 1 + (try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'contentNode'") ?? 0)
    try database.execute(
      sql: """
        INSERT INTO contentNode (id, course, key, kind, position, slug, title, removedInRevision, toldKind)
        VALUES (?1, ?1, ?2, 'course', 0, ?3, ?4, 1, ?5)
        """, arguments: [id, node.key, node.slug, node.title, node.laterKind])
    try database.execute(
      sql: "INSERT INTO course (node, sourceFormat, revision) VALUES (?, 'learner', 1)", arguments: [id])
    try database.execute(
      sql: """
        INSERT INTO courseRevision (course, number, importedAt, added, moved, renamed, changed, removed, unchanged)
        VALUES (?, 1, 0, 0, 0, 0, 0, 0, 0)
        """, arguments: [id])
    return NodeID(rawValue: id)
  }

  private func adopt(_ node: LearnerRecord.Node, in course: NodeID, under parent: NodeID) throws -> NodeID {
    // The parent may be of another kind in this database. The node is then added under its nearest ancestor of a
    // permitted kind.
    let chain = try snapshot.chain(to: parent).filter { $0.course == course }
    // A node of an unknown kind is stored as a lesson, because a lesson can have children.
    let recordedKind = ContentKind(rawValue: node.kind.rawValue) ?? .lesson
    let permittedParent = chain.last { recordedKind.isAllowed(under: $0.kind) }
    let kind = permittedParent == nil ? ContentKind.goal : recordedKind
    try database.execute(
      sql: """
        INSERT INTO contentNode (course, parent, key, kind, position, slug, title, removedInRevision, toldKind)
        VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, (SELECT revision FROM course WHERE node = ?1), ?7)
        """,
      arguments: [
        course.rawValue, (permittedParent?.id ?? course).rawValue, node.key, kind.rawValue, node.slug, node.title,
        node.laterKind,
      ])
    return NodeID(rawValue: database.lastInsertedRowID)
  }
}

extension LearnerRecord.Node {
  /// The raw value of the kind if only a later version of the program supports it, otherwise `nil`.
  fileprivate var laterKind: String? {
    if case .other(let word) = kind { word } else { nil }
  }
}
