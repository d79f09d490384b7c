import GRDB
public import LearningModel

extension StoreSnapshot {
  /// Returns everything of one learner; `nil` where there is no such learner.
  public func record(of id: LearnerID) throws -> LearnerRecord? {
    let found = try Row.fetchOne(
      database, sql: "SELECT name, createdAt FROM learner WHERE id = ?", arguments: [id.rawValue])
    guard let found else { return nil }
    var record = LearnerRecord(name: found[0], createdAt: Timestamp(milliseconds: found[1]))
    let numbers = NodeNumbers(self)

    let sessions = try sessions(of: id).reversed()
    let names = Dictionary(uniqueKeysWithValues: sessions.map { ($0.session.id, $0.session.uuid) })
    record.sessions = sessions.map { sitting in
      let session = sitting.session
      return LearnerRecord.Sitting(
        uuid: session.uuid, name: session.name, timeZone: session.timeZone, startedAt: session.startedAt,
        lastInputAt: session.lastInputAt, activeMs: sitting.presence.activeMilliseconds,
        endedAt: sitting.isOpenElsewhere ? nil : session.endedAt)
    }
    record.steps = try all(Self.stepsOfLearnerText, id) { row in
      try LearnerRecord.Step(LoggedStep(row: row), sessions: names, numbers: numbers)
    }
    // What goes on elsewhere goes out as it came in: with its last visit.
    for session in sessions where session.isOpenElsewhere {
      guard let last = record.steps.lastIndex(where: { $0.session == session.session.uuid }) else { continue }
      record.steps[last].leftAt = nil
      record.steps[last].activeMs = nil
    }
    record.activities = try activityEvents(of: id, under: nil, kinds: ActivityEventKind.allCases, limit: nil)
      .reversed().map { event in
        LearnerRecord.Act(
          uuid: event.uuid, session: names[event.session] ?? "", node: try numbers[event.node], kind: event.kind,
          detail: event.detail, score: event.score, at: event.at)
      }
    try readFacts(of: id, into: &record, numbers: numbers)
    record.nodes = numbers.nodes
    return record
  }

  private static let stepsOfLearnerText = StatementText(
    "SELECT \(LoggedStep.columns) FROM navigationEvent AS event WHERE learner = ? ORDER BY id")

  private func readFacts(of id: LearnerID, into record: inout LearnerRecord, numbers: NodeNumbers) throws {
    record.bookmarks = try bookmarks(of: id).reversed().map {
      LearnerRecord.Mark(node: try numbers[$0.node], createdAt: $0.createdAt)
    }
    record.positions = try Row.fetchAll(
      database,
      sql: """
        SELECT node, block, blockOffset, fraction, heading, savedAt FROM readingPosition
        WHERE learner = ? ORDER BY savedAt, node
        """,
      arguments: [id.rawValue]
    ).map {
      LearnerRecord.Position(
        node: try numbers[NodeID(rawValue: $0[0])], block: $0[1], blockOffset: $0[2], fraction: $0[3], heading: $0[4],
        savedAt: Timestamp(milliseconds: $0[5]))
    }
    record.quizzes = try unfinishedQuizzes(of: id).map { node, quiz in
      LearnerRecord.Quiz(
        node: try numbers[node], questions: quiz.questions, answers: quiz.answers, question: quiz.question,
        isChecked: quiz.isChecked, savedAt: quiz.savedAt)
    }
    record.passages = try Row.fetchAll(
      database,
      sql: """
        SELECT node, digest, characters, savedAt FROM passageRead WHERE learner = ? ORDER BY savedAt, node, digest
        """,
      arguments: [id.rawValue]
    ).map {
      LearnerRecord.ReadPassage(
        node: try numbers[NodeID(rawValue: $0[0])], digest: $0[1], characters: $0[2],
        savedAt: Timestamp(milliseconds: $0[3]))
    }
    for row in try Row.fetchAll(
      database, sql: "SELECT name, value FROM learnerSetting WHERE learner = ?", arguments: [id.rawValue])
    {
      record.settings[row[0]] = row[1]
    }
  }
}

/// Numbers the nodes that a record names, parents first.
private final class NodeNumbers {
  private let snapshot: StoreSnapshot
  private var numbers: [NodeID: Int] = [:]
  private var courses: [NodeID: String] = [:]
  private(set) var nodes: [LearnerRecord.Node] = []

  init(_ snapshot: StoreSnapshot) {
    self.snapshot = snapshot
  }

  subscript(id: NodeID) -> Int {
    get throws {
      if let number = numbers[id] { return number }
      for node in try snapshot.chain(to: id) where numbers[node.id] == nil {
        if node.parent == nil { courses[node.id] = node.key }
        numbers[node.id] = nodes.count
        nodes.append(
          LearnerRecord.Node(
            course: courses[node.course] ?? "", key: node.key, parent: node.parent.flatMap { numbers[$0] },
            kind: node.kind, slug: node.slug, title: node.title))
      }
      return numbers[id] ?? 0
    }
  }
}

extension LearnerRecord.Step {
  fileprivate init(_ step: LoggedStep, sessions: [SessionID: String], numbers: NodeNumbers) throws {
    let event = step.event
    self.init(
      uuid: event.uuid, session: sessions[event.session] ?? "", sequence: event.sequence, operation: event.operation,
      returnsTo: step.returnsTo,
      transition: try event.transition.map {
        LearnerRecord.Look(
          kind: $0.kind, direction: $0.direction, reason: $0.reason, node: try $0.node.map { try numbers[$0] })
      }, animated: event.isAnimated, cause: event.cause,
      from: try step.fromKind.map {
        LearnerRecord.Spot(kind: $0, node: try event.from?.node.map { try numbers[$0] })
      }, to: LearnerRecord.Spot(kind: step.toKind, node: try event.to.node.map { try numbers[$0] }),
      stack: try event.stack.compactMap(\.node).map { try numbers[$0] }, at: event.at, leftAt: event.leftAt,
      activeMs: event.activeMilliseconds, courseRevision: event.courseRevision)
  }
}
