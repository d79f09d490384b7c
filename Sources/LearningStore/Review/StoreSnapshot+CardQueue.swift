package import LearningModel

// The queue of a learner: the cards of a scope that are due, in steps, due later or suspended.

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
  /// When the last of ``laterSteps`` ends.
  package var lastStepAt: Timestamp?
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
        if let cards, !cards.contains(CardReference(node: row[6], key: row[7])) { return true }
        let count: Int = row[2]
        if (row[0] as String) == CardPhase.new.rawValue {
          waiting.touchedNew += count
        } else if row[1] {
          waiting.steps += count - row[3]
          waiting.laterSteps += row[3]
          waiting.nextStepAt = [waiting.nextStepAt, row[4]].compactMap(\.self).min()
          waiting.lastStepAt = [waiting.lastStepAt, row[5]].compactMap(\.self).max()
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
      min(iif(stepEndsAt > ?4, stepEndsAt, NULL)), max(iif(stepEndsAt > ?4, stepEndsAt, NULL)) \(cards) AND shownFrom <= ?3
    GROUP BY phase, stepEndsAt IS NOT NULL
    """
  }

  private static let eachWaitingSQL = scoped { cards in
    """
    SELECT phase, stepEndsAt IS NOT NULL, 1, ifnull(stepEndsAt > ?4, 0), iif(stepEndsAt > ?4, stepEndsAt, NULL),
      iif(stepEndsAt > ?4, stepEndsAt, NULL), node, key \(cards) AND shownFrom <= ?3
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
}
