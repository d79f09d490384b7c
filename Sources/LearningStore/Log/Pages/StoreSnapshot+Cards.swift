public import LearningModel

/// What a learner's list says of a node, read together with its siblings.
public struct StoredCard: Sendable {
  /// The node.
  public let node: ContentNode
  /// Of an activity, what it is made of.
  public let type: ActivityType?
  /// Of flashcards the number of cards, of a quiz that of its questions.
  public let itemCount: Int?
  /// How much of it is begun and done.
  public let progress: PlaceProgress
  /// How far it was read.
  public let reading: StoredReadingPosition?
  /// Whether the learner has marked it.
  public let isBookmarked: Bool
  /// When the learner was last in it.
  public let lastVisitAt: Timestamp?
  /// Of a quiz, the best share that was right, 0…1, and of how many; `nil` where it was never answered to its end.
  public let best: (score: Double, of: Int)?
}

extension StoreSnapshot {
  /// Returns the cards of the living children of a place, in their order.
  ///
  /// - Parameter range: Which of them, from 0, as far as there are so many; `nil` for all.
  public func cards(
    under parent: NodeID?, for learner: LearnerID?, in range: Range<Int>? = nil
  ) throws -> [StoredCard] {
    guard let range else {
      return try cards(parent == nil ? Self.cardsOfCoursesText : Self.cardsText, for: learner, parent)
    }
    let text = parent == nil ? Self.someCardsOfCoursesText : Self.someCardsText
    return try cards(text, for: learner, parent, range.count, max(0, range.lowerBound))
  }

  private static let cardsText = cards(where: "node.parent = ?2 AND node.living = 1 ORDER BY node.position")
  private static let cardsOfCoursesText = cards(
    where: "node.parent IS NULL AND ?2 IS NULL AND node.living = 1 ORDER BY node.position")
  private static let someCardsText = cards(
    where: """
      node.parent = ?2 AND node.living = 1 AND node.position >= ?4 AND node.position < ?3 + ?4
      ORDER BY node.position
      """)
  // Courses leave gaps where one was removed.
  private static let someCardsOfCoursesText = cards(
    where: """
      node.id IN (
        SELECT id FROM contentNode WHERE parent IS NULL AND ?2 IS NULL AND living = 1
        ORDER BY position LIMIT ?3 OFFSET ?4)
      ORDER BY node.position
      """)
  private static let cardText = cards(where: "node.id = ?2")

  /// Returns the card of a node, removed or not.
  public func card(of node: NodeID, for learner: LearnerID?) throws -> StoredCard? {
    try cards(Self.cardText, for: learner, node).first
  }

  private static func cards(where condition: String) -> StatementText {
    // Beside max() SQLite gives the other columns of the row that has it. Source: sqlite.org/lang_select.html, 2.5.
    let attempts = """
      FROM activityEvent INDEXED BY activityEventOfLearner
      WHERE learner = ?1 AND activityEvent.node = node.id AND activityEvent.kind = 'quizChecked'
      """
    return StatementText(
      """
      SELECT \(ContentNode.columns),
        content.type,
        CASE content.type
          WHEN 'flashcards' THEN json_array_length(content.content, '$.flashcards')
          WHEN 'quiz' THEN json_array_length(content.content, '$.quiz') END,
        ifnull(total.activities, 0), \(PlaceSums.begun), \(PlaceSums.done), ifnull(total.seconds, 0),
        \(PlaceSums.secondsDone),
        reading.block, reading.blockOffset, reading.fraction, reading.heading, reading.savedAt,
        mark.createdAt IS NOT NULL,
        (SELECT event.at FROM navigationEvent AS event WHERE event.id = (
          SELECT max(visit.event) FROM visitUnder AS visit WHERE visit.learner = ?1 AND visit.node = node.id)),
        CASE content.type WHEN 'quiz' THEN (SELECT max(score) \(attempts)) END,
        CASE content.type WHEN 'quiz' THEN (
          SELECT json_extract(best.detail, '$.of') FROM (SELECT max(score), detail \(attempts)) AS best) END
      FROM contentNode AS node
      LEFT JOIN activityContent AS content ON content.node = node.id
      \(PlaceSums.joined(ofLearner: "?1"))
      LEFT JOIN readingPosition AS reading ON reading.learner = ?1 AND reading.node = node.id
      LEFT JOIN bookmark AS mark ON mark.learner = ?1 AND mark.node = node.id
      WHERE \(condition)
      """)
  }

  private func cards(
    _ text: StatementText, for learner: LearnerID?, _ rest: any ColumnValue...
  ) throws -> [StoredCard] {
    try all(text, [learner] + rest) { row in
      StoredCard(
        node: try ContentNode(row: row), type: try row.word(ActivityType.self, at: 11), itemCount: row[12],
        progress: PlaceProgress(total: row[13], begun: row[14], done: row[15], seconds: row[16], secondsDone: row[17]),
        reading: (row[18] as Int?).map {
          StoredReadingPosition(
            block: $0, blockOffset: row[19], fraction: row[20], heading: row[21], savedAt: row[22])
        },
        isBookmarked: row[23], lastVisitAt: row[24],
        best: (row[25] as Double?).map { ($0, row[26] as Int? ?? row[12] ?? 0) })
    }
  }

  /// Returns the activity that a learner has begun and not done, in a subtree or anywhere, which they left last.
  ///
  /// - Returns: The activity, and when they left it.
  public func unfinishedActivity(
    of learner: LearnerID, under node: NodeID?
  ) throws -> (activity: NodeID, leftAt: Timestamp)? {
    var last: (activity: NodeID, event: Int64, leftAt: Timestamp)?
    try statements.run(Self.unfinishedText, [learner, node]) { row in
      if let known = last, known.event > row[1] { return true }
      last = (row[0], row[1], row[2])
      return true
    }
    return last.map { ($0.activity, $0.leftAt) }
  }

  private static let unfinishedText = StatementText(
    """
    SELECT begun.node, begun.last, ifnull(event.leftAt, event.at)
    FROM (
      SELECT progress.node AS node, (
        SELECT max(event) FROM visitUnder AS visit WHERE visit.learner = ?1 AND visit.node = progress.node) AS last
      FROM progress INDEXED BY progressUnfinished
      JOIN contentNode AS node ON node.id = progress.node AND node.living = 1 AND node.kind = 'activity'
      WHERE progress.learner = ?1 AND progress.doneAt IS NULL
    ) AS begun
    JOIN navigationEvent AS event ON event.id = begun.last
    WHERE ?2 IS NULL
      OR EXISTS (SELECT 1 FROM visitUnder AS u WHERE u.learner = ?1 AND u.node = ?2 AND u.event = begun.last)
    """)
}
