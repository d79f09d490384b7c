public import LearningModel

/// Which steps of the log are asked for.
public struct HistoryQuery: Hashable, Sendable {
  /// Whose; everyone's where `nil`.
  public var learner: LearnerID?
  /// In which session; in any where `nil`.
  public var session: SessionID?
  /// In sessions of which name; of any where `nil`.
  public var sessionName: String?
  /// In which subtrees the place after was, as the tree is today: in each of them.
  public var under: [NodeID] = []
  /// What the place after was.
  public var kind: PlaceKind?
  /// What was done.
  public var operation: NavigationOperation?
  /// What it looked like.
  public var transition: TransitionKind?
  /// Who asked.
  public var cause: NavigationCause?
  /// Not before that moment.
  public var since: Timestamp?
  /// Not after that moment.
  public var until: Timestamp?
  /// What the title of the place after holds, each of them, in capitals or not.
  public var texts: [String] = []
  /// Of which type the activity after is, as it is today.
  public var type: ActivityType?
  /// Whether the learner's last answers to the quiz after were all right.
  public var areAnswersRight: Bool?
  /// Whether the activity after is done, or begun and not done; of each the last step there.
  public var isDone: Bool?
  /// Only rows before that one, as for the next page.
  public var before: Int64?

  /// Asks for everything.
  public init() {}
}

extension StoreSnapshot {
  /// Calls a function with each step that is asked for, the newest first, until it answers `false`.
  ///
  /// - Parameter limit: At most that many; all of them where `nil`.
  public func forEachStep(
    matching query: HistoryQuery, limit: Int? = nil, _ body: (LoggedStep) throws -> Bool
  ) throws {
    guard let statement = try HistoryStatement(query, limit: limit, in: self) else { return }
    try statements.run(statement.sql, statement.values) { try body(LoggedStep(row: $0)) }
  }

  /// Returns each step that is asked for, the newest first.
  public func steps(matching query: HistoryQuery, limit: Int? = nil) throws -> [LoggedStep] {
    var steps: [LoggedStep] = []
    try forEachStep(matching: query, limit: limit) {
      steps.append($0)
      return true
    }
    return steps
  }

  /// Whether a learner, or anybody, has had a session of that name.
  public func hasSession(named name: String, of learner: LearnerID?) throws -> Bool {
    try value(Self.nameText, learner, name) == true
  }

  private static let nameText = StatementText(
    """
    SELECT 1 FROM learner
    WHERE id = ifnull(?1, id) AND EXISTS (SELECT 1 FROM visitNamed WHERE learner = learner.id AND name = ?2) LIMIT 1
    """)
}

/// The SQL of a query: a walk down one index, newest first, from where the last page ended. Of several learners it is
/// one walk each, merged as they go. Nothing is sorted, so a page costs what it holds.
struct HistoryStatement {
  private(set) var sql = ""
  private(set) var values: [any ColumnValue] = []

  /// How many walks SQLite merges at most; its own limit is 500.
  private static let mostWalks = 400

  /// - Parameter columns: What is selected of `event`. The first column is the row's id whatever they are.
  /// - Returns: `nil` where nothing can match.
  init?(
    _ query: HistoryQuery, columns: String = LoggedStep.columns, limit: Int?, in snapshot: StoreSnapshot
  ) throws {
    let rest = columns.split(separator: ",", maxSplits: 1)[1]
    var learners: [LearnerID] = []
    if let session = query.session {
      guard let record = try snapshot.session(session)?.session else { return nil }
      if let learner = query.learner, learner != record.learner { return nil }
      learners = [record.learner]
    } else if let learner = query.learner {
      learners = [learner]
    } else if query.isNarrowed {
      learners = try snapshot.learners().map(\.id)
      // Of so many the log itself is walked.
      if learners.count > Self.mostWalks { learners = [] }
    }
    var walks = try learners.compactMap { learner in
      try HistoryWalk(query, of: learner, amongst: learners.count, in: snapshot)
    }
    if learners.isEmpty { walks = [HistoryWalk(ofEveryone: query)] }
    guard !walks.isEmpty else { return nil }

    sql = walks.map {
      "SELECT \($0.id) AS id,\(rest) FROM \($0.source) WHERE \($0.conditions.joined(separator: " AND "))"
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

extension HistoryQuery {
  /// Whether an index of each learner is walked rather than the log itself.
  fileprivate var isNarrowed: Bool {
    !under.isEmpty || sessionName != nil || kind != nil || operation != nil || transition != nil || cause != nil
      || since != nil || until != nil
  }
}

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
