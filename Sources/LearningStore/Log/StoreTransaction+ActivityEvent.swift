public import LearningModel

/// A thing done that is to be written into the log.
public struct ActivityDraft: Hashable, Sendable {
  /// Its name everywhere, as lower-case hexadecimal digits with hyphens.
  public var uuid: String
  /// Whose session.
  public var session: Session
  /// In which activity.
  public var node: NodeID
  /// What was done.
  public var kind: ActivityEventKind
  /// What was answered or graded, as JSON. Of a graded card: `card`, its number from 0, and `of`, how many there are. Of a
  /// quiz: `pass`, the share that passes; without it any does.
  public var detail: String?
  /// The share that was right, 0…1.
  public var score: Double?
  /// When.
  public var at: Timestamp

  /// Makes a draft from all that is known of it.
  public init(
    uuid: String, session: Session, node: NodeID, kind: ActivityEventKind, detail: String?, score: Double?,
    at: Timestamp
  ) {
    self.uuid = uuid
    self.session = session
    self.node = node
    self.kind = kind
    self.detail = detail
    self.score = score
    self.at = at
  }
}

extension StoreTransaction {
  /// Writes a thing done into the log, and what follows from it into the progress.
  ///
  /// - Returns: The row.
  public func append(_ draft: ActivityDraft) throws -> Int64 {
    try run(
      Self.actText, draft.uuid, draft.session.learner, draft.session.id, draft.node, draft.kind.rawValue, draft.detail,
      draft.score, draft.at)
    let id = lastRow
    try fold(draft.kind, in: draft.node, by: draft.session.learner, event: id, at: draft.at)
    return id
  }

  private static let actText = StatementText(
    "INSERT INTO activityEvent (uuid, learner, session, node, kind, detail, score, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")

  /// Lets a thing done change the progress: the one rule of what makes an activity done.
  ///
  /// - Parameter event: Its row in the log. Cards graded up to it count, and of a quiz whether that passed.
  func fold(
    _ kind: ActivityEventKind, in node: NodeID, by learner: LearnerID, event: Int64, at moment: Timestamp
  ) throws {
    try begin(node, for: learner, at: moment)
    switch kind {
    case .seenToEnd, .markedDone:
      try setDone(node, for: learner, since: moment)
    case .quizChecked:
      if try snapshot.value(Self.passedText, event) ?? false { try setDone(node, for: learner, since: moment) }
    case .markedNotDone:
      try setDone(node, for: learner, since: nil)
    case .cardGraded:
      if try snapshot.isEveryCardGraded(of: node, by: learner, upTo: event) {
        try setDone(node, for: learner, since: moment)
      }
    }
  }
}

extension StoreTransaction {
  private static let passedText = StatementText(
    "SELECT ifnull(score, 1) >= ifnull(json_extract(detail, '$.pass'), 0) FROM activityEvent WHERE id = ?")
}

extension StoreSnapshot {
  /// Whether every card of an activity was graded since it was last taken to be not done.
  func isEveryCardGraded(of node: NodeID, by learner: LearnerID, upTo event: Int64) throws -> Bool {
    try value(Self.everyCardText, learner, node, event) ?? false
  }

  private static let everyCardText = StatementText(
    """
    SELECT ifnull(count(DISTINCT json_extract(detail, '$.card')) >= max(json_extract(detail, '$.of')), 0)
    FROM activityEvent
    WHERE learner = ?1 AND node = ?2 AND kind = 'cardGraded' AND id <= ?3 AND id > ifnull((
      SELECT max(id) FROM activityEvent WHERE learner = ?1 AND node = ?2 AND kind = 'markedNotDone' AND id <= ?3), 0)
    """)

  /// Returns what a learner, or everyone, did at an activity or below a place, the newest first.
  public func activityEvents(
    of learner: LearnerID?, under node: NodeID?, kinds: [ActivityEventKind], limit: Int?
  ) throws -> [ActivityEvent] {
    let words = kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let columns = "event.id, uuid, learner, session, event.node, kind, detail, score, at"
    let whose = learner == nil ? "?1 IS NULL" : "learner = ?1"
    // Where an index leads to the rows, they come in its order, and are few.
    let source: String
    switch (node, learner) {
    case (nil, nil): source = "FROM activityEvent AS event NOT INDEXED WHERE ?2 IS NULL AND \(whose)"
    case (nil, _):
      source = "FROM activityEvent AS event INDEXED BY activityEventOfLearner WHERE ?2 IS NULL AND \(whose)"
    case (_, _):
      let index = learner == nil ? "activityEventOfNode" : "activityEventOfLearner"
      source = """
        FROM (
          WITH RECURSIVE below (node) AS (
            VALUES (?2) UNION ALL SELECT id FROM below JOIN contentNode ON parent = node
          ) SELECT node FROM below
        ) AS place
        CROSS JOIN activityEvent AS event INDEXED BY \(index) ON event.node = place.node
        WHERE \(whose)
        """
    }
    let isInOrder = node == nil && learner == nil
    var events: [ActivityEvent] = []
    try statements.run(
      "SELECT \(columns) \(source) AND kind IN (\(words)) \(isInOrder ? "ORDER BY event.id DESC LIMIT ?3" : "AND ?3")",
      [learner, node, isInOrder ? limit ?? -1 : 1]
    ) { row in
      events.append(
        ActivityEvent(
          id: row[0], uuid: row[1], learner: row[2], session: row[3], node: row[4],
          kind: try row.word(ActivityEventKind.self, at: 5) ?? .seenToEnd, detail: row[6], score: row[7], at: row[8]))
      return true
    }
    if isInOrder { return events }
    events.sort { $0.id > $1.id }
    return limit.map { Array(events.prefix($0)) } ?? events
  }
}
