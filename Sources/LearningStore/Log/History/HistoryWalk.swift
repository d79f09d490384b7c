import LearningModel

/// One walk down one index, the newest step first.
struct HistoryWalk {
  /// What stands behind FROM, with the step as `event`.
  private(set) var source: String
  /// The step's number as the index has it, so that its order is known.
  private(set) var id: String
  /// What must hold; the first ones say where the walk begins and ends.
  private(set) var conditions: [String] = []
  private(set) var values: [any ColumnValue] = []

  /// Walks the log itself.
  init(ofEveryone query: HistoryQuery) {
    source = "navigationEvent AS event NOT INDEXED"
    id = "event.id"
    require("true")
    if let before = query.before { require("event.id < ?", before) }
    filter(by: query)
  }

  /// Walks the index of one learner that leads past the fewest steps.
  ///
  /// - Parameter count: How many such walks there are: what is found out for each must be little.
  /// - Returns: `nil` where nothing can match.
  init?(_ query: HistoryQuery, of learner: LearnerID, amongst count: Int, in snapshot: StoreSnapshot) throws {
    guard let bounds = try Bounds(query, of: learner, in: snapshot) else { return nil }
    let indexes = HistoryIndex.all(query, of: learner)
    let shortest = try Self.shortest(indexes, bounds, lookingAt: max(20, 200 / count), in: snapshot)
    let candidate = indexes[shortest]
    source =
      candidate.isApart
      ? "\(candidate.index) CROSS JOIN navigationEvent AS event ON event.id = \(candidate.id)" : candidate.index
    id = candidate.id
    conditions = [candidate.condition]
    values = candidate.values
    for (condition, bound) in bounds.conditions(on: candidate.id) { require(condition, bound) }
    for (index, other) in indexes.enumerated() where index != shortest {
      conditions.append(other.check)
      values += other.checkedValues
    }
    filter(by: query)
  }

  private mutating func require(_ condition: String, _ values: any ColumnValue...) {
    conditions.append(condition)
    self.values += values
  }

  /// Adds what every step is held against, whatever index led to it.
  private mutating func filter(by query: HistoryQuery) {
    if let since = query.since { require("event.at >= ?", since) }
    if let until = query.until { require("event.at <= ?", until) }
    if let type = query.type {
      require("(SELECT type FROM activityContent WHERE node = event.toNode) = ?", type.rawValue)
    }
    if let areRight = query.areAnswersRight {
      require(
        """
        (SELECT score = 1 FROM activityEvent AS answered INDEXED BY activityEventOfLearner
         WHERE learner = event.learner AND node = event.toNode AND kind = 'quizChecked'
         ORDER BY orderedAt DESC, id DESC LIMIT 1) = ?
        """, areRight)
    }
    if let isDone = query.isDone {
      require(
        """
        (SELECT doneAt IS NOT NULL FROM progress WHERE learner = event.learner AND node = event.toNode) = ?
        AND NOT EXISTS (
          SELECT * FROM navigationEvent AS later
          WHERE later.toNode = event.toNode AND later.learner = event.learner AND (later.clock, later.id) > (event.clock, event.id))
        """, isDone)
    }
    for text in query.texts {
      let pattern = text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
      require(
        "ifnull((SELECT node.title FROM contentNode AS node WHERE id = event.toNode), 'Courses') "
          + "LIKE ? ESCAPE '\\'", "%\(pattern)%")
    }
  }

  /// Which way leads past the fewest steps: the one whose newest entries, so many of each, reach back furthest.
  private static func shortest(
    _ indexes: [HistoryIndex], _ bounds: Bounds, lookingAt most: Int, in snapshot: StoreSnapshot
  ) throws -> Int {
    guard indexes.count > 1 else { return 0 }
    var best: (index: Int, count: Int, oldest: Int64)?
    for (index, candidate) in indexes.enumerated() {
      let limits = bounds.conditions(on: candidate.id)
      let conditions = ([candidate.condition] + limits.map(\.0)).joined(separator: " AND ")
      let sql = """
        SELECT count(*), ifnull(min(id), 0) FROM (
          SELECT \(candidate.id) AS id FROM \(candidate.index) WHERE \(conditions) ORDER BY 1 DESC LIMIT ?)
        """
      try snapshot.statements.run(sql, candidate.values + limits.map(\.1) + [most]) { row in
        let found = (index: index, count: row[0] as Int, oldest: row[1] as Int64)
        // One that ends before is shorter than any that lasts.
        if let known = best, (known.count, known.oldest) <= (found.count, found.oldest) { return false }
        best = found
        return false
      }
      if best?.count == 0 { break }
    }
    return best?.index ?? 0
  }
}

// MARK: - Ways

/// An index that leads to all steps of one filter, and how a step that was come to otherwise is held against it.
private struct HistoryIndex {
  /// What stands behind FROM to walk it.
  let index: String
  /// Whether the index is a table of its own, beside the log.
  var isApart = false
  var id = "event.id"
  let condition: String
  let values: [any ColumnValue]
  let check: String
  let checkedValues: [any ColumnValue]

  /// Every way to the steps of a learner that a query asks for, those first that are short most often.
  static func all(_ query: HistoryQuery, of learner: LearnerID) -> [HistoryIndex] {
    var indexes: [HistoryIndex] = []
    if let session = query.session {
      indexes.append(
        HistoryIndex(
          index: "navigationEvent AS event INDEXED BY navigationEventOfSession", condition: "event.session = ?",
          values: [session], check: "event.session = ?", checkedValues: [session]))
    }
    for node in query.under.reversed() {
      indexes.append(
        HistoryIndex(
          index: "visitUnder AS visit", isApart: true, id: "visit.event",
          condition: "visit.learner = ? AND visit.node = ?", values: [learner, node],
          check: "EXISTS (SELECT 1 FROM visitUnder AS u WHERE u.learner = ? AND u.node = ? AND u.event = event.id)",
          checkedValues: [learner, node]))
    }
    if let name = query.sessionName {
      indexes.append(
        HistoryIndex(
          index: "visitNamed AS visit", isApart: true, id: "visit.event",
          condition: "visit.learner = ? AND visit.name = ?", values: [learner, name],
          check: "EXISTS (SELECT 1 FROM session WHERE session.id = event.session AND session.name = ?)",
          checkedValues: [name]))
    }
    for (column, index, value) in [
      ("cause", "ByCause", query.cause?.rawValue), ("transition", "ByTransition", query.transition?.rawValue),
      ("operation", "ByOperation", query.operation?.rawValue), ("toKind", "ByKind", query.kind?.rawValue),
    ] {
      guard let value else { continue }
      indexes.append(
        HistoryIndex(
          index: "navigationEvent AS event INDEXED BY navigationEvent\(index)",
          condition: "event.learner = ? AND event.\(column) = ?", values: [learner, value],
          check: "event.\(column) = ?", checkedValues: [value]))
    }
    guard indexes.isEmpty else { return indexes }
    return [
      HistoryIndex(
        index: "navigationEvent AS event INDEXED BY navigationEventOfLearner", condition: "event.learner = ?",
        values: [learner], check: "event.learner = ?", checkedValues: [learner])
    ]
  }
}

// MARK: - Bounds

/// Between which numbers the steps of a learner are that can be of the time asked for, and before which one.
///
/// `clock` never falls, so the first is found by halving; the last too, but for steps that came when the clock had been
/// put back, and those that say a time which had not come yet; both have indexes of their own.
private struct Bounds {
  private var first: Int64?
  private var last: Int64?
  private let before: Int64?

  /// - Returns: `nil` where there is none.
  init?(_ query: HistoryQuery, of learner: LearnerID, in snapshot: StoreSnapshot) throws {
    before = query.before
    if let since = query.since {
      let known: [Int64?] = [
        try snapshot.value(Self.firstText, learner, since), try snapshot.value(Self.aheadText, learner, since),
      ]
      first = known.compactMap(\.self).min()
      if first == nil { return nil }
    }
    if let until = query.until {
      let known: [Int64?] = [
        try snapshot.value(Self.lastText, learner, until), try snapshot.value(Self.lateText, learner, until),
      ]
      last = known.compactMap(\.self).max()
      if last == nil { return nil }
    }
  }

  /// The bounds as conditions on a column.
  func conditions(on id: String) -> [(String, Int64)] {
    [("\(id) >= ?", first), ("\(id) <= ?", last), ("\(id) < ?", before)].compactMap { condition, bound in
      bound.map { (condition, $0) }
    }
  }

  private static let firstText = StatementText(
    """
    SELECT id FROM navigationEvent INDEXED BY navigationEventByClock
    WHERE learner = ? AND clock >= ? ORDER BY clock, id LIMIT 1
    """)
  private static let lastText = StatementText(
    """
    SELECT id FROM navigationEvent INDEXED BY navigationEventByClock
    WHERE learner = ? AND clock <= ? ORDER BY clock DESC, id DESC LIMIT 1
    """)
  private static let aheadText = StatementText(
    """
    SELECT min(id) FROM navigationEvent INDEXED BY navigationEventAhead
    WHERE learner = ? AND at > clock AND at >= ?
    """)
  private static let lateText = StatementText(
    """
    SELECT max(id) FROM navigationEvent INDEXED BY navigationEventLate
    WHERE learner = ? AND at < clock AND at <= ?
    """)
}
