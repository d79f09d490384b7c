package import LearningModel

/// A query of the navigation log: the events of a learner, or of all learners, that meet all conditions.
package struct HistoryQuery {
  /// The learner, or `nil` for all learners.
  package var learner: LearnerID?
  /// The conditions that each event must meet.
  package var conditions: [HistoryCondition] = []
  /// If set, only events with a lower ID match. Used to read the next page.
  package var before: Int64?

  /// Creates a query that matches all events.
  package init() {}

  /// The place of the last condition that limits the query to a subtree, or `nil`.
  package var subtree: NodeID? { conditions.last { $0.subtree != nil }?.subtree }

  /// Whether activity events can meet the conditions.
  package var canMatchActivityEvents: Bool {
    conditions.allSatisfy { if case .none = $0.activityEvents { false } else { true } }
  }

  /// Returns whether an activity event meets the conditions.
  package func matches(_ event: ActivityEvent, in snapshot: StoreSnapshot) throws -> Bool {
    try conditions.allSatisfy { condition in
      switch condition.activityEvents {
      case .all: true
      case .none: false
      case .matching(let matches): try matches(event, snapshot)
      }
    }
  }

  fileprivate var session: SessionID? { conditions.lazy.compactMap(\.session).first }
}

extension StoreSnapshot {
  /// Calls a function with each matching navigation event, the newest first, until the function returns `false`.
  ///
  /// - Parameter limit: The maximum number of events, or `nil` for all of them.
  package func forEachNavigationEvent(
    matching query: HistoryQuery, limit: Int? = nil, _ body: (StoredEvent) throws -> Bool
  ) throws {
    try forEachRow(matching: query, limit: limit, body)
  }

  /// Calls a function with what is read from each matching navigation event, the newest first, until the function
  /// returns `false`.
  func forEachRow<Row: StoredRow>(
    matching query: HistoryQuery, limit: Int? = nil, _ body: (Row) throws -> Bool
  ) throws {
    guard let statement = try HistoryStatement(query, columns: Row.columns, limit: limit, in: self) else { return }
    try statements.run(statement.sql, statement.values) { try body(Row(row: $0)) }
  }

  /// Returns all matching navigation events, the newest first.
  package func navigationEvents(matching query: HistoryQuery, limit: Int? = nil) throws -> [StoredEvent] {
    var steps: [StoredEvent] = []
    try forEachNavigationEvent(matching: query, limit: limit) {
      steps.append($0)
      return true
    }
    return steps
  }

  /// Returns whether a learner, or any learner if `nil`, has had a session with the given name.
  package func hasSession(named name: String, of learner: LearnerID?) throws -> Bool {
    try value(
      """
      SELECT 1 FROM learner
      WHERE id = ifnull(?1, id) AND EXISTS (SELECT 1 FROM visitNamed WHERE learner = learner.id AND name = ?2) LIMIT 1
      """, learner, name) == true
  }
}

/// The SQL of a query. For each learner, it reads one index from the newest event to the oldest, starting at the end of
/// the previous page. SQLite merges the scans of several learners. Nothing is sorted, so the cost of a page depends
/// only on its number of events.
struct HistoryStatement {
  private(set) var sql = ""
  private(set) var values: [any ColumnValue] = []

  /// The maximum number of merged scans. SQLite supports at most 500.
  static let maximumWalks = 400

  /// Creates the SQL of a query.
  ///
  /// - Parameters:
  ///   - columns: The columns of `event` to select. The first one is always replaced by the event's ID.
  ///   - limit: The maximum number of events, or `nil` for all of them.
  /// - Returns: `nil` if no event can match.
  init?(
    _ query: HistoryQuery, columns: String = StoredEvent.columns, limit: Int?, in snapshot: StoreSnapshot
  ) throws {
    let otherColumns = columns.split(separator: ",", maxSplits: 1)[1]
    var learners: [LearnerID] = []
    if let session = query.session {
      guard let record = try snapshot.session(session)?.session else { return nil }
      if let learner = query.learner, learner != record.learner { return nil }
      learners = [record.learner]
    } else if let learner = query.learner {
      learners = [learner]
    } else if query.conditions.contains(where: { $0.index != nil || $0.bound != nil }) {
      learners = try snapshot.learners().map(\.id)
      // If there are too many learners, the table itself is scanned.
      if learners.count > Self.maximumWalks { learners = [] }
    }
    var walks = try learners.compactMap { learner in
      try HistoryWalk(query, of: learner, amongst: learners.count, in: snapshot)
    }
    if learners.isEmpty { walks = [HistoryWalk(ofEveryone: query)] }
    guard !walks.isEmpty else { return nil }

    sql = walks.map {
      "SELECT \($0.id) AS id,\(otherColumns) FROM \($0.source) WHERE \($0.conditions.joined(separator: " AND "))"
    }
    .joined(separator: "\nUNION ALL\n")
    for walk in walks { values += walk.values }
    sql += "\nORDER BY id DESC"
    if let limit {
      sql += " LIMIT ?"
      values.append(limit)
    }
  }
}

/// A scan of one index, from the newest event to the oldest.
private struct HistoryWalk {
  /// The SQL text after FROM. It uses the alias `event` for the navigation event.
  private(set) var source: String
  /// The event's ID as a column of the index, so that SQLite knows that the scan is in order.
  private(set) var id: String
  /// The conditions. The first ones limit the scan of the index.
  private(set) var conditions: [String] = []
  private(set) var values: [any ColumnValue] = []

  /// Creates a scan of the whole table.
  init(ofEveryone query: HistoryQuery) {
    source = "navigationEvent AS event NOT INDEXED"
    id = "event.id"
    require("true")
    if let before = query.before { require("event.id < ?", [before]) }
    for condition in query.conditions { require(condition.sql, condition.values) }
  }

  /// Creates a scan of the index that reads the fewest events of a learner.
  ///
  /// - Parameter count: The number of scans of the query. The more there are, the fewer entries each examines to choose
  ///   an index.
  /// - Returns: `nil` if no event can match.
  init?(_ query: HistoryQuery, of learner: LearnerID, amongst count: Int, in snapshot: StoreSnapshot) throws {
    guard let bounds = try Bounds(query, of: learner, in: snapshot) else { return nil }
    // The last conditions are usually the most selective ones.
    var candidates = query.conditions.indices.reversed().compactMap { number in
      query.conditions[number].index.map { (number: number, index: $0(learner)) }
    }
    if candidates.isEmpty { candidates = [(number: -1, index: .log(of: learner))] }
    let shortest = try Self.shortest(
      candidates.map(\.index), bounds, lookingAt: max(20, 200 / count), in: snapshot)
    let (number, index) = candidates[shortest]
    source =
      index.isSeparate ? "\(index.name) CROSS JOIN navigationEvent AS event ON event.id = \(index.id)" : index.name
    id = index.id
    require(index.sql, index.values)
    for (sql, bound) in bounds.conditions(on: index.id) { require(sql, [bound]) }
    for (other, condition) in query.conditions.enumerated() where other != number {
      require(condition.sql, condition.values)
    }
  }

  private mutating func require(_ condition: String, _ values: [any ColumnValue] = []) {
    conditions.append(condition)
    self.values += values
  }

  /// Returns the number of the index with the fewest events. Compares the newest entries of each index, up to the same
  /// number: the index whose entries reach back furthest is the best.
  private static func shortest(
    _ indexes: [HistoryIndex], _ bounds: Bounds, lookingAt limit: Int, in snapshot: StoreSnapshot
  ) throws -> Int {
    guard indexes.count > 1 else { return 0 }
    var best: (number: Int, count: Int, oldest: Int64)?
    for (number, index) in indexes.enumerated() {
      let limits = bounds.conditions(on: index.id)
      let conditions = ([index.sql] + limits.map(\.0)).joined(separator: " AND ")
      let sql = """
        SELECT count(*), ifnull(min(id), 0) FROM (
          SELECT \(index.id) AS id FROM \(index.name) WHERE \(conditions) ORDER BY 1 DESC LIMIT ?)
        """
      try snapshot.statements.run(sql, index.values + limits.map(\.1) + [limit]) { row in
        let candidate = (number: number, count: row[0] as Int, oldest: row[1] as Int64)
        // An index with fewer entries than `limit` is better than any with more.
        if let best, (best.count, best.oldest) <= (candidate.count, candidate.oldest) { return false }
        best = candidate
        return false
      }
      if best?.count == 0 { break }
    }
    return best?.number ?? 0
  }
}

// MARK: - Bounds

/// The range of the IDs of a learner's events that can be within the period of a query.
///
/// The column `clock` never decreases, so both ends are found by an index seek. Events that were added after the clock
/// was set back, and events whose time was in the future, have separate indexes.
private struct Bounds {
  private var first: Int64?
  private var last: Int64?
  private let before: Int64?

  /// Determines the range.
  ///
  /// - Returns: `nil` if no event is within the period.
  init?(_ query: HistoryQuery, of learner: LearnerID, in snapshot: StoreSnapshot) throws {
    before = query.before
    for case .since(let since) in query.conditions.map(\.bound) {
      let starts: [Int64?] = [
        try snapshot.value(
          """
          SELECT id FROM navigationEvent INDEXED BY navigationEventByClock
          WHERE learner = ? AND clock >= ? ORDER BY clock, id LIMIT 1
          """, learner, since),
        try snapshot.value(
          """
          SELECT min(id) FROM navigationEvent INDEXED BY navigationEventAhead
          WHERE learner = ? AND at > clock AND at >= ?
          """, learner, since),
      ]
      first = starts.compactMap(\.self).min()
      if first == nil { return nil }
    }
    for case .until(let until) in query.conditions.map(\.bound) {
      let ends: [Int64?] = [
        try snapshot.value(
          """
          SELECT id FROM navigationEvent INDEXED BY navigationEventByClock
          WHERE learner = ? AND clock <= ? ORDER BY clock DESC, id DESC LIMIT 1
          """, learner, until),
        try snapshot.value(
          """
          SELECT max(id) FROM navigationEvent INDEXED BY navigationEventLate
          WHERE learner = ? AND at < clock AND at <= ?
          """, learner, until),
      ]
      last = ends.compactMap(\.self).max()
      if last == nil { return nil }
    }
  }

  /// Returns the bounds as conditions on a column.
  func conditions(on id: String) -> [(String, Int64)] {
    [("\(id) >= ?", first), ("\(id) <= ?", last), ("\(id) < ?", before)].compactMap { condition, bound in
      bound.map { (condition, $0) }
    }
  }
}
