package import LearningModel

/// An activity event that is not stored yet.
package struct PendingActivityEvent: Hashable, Sendable {
  /// The UUID in lower-case hexadecimal digits with hyphens.
  package var uuid: String
  package var session: Session
  /// The activity to which the event belongs.
  package var node: NodeID
  package var kind: ActivityEventKind
  /// The answer or the grade, as JSON. For a graded flashcard: `card`, its index from 0, and `of`, the number of cards.
  /// For a quiz: `pass`, the share of correct answers that is required to pass; if missing, every result passes. For a
  /// check of an exercise: `changed`, whether a file was edited; see `ExerciseCheck` in NavigationKit. For a note: see the table `note` in `Migrations/sql/0002_log.sql`.
  package var detail: String?
  /// The share of correct answers, from 0 to 1.
  package var score: Double?
  package var at: Timestamp
  /// The details of an event of a card, which ``detail`` contains as JSON. `nil` if the event belongs to no card of a
  /// review.
  package let card: CardEventDetail?
  /// Whether the event is an answer in another program, or the state of a card after such an answer. It keeps its own time in the
  /// order of events.
  package var isImported = false

  package init(
    uuid: String, session: Session, node: NodeID, kind: ActivityEventKind, detail: String?, score: Double?,
    at: Timestamp
  ) {
    card = nil
    self.uuid = uuid
    self.session = session
    self.node = node
    self.kind = kind
    self.detail = detail
    self.score = score
    self.at = at
  }

  /// Creates an event of a card.
  package init(
    uuid: String, session: Session, node: NodeID, kind: ActivityEventKind, card: CardEventDetail, at: Timestamp
  ) {
    self.uuid = uuid
    self.session = session
    self.node = node
    self.kind = kind
    self.card = card
    self.at = at
    detail = card.json
    score = kind == .cardGraded ? card.rating.map { $0 == CardRating.again.rawValue ? 0 : 1 } : nil
  }
}

extension StoreTransaction {
  /// Appends an activity event to the log and updates the derived tables.
  ///
  /// - Parameters:
  ///   - draft: The event.
  ///   - state: For an event of a card, the memory of the card and the memory model if they were read in this
  ///     transaction. If `nil`, they are read.
  /// - Returns: The row ID of the event.
  package func append(
    _ draft: PendingActivityEvent, knowing state: (memory: StoredMemory, model: MemoryModel)? = nil
  ) throws -> Int64 {
    let orderedAt: Int64? = try snapshot.value(
      Self.actSQL, draft.uuid, draft.session.learner, draft.session.id, draft.node, draft.kind.rawValue, draft.detail,
      draft.score, draft.at, draft.isImported)
    let id = lastRow
    let wasBegun = try recordOpening(of: draft.node, by: draft.session.learner, at: draft.at)
    if let card = draft.card {
      let event = CardHistory.Event(uuid: draft.uuid, kind: draft.kind, detail: card, at: draft.at)
      try updateMemory(
        in: draft.node, by: draft.session.learner, after: event, at: orderedAt ?? 0, withID: id, knowing: state)
    }
    if draft.kind == .undone {
      try updateActivityProjections(in: draft.node, by: draft.session.learner)
    } else if let card = draft.card, card.card == nil {
      if !wasBegun { try updateBegun(draft.node, by: draft.session.learner) }
    } else if [.noted, .noteRemoved].contains(draft.kind) {
      try updateNotes(in: draft.node, by: draft.session.learner)
    } else {
      // An answer in a deck of flashcards also counts for the progress of the activity.
      try updateProgress(in: draft.node, by: draft.session.learner)
    }
    return id
  }

  private static let actSQL = StatementText(
    """
    INSERT INTO activityEvent (uuid, learner, session, sequence, node, kind, detail, score, at, orderedAt)
    VALUES (?1, ?2, ?3, 1 + ifnull((SELECT max(sequence) FROM activityEvent WHERE session = ?3), 0), ?4, ?5, ?6, ?7, ?8,
      -- Between 1970 and the end of the year 9999, and below 2⁵³.
      min(9007199254740991, max(0, min(?8, 253402300799999), iif(?9, 0, 1 + ifnull((
        SELECT max(orderedAt) FROM activityEvent INDEXED BY activityEventInOrder WHERE learner = ?2), -1)))))
    RETURNING orderedAt
    """)

  /// Updates the progress and the notes of a learner in an activity from all their activity events.
  func updateActivityProjections(in node: NodeID, by learner: LearnerID) throws {
    try updateProgress(in: node, by: learner)
    try updateNotes(in: node, by: learner)
  }

  /// Determines from all activity events whether an activity is done, and since when. This is the only place that
  /// defines this rule. The order of events is the same in all databases.
  func updateProgress(in node: NodeID, by learner: LearnerID) throws {
    var doneAt: Timestamp?
    var graded: Set<Int> = []
    try statements.run(Self.actsSQL, [learner, node]) { row in
      let at: Timestamp = row[1]
      switch try row.word(ActivityEventKind.self, at: 0) ?? .seenToEnd {
      case .seenToEnd, .markedDone:
        doneAt = doneAt ?? at
      case .quizChecked, .exerciseChecked:
        if row[2] as Bool { doneAt = doneAt ?? at }
      case .markedNotDone:
        (doneAt, graded) = (nil, [])
      case .cardGraded:
        if let card: Int = row[3] { graded.insert(card) }
        if let count: Int = row[4], graded.count >= count { doneAt = doneAt ?? at }
      case .noted, .noteRemoved, .undone, .cardSuspended, .cardResumed, .cardBuried, .cardScheduled, .cardMade,
        .cardRemoved, .cardsIncluded, .other:
        break
      }
      return true
    }
    try setDone(node, for: learner, since: doneAt)
  }

  /// A statement that returns the UUIDs of the undone events of a learner `?1` in an activity `?2`.
  static let undoneEvents = """
    SELECT detail ->> 'event' FROM activityEvent INDEXED BY activityEventOfLearner
    WHERE learner = ?1 AND node = ?2 AND kind = 'cardUndone' AND detail ->> 'event' IS NOT NULL
    """
  private static let actsSQL = StatementText(
    """
    SELECT event.kind, event.at,
      iif(event.kind = 'exerciseChecked', \(StoreSnapshot.isPassedCheck),
        ifnull(event.score, 1) >= ifnull(json_extract(event.detail, '$.pass'), 0)),
      iif(event.kind = 'cardGraded', json_extract(event.detail, '$.card'), NULL),
      iif(event.kind = 'cardGraded', json_extract(event.detail, '$.of'), NULL)
    FROM activityEvent AS event INDEXED BY activityEventOfLearner
    JOIN session ON session.id = event.session
    WHERE event.learner = ?1 AND event.node = ?2 AND event.kind NOT IN ('noted', 'noteRemoved')
      AND event.uuid NOT IN (\(undoneEvents))
    ORDER BY event.orderedAt, session.uuid, event.sequence
    """)
}

extension ActivityEvent: StoredRow {
  static let columns = RowReader.columns(of: Self.self)

  init(_ column: inout RowReader) {
    self.init(
      id: column("event.id"), uuid: column("event.uuid"), learner: column("event.learner"),
      session: column("event.session"), node: column("event.node"), kind: column.word("event.kind") ?? .seenToEnd,
      detail: column("event.detail"), score: column("event.score"), at: column("event.at"))
  }
}

extension StoreSnapshot {
  /// An expression that is true for an event that was undone.
  static let isUndone = """
    EXISTS (
      SELECT 1 FROM activityEvent AS undo INDEXED BY activityEventOfCard
      WHERE undo.learner = event.learner AND undo.node = event.node AND undo.kind GLOB 'card*'
        AND undo.detail ->> 'key' IS event.detail ->> 'key' AND undo.kind = 'cardUndone'
        AND undo.detail ->> 'event' = event.uuid)
    """

  /// The condition of the index that contains the answers of all learners in their order.
  static let isAnswer = "event.kind IN ('cardGraded', 'quizChecked', 'exerciseChecked')"

  /// An expression that is true for a passed check of an exercise of which at least one file was edited.
  static let isPassedCheck = "event.score IS 1 AND event.detail ->> 'changed' IS 1"

  /// The order of events in all databases, the newest first. The statement joins `session`.
  static let newestFirst = "ORDER BY event.orderedAt DESC, session.uuid DESC, event.sequence DESC"

  /// Returns the part of a statement from `FROM` that selects the activity events of a learner `?1` in a node `?2` and
  /// its subtree.
  ///
  /// - Parameter areAnswers: Whether only answers are selected. Those in all places are in ascending order of time.
  private static func source(of learner: LearnerID?, under node: NodeID?, areAnswers: Bool = false) -> String {
    let condition = learner == nil ? "?1 IS NULL" : "event.learner = ?1"
    switch (node, learner) {
    case (nil, nil):
      let index = areAnswers ? "INDEXED BY activityEventAnsweredByAll" : "NOT INDEXED"
      return "FROM activityEvent AS event \(index) WHERE ?2 IS NULL AND \(condition)"
    case (nil, _):
      let index = areAnswers ? "activityEventInOrder" : "activityEventOfLearner"
      return "FROM activityEvent AS event INDEXED BY \(index) WHERE ?2 IS NULL AND \(condition)"
    case (_, _):
      let index = learner == nil ? "activityEventOfNode" : "activityEventOfLearner"
      return """
        FROM (
          WITH RECURSIVE below (node) AS (
            VALUES (?2) UNION ALL SELECT id FROM below JOIN contentNode ON parent = node
          ) SELECT node FROM below
        ) AS place
        CROSS JOIN activityEvent AS event INDEXED BY \(index) ON event.node = place.node
        WHERE \(condition)
        """
    }
  }

  /// Returns the activity events of a learner, or of all learners, in a place and its subtree, the newest first. Undone
  /// events are omitted.
  ///
  /// - Parameters:
  ///   - learner: The learner, or `nil` for all learners.
  ///   - node: The place, or `nil` for all places.
  ///   - kinds: The kinds of events to return.
  ///   - limit: The maximum number of events, or `nil` for all of them.
  package func activityEvents(
    of learner: LearnerID?, under node: NodeID?, kinds: [ActivityEventKind], limit: Int?
  ) throws -> [ActivityEvent] {
    let kindList = kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let areAnswers = Set(kinds).isSubset(of: [.cardGraded, .quizChecked, .exerciseChecked])
    // Rows that are found by another index come in its order. They are few, so they are sorted below.
    let isInOrder = node == nil && areAnswers
    let source = Self.source(of: learner, under: node, areAnswers: areAnswers)
    var events: [(event: ActivityEvent, orderedAt: Int64, session: String, sequence: Int)] = []
    try statements.run(
      """
      SELECT \(ActivityEvent.columns), event.orderedAt, session.uuid, event.sequence
      FROM (
        SELECT event.* \(source) AND event.kind IN (\(kindList)) \(areAnswers ? "AND \(Self.isAnswer)" : "")
      ) AS event CROSS JOIN session ON session.id = event.session
      WHERE NOT \(Self.isUndone)
      \(isInOrder ? "\(Self.newestFirst) LIMIT ?3" : "AND ?3")
      """, [learner, node, isInOrder ? limit ?? -1 : 1]
    ) { row in
      events.append((try ActivityEvent(row: row), row[9], row[10], row[11]))
      return true
    }
    if !isInOrder {
      events.sort { ($1.orderedAt, $1.session, $1.sequence) < ($0.orderedAt, $0.session, $0.sequence) }
    }
    return limit.map { events.prefix($0).map(\.event) } ?? events.map(\.event)
  }

  /// Returns the row IDs of the activity events of a learner, or of all learners, in a place and its subtree, in the
  /// order that the events have in all databases. Undone events are omitted.
  ///
  /// Used for long logs, whose events are read one at a time with ``activityEvent(_:)``.
  package func activityEventIDs(of learner: LearnerID?, under node: NodeID?) throws -> [Int64] {
    var events: [(orderedAt: Int64, session: String, sequence: Int, id: Int64)] = []
    let source = Self.source(of: learner, under: node)
    let undone = Set(
      try all("SELECT event.detail ->> 'event' \(source) AND event.kind = 'cardUndone'", learner, node) {
        $0[0] as String
      })
    // One text for each session, which its events share.
    var sessions: [SessionID: String] = [:]
    try statements.run(
      "SELECT event.orderedAt, event.session, event.sequence, event.id, event.uuid \(source)", [learner, node]
    ) { row in
      if !undone.isEmpty, undone.contains(row[4]) { return true }
      let session = try sessions[row[1]] ?? self.session(row[1])?.session.uuid ?? ""
      sessions[row[1]] = session
      events.append((row[0], session, row[2], row[3]))
      return true
    }
    events.sort { ($0.orderedAt, $0.session, $0.sequence) < ($1.orderedAt, $1.session, $1.sequence) }
    return events.map(\.id)
  }

  /// Returns the activity event with a row ID, or `nil` if no event has it.
  package func activityEvent(_ id: Int64) throws -> ActivityEvent? {
    try first(Self.eventSQL, id, as: ActivityEvent.init)
  }

  private static let eventSQL = StatementText(
    "SELECT \(ActivityEvent.columns) FROM activityEvent AS event WHERE event.id = ?")
}
