import GRDB
public import LearningModel

/// What came in from a learner's record.
public struct MergedRecord: Hashable, Sendable {
  /// The learner.
  public var learner: Learner
  /// Sittings that were not here, or are here longer now.
  public var sessions = 0
  /// Steps in them.
  public var steps = 0
  /// Things done in them.
  public var activities = 0
  /// Nodes that no course has here; they are kept as removed, until a course that has them is imported.
  public var unknownNodes = 0
}

extension StoreTransaction {
  /// Merges everything of a learner into what is here of the learner of that name.
  ///
  /// A session is known by its name everywhere. One that is here stays, unless the record has it longer, or to its end; one
  /// that is open here is still being lived, and stays in any case. One that was open when it was exported ends here at its
  /// last input, and is known to go on elsewhere. Things done count in whatever the activity has become here since.
  /// Bookmarks come together and so does what was read, of two reading positions the later one counts, settings come where
  /// there are none. So a record merged twice changes nothing the second time.
  ///
  /// - Throws: ``LearningStoreError/contradictoryRecord(learner:detail:)``.
  public func merge(_ record: LearnerRecord) throws -> MergedRecord {
    do {
      var merged = MergedRecord(learner: try makeLearner(named: record.name, at: record.createdAt))
      let nodes = try adopt(record.nodes, into: &merged)
      var rows: [String: Int64] = [:]
      let sittings = try begin(record, as: merged.learner.id, keeping: &rows)
      merged.sessions = sittings.count
      for step in record.steps {
        guard let sitting = sittings[step.session] else { continue }
        try insert(step, of: sitting, learner: merged.learner.id, nodes: nodes)
        merged.steps += 1
      }
      try database.execute(sql: "INSERT INTO merging (learner) VALUES (?)", arguments: [merged.learner.id.rawValue])
      for act in record.activities {
        guard let sitting = sittings[act.session] else { continue }
        try insert(act, at: rows[act.uuid], of: sitting.id, learner: merged.learner.id, nodes: nodes)
        merged.activities += 1
      }
      try database.execute(sql: "DELETE FROM merging")
      for (id, sitting) in sittings.values {
        try database.execute(
          sql: "UPDATE session SET lockFile = NULL, endedAt = ? WHERE id = ?",
          arguments: [max(sitting.startedAt, sitting.endedAt ?? sitting.lastInputAt).milliseconds, id.rawValue])
      }
      try mergeFacts(of: record, for: merged.learner.id, nodes: nodes)
      if !sittings.isEmpty { try rebuildProjections(of: merged.learner.id) }
      return merged
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw LearningStoreError.contradictoryRecord(
        learner: record.name, detail: error.message ?? "\(error.resultCode)")
    } catch is NodeList.NoNode {
      throw LearningStoreError.contradictoryRecord(
        learner: record.name, detail: "it names a node that it does not list")
    }
  }

  private typealias Begun = (id: SessionID, sitting: LearnerRecord.Sitting)

  /// Begins the sittings that are new here, and begins those anew that the record has longer.
  ///
  /// - Parameter rows: Takes in the rows of the things done in those, by their names. What made an activity done is told by
  ///   their order, so they keep it.
  private func begin(
    _ record: LearnerRecord, as learner: LearnerID, keeping rows: inout [String: Int64]
  ) throws -> [String: Begun] {
    var steps: [String: Int] = [:]
    var activities: [String: Int] = [:]
    for step in record.steps { steps[step.session, default: 0] += 1 }
    for act in record.activities { activities[act.session, default: 0] += 1 }

    var begun: [String: Begun] = [:]
    for sitting in record.sessions {
      let known = try Row.fetchOne(
        database,
        sql: """
          SELECT id, endedAt IS NULL, lastInputAt, openElsewhere,
            (SELECT count(*) FROM navigationEvent WHERE session = session.id),
            (SELECT count(*) FROM activityEvent WHERE session = session.id), learner
          FROM session WHERE uuid = ?
          """, arguments: [sitting.uuid])
      if let known {
        let other = LearnerID(rawValue: known[6])
        guard other == learner else {
          throw LearningStoreError.anotherLearner(
            learner: record.name, other: try snapshot.learner(other)?.name ?? "")
        }
        let here = (steps: known[4] as Int, activities: known[5] as Int, lastInputAt: known[2] as Int64)
        let there = (
          steps: steps[sitting.uuid] ?? 0, activities: activities[sitting.uuid] ?? 0,
          lastInputAt: sitting.lastInputAt.milliseconds
        )
        let isOpen: Bool = known[1]
        let isEnding = known[3] as Bool && sitting.endedAt != nil
        guard !isOpen, there != here || isEnding, there.steps >= here.steps, there.activities >= here.activities,
          there.lastInputAt >= here.lastInputAt
        else { continue }
        let acts = "SELECT uuid, id FROM activityEvent WHERE session = ?"
        for act in try Row.fetchAll(database, sql: acts, arguments: [known[0] as Int64]) { rows[act[0]] = act[1] }
        try forget(sessions: [known[0]], of: learner)
      }
      // Under a lock file's name it cannot be taken for the one open session of its own name.
      let id = try Int64.fetchOne(
        database,
        sql: """
          INSERT INTO session (uuid, learner, name, timeZone, lockFile, startedAt, lastInputAt, activeMs, openElsewhere)
          VALUES (?1, ?2, ?3, ?4, ?1, ?5, ?6, ?7, ?8) RETURNING id
          """,
        arguments: [
          sitting.uuid, learner.rawValue, sitting.name, sitting.timeZone, sitting.startedAt.milliseconds,
          sitting.lastInputAt.milliseconds, sitting.activeMs, sitting.endedAt == nil,
        ])
      begun[sitting.uuid] = (SessionID(rawValue: id ?? 0), sitting)
    }
    return begun
  }

  private func insert(_ step: LearnerRecord.Step, of begun: Begun, learner: LearnerID, nodes: NodeList) throws {
    let leftAt = step.leftAt ?? max(step.at, begun.sitting.lastInputAt)
    let stayed = leftAt.milliseconds - step.at.milliseconds
    let sql = """
      INSERT INTO navigationEvent (
        uuid, learner, session, sequence, operation, returnsTo, transition, direction, reason, movingNode, animated,
        cause, fromKind, fromNode, toKind, toNode, stack, at, clock, leftAt, activeMs, courseRevision)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
        max(?18, ifnull((
          SELECT clock FROM navigationEvent INDEXED BY navigationEventOfLearner
          WHERE learner = ?2 ORDER BY id DESC LIMIT 1), ?18)),
        ?19, ?20, ?21)
      """
    try database.cachedStatement(sql: sql).execute(arguments: [
      step.uuid, learner.rawValue, begun.id.rawValue, step.sequence, step.operation.rawValue, step.returnsTo,
      step.transition?.kind.rawValue, step.transition?.direction?.rawValue, step.transition?.reason.rawValue,
      try step.transition?.node.map { try nodes[$0].rawValue }, step.animated, step.cause.rawValue,
      step.from?.kind.rawValue, try step.from?.node.map { try nodes[$0].rawValue }, step.to.kind.rawValue,
      try step.to.node.map { try nodes[$0].rawValue }, StackText.write(try step.stack.map { try nodes[$0] }),
      step.at.milliseconds, leftAt.milliseconds, step.activeMs ?? min(max(0, begun.sitting.activeMs), max(0, stayed)),
      step.courseRevision,
    ])
  }

  private func insert(
    _ act: LearnerRecord.Act, at row: Int64?, of session: SessionID, learner: LearnerID, nodes: NodeList
  ) throws {
    let sql = """
      INSERT INTO activityEvent (id, uuid, learner, session, node, kind, detail, score, at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    try database.cachedStatement(sql: sql).execute(arguments: [
      row, act.uuid, learner.rawValue, session.rawValue, try nodes[act.node].rawValue, act.kind.rawValue, act.detail,
      act.score, act.at.milliseconds,
    ])
  }

  private func mergeFacts(of record: LearnerRecord, for learner: LearnerID, nodes: NodeList) throws {
    for mark in record.bookmarks {
      _ = try setBookmark(true, at: nodes[mark.node], for: learner, at: mark.createdAt)
    }
    for position in record.positions {
      let node = try nodes[position.node]
      if let here = try snapshot.readingPosition(of: node, for: learner), here.savedAt >= position.savedAt { continue }
      try save(
        StoredReadingPosition(
          block: position.block, blockOffset: position.blockOffset, fraction: position.fraction,
          heading: position.heading, savedAt: position.savedAt), of: node, for: learner)
    }
    for quiz in record.quizzes ?? [] {
      let node = try nodes[quiz.node]
      if let here = try snapshot.unfinishedQuiz(of: node, for: learner), here.savedAt >= quiz.savedAt { continue }
      try save(
        StoredQuiz(
          questions: quiz.questions, answers: quiz.answers, question: quiz.question, isChecked: quiz.isChecked,
          savedAt: quiz.savedAt), of: node, for: learner)
    }
    for passage in record.passages ?? [] {
      try keep(
        [passage.digest: RangeSet(characters: passage.characters)], readIn: nodes[passage.node], by: learner,
        at: passage.savedAt)
    }
    for (name, value) in record.settings where try snapshot.setting(name, of: learner) == nil {
      try set(value, forSetting: name, of: learner)
    }
  }
}

/// The nodes of a record as they are here.
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
