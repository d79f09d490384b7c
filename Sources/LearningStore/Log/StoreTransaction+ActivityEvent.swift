package import LearningModel

/// A thing done that is to be written into the log.
package struct ActivityDraft: Hashable, Sendable {
  /// Its name everywhere, as lower-case hexadecimal digits with hyphens.
  package var uuid: String
  /// Whose session.
  package var session: Session
  /// In which activity.
  package var node: NodeID
  /// What was done.
  package var kind: ActivityEventKind
  /// What was answered or graded, as JSON. Of a graded card: `card`, its number from 0, and `of`, how many there are. Of a
  /// quiz: `pass`, the share that passes; without it any does. Of a note: see the table `note` in `Migrations/sql/0002_log.sql`.
  package var detail: String?
  /// The share that was right, 0…1.
  package var score: Double?
  /// When.
  package var at: Timestamp

  /// Makes a draft from all that is known of it.
  package init(
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
  package func append(_ draft: ActivityDraft) throws -> Int64 {
    try run(
      Self.actText, draft.uuid, draft.session.learner, draft.session.id, draft.node, draft.kind.rawValue, draft.detail,
      draft.score, draft.at)
    let id = lastRow
    try begin(draft.node, for: draft.session.learner, at: draft.at)
    if [.noted, .noteRemoved].contains(draft.kind) {
      try foldNotes(in: draft.node, by: draft.session.learner)
    } else {
      try foldProgress(in: draft.node, by: draft.session.learner)
    }
    return id
  }

  private static let actText = StatementText(
    """
    INSERT INTO activityEvent (uuid, learner, session, sequence, node, kind, detail, score, at, orderedAt)
    SELECT ?1, ?2, ?3, 1 + ifnull(last.sequence, 0), ?4, ?5, ?6, ?7, ?8, max(?8, ifnull(last.orderedAt, ?8))
    FROM (VALUES (1)) LEFT JOIN (
      SELECT sequence, orderedAt FROM activityEvent WHERE session = ?3 ORDER BY sequence DESC LIMIT 1
    ) AS last
    """)

  /// Works out from everything that a learner did in an activity what follows from it.
  func foldActs(in node: NodeID, by learner: LearnerID) throws {
    try foldProgress(in: node, by: learner)
    try foldNotes(in: node, by: learner)
  }

  /// Works out whether an activity is done, and since when: the one rule of what makes it so. In which order things were
  /// done is the same in every database.
  private func foldProgress(in node: NodeID, by learner: LearnerID) throws {
    var doneAt: Timestamp?
    var graded: Set<Int> = []
    try statements.run(Self.actsText, [learner, node]) { row in
      let at: Timestamp = row[1]
      switch try row.word(ActivityEventKind.self, at: 0) ?? .seenToEnd {
      case .seenToEnd, .markedDone:
        doneAt = doneAt ?? at
      case .quizChecked:
        if row[2] as Bool { doneAt = doneAt ?? at }
      case .markedNotDone:
        (doneAt, graded) = (nil, [])
      case .cardGraded:
        if let card: Int = row[3] { graded.insert(card) }
        if let count: Int = row[4], graded.count >= count { doneAt = doneAt ?? at }
      case .noted, .noteRemoved, .other: break
      }
      return true
    }
    try setDone(node, for: learner, since: doneAt)
  }

  private static let actsText = StatementText(
    """
    SELECT event.kind, event.at, ifnull(event.score, 1) >= ifnull(json_extract(event.detail, '$.pass'), 0),
      iif(event.kind = 'cardGraded', json_extract(event.detail, '$.card'), NULL),
      iif(event.kind = 'cardGraded', json_extract(event.detail, '$.of'), NULL)
    FROM activityEvent AS event INDEXED BY activityEventOfLearner
    JOIN session ON session.id = event.session
    WHERE event.learner = ? AND event.node = ? AND event.kind NOT IN ('noted', 'noteRemoved')
    ORDER BY event.orderedAt, session.uuid, event.sequence
    """)
}

extension StoreSnapshot {
  private static let eventColumns = "event.id, uuid, learner, session, event.node, kind, detail, score, at"

  private static func event(_ row: ResultRow) throws -> ActivityEvent {
    ActivityEvent(
      id: row[0], uuid: row[1], learner: row[2], session: row[3], node: row[4],
      kind: try row.word(ActivityEventKind.self, at: 5) ?? .seenToEnd, detail: row[6], score: row[7], at: row[8])
  }

  /// The part of a statement from `FROM` on that finds the activity events of a learner `?1` at or below a node `?2`. Only
  /// the rows of everyone, anywhere, are in the order of the log.
  private static func source(of learner: LearnerID?, under node: NodeID?) -> String {
    let whose = learner == nil ? "?1 IS NULL" : "learner = ?1"
    switch (node, learner) {
    case (nil, nil): return "FROM activityEvent AS event NOT INDEXED WHERE ?2 IS NULL AND \(whose)"
    case (nil, _):
      return "FROM activityEvent AS event INDEXED BY activityEventOfLearner WHERE ?2 IS NULL AND \(whose)"
    case (_, _):
      let index = learner == nil ? "activityEventOfNode" : "activityEventOfLearner"
      return """
        FROM (
          WITH RECURSIVE below (node) AS (
            VALUES (?2) UNION ALL SELECT id FROM below JOIN contentNode ON parent = node
          ) SELECT node FROM below
        ) AS place
        CROSS JOIN activityEvent AS event INDEXED BY \(index) ON event.node = place.node
        WHERE \(whose)
        """
    }
  }

  /// Returns what a learner, or everyone, did at an activity or below a place, the newest first.
  package func activityEvents(
    of learner: LearnerID?, under node: NodeID?, kinds: [ActivityEventKind], limit: Int?
  ) throws -> [ActivityEvent] {
    let words = kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let source = Self.source(of: learner, under: node)
    // Rows that an index leads to come in its order, and are few.
    let isInOrder = node == nil && learner == nil
    var events: [ActivityEvent] = []
    try statements.run(
      """
      SELECT \(Self.eventColumns) \(source) AND kind IN (\(words))
      \(isInOrder ? "ORDER BY event.id DESC LIMIT ?3" : "AND ?3")
      """, [learner, node, isInOrder ? limit ?? -1 : 1]
    ) { row in
      events.append(try Self.event(row))
      return true
    }
    if isInOrder { return events }
    events.sort { $0.id > $1.id }
    return limit.map { Array(events.prefix($0)) } ?? events
  }

  /// Returns the row numbers of all that a learner, or everyone, did at an activity or below a place, the oldest first.
  ///
  /// For a long log: ``activityEvent(_:)`` reads one event at a time.
  package func activityEventIDs(of learner: LearnerID?, under node: NodeID?) throws -> [Int64] {
    var ids: [Int64] = []
    try statements.run("SELECT event.id \(Self.source(of: learner, under: node))", [learner, node]) { row in
      ids.append(row[0])
      return true
    }
    ids.sort()
    return ids
  }

  /// Returns the activity event of a row number, or `nil` if there is no such row.
  package func activityEvent(_ id: Int64) throws -> ActivityEvent? { try first(Self.eventText, id, as: Self.event) }

  private static let eventText = StatementText("SELECT \(eventColumns) FROM activityEvent AS event WHERE event.id = ?")
}
