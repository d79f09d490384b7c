import GRDB
package import LearningModel

// The memory of cards, derived from the card events in the log. `CardHistory` defines how.

extension StoreSnapshot {
  /// Returns the memory model of a learner.
  ///
  /// - Parameter node: A node of the course whose weights are used if it has weights of its own. `nil` for the weights of all
  ///   courses.
  package func memoryModel(of learner: LearnerID, in node: NodeID? = nil) throws -> MemoryModel {
    let own = try node.flatMap { try keys(of: $0)?.course }
    return try settings([.weights], of: learner, course: own)[.weights].flatMap(MemoryModel.init(storedText:))
      ?? .standard
  }
}

extension StoreTransaction {
  /// Updates the memory of a card after an event was added.
  ///
  /// An answer that follows all other events of the card is applied to its memory, which reads no other events. After
  /// another event, the memory is computed again.
  ///
  /// - Parameters:
  ///   - event: The added event.
  ///   - orderedAt: The place of the event in the order of the learner's events.
  ///   - id: The row ID of the event.
  ///   - state: The memory before the event and the model, or `nil` to read them.
  func updateMemory(
    in node: NodeID, by learner: LearnerID, after event: CardHistory.Event, at orderedAt: Int64, withID id: Int64,
    knowing state: (memory: StoredMemory, model: MemoryModel)? = nil
  ) throws {
    let key = event.detail.key
    let model = try state?.model ?? snapshot.memoryModel(of: learner, in: node)
    guard event.kind == .cardGraded,
      let memory = try state?.memory ?? snapshot.storedMemory(of: key, in: node, by: learner),
      memory.orderedAt < orderedAt
    else { return try recompute(key, in: node, by: learner, addedAfter: id - 1, model: model) }
    var history = memory.history
    let answer = history.apply(event, model: model)
    try write(history, key, node, learner, memory.course, isPresent: memory.isPresent, orderedAt: orderedAt)
    if let answer { try add(answer.counts, day: answer.day, learner, memory.course) }
  }

  /// Marks the memories of all cards with events that have higher row IDs, which a merge has added.
  func markMemories(of learner: LearnerID, addedAfter id: Int64) throws { try run(Self.markSQL, id, learner) }

  /// Computes the memories that are marked.
  ///
  /// - Parameters:
  ///   - learner: The learner, or `nil` for all learners.
  ///   - limit: The maximum number of cards.
  /// - Returns: Whether there were any.
  @discardableResult
  package func settleMemories(of learner: LearnerID? = nil, limit: Int = 500) throws -> Bool {
    let marked = try snapshot.all(Self.markedSQL, learner, limit) { row in
      (learner: row[0] as LearnerID, node: row[1] as NodeID, key: row[2] as String, counted: row[3] as Int64)
    }
    var model: (learner: LearnerID, node: NodeID, model: MemoryModel)?
    for card in marked {
      if model?.learner != card.learner || model?.node != card.node {
        model = (card.learner, card.node, try snapshot.memoryModel(of: card.learner, in: card.node))
      }
      guard let model = model?.model else { continue }
      try recompute(card.key, in: card.node, by: card.learner, addedAfter: card.counted, model: model)
      try run(Self.unmarkSQL, card.learner, card.node, card.key)
    }
    return !marked.isEmpty
  }

  private static let markSQL = StatementText(
    """
    INSERT INTO staleMemory (learner, node, key, counted)
    SELECT DISTINCT learner, node, detail ->> 'key', ?1 FROM activityEvent NOT INDEXED
    WHERE id > ?1 AND (learner = ?2 OR ?2 IS NULL) AND kind GLOB 'card*' AND detail ->> 'key' IS NOT NULL
    ON CONFLICT DO NOTHING
    """)
  // The answers are already part of the counts of days.
  private static let markCourseSQL = StatementText(
    """
    INSERT INTO staleMemory (learner, node, key, counted)
    SELECT learner, node, key, (SELECT max(id) FROM activityEvent) FROM cardMemory
    WHERE learner = ?1 AND course = (SELECT id FROM contentNode WHERE key = ?2 AND parent IS NULL)
    ON CONFLICT DO NOTHING
    """)
  private static let markedSQL = StatementText(
    "SELECT learner, node, key, counted FROM staleMemory WHERE learner = ?1 OR ?1 IS NULL LIMIT ?2")
  private static let unmarkSQL = StatementText("DELETE FROM staleMemory WHERE learner = ? AND node = ? AND key = ?")

  /// Computes the memory of a card from all its events.
  ///
  /// - Parameter id: The events up to this row ID are already part of the counts of days.
  private func recompute(
    _ key: String, in node: NodeID, by learner: LearnerID, addedAfter id: Int64, model: MemoryModel
  ) throws {
    var events: [(event: CardHistory.Event, id: Int64)] = []
    var orderedAt: Int64 = 0
    try statements.run(StoreSnapshot.eventsOfCardSQL, [learner, node, key]) { row in
      events.append((try CardHistory.Event(row: row), row[CardHistory.Event.columnCount + 1]))
      orderedAt = row[CardHistory.Event.columnCount]
      return true
    }
    let before = CardHistory(events.lazy.filter { $0.id <= id }.map(\.event), model: model)
    let after = CardHistory(events.map(\.event), model: model)
    let course: Int64 = try snapshot.value(Self.courseSQL, node) ?? node.rawValue
    try replaceMadeCard(after, key, node, learner)
    try replaceMemory(after, key, node, learner, course, orderedAt: orderedAt)
    for day in Set(before.days.keys).union(after.days.keys) {
      let change = (after.days[day] ?? ReviewCounts()) - (before.days[day] ?? ReviewCounts())
      if change != ReviewCounts() { try add(change, day: day, learner, course) }
    }
  }

  private static let courseSQL = StatementText("SELECT course FROM contentNode WHERE id = ?")

  private func replaceMadeCard(
    _ history: CardHistory, _ key: String, _ node: NodeID, _ learner: LearnerID
  ) throws {
    guard key.hasPrefix(CardHistory.madePrefix) else { return }
    try run(Self.unmakeSQL, learner, node, key)
    if let made = history.made { try run(Self.makeSQL, learner, node, key, made.front, made.back) }
  }

  private static let unmakeSQL = StatementText("DELETE FROM madeCard WHERE learner = ? AND node = ? AND key = ?")
  private static let makeSQL = StatementText(
    "INSERT INTO madeCard (learner, node, key, front, back) VALUES (?, ?, ?, ?, ?)")

  private func replaceMemory(
    _ history: CardHistory, _ key: String, _ node: NodeID, _ learner: LearnerID, _ course: Int64, orderedAt: Int64
  ) throws {
    let isMade = key.hasPrefix(CardHistory.madePrefix)
    let wasMet: Bool = try snapshot.value(Self.wasMetSQL, learner, node, key) ?? false
    // A card that the learner has made waits in the queue as a new card.
    guard !history.isUntouched || isMade && history.made != nil else {
      try run(Self.forgetSQL, learner, node, key)
      if wasMet, !isMade { try countMet(-1, in: node, by: learner) }
      return
    }
    let isPresent: Bool = try snapshot.value(Self.isPresentSQL, node, key, learner) ?? false
    try write(history, key, node, learner, course, isPresent: isPresent, orderedAt: orderedAt)
    if isPresent != wasMet, !isMade { try countMet(isPresent ? 1 : -1, in: node, by: learner) }
  }

  private func countMet(_ change: Int, in node: NodeID, by learner: LearnerID) throws {
    try run(Self.meetSQL, learner, node, change)
    if change < 0 { try run(Self.tidyMetSQL, learner, node) }
  }

  private static let wasMetSQL = StatementText(
    "SELECT isPresent FROM cardMemory WHERE learner = ? AND node = ? AND key = ?")
  private static let forgetSQL = StatementText("DELETE FROM cardMemory WHERE learner = ? AND node = ? AND key = ?")
  private static let isPresentSQL = StatementText("SELECT \(isPresent(node: "?1", key: "?2", learner: "?3"))")
  private static let meetSQL = StatementText(
    """
    INSERT INTO cardsMet (learner, node, cards) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET cards = cards + excluded.cards
    """)
  private static let tidyMetSQL = StatementText("DELETE FROM cardsMet WHERE learner = ? AND node = ? AND cards = 0")

  private func write(
    _ history: CardHistory, _ key: String, _ node: NodeID, _ learner: LearnerID, _ course: Int64, isPresent: Bool,
    orderedAt: Int64
  ) throws {
    try run(Self.writeSQL) { parameters in
      parameters.add(learner)
      parameters.add(node)
      parameters.add(key)
      parameters.add(course)
      parameters.add(history.state.phase.rawValue)
      parameters.add(history.state.step)
      parameters.add(history.state.memory?.stability)
      parameters.add(history.state.memory?.difficulty)
      parameters.add(history.state.intervalDays)
      parameters.add(history.state.answers)
      parameters.add(history.state.lapses)
      parameters.add(history.lastAt)
      parameters.add(history.lastDay)
      parameters.add(history.due)
      parameters.add(history.stepEndsAt)
      parameters.add(history.isSuspended)
      parameters.add(history.buriedUntil)
      parameters.add(history.shownFrom)
      parameters.add(isPresent)
      parameters.add(isPresent && !history.isSuspended)
      parameters.add(orderedAt)
    }
  }

  private static let writeSQL = StatementText(
    """
    INSERT INTO cardMemory (
      learner, node, key, course, phase, step, stability, difficulty, intervalDays, answers, lapses, lastAt, lastDay, due,
      stepEndsAt, isSuspended, buriedUntil, shownFrom, isPresent, isQueued, orderedAt)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET phase = excluded.phase, step = excluded.step, stability = excluded.stability,
      difficulty = excluded.difficulty, intervalDays = excluded.intervalDays, answers = excluded.answers,
      lapses = excluded.lapses, lastAt = excluded.lastAt, lastDay = excluded.lastDay, due = excluded.due,
      stepEndsAt = excluded.stepEndsAt, isSuspended = excluded.isSuspended, buriedUntil = excluded.buriedUntil,
      shownFrom = excluded.shownFrom, isPresent = excluded.isPresent, isQueued = excluded.isQueued,
      orderedAt = excluded.orderedAt
    """)

  private func add(_ counts: ReviewCounts, day: Int, _ learner: LearnerID, _ course: Int64) throws {
    try run(Self.addSQL) { parameters in
      parameters.add(learner)
      parameters.add(day)
      parameters.add(course)
      parameters.add(counts.answers)
      parameters.add(counts.new)
      parameters.add(counts.reviews)
      parameters.add(counts.passed)
      parameters.add(counts.milliseconds)
    }
    // The row of a day whose answers were all undone is removed, so that a rebuild results in the same rows.
    if counts.answers < 0 { try run(Self.tidySQL, learner, day, course) }
  }

  private static let addSQL = StatementText(
    """
    INSERT INTO reviewDay (learner, day, course, answers, new, reviews, passed, milliseconds)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET answers = answers + excluded.answers, new = new + excluded.new,
      reviews = reviews + excluded.reviews, passed = passed + excluded.passed,
      milliseconds = milliseconds + excluded.milliseconds
    """)
  private static let tidySQL = StatementText(
    "DELETE FROM reviewDay WHERE learner = ? AND day = ? AND course = ? AND answers = 0")

  // MARK: - Rebuilding

  /// The derived tables of reviews.
  static let reviewProjections = ["cardMemory", "cardsMet", "madeCard", "reviewDay", "staleMemory"]

  /// Rebuilds the memories of one learner or of all learners. Their tables must be empty.
  func rebuildMemories(of learner: LearnerID? = nil) throws {
    try run(Self.markSQL, 0, learner)
    while try settleMemories(of: learner) {}
  }

  /// Computes the memories of a learner again with other weights.
  ///
  /// - Parameter course: The key of a course, to compute the memories of its cards only.
  func recomputeMemories(of learner: LearnerID, course: String? = nil) throws {
    if let course {
      try run(Self.markCourseSQL, learner, course)
      while try settleMemories(of: learner) {}
      return
    }
    for table in Self.reviewProjections {
      try database.execute(sql: "DELETE FROM \(table) WHERE learner = ?", arguments: [learner.rawValue])
    }
    try rebuildMemories(of: learner)
  }
}

extension CardHistory.Event {
  /// The columns of an event, in the order in which ``init(row:)`` reads them.
  static let columns = """
    event.uuid, event.kind, event.at, event.detail ->> 'key', event.detail ->> 'rating', event.detail ->> 'day', \
    event.detail ->> 'ms', event.detail ->> 'phase', event.detail ->> 'step', event.detail ->> 'seconds', \
    event.detail ->> 'days', event.detail ->> 'due', event.detail ->> 'stability', event.detail ->> 'difficulty', \
    event.detail ->> 'answers', event.detail ->> 'lapses', event.detail ->> 'event', event.detail ->> 'front', \
    event.detail ->> 'back', event.detail ->> 'reset' IS 1, event.detail ->> 'action'
    """
  static let columnCount = 21

  init(row: ResultRow) throws {
    // Another program may have written any numbers, and sums of them must not overflow.
    func number(_ column: Int, _ range: ClosedRange<Int>) -> Int? {
      (row[column] as Int?).map { min(range.upperBound, max(range.lowerBound, $0)) }
    }
    var detail = CardEventDetail(key: row[3])
    detail.rating = row[4]
    detail.reset = row[19] ? true : nil
    detail.day = number(5, -10_000_000...10_000_000)
    detail.ms = number(6, 0...86_400_000)
    detail.phase = (row[7] as String?).flatMap(CardPhase.init)
    detail.step = number(8, 0...1_000)
    detail.seconds = number(9, 0...86_400)
    detail.days = number(10, 0...100_000)
    detail.due = number(11, -10_000_000...10_000_000)
    detail.stability = row[12]
    detail.difficulty = row[13]
    detail.answers = number(14, 0...1_000_000)
    detail.lapses = number(15, 0...1_000_000)
    detail.event = row[16]
    detail.front = row[17]
    detail.back = row[18]
    detail.action = row[20]
    self.init(
      uuid: row[0], kind: try row.word(ActivityEventKind.self, at: 1) ?? .cardGraded, detail: detail, at: row[2])
  }
}

/// A row of `cardMemory`.
package struct StoredMemory: Sendable {
  package let history: CardHistory
  package let course: Int64
  package let isPresent: Bool
  /// The place of the last event of the card in the order of the learner's events.
  package let orderedAt: Int64
}

extension StoreSnapshot {
  /// Returns whether memories of a learner must be computed again before they are read.
  package func hasStaleMemories(of learner: String) throws -> Bool {
    try value(Self.hasStaleSQL, learner) ?? false
  }

  private static let hasStaleSQL = StatementText(
    "SELECT EXISTS (SELECT 1 FROM staleMemory WHERE learner = (SELECT id FROM learner WHERE name = ?))")

  /// Returns the memory of a card, or `nil` if the card has no events.
  package func storedMemory(of key: String, in node: NodeID, by learner: LearnerID) throws -> StoredMemory? {
    try first(Self.memorySQL, learner, node, key) { row in
      StoredMemory(history: try CardHistory(row: row), course: row[14], isPresent: row[15], orderedAt: row[16])
    }
  }

  private static let memorySQL = StatementText(
    """
    SELECT \(CardHistory.columns), course, isPresent, orderedAt
    FROM cardMemory AS memory WHERE learner = ? AND node = ? AND key = ?
    """)
}

extension CardHistory {
  /// The columns of a memory, in the order in which ``init(row:from:)`` reads them.
  static let columns = """
    memory.phase, memory.step, memory.stability, memory.difficulty, memory.intervalDays, memory.answers, \
    memory.lapses, memory.lastAt, memory.lastDay, memory.due, memory.stepEndsAt, memory.isSuspended, \
    memory.buriedUntil, memory.shownFrom
    """

  init(row: ResultRow, from first: Int = 0) throws {
    let stability: Double? = row[first + 2]
    let difficulty: Double? = row[first + 3]
    let memory = stability.flatMap { stability in
      difficulty.map { CardMemory(stability: stability, difficulty: $0) }
    }
    self.init(
      state: CardState(
        phase: CardPhase(rawValue: row[first]) ?? .review, step: row[first + 1], memory: memory,
        intervalDays: row[first + 4], answers: row[first + 5], lapses: row[first + 6]),
      lastAt: row[first + 7], lastDay: row[first + 8], due: row[first + 9], stepEndsAt: row[first + 10],
      isSuspended: row[first + 11], buriedUntil: row[first + 12])
  }
}
