package import LearningModel

/// What a learner's list says of a node, read together with its siblings.
package struct StoredCard: Sendable {
  /// The node.
  package let node: ContentNode
  /// Of an activity, what it is made of.
  package let type: ActivityType?
  /// Of flashcards the number of cards, of a quiz that of its questions.
  package let itemCount: Int?
  /// How much of it is begun and done.
  package let progress: PlaceProgress
  /// How far it was read.
  package let reading: StoredReadingPosition?
  /// Whether the learner has marked it.
  package let isBookmarked: Bool
  /// When the learner was last in it.
  package let lastVisitAt: Timestamp?
  /// Of a quiz, the best share that was right, 0…1, and of how many; `nil` where it was never answered to its end.
  package let best: (score: Double, of: Int)?
}

extension StoreSnapshot {
  /// Returns the cards of the living children of a place, in their order.
  ///
  /// - Parameter range: Which of them, from 0, as far as there are so many; `nil` for all.
  package func cards(
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
  package func card(of node: NodeID, for learner: LearnerID?) throws -> StoredCard? {
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
  package func unfinishedActivity(
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

// A place that holds ten thousand others is looked at through a window: what stands where, without counting them. The
// living children of a place stand right behind one another, so that a position says how many stand before; courses leave
// gaps, and are counted.

extension StoreSnapshot {
  /// Returns how many living children a place has; how many courses there are, for the root.
  package func childCount(of parent: NodeID?) throws -> Int {
    try parent.map { try value(Self.childCountText, $0) ?? 0 } ?? value(Self.courseCountText) ?? 0
  }

  // The last entry of an index.
  private static let childCountText = StatementText(
    "SELECT max(position) + 1 FROM contentNode WHERE parent = ? AND living = 1")
  private static let courseCountText = StatementText(
    "SELECT count(*) FROM contentNode WHERE parent IS NULL AND living = 1")

  /// Returns which of its living siblings a living node is, from 0; `nil` where it lives elsewhere or not at all.
  package func index(of child: NodeID, in parent: NodeID?) throws -> Int? {
    guard let node = try node(child), !node.isRemoved, node.parent == parent else { return nil }
    return try index(ofPosition: node.position, in: parent)
  }

  /// Returns how many living children of a place stand before a position.
  func index(ofPosition position: Int, in parent: NodeID?) throws -> Int {
    try parent == nil ? value(Self.courseIndexText, position) ?? 0 : position
  }

  private static let courseIndexText = StatementText(
    "SELECT count(*) FROM contentNode WHERE parent IS NULL AND living = 1 AND position < ?")

  /// Returns which child of a place there is to do for a learner, from 0: the first that they have begun and not done, or
  /// else the first that is not done; `nil` where all is done, or nothing is there.
  package func indexOfNextToDo(in parent: NodeID?, for learner: LearnerID?) throws -> Int? {
    // Of thousands in which nothing was begun, none needs to be looked at for that.
    let mayBeBegun = try parent.map { try progress(of: $0, for: learner).begun > 0 } ?? true
    let begun: Int? = try mayBeBegun ? value(Self.begunTexts[parent], parent, learner) : nil
    let position: Int? = try begun ?? value(Self.notDoneTexts[parent], parent, learner)
    return try position.map { try index(ofPosition: $0, in: parent) }
  }

  private static let begunTexts = first(
    where: "\(PlaceSums.begun) > 0 AND \(PlaceSums.done) < ifnull(total.activities, 0)")
  private static let notDoneTexts = first(
    where: "(ifnull(total.activities, 0) = 0 OR \(PlaceSums.done) < total.activities)")

  /// The position of the first child of which a condition holds.
  private static func first(where condition: String) -> ChildText {
    ChildText(
      """
      SELECT node.position FROM contentNode AS node
      \(PlaceSums.joined(ofLearner: "?2"))
      WHERE node.parent = ?1 AND node.living = 1 AND \(condition) ORDER BY node.position LIMIT 1
      """)
  }
}

/// A statement about the children of a place, and the same about courses, which have no parent.
private struct ChildText {
  private let ofPlaces: StatementText
  private let ofRoot: StatementText

  init(_ sql: String) {
    ofPlaces = StatementText(sql)
    ofRoot = StatementText(
      sql.replacing("parent = ?1", with: "parent IS NULL AND ?1 IS NULL"))
  }

  subscript(parent: NodeID?) -> StatementText { parent == nil ? ofRoot : ofPlaces }
}
