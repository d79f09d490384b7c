import GRDB
public import LearningModel

/// Which steps of the log are asked for.
public struct HistoryQuery: Hashable, Sendable {
  /// Whose; everyone's where `nil`.
  public var learner: LearnerID?
  /// In which sessions; in any where `nil`.
  public var sessions: [SessionID]?
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
  /// What the title of the place after holds, in capitals or not.
  public var text: String?
  /// Only rows before that one, as pages go on.
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
    guard let statement = try HistoryStatement(query, limit: limit, in: database) else { return }
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
}

/// The SQL of a query: a walk down one index, newest first, from where the last page ended. Of several learners or
/// sessions it is one walk each, merged as they go. Nothing is sorted, so a page costs what it holds.
struct HistoryStatement {
  private(set) var sql = ""
  private(set) var values: [any ColumnValue] = []

  /// How many walks SQLite merges at most; its own limit is 500.
  private static let mostWalks = 400

  /// - Parameter columns: What is selected of `event`. The first column is the row's id whatever they are.
  /// - Returns: `nil` where nothing can match.
  init?(
    _ query: HistoryQuery, columns: String = LoggedStep.columns, limit: Int?, in database: Database
  ) throws {
    let rest = columns.split(separator: ",", maxSplits: 1)[1]
    var walks: [Walk]
    if let sessions = query.sessions {
      walks = sessions.map { Walk(source: .session($0)) }
    } else if let learner = query.learner {
      walks = [Walk(source: .learner(learner))]
    } else if query.isNarrowed {
      let learners = try Int64.fetchAll(database, sql: "SELECT id FROM learner ORDER BY id")
      walks =
        learners.count <= Self.mostWalks
        ? learners.map { Walk(source: .learner(LearnerID(rawValue: $0))) } : [Walk(source: .everyone)]
    } else {
      walks = [Walk(source: .everyone)]
    }
    walks = try walks.prefix(Self.mostWalks).compactMap { try $0.narrowed(by: query, in: database) }
    guard !walks.isEmpty else { return nil }

    sql = walks.map {
      "SELECT \($0.id) AS id,\(rest) FROM \($0.from) WHERE \($0.conditions.joined(separator: " AND "))"
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
    !under.isEmpty || kind != nil || operation != nil || transition != nil || cause != nil || since != nil
      || until != nil
  }
}

/// One walk down one index.
private struct Walk {
  enum Source {
    case learner(LearnerID)
    case session(SessionID)
    case everyone
  }

  let source: Source
  var from = ""
  var id = "event.id"
  var conditions: [String] = []
  var values: [any ColumnValue] = []

  init(source: Source) {
    self.source = source
  }

  private mutating func require(_ condition: String, _ values: any ColumnValue...) {
    conditions.append(condition)
    self.values += values
  }

  /// Chooses the index by the narrowest filter, and adds the conditions.
  ///
  /// - Returns: `nil` where nothing can match.
  func narrowed(by query: HistoryQuery, in database: Database) throws -> Walk? {
    var walk = self
    var under = query.under
    switch source {
    case .session(let session):
      walk.from = "navigationEvent AS event INDEXED BY navigationEventOfSession"
      walk.require("event.session = ?", session)
      if let learner = query.learner { walk.require("event.learner = ?", learner) }
    case .everyone:
      walk.from = "navigationEvent AS event NOT INDEXED"
      walk.require("true")
    case .learner(let learner):
      if let node = under.popLast() {
        walk.from = "visitUnder AS visit CROSS JOIN navigationEvent AS event ON event.id = visit.event"
        walk.id = "visit.event"
        walk.require("visit.learner = ? AND visit.node = ?", learner, node)
      } else {
        let index =
          query.cause != nil
          ? "ByCause"
          : query.transition != nil
            ? "ByTransition" : query.operation != nil ? "ByOperation" : query.kind != nil ? "ByKind" : "OfLearner"
        walk.from = "navigationEvent AS event INDEXED BY navigationEvent\(index)"
        walk.require("event.learner = ?", learner)
      }
      guard try walk.bound(by: query, of: learner, in: database) else { return nil }
    }
    for node in under {
      walk.require(
        "EXISTS (SELECT 1 FROM visitUnder AS u WHERE u.learner = event.learner AND u.node = ? AND u.event = event.id)",
        node.rawValue)
    }
    if let kind = query.kind { walk.require("event.toKind = ?", kind.rawValue) }
    if let operation = query.operation { walk.require("event.operation = ?", operation.rawValue) }
    if let transition = query.transition { walk.require("event.transition = ?", transition.rawValue) }
    if let cause = query.cause { walk.require("event.cause = ?", cause.rawValue) }
    if let since = query.since { walk.require("event.at >= ?", since) }
    if let until = query.until { walk.require("event.at <= ?", until) }
    if let text = query.text {
      let pattern = text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
      walk.require(
        "ifnull((SELECT title FROM contentNode WHERE id = event.toNode), 'Courses') LIKE ? ESCAPE '\\'",
        "%\(pattern)%")
    }
    if let before = query.before { walk.require("\(walk.id) < ?", before) }
    return walk
  }

  /// Narrows the rows to those between the first and the last that can be of the time asked for.
  ///
  /// `clock` never falls, so the first is found by halving; the last too, but for steps that came when the clock had
  /// been put back, which have an index of their own.
  private mutating func bound(by query: HistoryQuery, of learner: LearnerID, in database: Database) throws -> Bool {
    if let since = query.since {
      let first = try Int64.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT id FROM navigationEvent INDEXED BY navigationEventByClock
            WHERE learner = ? AND clock >= ? ORDER BY clock, id LIMIT 1
            """), arguments: [learner.rawValue, since.milliseconds])
      guard let first else { return false }
      require("\(id) >= ?", first)
    }
    if let until = query.until {
      let last = try Int64.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT id FROM navigationEvent INDEXED BY navigationEventByClock
            WHERE learner = ? AND clock <= ? ORDER BY clock DESC, id DESC LIMIT 1
            """), arguments: [learner.rawValue, until.milliseconds])
      let late = try Int64.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT max(id) FROM navigationEvent INDEXED BY navigationEventLate
            WHERE learner = ? AND at < clock AND at <= ?
            """), arguments: [learner.rawValue, until.milliseconds])
      guard let bound = [last, late].compactMap(\.self).max() else { return false }
      require("\(id) <= ?", bound)
    }
    return true
  }
}
