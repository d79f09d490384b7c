package import LearningModel

/// A row of the navigation log.
package struct StoredEvent: Hashable, Sendable {
  package let event: NavigationEvent
  /// The kind of the previous place at the time of the event, or `nil` for the first event of a session.
  package let fromKind: PlaceKind?
  /// The kind of the destination at the time of the event.
  package let toKind: PlaceKind
  /// For an event that moves back or forward, the sequence number of the visit that it returned to, otherwise `nil`.
  /// Also `nil` if that visit belongs to the session from which this one was split off.
  package let returnsTo: Int?
}

extension StoredEvent: StoredRow {
  static let columns = RowReader.columns(of: Self.self)

  init(_ column: inout RowReader) {
    let id: Int64 = column("event.id")
    fromKind = column.word("event.fromKind")
    toKind = column.word("event.toKind") ?? .root
    returnsTo = column("event.returnsTo")
    let from = Place(column("event.fromNode"))
    event = NavigationEvent(
      id: id, uuid: column("event.uuid"), learner: column("event.learner"), session: column("event.session"),
      sequence: column("event.sequence"), operation: column.word("event.operation") ?? .open,
      transition: TransitionChoice(&column), isAnimated: column("event.animated"),
      cause: column.word("event.cause") ?? .system, from: fromKind == nil ? nil : from,
      to: Place(column("event.toNode")), stack: StackText.places(column("event.stack")), at: column("event.at"),
      leftAt: column("event.leftAt"), activeMilliseconds: column("event.activeMs"),
      courseRevision: column("event.courseRevision"))
  }
}

extension TransitionChoice {
  /// Reads the transition of an event, or returns `nil` if the event has none.
  fileprivate init?(_ column: inout RowReader) {
    let (kind, direction): (TransitionKind?, TransitionDirection?) = (
      column.word("event.transition"), column.word("event.direction")
    )
    let (reason, node): (TransitionReason?, NodeID?) = (column.word("event.reason"), column("event.movingNode"))
    guard let kind, let reason else { return nil }
    self.init(kind: kind, direction: direction, reason: reason, node: node)
  }
}

/// The format of the stack in the log: the node IDs from the course to the current place, as a JSON array.
enum StackText {
  static func write(_ nodes: [NodeID]) -> String {
    // Written by hand because every event needs it. Each ID has at most 20 bytes, plus one separator.
    String(unsafeUninitializedCapacity: 22 * nodes.count + 2) { text in
      var end = 0
      func add(_ character: Unicode.Scalar) {
        text[end] = UInt8(ascii: character)
        end += 1
      }
      add("[")
      for (index, node) in nodes.enumerated() {
        if index > 0 { add(",") }
        if node.rawValue < 0 { add("-") }
        var (remaining, start) = (node.rawValue.magnitude, end)
        repeat {
          text[end] = UInt8(ascii: "0") + UInt8(remaining % 10)
          end += 1
          remaining /= 10
        } while remaining > 0
        text[start..<end].reverse()
      }
      add("]")
      return end
    }
  }

  /// Returns the places of a stack, beginning with the root.
  static func places(_ text: String) -> [Place] {
    var places: [Place] = []
    places.reserveCapacity(8)
    places.append(.root)
    var number: Int64?
    for byte in text.utf8 {
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        number = (number ?? 0) &* 10 &+ Int64(byte - UInt8(ascii: "0"))
      } else if let id = number.take() {
        places.append(.node(NodeID(rawValue: id)))
      }
    }
    return places
  }
}

extension StoreSnapshot {
  /// Returns the last event of a session, or `nil` if it has none.
  package func lastNavigationEvent(of session: SessionID) throws -> StoredEvent? {
    try first(Self.lastStepSQL, session, as: StoredEvent.init)
  }

  private static let lastStepSQL = StatementText(
    "SELECT \(StoredEvent.columns) FROM navigationEvent AS event WHERE session = ? ORDER BY sequence DESC LIMIT 1")

  /// Returns the event of a learner with the latest time that is not in the future, or `nil` if they have no history. If
  /// all events are in the future, returns the latest of them.
  ///
  /// - Parameter now: The current time.
  package func newestNavigationEvent(of learner: LearnerID, at now: Timestamp) throws -> StoredEvent? {
    try first(Self.newestSQL, learner, now, as: StoredEvent.init)
      ?? first(Self.newestSQL, learner, Timestamp(milliseconds: .max), as: StoredEvent.init)
  }

  private static let newestSQL = StatementText(
    """
    SELECT \(StoredEvent.columns) FROM navigationEvent AS event INDEXED BY navigationEventByTime
    WHERE learner = ? AND at <= ? ORDER BY at DESC, id DESC LIMIT 1
    """)

  /// Returns the child of a place that a learner visited most recently, either the child itself or a place in its
  /// subtree. Returns `nil` if none of the learner's last eight events led below the place. Events in the future are
  /// ignored.
  ///
  /// Each start of the program adds an event that resumes at the previous place. These events are not counted, but at
  /// most two hundred events are read.
  package func lastVisitedChild(by learner: LearnerID, under place: Place, at now: Timestamp) throws -> Place? {
    var (child, others): (Place?, Int) = (nil, 0)
    try statements.run(
      """
      SELECT event.stack, event.operation FROM navigationEvent AS event INDEXED BY navigationEventByTime
      WHERE learner = ? AND at <= ? ORDER BY at DESC, id DESC LIMIT 200
      """, [learner, now]
    ) { row in
      let stack = StackText.places(row[0])
      if let index = stack.firstIndex(of: place), index + 1 < stack.count { child = stack[index + 1] }
      if try row.word(NavigationOperation.self, at: 1) != .resume { others += 1 }
      return child == nil && others < 8
    }
    return child
  }

  /// Calls `body` with the events of a session in their order, until it returns `false`.
  package func forEachNavigationEvent(of session: SessionID, _ body: (StoredEvent) throws -> Bool) throws {
    try statements.run(
      "SELECT \(StoredEvent.columns) FROM navigationEvent AS event WHERE session = ? ORDER BY sequence", [session]
    ) { try body(StoredEvent(row: $0)) }
  }

  /// Returns the total active time of the last completed visits of a session in milliseconds, and whether these are all
  /// visits of the session.
  ///
  /// - Parameter limit: The maximum number of visits that are read.
  package func activeMilliseconds(
    of session: SessionID, limit: Int
  ) throws -> (milliseconds: Int64, isComplete: Bool) {
    var time: (milliseconds: Int64, isComplete: Bool) = (0, true)
    try statements.run(
      """
      SELECT ifnull(sum(activeMs), 0), count(*)
      FROM (SELECT activeMs FROM navigationEvent WHERE session = ? ORDER BY sequence DESC LIMIT ?)
      """, [session, limit]
    ) { row in
      time = (row[0], (row[1] as Int) < limit)
      return false
    }
    return time
  }

  /// Returns the visit to which an activity event belongs: the last earlier navigation event of the same session that
  /// led to the activity. Returns `nil` if there is no such navigation event.
  package func visit(of event: ActivityEvent) throws -> StoredEvent? {
    try first(
      Self.visitSQL, event.learner, event.node, event.session, event.at,
      try value(Self.lastByClockSQL, event.learner, event.at) ?? Int64(0), as: StoredEvent.init)
      // A visit that is earlier than the learner's clock, such as one from a merged file, has a higher ID.
      ?? first(Self.visitSQL, event.learner, event.node, event.session, event.at, Int64.max, as: StoredEvent.init)
  }

  private static let lastByClockSQL = StatementText(
    """
    SELECT id FROM navigationEvent INDEXED BY navigationEventByClock
    WHERE learner = ? AND clock <= ? ORDER BY clock DESC, id DESC LIMIT 1
    """)
  private static let visitSQL = StatementText(
    """
    SELECT \(StoredEvent.columns)
    FROM visitUnder AS visit CROSS JOIN navigationEvent AS event ON event.id = visit.event
    WHERE visit.learner = ?1 AND visit.node = ?2 AND visit.event <= ?5
      AND event.toNode = ?2 AND event.session = ?3 AND event.at <= ?4
    ORDER BY visit.event DESC LIMIT 1
    """)

  /// Returns the places of a session's last visits up to the current one, in the order in which the commands *back* and
  /// *forward* visit them, the oldest first.
  ///
  /// The events are read backwards, at most two for each visit, so the cost does not depend on the length of the
  /// session.
  ///
  /// - Parameter limit: The maximum number of places.
  package func visitedPath(in session: Session, limit: Int) throws -> [Place] {
    // A repair replaces the visit that was current before it. Repairs are rare.
    var (replacements, replaced): ([Int: Int], [Int: Int]) = ([:], [:])
    try statements.run(Self.repairsSQL, [session.learner, session.id]) { row in
      let (repair, visit) = (row[0] as Int, row[1] as Int)
      (replacements[visit], replaced[repair]) = (repair, visit)
      return true
    }

    var places: [Place] = []
    var step: Int = try value(Self.lastSequenceSQL, session.id) ?? 0
    while places.count < limit, var visit: Int = try value(Self.visitReachedSQL, session.id, step) {
      while let repair = replacements[visit] { visit = repair }
      places.append(Place(try value(Self.placeSQL, session.id, visit)))
      // The previous visit is the one that was current when this visit was added.
      while let original = replaced[visit] { visit = original }
      step = visit - 1
    }
    return places.reversed()
  }

  private static let lastSequenceSQL = StatementText("SELECT max(sequence) FROM navigationEvent WHERE session = ?")
  private static let visitReachedSQL = StatementText(
    "SELECT ifnull(returnsTo, sequence) FROM navigationEvent WHERE session = ? AND sequence = ?")
  private static let placeSQL = StatementText("SELECT toNode FROM navigationEvent WHERE session = ? AND sequence = ?")
  private static let repairsSQL = StatementText(
    """
    SELECT repair.sequence, ifnull(before.returnsTo, before.sequence)
    FROM navigationEvent AS repair INDEXED BY navigationEventByOperation
    CROSS JOIN navigationEvent AS before
      ON before.session = repair.session AND before.sequence = repair.sequence - 1
    WHERE repair.learner = ?1 AND repair.operation = 'repair' AND repair.session = ?2
    ORDER BY repair.id
    """)
}

// Parts of the log in ascending order, for event streams.

extension StoreSnapshot {
  /// Returns the ID of the newest navigation event of all learners, or 0 if the log is empty.
  package func newestEventNumber() throws -> Int64 { try value(Self.newestNumberSQL) ?? 0 }

  private static let newestNumberSQL = StatementText("SELECT max(id) FROM navigationEvent")

  /// Returns navigation events of all learners, sorted by ID.
  ///
  /// - Parameters:
  ///   - numbers: The range of IDs.
  ///   - limit: The maximum number of events.
  package func navigationEvents(numbered numbers: ClosedRange<Int64>, limit: Int) throws -> [StoredEvent] {
    try all(Self.numberedStepsSQL, numbers.lowerBound, numbers.upperBound, limit, as: StoredEvent.init)
  }

  private static let numberedStepsSQL = StatementText(
    """
    SELECT \(StoredEvent.columns) FROM navigationEvent AS event NOT INDEXED
    WHERE event.id BETWEEN ? AND ? ORDER BY event.id LIMIT ?
    """)

  /// Returns navigation events of one learner within a range of IDs, sorted by ID.
  package func navigationEvents(of learner: LearnerID, numbered numbers: ClosedRange<Int64>, limit: Int) throws
    -> [StoredEvent]
  {
    try all(Self.ownStepsSQL, learner, numbers.lowerBound, numbers.upperBound, limit, as: StoredEvent.init)
  }

  private static let ownStepsSQL = StatementText(
    """
    SELECT \(StoredEvent.columns) FROM navigationEvent AS event INDEXED BY navigationEventOfLearner
    WHERE event.learner = ? AND event.id BETWEEN ? AND ? ORDER BY event.id LIMIT ?
    """)

  /// Returns the number of a learner's events within a range of IDs, counted up to a limit.
  package func navigationEventCount(of learner: LearnerID, numbered numbers: ClosedRange<Int64>, limit: Int) throws
    -> Int
  {
    try value(
      """
      SELECT count(*) FROM (
        SELECT 1 FROM navigationEvent INDEXED BY navigationEventOfLearner
        WHERE learner = ? AND id BETWEEN ? AND ? LIMIT ?)
      """, learner, numbers.lowerBound, numbers.upperBound, limit) ?? 0
  }
}
