package import LearningModel

// The answers of a learner to cards, by day and in the log.

extension StoreSnapshot {
  /// Returns the days with answers in a period, ascending.
  ///
  /// - Parameter course: The course, or `nil` for all courses, including removed ones.
  package func reviewDays(of learner: LearnerID, in course: NodeID?, days: ClosedRange<Int>) throws -> [StoredReviewDay]
  {
    try all(
      """
      SELECT day, sum(answers), sum(new), sum(reviews), sum(passed), sum(milliseconds) FROM reviewDay
      WHERE learner = ?1 AND day BETWEEN ?2 AND ?3 AND (?4 IS NULL OR course = ?4) GROUP BY day ORDER BY day
      """, learner, days.lowerBound, days.upperBound, course
    ) { row in
      var counts = ReviewCounts()
      counts.answers = row[1]
      counts.new = row[2]
      counts.reviews = row[3]
      counts.passed = row[4]
      counts.milliseconds = row[5]
      return StoredReviewDay(day: row[0], counts: counts)
    }
  }

  /// The answers of a day in all courses of a query.
  package struct StoredReviewDay: Hashable, Sendable {
    package let day: Int
    package let counts: ReviewCounts
  }

  /// An answer in the log.
  package struct StoredAnswer: Hashable, Sendable {
    package let uuid: String
    package let card: CardReference
    package let at: Timestamp
    package let detail: CardEventDetail
    /// Whether the answer was undone.
    package let isUndone: Bool
  }

  /// Returns the answers to the cards of a learner, the newest first.
  ///
  /// - Parameters:
  ///   - nodes: The activities, or `nil` for all of them.
  ///   - limit: The maximum number of answers, or `nil` for all.
  ///   - day: Answers before the last one before this day are left out.
  package func answers(
    of learner: LearnerID, in nodes: Set<NodeID>?, limit: Int?, since day: Int? = nil
  ) throws -> [StoredAnswer] {
    var answers: [StoredAnswer] = []
    guard limit != 0 else { return [] }
    let sql = """
      SELECT \(CardHistory.Event.columns), event.node, \(Self.isUndone)
      FROM activityEvent AS event INDEXED BY activityEventInOrder CROSS JOIN session ON session.id = event.session
      WHERE event.learner = ? AND event.kind = 'cardGraded' AND event.detail ->> 'key' IS NOT NULL
        AND event.detail ->> 'rating' BETWEEN 1 AND 4
      \(Self.newestFirst)
      """
    try statements.run(sql, [learner]) { row in
      let node: NodeID = row[CardHistory.Event.columnCount]
      if let nodes, !nodes.contains(node) { return true }
      let event = try CardHistory.Event(row: row)
      if let day, let answered = event.detail.day, answered < day { return false }
      answers.append(
        StoredAnswer(
          uuid: event.uuid, card: CardReference(node: node, key: event.detail.key), at: event.at, detail: event.detail,
          isUndone: row[CardHistory.Event.columnCount + 1]))
      return limit.map { answers.count < $0 } ?? true
    }
    return answers
  }

  /// Returns the last answers to a card that were not undone, the newest first.
  package func lastAnswers(to card: CardReference, by learner: LearnerID, limit: Int) throws -> [CardHistory.Event] {
    try all(Self.lastAnswersSQL, learner, card.node, card.key, limit) { try CardHistory.Event(row: $0) }
  }

  private static let lastAnswersSQL = StatementText(
    """
    SELECT \(CardHistory.Event.columns)
    FROM activityEvent AS event INDEXED BY activityEventOfCard JOIN session ON session.id = event.session
    WHERE event.learner = ?1 AND event.node = ?2 AND event.detail ->> 'key' = ?3 AND event.kind GLOB 'card*'
      AND event.kind = 'cardGraded' AND event.detail ->> 'rating' BETWEEN 1 AND 4 AND NOT \(isUndone)
    \(newestFirst) LIMIT ?4
    """)

  /// The answers to one card, in the order of the log: the rating and the day.
  package typealias AnswerSequence = [(rating: CardRating, day: Int)]

  /// Calls a function with the answers to each card of a learner from its first answer, without those that were undone, and
  /// with the activity of the card. The answers before and after a card became new again are separate. Answers whose
  /// beginning is unknown are left out.
  package func forEachAnswerSequence(
    of learner: LearnerID, _ body: (_ answers: AnswerSequence, _ node: NodeID) throws -> Void
  ) throws {
    typealias Answer = (uuid: String, rating: CardRating, day: Int, isReset: Bool, hasUnknownStart: Bool)
    var card: CardReference?
    var answers: [Answer] = []
    var undone: Set<String> = []
    func finish() throws {
      guard let node = card?.node else { return }
      var sequences: [[Answer]] = []
      for answer in answers where !undone.contains(answer.uuid) {
        if answer.isReset || sequences.isEmpty { sequences.append([]) }
        sequences[sequences.count - 1].append(answer)
      }
      for sequence in sequences where !sequence.contains(where: \.hasUnknownStart) {
        try body(sequence.map { ($0.rating, $0.day) }, node)
      }
      (answers, undone) = ([], [])
    }
    let sql = """
      SELECT event.node, event.detail ->> 'key', event.uuid, event.kind, event.detail ->> 'rating',
        event.detail ->> 'day', event.detail ->> 'event', event.detail ->> 'reset' IS 1,
        event.detail ->> 'stability' IS NOT NULL
      FROM activityEvent AS event JOIN session ON session.id = event.session
      WHERE event.learner = ? AND event.kind IN ('cardGraded', 'cardUndone') AND event.detail ->> 'key' IS NOT NULL
      ORDER BY event.node, event.detail ->> 'key', event.orderedAt, session.uuid, event.sequence
      """
    try statements.run(sql, [learner]) { row in
      let next = CardReference(node: row[0], key: row[1])
      if next != card {
        try finish()
        card = next
      }
      if (row[3] as String) == ActivityEventKind.undone.rawValue {
        if let event: String = row[6] { undone.insert(event) }
      } else if let rating = (row[4] as Int?).flatMap(CardRating.init), let day: Int = row[5] {
        answers.append((row[2], rating, day, row[7], row[8]))
      }
      return true
    }
    try finish()
  }
}
