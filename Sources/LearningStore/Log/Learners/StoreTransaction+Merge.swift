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
}

extension StoreTransaction {
  /// Merges a learner's record into the store. Merging the same record twice has no further effect.
  ///
  /// The result is a union. Sessions are matched by UUID. Both logs of a session are gap-free, so only the events after
  /// the last stored sequence number are appended. The end of a visit or of a session is stored if it was not known.
  ///
  /// - Only the database that began a session adds events to it. If the record contains more events of a session of this
  ///   database, a copy of this database has continued it, and this database gets another UUID.
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
  ///   - isFromClient: Whether the record comes from a client of this server. A client that has continued a session of
  ///     this database must split the session, because another UUID of this database would affect all learners.
  /// - Throws: ``LearningDatabaseError/contradictoryRecord(learner:detail:)``,
  ///   ``LearningDatabaseError/anotherLearner(learner:other:)``, ``LearningDatabaseError/fork(session:)``,
  ///   ``LearningDatabaseError/otherContent(uuid:)``.
  package func merge(
    _ record: LearnerRecord, into target: Learner? = nil, at now: Timestamp, trustsTimes: Bool = false,
    isFromClient: Bool = false
  ) throws -> MergedRecord {
    if let rule = RecordRule.broken(by: record) {
      throw LearningDatabaseError.contradictoryRecord(learner: record.name, detail: rule.contradiction)
    }
    do {
      let learner = try target ?? makeLearner(named: record.name, uuid: record.uuid, at: record.createdAt)
      var state = MergeState(learner: learner, now: now, believesFacts: trustsTimes, isFromClient: isFromClient)
      try database.execute(sql: "INSERT INTO merging (learner) VALUES (?)", arguments: [learner.id.rawValue])
      let isCut = try erase(record.erased, of: learner.id)
      let lastEvent: Int64 = try snapshot.value("SELECT ifnull(max(id), 0) FROM activityEvent") ?? 0
      state.nodes = try adopt(record.nodes, isFromClient: isFromClient, into: &state.merged)
      try begin(record, in: &state)
      let firstSteps = Dictionary(record.steps.lazy.filter { $0.sequence == 1 }.map { ($0.session, $0) }) { $1 }
      for step in record.steps {
        // The first step of a session that was split off was written later than the other steps.
        if state.sessions[step.session]?.navigationEventCount == 0, let first = firstSteps[step.session] {
          try merge(first, in: &state)
        }
        try merge(step, in: &state)
      }
      for event in record.activities { try merge(event, in: &state) }
      try finish(&state)
      // Before the settings are merged: other weights compute all memories again.
      if !isCut { try markMemories(of: learner.id, addedAfter: lastEvent) }
      try mergeFacts(of: record, in: &state)
      try database.execute(sql: "DELETE FROM merging")
      if isCut { try rebuildProjections(of: learner.id) } else { try updateProjections(state, addedAfter: lastEvent) }
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
    let isFromClient: Bool
    var merged: MergedRecord
    var nodes = NodeList()
    /// The sessions to which the record may add events, by UUID.
    var sessions: [String: OpenedSession] = [:]
    /// The added navigation events with their row IDs.
    var steps: [(row: Int64, step: LearnerRecord.NavigationEventRow)] = []

    init(learner: Learner, now: Timestamp, believesFacts: Bool, isFromClient: Bool) {
      (self.learner, self.now, self.believesFacts) = (learner.id, now, believesFacts)
      self.isFromClient = isFromClient
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
    /// Whether this database has begun the session.
    var isOwn = false
    /// Whether the session has ended in this database.
    var hasEnded = false
    /// Whether the record contains events of the session that were erased here.
    var exceedsErasureCut = false
    /// Whether events or an end are added to the session.
    var isLonger = false
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
        let lengths = try snapshot.contentLengths(of: session.id)
        state.sessions[row.uuid] = OpenedSession(
          id: session.id, record: row, navigationEventCount: lengths.steps, activityEventCount: lengths.acts,
          erasureCut: cut, isOwn: stored.isOwn, hasEnded: session.endedAt != nil)
      } else if cut?.step != 1 {
        let id = try beginSession(row, of: state.learner)
        let isOwn = try !state.isFromClient && row.replica == snapshot.replicaState().uuid
        let session = OpenedSession(id: id, record: row, erasureCut: cut, isOwn: isOwn)
        state.sessions[row.uuid] = session
        try extend(session, in: &state)
      }
    }
  }

  private func beginSession(_ row: LearnerRecord.SessionRow, of learner: LearnerID) throws -> SessionID {
    try database.execute(
      sql: """
        INSERT INTO session (uuid, learner, name, timeZone, lockFile, startedAt, lastInputAt, activeMs, replica)
        VALUES (?1, ?2, ?3, ?4, '/' || ?1, ?5, ?6, ?7, ?8)
        """,
      arguments: [
        row.uuid, learner.rawValue, row.name, row.timeZone, row.startedAt.milliseconds,
        row.lastInputAt.milliseconds, row.activeMs, row.replica,
      ])
    return SessionID(rawValue: database.lastInsertedRowID)
  }

  /// Marks a session as extended. If this database has begun it, a copy of this database has continued it.
  ///
  /// - Throws: ``LearningDatabaseError/fork(session:)`` if the session has ended, because its owner adds nothing to it
  ///   then, or if a client has continued a session of this database.
  private func extend(_ session: OpenedSession, in state: inout MergeState) throws {
    guard !session.isLonger else { return }
    guard !session.hasEnded, !(session.isOwn && state.isFromClient) else {
      throw LearningDatabaseError.fork(session: session.record.uuid)
    }
    state.sessions[session.record.uuid]?.isLonger = true
    if session.isOwn { try renewReplica() }
  }

  private func finish(_ state: inout MergeState) throws {
    for session in state.sessions.values where !session.hasEnded {
      let row = session.record
      // A record that ends before the last stored visit does not know how the session ended.
      let isLeft = try snapshot.lastNavigationEvent(of: session.id).map { $0.event.leftAt != nil } ?? true
      let endedAt = isLeft ? row.endedAt.map { max(row.startedAt, $0) } : nil
      if endedAt != nil, !session.exceedsErasureCut { try extend(session, in: &state) }
      let isLonger = state.sessions[row.uuid]?.isLonger ?? false
      if isLonger { state.merged.sessions += 1 }
      if session.exceedsErasureCut {
        try end(cut: session.id)
      } else if isLonger || !session.isOwn {
        try database.execute(
          sql: """
            UPDATE session SET lockFile = iif(?4 IS NULL, '/' || uuid, NULL), lastInputAt = max(lastInputAt, ?2),
              activeMs = iif(?4 IS NOT NULL, 0, iif(?2 < lastInputAt, activeMs, ?3)), endedAt = ?4
            WHERE id = ?1
            """,
          arguments: [session.id.rawValue, row.lastInputAt.milliseconds, row.activeMs, endedAt?.milliseconds])
      }
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
      // The end of the last stored visit was not known when it was merged.
      try database.cachedStatement(
        sql: """
          UPDATE navigationEvent SET leftAt = ?1, activeMs = ?2
          WHERE session = ?3 AND sequence = ?4 AND leftAt IS NULL AND ?1 IS NOT NULL
          """
      ).execute(arguments: [step.leftAt?.milliseconds, step.activeMs, session.id.rawValue, step.sequence])
      if database.changesCount > 0 { try extend(session, in: &state) }
      return
    }
    try extend(session, in: &state)
    let row = try insert(step, of: session, in: state)
    state.steps.append((row, step))
    state.sessions[step.session]?.navigationEventCount += 1
    state.merged.steps += 1
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
    try add(
      step.uuid, to: session, in: state, sql,
      [
        step.uuid, learner.rawValue, session.id.rawValue, step.sequence, step.operation.rawValue, step.returnsTo,
        step.transition?.kind.rawValue, step.transition?.direction?.rawValue, step.transition?.reason.rawValue,
        try step.transition?.node.map { try nodes[$0].rawValue }, step.animated, step.cause.rawValue,
        step.from?.kind.rawValue, try step.from?.node.map { try nodes[$0].rawValue }, step.to.kind.rawValue,
        try step.to.node.map { try nodes[$0].rawValue }, StackText.write(try step.stack.map { try nodes[$0] }),
        step.at.milliseconds, step.leftAt?.milliseconds, step.activeMs, step.courseRevision,
        step.at.limited(at: state.now).milliseconds,
      ])
    return database.lastInsertedRowID
  }

  /// Adds an event to a session.
  ///
  /// - Throws: ``LearningDatabaseError/fork(session:)`` if another session contains the event. The error contains the
  ///   session of the server.
  private func add(
    _ uuid: String, to session: OpenedSession, in state: MergeState, _ sql: String, _ arguments: StatementArguments
  ) throws {
    do {
      try database.cachedStatement(sql: sql).execute(arguments: arguments)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      let other: String? = try snapshot.value(Self.sessionOfEventSQL, uuid, state.learner)
      guard let other, other != session.record.uuid else { throw error }
      throw LearningDatabaseError.fork(session: state.isFromClient ? other : session.record.uuid)
    }
  }

  private static let sessionOfEventSQL = StatementText(
    """
    SELECT uuid FROM session WHERE id IN (
      SELECT session FROM navigationEvent WHERE uuid = ?1 AND learner = ?2
      UNION ALL
      SELECT session FROM activityEvent WHERE uuid = ?1 AND learner = ?2)
    """)

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
    try extend(session, in: &state)
    let sql = """
      INSERT INTO activityEvent (uuid, learner, session, sequence, node, kind, detail, score, at, orderedAt)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    try add(
      event.uuid, to: session, in: state, sql,
      [
        event.uuid, state.learner.rawValue, session.id.rawValue, event.sequence, node.rawValue, event.kind.rawValue,
        event.detail, event.score, event.at.milliseconds, event.orderedAt,
      ])
    state.sessions[event.session]?.activityEventCount += 1
    state.merged.activities += 1
  }

  // MARK: - Derived tables

  /// Updates the derived tables with the added navigation events, and the activity events that have higher row IDs.
  private func updateProjections(_ state: MergeState, addedAfter lastEvent: Int64) throws {
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
    let activities = try snapshot.all(Self.addedToSQL, lastEvent, learner) { row in
      (node: row[0] as NodeID, firstAt: row[1] as Timestamp, hasNotes: row[2] as Bool, changesProgress: row[3] as Bool)
    }
    for activity in activities {
      let wasBegun = try recordOpening(of: activity.node, by: learner, at: activity.firstAt)
      if activity.hasNotes { try updateNotes(in: activity.node, by: learner) }
      if activity.changesProgress {
        try updateProgress(in: activity.node, by: learner)
      } else if !wasBegun {
        try updateBegun(activity.node, by: learner)
      }
    }
  }

  /// As for an event of this database, an event of a card changes the progress only if it is an answer in a deck of
  /// flashcards or undoes another event.
  private static let addedToSQL = StatementText(
    """
    SELECT node, min(at), max(kind IN ('noted', 'noteRemoved', 'cardUndone')),
      max(kind NOT IN ('noted', 'noteRemoved')
        AND (kind NOT GLOB 'card*' OR kind = 'cardUndone' OR detail ->> 'card' IS NOT NULL))
    FROM activityEvent NOT INDEXED WHERE id > ? AND learner = ? GROUP BY node
    """)
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

// Nodes that a learner has visited in another database and that no course of this database contains.

extension StoreTransaction {
  /// Finds the nodes of a record by their keys. A missing node is stored as removed, with its title and path, so that
  /// the history can show it. It is restored when a course that contains it is imported.
  ///
  /// A node that only the other database has under a key is also found by its other key. A client must not change which
  /// keys belong to the courses of a server, so its other keys are stored only for nodes that no course contains. Such a
  /// node receives the title of its renamed page with its other key. The first other key stays.
  func adopt(
    _ nodes: [LearnerRecord.Node], isFromClient: Bool, into merged: inout MergedRecord
  ) throws -> NodeList {
    var list = NodeList()
    for node in nodes {
      let course = try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT id FROM contentNode WHERE parent IS NULL AND key = ?"),
        arguments: [node.course])
      if let stored = try course.flatMap({ try self.stored(node, in: $0, isFromClient: isFromClient) }) {
        list.ids.append(stored)
        continue
      }
      merged.unknownNodes += 1
      if let course {
        let parent = try node.parent.map { try list[$0] } ?? NodeID(rawValue: course)
        list.ids.append(try adopt(node, in: NodeID(rawValue: course), under: parent))
        if let other = node.sourceKey { _ = try add(otherKey: other, of: list.ids.last!, in: course) }
      } else {
        guard node.parent == nil else { throw NodeList.NoNode() }
        list.ids.append(try adoptCourse(node))
      }
    }
    return list
  }

  private func stored(_ node: LearnerRecord.Node, in course: Int64, isFromClient: Bool) throws -> NodeID? {
    if let known = try self.node(withKey: node.key, in: course) {
      if let other = node.sourceKey, try snapshot.node(known)?.isRemoved == true,
        try add(otherKey: other, of: known, in: course)
      {
        try run("UPDATE contentNode SET title = ? WHERE id = ?", node.title, known)
      }
      return known
    }
    guard !isFromClient, let other = node.sourceKey, let known = try self.node(withKey: other, in: course),
      try add(otherKey: node.key, of: known, in: course)
    else { return nil }
    return known
  }

  private func node(withKey key: String, in course: Int64) throws -> NodeID? {
    try snapshot.first(Self.nodeWithAnyKeySQL, course, key) { $0[0] }
  }

  private static let nodeWithAnyKeySQL = StatementText(
    """
    SELECT id FROM contentNode WHERE course = ?1 AND key = ?2
    UNION ALL SELECT node FROM sourceKey WHERE course = ?1 AND key = ?2
    """)

  /// Stores another key of a node. Returns `false` if the node has another one, or if another node has the key.
  private func add(otherKey key: String, of node: NodeID, in course: Int64) throws -> Bool {
    guard try self.node(withKey: key, in: course) == nil else { return false }
    try run("INSERT OR IGNORE INTO sourceKey (node, course, key) VALUES (?, ?, ?)", node, course, key)
    return database.changesCount > 0
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
