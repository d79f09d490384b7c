import Foundation
import GRDB
package import LearningModel

// Queries of reviews: the queue, the counts of days, and the cards of a place.

/// A card in the database.
package struct CardReference: Hashable, Sendable {
  package let node: NodeID
  package let key: String

  package init(node: NodeID, key: String) {
    self.node = node
    self.key = key
  }
}

/// The part of a learner's cards that a query considers.
package enum CardScope: Hashable, Sendable {
  /// The cards of some courses.
  case courses([NodeID])
  /// The cards of some activities.
  case activities([NodeID])

  /// The courses or activities.
  fileprivate var nodes: [NodeID] {
    switch self {
    case .courses(let nodes), .activities(let nodes): nodes
    }
  }
  fileprivate var areCourses: Bool { if case .courses = self { true } else { false } }
}

/// The numbers of due cards in a course or another scope.
package struct WaitingCards: Hashable, Sendable {
  /// Cards in a learning or relearning step that has ended.
  package var steps = 0
  /// Cards in a learning or relearning step that ends later.
  package var laterSteps = 0
  /// When the first of ``laterSteps`` ends.
  package var nextStepAt: Timestamp?
  /// Cards that are due today or before, without those in steps.
  package var reviews = 0
  /// New cards that were buried, resumed or made by the learner and are shown today.
  package var touchedNew = 0

  package init() {}
}

extension StoreSnapshot {
  /// Creates a statement about the queued cards of a learner `?1` in a course or an activity `?2`.
  private static func scoped(_ sql: (_ cards: String) -> String) -> ScopedText {
    ScopedText(
      "FROM cardMemory WHERE learner = ?1 AND node = ?2 AND isQueued = 1",
      "FROM cardMemory INDEXED BY cardMemoryDue WHERE learner = ?1 AND course = ?2 AND isQueued = 1", in: sql)
  }

  /// Returns the current courses in which a learner has a card.
  package func coursesWithCards(of learner: LearnerID) throws -> [NodeID] {
    try all(Self.coursesSQL, learner) { $0[0] }
  }

  // Jumps from course to course through the index.
  private static let coursesSQL = StatementText(
    """
    WITH RECURSIVE found (course) AS (
      SELECT min(course) FROM cardMemory WHERE learner = ?1 AND isQueued = 1
      UNION ALL
      SELECT (
        SELECT min(memory.course) FROM cardMemory AS memory
        WHERE memory.learner = ?1 AND memory.isQueued = 1 AND memory.course > found.course)
      FROM found WHERE found.course IS NOT NULL
    )
    SELECT course FROM found WHERE course IS NOT NULL
    """)

  /// Returns the numbers of the cards of each course, and of those that a learner has met.
  package func cardsByCourse(of learner: LearnerID?) throws -> [NodeID: (all: Int, met: Int)] {
    let rows = try all(
      """
      SELECT node.course, sum(total.cards), sum(ifnull(met.cards, 0))
      FROM cardTotal AS total CROSS JOIN contentNode AS node ON node.id = total.node
      LEFT JOIN cardsMet AS met ON met.learner = ?1 AND met.node = total.node GROUP BY node.course
      """, learner
    ) { ($0[0] as NodeID, (all: $0[1] as Int, met: $0[2] as Int)) }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  /// Returns the activities with cards at a place and below, in reading order, and the number of their cards.
  package func activitiesWithCards(under node: NodeID, madeBy learner: LearnerID?) throws -> [NodeID] {
    let nodes = try subtree(from: .node(node)).lazy.map(\.node).filter { $0.kind == .activity }.map(\.id)
    return try nodes.filter {
      try value(
        """
        SELECT EXISTS (SELECT 1 FROM cardTotal WHERE node = ?1)
          OR EXISTS (SELECT 1 FROM cardMemory WHERE learner = ?2 AND node = ?1)
        """, $0, learner) ?? false
    }
  }

  /// Returns the numbers of due cards in a course or an activity until the end of a day.
  ///
  /// - Parameters:
  ///   - time: The current time. If `nil`, all steps have ended.
  ///   - cards: The cards that are counted. If `nil`, all cards of the scope.
  package func waitingCards(
    of learner: LearnerID, in scope: CardScope, until day: Int, at time: Timestamp? = nil,
    among cards: Set<CardReference>? = nil
  ) throws -> WaitingCards {
    var waiting = WaitingCards()
    let text = cards == nil ? Self.waitingSQL : Self.eachWaitingSQL
    for id in scope.nodes {
      try statements.run(text[scope.areCourses], [learner, id, day, time]) { row in
        if let cards, !cards.contains(CardReference(node: row[5], key: row[6])) { return true }
        let count: Int = row[2]
        if (row[0] as String) == CardPhase.new.rawValue {
          waiting.touchedNew += count
        } else if row[1] {
          waiting.steps += count - row[3]
          waiting.laterSteps += row[3]
          waiting.nextStepAt = [waiting.nextStepAt, row[4]].compactMap(\.self).min()
        } else {
          waiting.reviews += count
        }
        return true
      }
    }
    return waiting
  }

  private static let waitingSQL = scoped { cards in
    """
    SELECT phase, stepEndsAt IS NOT NULL, count(*), count(iif(stepEndsAt > ?4, 1, NULL)),
      min(iif(stepEndsAt > ?4, stepEndsAt, NULL)) \(cards) AND shownFrom <= ?3
    GROUP BY phase, stepEndsAt IS NOT NULL
    """
  }

  private static let eachWaitingSQL = scoped { cards in
    """
    SELECT phase, stepEndsAt IS NOT NULL, 1, ifnull(stepEndsAt > ?4, 0), iif(stepEndsAt > ?4, stepEndsAt, NULL),
      node, key \(cards) AND shownFrom <= ?3
    """
  }

  /// The number of due cards of a course among which the one with the lowest retrievability is chosen. If more cards
  /// are due, those that have been due for longest are considered, so that the query takes at most 2 ms.
  package static let orderedCards = 4_000

  /// Returns the card that is due and has the lowest retrievability, without cards in steps.
  ///
  /// - Parameter considersAll: Whether more than ``orderedCards`` are considered, because few of them may be wanted.
  package func dueCard(
    of learner: LearnerID, in scope: CardScope, on day: Int, consideringAll considersAll: Bool = false,
    where isWanted: (CardReference) throws -> Bool
  ) throws -> CardReference? {
    var best: (card: CardReference, elapsed: Double)?
    let limit =
      considersAll ? -1 : scope.areCourses ? max(100, Self.orderedCards / max(1, scope.nodes.count)) : Self.orderedCards
    for id in scope.nodes {
      func consider(_ row: ResultRow, or next: () throws -> Void) throws -> Bool {
        let (card, elapsed) = (CardReference(node: row[0], key: row[1]), row[2] as Double)
        guard best.map({ elapsed > $0.elapsed }) ?? true else { return false }
        guard try isWanted(card) else {
          try next()
          return true
        }
        best = (card, elapsed)
        return false
      }
      try statements.run(Self.dueSQL[scope.areCourses], [learner, id, day, limit]) { row in
        // All cards are only sorted if the first one is not wanted.
        try consider(row) {
          try statements.run(Self.allDueSQL[scope.areCourses], [learner, id, day, limit]) { try consider($0) {} }
        }
      }
    }
    return best?.card
  }

  // The retrievability falls as the time since the last answer grows relative to the stability. Ties are resolved by the
  // primary key, so that the order is the same on all machines with the same courses.
  private static let dueSQL = scoped { "SELECT node, key, max(elapsed) FROM (\(due($0))) HAVING count(*) > 0" }
  private static let allDueSQL = scoped {
    "SELECT node, key, elapsed FROM (\(due($0))) ORDER BY elapsed DESC, node, key"
  }

  private static func due(_ cards: String) -> String {
    """
    SELECT node, key, ifnull((?3 - lastDay) / stability, 1e9) AS elapsed \(cards)
      AND shownFrom <= ?3 AND stepEndsAt IS NULL AND phase <> 'new'
    ORDER BY shownFrom LIMIT ?4
    """
  }

  /// Returns the card in a step that ends first, and when it ends.
  ///
  /// - Parameters:
  ///   - day: Cards that were buried beyond this day are not considered.
  ///   - isWanted: Returns whether a card is considered.
  package func stepCard(
    of learner: LearnerID, in scope: CardScope, on day: Int,
    where isWanted: (CardReference) throws -> Bool = { _ in true }
  ) throws -> (card: CardReference, endsAt: Timestamp)? {
    // Few cards are in steps, so the whole list is read.
    var first: (card: CardReference, endsAt: Timestamp)?
    let nodes = Set(scope.nodes)
    try statements.run(Self.stepsSQL, [learner, day]) { row in
      guard nodes.contains(row[scope.areCourses ? 3 : 0]) else { return true }
      let card = CardReference(node: row[0], key: row[1])
      guard try isWanted(card) else { return true }
      first = (card, row[2])
      return false
    }
    return first
  }

  private static let stepsSQL = StatementText(
    """
    SELECT node, key, stepEndsAt, course FROM cardMemory INDEXED BY cardMemoryStep
    WHERE learner = ?1 AND isQueued = 1 AND stepEndsAt IS NOT NULL AND shownFrom <= ?2 ORDER BY stepEndsAt
    """)

  /// Returns the next cards after today that a learner can review ahead, those that are due first first.
  ///
  /// - Parameter isWanted: Returns whether a card is returned. If `nil`, every card is.
  package func cardsAhead(
    of learner: LearnerID, in scope: CardScope, after day: Int, limit: Int,
    where isWanted: ((CardReference) -> Bool)? = nil
  ) throws -> [CardReference] {
    var cards: [(card: CardReference, day: Int)] = []
    for id in scope.nodes {
      var count = 0
      let rows = isWanted == nil ? limit : -1
      try statements.run(Self.aheadSQL[scope.areCourses], [learner, id, day, rows]) { row in
        let card = CardReference(node: row[0], key: row[1])
        guard isWanted?(card) ?? true else { return true }
        cards.append((card, row[2]))
        count += 1
        return count < limit
      }
    }
    let order = cards.indices.sorted { (cards[$0].day, $0) < (cards[$1].day, $1) }
    return order.prefix(limit).map { cards[$0].card }
  }

  private static let aheadSQL = scoped { cards in
    """
    SELECT node, key, shownFrom \(cards) AND shownFrom > ?3 AND phase <> 'new'
    ORDER BY shownFrom, lastDay, stability LIMIT ?4
    """
  }

  // MARK: - New cards

  /// The cards of an activity that a learner has not met.
  package struct NewCards: Hashable, Sendable {
    package let course: NodeID
    package let node: NodeID
    package var cards: Int
  }

  /// Returns the activities of begun lessons, and those whose cards the learner has added to the reviews, with cards that
  /// the learner has not met. The lesson that was begun first is first, and its activities are in their order.
  package func newCards(of learner: LearnerID) throws -> [NewCards] {
    try all(
      """
      SELECT node.course, node.id, total.cards - ifnull(met.cards, 0)
      FROM (
        SELECT id, min(since) AS since FROM (
          SELECT node.id, begun.since FROM (
            SELECT above.parent AS lesson, min(progress.begunAt) AS since
            FROM progress CROSS JOIN contentNode AS above ON above.id = progress.node
            WHERE progress.learner = ?1 AND progress.isBegun = 1 AND above.living = 1
            GROUP BY above.parent
          ) AS begun
          CROSS JOIN contentNode AS node ON node.parent = begun.lesson AND node.living = 1
          UNION ALL
          SELECT node, min(at) FROM activityEvent AS event INDEXED BY activityEventIncluding
          WHERE learner = ?1 AND kind = 'cardsIncluded' AND NOT \(Self.isUndone) GROUP BY node
        ) GROUP BY id
      ) AS offered
      CROSS JOIN contentNode AS node ON node.id = offered.id AND node.living = 1
      CROSS JOIN cardTotal AS total ON total.node = node.id
      LEFT JOIN cardsMet AS met ON met.learner = ?1 AND met.node = node.id
      WHERE total.cards > ifnull(met.cards, 0)
      ORDER BY offered.since, node.parent, node.position
      """, learner
    ) { NewCards(course: $0[0], node: $0[1], cards: $0[2]) }
  }

  /// Returns the number of cards of an activity that a learner has not met.
  package func newCardCount(in node: NodeID, of learner: LearnerID) throws -> Int {
    try value("SELECT count(*) \(Self.newInActivity)", node, learner) ?? 0
  }

  /// Calls a function with the cards of an activity that a learner has not met, until it returns `false`. The cards that ask
  /// their notes in the first way, such as front to back, come before those that ask them in the second way, and so on.
  ///
  /// - Parameter body: Receives a card and its note: see ``note(of:)``.
  package func forEachNewCard(
    in node: NodeID, of learner: LearnerID, _ body: (_ card: CardReference, _ note: CardReference) throws -> Bool
  ) throws {
    var goesOn = true
    for way in 0...Self.lastWay where goesOn {
      try statements.run(Self.newInActivitySQL, [node, learner, way]) { row in
        goesOn = try body(
          CardReference(node: node, key: row[0]),
          CardReference(node: node, key: CardKeys.note(of: row[1], isFromAnki: row[2])))
        return goesOn
      }
    }
  }

  private static let newInActivity = """
    FROM card INDEXED BY cardInOrder
    WHERE card.node = ?1 AND card.position IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM cardMemory AS memory WHERE memory.learner = ?2 AND memory.node = ?1 AND memory.key = card.key)
    """
  /// The ways in which a note can be asked are numbered from 0; those after this number are together.
  private static let lastWay = 8
  private static let isFromAnki =
    "(SELECT sourceFormat = 'anki' FROM course JOIN contentNode ON contentNode.course = course.node WHERE contentNode.id = ?1)"
  private static let newInActivitySQL = StatementText(
    """
    SELECT card.key, card.base, \(isFromAnki) \(newInActivity) AND ?3 = min(\(lastWay), CASE
      WHEN card.variant = 'r' THEN 1
      WHEN card.variant LIKE 'c%' THEN max(0, CAST(substr(card.variant, 2) AS INTEGER) - 1)
      WHEN NOT \(isFromAnki) THEN 0
      WHEN card.base GLOB '*/[0-9]' THEN CAST(substr(card.base, -1) AS INTEGER)
      WHEN card.base GLOB '*/[0-9][0-9]' THEN CAST(substr(card.base, -2) AS INTEGER)
      ELSE 0 END)
    ORDER BY card.position
    """)

  /// Returns what identifies the flashcard or question that a card asks, or the note of a card from Anki. Cards with the same
  /// note are siblings.
  package func note(of card: CardReference) throws -> CardReference {
    let key = try first(Self.noteSQL, card.node, card.key) { CardKeys.note(of: $0[0], isFromAnki: $0[1]) }
    return CardReference(node: card.node, key: key ?? card.key)
  }

  private static let noteSQL = StatementText("SELECT base, \(isFromAnki) FROM card WHERE node = ?1 AND key = ?2")

  /// Returns the notes of the cards that a learner has answered on a day, the newest answer first.
  package func notes(answeredBy learner: LearnerID, on day: Int) throws -> [CardReference] {
    try answers(of: learner, in: nil, limit: nil, since: day).lazy.filter { !$0.isUndone }.map { try note(of: $0.card) }
  }

  /// Returns the first new card that has events, for example because it was buried and is shown again.
  package func touchedNewCard(
    of learner: LearnerID, in scope: CardScope, on day: Int, where isWanted: (CardReference) throws -> Bool
  ) throws -> CardReference? {
    var found: CardReference?
    for id in scope.nodes where found == nil {
      try statements.run(Self.touchedSQL[scope.areCourses], [learner, id, day]) { row in
        let card = CardReference(node: row[0], key: row[1])
        if try isWanted(card) { found = card }
        return found == nil
      }
    }
    return found
  }

  // The last day of a card without answers is NULL, which is first in the index among cards of one day.
  private static let touchedSQL = scoped { "SELECT node, key \($0) AND shownFrom <= ?3 AND phase = 'new'" }

  // MARK: - Cards

  /// Returns the suspended cards of a learner with their courses, in the order of the primary key.
  package func suspendedCards(of learner: LearnerID, in scope: CardScope) throws
    -> [(course: NodeID, card: CardReference)]
  {
    let nodes = Set(scope.nodes)
    var cards: [(course: NodeID, card: CardReference)] = []
    try statements.run(
      "SELECT course, node, key FROM cardMemory WHERE learner = ? AND isSuspended = 1 AND isPresent = 1", [learner]
    ) { row in
      if nodes.contains(row[scope.areCourses ? 0 : 1]) {
        cards.append((row[0], CardReference(node: row[1], key: row[2])))
      }
      return true
    }
    return cards
  }

  /// Returns the keys of the cards of an activity: those in its content, in their order, then those that the learner has
  /// made.
  package func cardReferences(in node: NodeID, of learner: LearnerID?) throws -> [CardReference] {
    try all(
      """
      SELECT key FROM (
        SELECT key, position AS place FROM card WHERE node = ?1 AND position IS NOT NULL
        UNION ALL
        SELECT key, 1000000000 FROM madeCard WHERE learner = ?2 AND node = ?1
      ) ORDER BY place, key
      """, node, learner
    ) { CardReference(node: node, key: $0[0]) }
  }

  /// Returns the card that asks a flashcard of an activity from front to back, or `nil` if the flashcard has gaps.
  ///
  /// - Parameter item: The index of the flashcard.
  package func card(ofItem item: Int, in node: NodeID) throws -> CardReference? {
    try first(Self.cardOfItemSQL, node, item) { CardReference(node: node, key: $0[0]) }
  }

  private static let cardOfItemSQL = StatementText(
    "SELECT key FROM card INDEXED BY cardInOrder WHERE node = ? AND position IS NOT NULL AND item = ? AND variant = ''")

  /// Returns what a card asks, or `nil` if its activity does not contain it and the learner has not made it.
  package func faces(of card: CardReference, for learner: LearnerID?) throws -> CardFaces? {
    if card.key.hasPrefix(CardHistory.madePrefix) {
      return try first(Self.madeSQL, learner, card.node, card.key) { row in
        CardFaces(
          question: [.paragraph([.text(row[0])])],
          answer: (row[1] as String).split(separator: "\n\n").map { .paragraph([.text(String($0))]) })
      }
    }
    guard
      let (item, word) = try first(Self.itemSQL, card.node, card.key, as: { ($0[0] as Int, $0[1] as String) }),
      let (type, json) = try first(
        Self.contentSQL, card.node, item, as: { (try $0.word(ActivityType.self, at: 0), $0[1] as String?) }), let json
    else { return nil }
    return try type?.faces(ofItem: Data(json.utf8), CardVariant(word: word))
  }

  /// Returns the index of the flashcard or question that a card asks, or `nil` for a card that the learner has made.
  package func item(of card: CardReference) throws -> Int? {
    try first(Self.itemSQL, card.node, card.key) { $0[0] }
  }

  /// Returns the cards that a learner has made, the most recently changed first, with the passages of which they were made.
  /// For a card without a passage, such as one of a question, the passage is its answer.
  ///
  /// - Parameter node: The activity, or `nil` for all activities.
  package func madeCards(of learner: LearnerID, in node: NodeID? = nil) throws -> [StoredNote] {
    try all(Self.allMadeSQL, learner, node) { row in
      let back: String = row[3]
      let from = max(0, row[8] as Int? ?? 0)
      let anchor = NoteAnchor(
        heading: row[6] ?? "", digest: row[7] ?? "", characters: from..<max(from, row[9] as Int? ?? 0),
        quote: row[10] ?? String(back.prefix(NoteAnchor.maximumQuoteLength)))
      return StoredNote(
        node: row[0],
        note: Note(id: row[1], text: row[2], anchor: anchor, createdAt: row[4], changedAt: row[5], answer: back))
    }
  }

  // Only the event that makes a card has a passage.
  private static let allMadeSQL = StatementText(
    """
    SELECT made.node, made.key, made.front, made.back, min(event.at), max(event.at), max(event.detail ->> 'anchor'),
      max(event.detail ->> 'digest'), max(CAST(event.detail ->> 'from' AS INTEGER)),
      max(CAST(event.detail ->> 'to' AS INTEGER)), max(event.detail ->> 'quote')
    FROM madeCard AS made CROSS JOIN activityEvent AS event INDEXED BY activityEventOfCard
      ON event.learner = made.learner AND event.node = made.node AND event.detail ->> 'key' = made.key
    WHERE made.learner = ?1 AND (made.node = ?2 OR ?2 IS NULL) AND event.kind GLOB 'card*' AND event.kind = 'cardMade'
    GROUP BY made.node, made.key ORDER BY max(event.at) DESC, made.key
    """)
  private static let madeSQL = StatementText(
    "SELECT front, back FROM madeCard WHERE learner = ? AND node = ? AND key = ?")
  private static let itemSQL = StatementText(
    "SELECT item, variant FROM card WHERE node = ? AND key = ? AND position IS NOT NULL")
  private static let contentSQL = StatementText(
    """
    SELECT type, content -> ('$.' || type || '[' || ?2 || ']') FROM activityContent
    WHERE node = ?1 AND items IS NOT NULL
    """)

  /// Returns the key of the first card of a flashcard or question, or `nil` if the activity has none with this number.
  package func cardKey(ofItem item: Int, in node: NodeID) throws -> String? {
    try value(Self.keyOfItemSQL, node, item)
  }

  private static let keyOfItemSQL = StatementText(
    "SELECT key FROM card WHERE node = ? AND item = ? AND position IS NOT NULL ORDER BY position LIMIT 1")

  // MARK: - Days

  /// The answers of a day in all courses of a query.
  package struct StoredReviewDay: Hashable, Sendable {
    package let day: Int
    package let counts: ReviewCounts
  }

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

  /// Returns the number of cards that become due on each day of a period. Cards that were due before are counted on its
  /// first day. New cards are not counted.
  ///
  /// - Parameter cards: The cards that are counted. If `nil`, all cards of the scope.
  package func dueDays(
    of learner: LearnerID, in scope: CardScope, days: ClosedRange<Int>, among cards: Set<CardReference>? = nil
  ) throws -> [Int: Int] {
    var counts: [Int: Int] = [:]
    let text = cards == nil ? Self.dueDaysSQL : Self.eachDueDaySQL
    for id in scope.nodes {
      try statements.run(text[scope.areCourses], [learner, id, days.lowerBound, days.upperBound]) { row in
        if let cards, !cards.contains(CardReference(node: row[2], key: row[3])) { return true }
        counts[row[0], default: 0] += row[1]
        return true
      }
    }
    return counts
  }

  private static let dueDaysSQL = scoped {
    "SELECT max(shownFrom, ?3), count(*) \($0) AND shownFrom <= ?4 AND phase <> 'new' GROUP BY shownFrom"
  }

  private static let eachDueDaySQL = scoped {
    "SELECT max(shownFrom, ?3), 1, node, key \($0) AND shownFrom <= ?4 AND phase <> 'new'"
  }

  /// Returns the sum of the shares of answered cards of the decks of flashcards in a course that are not done.
  package func answeredDecks(in course: NodeID, by learner: LearnerID) throws -> Double {
    try value(
      """
      SELECT sum(min(1.0, 1.0 * met.answered / total.cards))
      FROM (
        SELECT node, count(*) AS answered FROM cardMemory
        WHERE learner = ?1 AND course = ?2 AND isPresent = 1 AND phase <> 'new' GROUP BY node
      ) AS met
      JOIN cardTotal AS total ON total.node = met.node
      JOIN activityContent AS content ON content.node = met.node AND content.hasScore = 0
      LEFT JOIN progress ON progress.learner = ?1 AND progress.node = met.node
      WHERE progress.doneAt IS NULL
      """, learner, course) ?? 0
  }

  // MARK: - Tags

  /// Returns the current cards with a tag or a tag below it, such as `verb::irregular` for `verb`.
  package func cards(tagged tag: String) throws -> Set<CardReference> {
    Set(
      try all("SELECT cardTag.node, cardTag.key FROM cardTag \(Self.isTagged)", tag) {
        CardReference(node: $0[0], key: $0[1])
      })
  }

  /// Returns the tags of current cards and the numbers of their cards, in alphabetical order.
  package func tags() throws -> [(tag: String, cards: Int)] {
    try all(
      """
      SELECT min(tag), count(*) FROM cardTag CROSS JOIN contentNode AS place ON place.id = cardTag.node AND place.living = 1
      GROUP BY tag ORDER BY tag
      """
    ) { (tag: $0[0], cards: $0[1]) }
  }

  private static let isTagged = """
    CROSS JOIN contentNode AS place ON place.id = cardTag.node AND place.living = 1
    WHERE tag = ?1 OR tag > ?1 || '::' AND tag < ?1 || ':;'
    """

  // MARK: - Log

  /// The time and the rating of an answer.
  package typealias KnownAnswer = (at: Timestamp, rating: CardRating?)

  /// Returns the answers to a card, including those that were undone.
  package func answerTimes(of card: CardReference, by learner: LearnerID) throws -> [KnownAnswer] {
    try all(
      """
      SELECT at, detail ->> 'rating' FROM activityEvent
      WHERE learner = ? AND node = ? AND kind = 'cardGraded' AND detail ->> 'key' = ?
      """, learner, card.node, card.key
    ) { ($0[0], ($0[1] as Int?).flatMap(CardRating.init)) }
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

  /// Calls a function with the answers to each card of a learner from its first answer, without those that were undone. The
  /// answers before and after a card became new again are separate. Answers whose beginning is unknown are left out.
  package func forEachAnswerSequence(of learner: LearnerID, _ body: (AnswerSequence) throws -> Void) throws {
    typealias Answer = (uuid: String, rating: CardRating, day: Int, isReset: Bool, hasUnknownStart: Bool)
    var card: CardReference?
    var answers: [Answer] = []
    var undone: Set<String> = []
    func finish() throws {
      var sequences: [[Answer]] = []
      for answer in answers where !undone.contains(answer.uuid) {
        if answer.isReset || sequences.isEmpty { sequences.append([]) }
        sequences[sequences.count - 1].append(answer)
      }
      for sequence in sequences where !sequence.contains(where: \.hasUnknownStart) {
        try body(sequence.map { ($0.rating, $0.day) })
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

extension StoreSnapshot {
  /// Returns whether an activity contains a card, or the learner has made it.
  package func hasCard(_ key: String, in node: NodeID, for learner: LearnerID) throws -> Bool {
    try value(Self.hasCardSQL, node, key, learner) ?? false
  }

  private static let hasCardSQL = StatementText(
    "SELECT \(StoreTransaction.isPresent(node: "?1", key: "?2", learner: "?3"))")
}
