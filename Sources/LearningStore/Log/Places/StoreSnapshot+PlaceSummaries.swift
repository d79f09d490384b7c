package import LearningModel

/// A node with a learner's progress and position in it, read together with its siblings.
package struct StoredCard: Sendable {
  package let node: ContentNode
  /// The type of an activity, or `nil` for other nodes.
  package let type: ActivityType?
  /// The number of flashcards, or of questions of a quiz. `nil` for other nodes.
  package let itemCount: Int?
  /// The numbers of activities that the learner has begun and done in the node.
  package let progress: PlaceProgress
  /// The learner's reading position, or `nil` if none is saved.
  package let reading: StoredReadingPosition?
  package let isBookmarked: Bool
  /// The latest time of a visit of the learner to the node or its subtree that is not in the future, or `nil` if there
  /// was none.
  package let lastVisitAt: Timestamp?
  /// The best result of a quiz: the share of correct answers, from 0 to 1, and the number of questions. `nil` if the
  /// learner has never completed the quiz.
  package let best: (score: Double, of: Int)?
  /// The share of an unfinished activity that counts as read, 0…1. 0 for other nodes.
  package let readShare: Double
  /// Whether a check of the activity was passed with an edited file since it was last marked as not done.
  package let isPassed: Bool
  /// The last check of the activity: whether it was passed, and whether a file was edited. `nil` if there is none.
  package let lastCheck: (isPassed: Bool, isChanged: Bool)?
}

// The learner is the first parameter of the statement, and the current time is the third one.
extension StoredCard: StoredRow {
  static let columns = RowReader.columns(of: Self.self)
  private static let attempts = """
    FROM activityEvent INDEXED BY activityEventOfLearner
    WHERE learner = ?1 AND activityEvent.node = node.id AND activityEvent.kind = 'quizChecked'
    """
  /// The last check: 2 if it was passed, plus 1 if a file was edited. NULL if there is none. A maximum needs no sorting,
  /// and checks of two databases with the same order have the same maximum everywhere.
  private static let lastCheck = """
    (SELECT iif(last IS NULL, NULL, 2 * (score IS 1) + (detail ->> 'changed' IS 1)) FROM (
      SELECT score, detail,
        max(format('%016d', event.orderedAt) || session.uuid || format('%016d', event.sequence)) AS last
      FROM activityEvent AS event INDEXED BY activityEventOfLearner JOIN session ON session.id = event.session
      WHERE event.learner = ?1 AND event.node = node.id AND event.kind = 'exerciseChecked'))
    """
  private static let isRead = "own.node IS NULL OR own.doneAt IS NOT NULL"

  init(_ column: inout RowReader) throws {
    node = try ContentNode(&column)
    type = try column.enumeration("content.type")
    let itemCount: Int? = column("content.items")
    self.itemCount = itemCount
    progress = PlaceProgress(
      total: column("ifnull(total.activities, 0)"), begun: column(PlaceProgressSQL.begun),
      done: column(PlaceProgressSQL.done), seconds: column("ifnull(total.seconds, 0)"),
      secondsDone: column(PlaceProgressSQL.secondsDone),
      secondsRead: column("iif(\(Self.isRead), 0, \(PlaceProgressSQL.secondsRead))"))
    let hasPosition: Bool = column("reading.block IS NOT NULL")
    let position = StoredReadingPosition(&column)
    reading = hasPosition ? position : nil
    isBookmarked = column("mark.createdAt IS NOT NULL")
    lastVisitAt = column("(SELECT at FROM \(StoreSnapshot.lastVisit(by: "?1", to: "node.id", until: "?3")))")
    let score: Double? = column("iif(content.hasScore, (SELECT max(score) \(Self.attempts)), NULL)")
    let count: Int? = column(
      """
      iif(content.hasScore, (
        SELECT json_extract(best.detail, '$.of') FROM (SELECT max(score), detail \(Self.attempts)) AS best), NULL)
      """)
    best = score.map { ($0, count ?? itemCount ?? 0) }
    isPassed = column(PlaceProgressSQL.isPassed)
    let check: Int? = column(Self.lastCheck)
    lastCheck = check.map { ($0 & 2 != 0, $0 & 1 != 0) }
    readShare = column("ifnull(iif(\(Self.isRead), NULL, \(PlaceProgressSQL.readShare)), 0)")
  }
}

extension StoreSnapshot {
  /// Returns the current children of a place with the learner's progress, in their order.
  ///
  /// - Parameters:
  ///   - parent: The place, or `nil` for the courses.
  ///   - range: The indices of the children to return, from 0. Indices without a child are ignored. If `nil`, returns
  ///     all children.
  ///   - now: The current time.
  package func cards(
    under parent: NodeID?, for learner: LearnerID?, in range: Range<Int>? = nil, at now: Timestamp
  ) throws -> [StoredCard] {
    guard let range else { return try all(Self.cardsSQL[parent == nil], learner, parent, now, as: StoredCard.init) }
    return try all(
      Self.someCardsSQL[parent == nil], learner, parent, now, range.count, max(0, range.lowerBound), as: StoredCard.init
    )
  }

  private static let cardsSQL = ScopedText(
    "node.parent = ?2", "node.parent IS NULL AND ?2 IS NULL",
    in: { cards(where: "\($0) AND node.living = 1 ORDER BY node.position") })
  // The positions of courses have gaps after courses were removed.
  private static let someCardsSQL = ScopedText(
    "node.parent = ?2 AND node.living = 1 AND node.position >= ?5 AND node.position < ?4 + ?5",
    """
    node.id IN (
      SELECT id FROM contentNode WHERE parent IS NULL AND ?2 IS NULL AND living = 1
      ORDER BY position LIMIT ?4 OFFSET ?5)
    """, in: { cards(where: "\($0) ORDER BY node.position") })
  private static let cardSQL = StatementText(cards(where: "node.id = ?2"))

  /// Returns a node with the learner's progress, even if the node was removed, or `nil` if there never was such a node.
  package func card(of node: NodeID, for learner: LearnerID?, at now: Timestamp) throws -> StoredCard? {
    try first(Self.cardSQL, learner, node, now, as: StoredCard.init)
  }

  /// Returns a query for the time and the ID of the last visit to a node or its subtree: the visit with the latest time
  /// that is not in the future. The newest row is the last visit, unless a visit of another database was merged since.
  ///
  /// Next to `max()`, SQLite returns the other columns from the row with the maximum. Source:
  /// sqlite.org/lang_select.html, 2.5.
  fileprivate static func lastVisit(by learner: String, to node: String, until now: String) -> String {
    let visits = "FROM visitUnder AS visit CROSS JOIN navigationEvent AS event ON event.id = visit.event"
    let condition = "WHERE visit.learner = \(learner) AND visit.node = \(node)"
    return """
      (SELECT max(at) AS at, id FROM (
        SELECT * FROM (
          SELECT event.id, event.at \(visits) \(condition) AND event.at <= \(now) ORDER BY visit.event DESC LIMIT 1)
        UNION ALL
        SELECT * FROM (
          SELECT event AS id, at FROM visitUnder AS visit INDEXED BY visitUnderByTime
          \(condition) AND at IS NOT NULL AND at <= \(now) ORDER BY at DESC, event DESC LIMIT 1)))
      """
  }

  private static func cards(where condition: String) -> String {
    """
    SELECT \(StoredCard.columns)
    FROM contentNode AS node
    LEFT JOIN activityContent AS content ON content.node = node.id
    \(PlaceProgressSQL.joined(ofLearner: "?1"))
    LEFT JOIN readingPosition AS reading ON reading.learner = ?1 AND reading.node = node.id
    LEFT JOIN bookmark AS mark ON mark.learner = ?1 AND mark.node = node.id
    WHERE \(condition)
    """
  }

  /// Returns the unfinished activity that the learner left last. An activity is unfinished if it was begun but is not
  /// done.
  ///
  /// - Parameters:
  ///   - node: The place in whose subtree the activity must be, or `nil` for any.
  ///   - now: The current time. Later visits are ignored.
  /// - Returns: The activity and the time at which the learner left it, or `nil` if no activity matches.
  package func unfinishedActivity(
    of learner: LearnerID, under node: NodeID?, at now: Timestamp
  ) throws -> (activity: NodeID, leftAt: Timestamp)? {
    var last: (activity: NodeID, at: Timestamp, event: Int64, leftAt: Timestamp)?
    try statements.run(
      """
      SELECT begun.node, event.at, event.id, ifnull(event.leftAt, event.at)
      FROM (
        SELECT progress.node AS node, (SELECT id FROM \(Self.lastVisit(by: "?1", to: "progress.node", until: "?3"))) AS last
        FROM progress INDEXED BY progressUnfinished
        JOIN contentNode AS node ON node.id = progress.node AND node.living = 1 AND node.kind = 'activity'
        WHERE progress.learner = ?1 AND progress.isBegun = 1 AND progress.doneAt IS NULL
      ) AS begun
      JOIN navigationEvent AS event ON event.id = begun.last
      WHERE ?2 IS NULL
        OR EXISTS (SELECT 1 FROM visitUnder AS u WHERE u.learner = ?1 AND u.node = ?2 AND u.event = begun.last)
      """, [learner, node, now]
    ) { row in
      if let last, (last.at, last.event) > (row[1], row[2]) { return true }
      last = (row[0], row[1], row[2], row[3])
      return true
    }
    return last.map { ($0.activity, $0.leftAt) }
  }
}

// Access to some children of a place without counting all of them, because a place can have ten thousand children. The
// positions of the current children of a place have no gaps, so a position equals the number of preceding siblings. The
// positions of courses have gaps, so courses are counted.

extension StoreSnapshot {
  /// Returns the number of current children of a place, or the number of courses if `parent` is `nil`.
  package func childCount(of parent: NodeID?) throws -> Int {
    try parent.map { try value(Self.childCountSQL, $0) ?? 0 } ?? value(Self.courseCountSQL) ?? 0
  }

  // Reads only the last entry of an index.
  private static let childCountSQL = StatementText(
    "SELECT max(position) + 1 FROM contentNode WHERE parent = ? AND living = 1")
  private static let courseCountSQL = StatementText(
    "SELECT count(*) FROM contentNode WHERE parent IS NULL AND living = 1")

  /// Returns the index of a node among its current siblings, from 0, or `nil` if it is not a current child of `parent`.
  package func index(of child: NodeID, in parent: NodeID?) throws -> Int? {
    guard let node = try node(child), !node.isRemoved, node.parent == parent else { return nil }
    return try index(ofPosition: node.position, in: parent)
  }

  /// Returns the number of current children of a place before a position.
  func index(ofPosition position: Int, in parent: NodeID?) throws -> Int {
    try parent == nil ? value(Self.courseIndexSQL, position) ?? 0 : position
  }

  private static let courseIndexSQL = StatementText(
    "SELECT count(*) FROM contentNode WHERE parent IS NULL AND living = 1 AND position < ?")

  /// Returns the index of the child with which the learner should continue, from 0: the first child that is begun and
  /// not done, otherwise the first one that is not done. Returns `nil` if everything is done, or there are no children.
  package func indexOfNextToDo(in parent: NodeID?, for learner: LearnerID?) throws -> Int? {
    // If nothing was begun, this avoids searching possibly thousands of children for one that was begun.
    let mayBeBegun = try parent.map { try progress(of: $0, for: learner).begun > 0 } ?? true
    let begun: Int? = try mayBeBegun ? value(Self.begunTexts[parent == nil], parent, learner) : nil
    let position: Int? = try begun ?? value(Self.notDoneTexts[parent == nil], parent, learner)
    return try position.map { try index(ofPosition: $0, in: parent) }
  }

  private static let begunTexts = first(
    where: "\(PlaceProgressSQL.begun) > 0 AND \(PlaceProgressSQL.done) < ifnull(total.activities, 0)")
  private static let notDoneTexts = first(
    where: "(ifnull(total.activities, 0) = 0 OR \(PlaceProgressSQL.done) < total.activities)")

  /// Returns the statement for the position of the first child that meets a condition.
  private static func first(where condition: String) -> ScopedText {
    ScopedText("node.parent = ?1", "node.parent IS NULL AND ?1 IS NULL") { scope in
      """
      SELECT node.position FROM contentNode AS node
      \(PlaceProgressSQL.joined(ofLearner: "?2"))
      WHERE \(scope) AND node.living = 1 AND \(condition) ORDER BY node.position LIMIT 1
      """
    }
  }
}
