import GRDB
import GRDBSQLite
import LearningModel
import Testing

@testable import LearningStore
@testable import NavigationKit

/// Tests the cost of each query, counted as steps of SQLite's virtual machine per returned row. Scanning past rows that
/// are not returned, or sorting them, would take thousands of steps.
@Suite(.serialized) struct QueryCostTests {
  static let fixture = Result { try LongHistory.fixture() }

  /// The allowed number of virtual-machine steps for finding the places, learners and sessions of a query, in addition
  /// to the steps for each row.
  static let always = 3_000
  /// The number of steps to choose the more selective of two filters. The newest two hundred entries of each index are
  /// examined.
  static let choosing = 6_000

  struct Cost {
    var steps = 0
    var sorted: [String] = []
    var scanned: [String] = []
  }

  /// Runs a query twice and returns the cost of the statements of the second run.
  static func cost(_ service: NavigationService, _ ask: () throws -> Void) throws -> Cost {
    try ask()
    try service.session.store.read { snapshot in
      forEachStatement(snapshot) { _ = sqlite3_stmt_status($0, SQLITE_STMTSTATUS_VM_STEP, 1) }
    }
    try ask()
    return try service.session.store.read { snapshot in
      var cost = Cost()
      var texts: [String] = []
      forEachStatement(snapshot) { statement in
        let steps = Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0))
        guard steps > 0, let text = sqlite3_sql(statement).map({ String(cString: $0) }) else { return }
        cost.steps += steps
        texts.append(text)
      }
      for text in texts where text.contains("SELECT") {
        let plan = try Row.fetchAll(
          snapshot.database.makeStatement(sql: "EXPLAIN QUERY PLAN \(text)"),
          arguments: StatementArguments(
            Array(repeating: DatabaseValue.null, count: parameters(of: text, in: snapshot)))
        ).map { $0[3] as String }
        if plan.contains(where: { $0.contains("TEMP B-TREE FOR ORDER BY") }) { cost.sorted.append(text) }
        if plan.contains(where: { $0 == "SCAN event" || $0 == "SCAN navigationEvent" || $0 == "SCAN session" }) {
          cost.scanned.append(text)
        }
      }
      return cost
    }
  }

  private static func forEachStatement(_ snapshot: StoreSnapshot, _ body: (OpaquePointer) -> Void) {
    var statement = sqlite3_next_stmt(snapshot.database.sqliteConnection, nil)
    while let current = statement {
      body(current)
      statement = sqlite3_next_stmt(snapshot.database.sqliteConnection, current)
    }
  }

  private static func parameters(of text: String, in snapshot: StoreSnapshot) -> Int {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(snapshot.database.sqliteConnection, text, -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    return Int(sqlite3_bind_parameter_count(statement))
  }

  // MARK: History pages

  /// Every filter except the text, with a frequent and a rare value, and pairs of filters.
  static let filters: [(name: String, filter: HistoryFilter)] = [
    ("none", HistoryFilter()),
    ("learner: everyone", HistoryFilter(learner: .everyone)),
    ("learner: rare", HistoryFilter(learner: .named("eve"))),
    ("course", HistoryFilter(course: "course")),
    ("course, everyone", HistoryFilter(learner: .everyone, course: "course")),
    ("under: often", HistoryFilter(under: "course/goal0")),
    ("under: seldom", HistoryFilter(under: "course/goal7/lesson77/activity777")),
    ("kind: often", HistoryFilter(kind: .activity)),
    ("kind: seldom", HistoryFilter(kind: .course)),
    ("kind: never", HistoryFilter(kind: .root)),
    ("operation: often", HistoryFilter(operation: .next)),
    ("operation: seldom", HistoryFilter(operation: .popTo)),
    ("operation: seldom, everyone", HistoryFilter(learner: .everyone, operation: .popTo)),
    ("transition: often", HistoryFilter(transition: .siblingSlide)),
    ("transition: seldom", HistoryFilter(transition: .goalCard)),
    ("cause: often", HistoryFilter(cause: .key)),
    ("cause: seldom", HistoryFilter(cause: .bookmark)),
    ("session: one", HistoryFilter(session: "7")),
    ("session: a frequent name", HistoryFilter(session: "browser")),
    ("session: a rare name", HistoryFilter(session: "script")),
    ("session: a name, everyone", HistoryFilter(learner: .everyone, session: "script")),
    ("since: early", HistoryFilter(since: Timestamp(milliseconds: 60_000_000).date)),
    ("since: late", HistoryFilter(since: Timestamp(milliseconds: 899_000_000).date)),
    ("until: early", HistoryFilter(until: Timestamp(milliseconds: 60_000_000).date)),
    ("until: late", HistoryFilter(until: Timestamp(milliseconds: 899_000_000).date)),
    ("until: early, everyone", HistoryFilter(learner: .everyone, until: Timestamp(milliseconds: 60_000_000).date)),
    ("course + kind, seldom", HistoryFilter(course: "course", kind: .course)),
    ("course + operation, seldom", HistoryFilter(course: "course", operation: .popTo)),
    ("course + operation, often", HistoryFilter(course: "course", operation: .next)),
    ("under often + kind often", HistoryFilter(under: "course/goal0", kind: .activity)),
    ("under seldom + operation often", HistoryFilter(under: "course/goal7/lesson77/activity777", operation: .next)),
    ("under often + cause seldom", HistoryFilter(under: "course", cause: .bookmark)),
    ("under often + cause seldom, never both", HistoryFilter(under: "course/goal0", cause: .bookmark)),
    ("under often + since", HistoryFilter(under: "course/goal0", since: Timestamp(milliseconds: 899_000_000).date)),
    ("kind often + cause seldom, never both", HistoryFilter(kind: .activity, cause: .bookmark)),
    ("kind often + operation often", HistoryFilter(kind: .lesson, operation: .next)),
    ("operation often + transition often", HistoryFilter(operation: .next, transition: .crossFade)),
    ("operation seldom + until", HistoryFilter(operation: .popTo, until: Timestamp(milliseconds: 60_000_000).date)),
    ("session one + operation", HistoryFilter(operation: .next, session: "7")),
    ("session name often + operation seldom", HistoryFilter(operation: .popTo, session: "browser")),
    ("session name seldom + kind often", HistoryFilter(kind: .activity, session: "script")),
    (
      "since + until",
      HistoryFilter(since: Timestamp(milliseconds: 300_000_000).date, until: Timestamp(milliseconds: 360_000_000).date)
    ),
  ]

  @Test(arguments: filters.indices)
  func `the cost of a page of filtered history depends only on its rows`(index: Int) throws {
    let service = try Self.fixture.get().service("ada")
    var rows = 0

    let cost = try Self.cost(service) {
      rows = try service.history.page(Self.filters[index].filter, limit: 20).rows.count
    }

    let name = Self.filters[index].name
    let limit = Self.always + (name.contains("+") ? Self.choosing : 0) + 450 * rows
    #expect(cost.steps <= limit, "\(name): \(cost.steps) steps for \(rows) rows")
    #expect(rows > 0 || name.contains("never"), "\(name)")
    #expect(cost.sorted == [], "\(name)")
    #expect(cost.scanned.count <= (name == "learner: everyone" ? 1 : 0), "\(name): \(cost.scanned)")
  }

  // MARK: Other queries

  typealias Question = (name: String, most: Int, ask: @Sendable (NavigationService) throws -> Int)

  /// Every other query, with the maximum number of steps for each row of its result, or each step that it counts.
  static let questions: [Question] = [
    ("where", 450, { try $0.currentLocation().stack.count + 50 }),
    ("at", 450, { try $0.history.location(at: Timestamp(milliseconds: 500_000_000).date).stack?.count ?? 0 }),
    ("replay", 450, { try $0.history.replay(session: "7").count }),
    ("sessions", 60, { try $0.history.sessions().count }),
    ("learners", 60, { try $0.learners.all().count }),
    ("stats by day", 80, { try $0.history.statistics(by: .day).reduce(0) { $0 + $1.visits } }),
    ("stats by lesson", 120, { try $0.history.statistics(by: .lesson).reduce(0) { $0 + $1.visits } }),
    ("stats by place", 120, { try $0.history.statistics(by: .place).reduce(0) { $0 + $1.visits } }),
    ("next from", 300, { try $0.history.nextPlaces(from: "course/goal0/lesson00").reduce(0) { $0 + $1.count } }),
    (
      "leaving", 400,
      { try $0.history.leaving(HistoryFilter(under: "course/goal0/lesson00")).reduce(0) { $0 + $1.left } }
    ),
    ("progress", 450, { try $0.progress.rows(of: "course/goal0").count }),
    ("progress by learner", 450, { try $0.progress.rows(of: "course/goal0", by: .everyone).count }),
    ("attempts", 450, { try $0.progress.attempts().count }),
    ("attempts of everyone", 450, { try $0.progress.attempts(by: .everyone, limit: 20).count }),
    ("attempts in a place", 450, { try $0.progress.attempts(in: "course/goal0/lesson00").count + 20 }),
    ("quiz attempts", 300, { try $0.progress.quizAttempts(at: .node(NodeID(rawValue: 4))).count + 1 }),
    ("recents", 450, { try $0.places.recents(limit: 20).count }),
    ("shortcuts", 1_000, { try $0.places.shortcuts().recents.count }),
    ("bookmarks", 300, { try $0.notes.bookmarks().count }),
    (
      "resume", 450,
      {
        _ = try $0.resume(); return 20
      }
    ),
    ("a page", 450, { try $0.places.page(of: "course/goal0/lesson00").children.count * 4 }),
  ]

  @Test(arguments: questions.indices)
  func `the cost of every other query depends only on its result`(index: Int) throws {
    let service = try Self.fixture.get().service("ada")
    let (name, stepsPerRow, ask) = Self.questions[index]
    var rows = 0

    let cost = try Self.cost(service) { rows = try ask(service) }

    #expect(cost.steps <= Self.always + stepsPerRow * rows, "\(name): \(cost.steps) steps for \(rows) rows")
    #expect(cost.sorted == [], "\(name)")
  }

  @Test func `a query that sorts and scans a table exceeds the cost limit`() throws {
    let service = try Self.fixture.get().service("ada")

    let cost = try Self.cost(service) {
      try service.session.store.read { snapshot in
        _ = try Row.fetchAll(
          snapshot.database.cachedStatement(sql: "SELECT * FROM navigationEvent ORDER BY activeMs, at LIMIT 20"))
      }
    }

    #expect(cost.steps > 24_000 && cost.sorted.count == 1 && cost.scanned.count == 1)
  }
}
