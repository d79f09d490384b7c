import GRDB
import LearningModel
import TestSupport
import Testing

@testable import LearningStore

/// Tests that every list of the history searches an index from the end of the previous page. Nothing is sorted, and
/// only the unfiltered list of all learners' events scans the table.
struct HistoryPlanTests {
  let folder: TemporaryFolder
  let store: LearningStore

  init() throws {
    folder = try TemporaryFolder()
    store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    try CourseOutlines.sample.write(to: store)
    try store.write { transaction in
      for name in ["ada", "ben"] {
        let learner = try transaction.makeLearner(named: name, at: Timestamp(milliseconds: 0))
        let session = try transaction.beginSession(
          of: learner.id, uuid: "00000000-0000-0000-0000-00000000000\(learner.id.rawValue)", named: "shell",
          timeZone: "UTC", lockFile: nil, at: Timestamp(milliseconds: 10))
        let draft = PendingEvent(
          uuid: "00000000-0000-0000-0000-0000000000\(10 + learner.id.rawValue)", session: session.session,
          operation: .resume, transition: nil, isAnimated: false, cause: .system, stack: [],
          at: Timestamp(milliseconds: 20), courseRevision: nil)
        _ = try transaction.append(draft, after: nil, presence: session.presence)
      }
    }
  }

  private func plan(_ query: HistoryQuery) throws -> [String] {
    try store.read { snapshot in
      let statement = try #require(try HistoryStatement(query, limit: 100, in: snapshot))
      var details: [String] = []
      try snapshot.statements.run("EXPLAIN QUERY PLAN \(statement.sql)", statement.values) { row in
        details.append(row[3])
        return true
      }
      return details
    }
  }

  static let filters: [(conditions: @Sendable () -> [HistoryCondition], index: String)] = [
    ({ [] }, "navigationEventOfLearner (learner=?"),
    ({ [.under(NodeID(rawValue: 2))] }, "PRIMARY KEY (learner=? AND node=?"),
    ({ [.under(NodeID(rawValue: 1)), .under(NodeID(rawValue: 2))] }, "PRIMARY KEY (learner=? AND node=?"),
    ({ [.kind(.root)] }, "navigationEventByKind (learner=? AND toKind=?"),
    ({ [.operation(.resume)] }, "navigationEventByOperation (learner=? AND operation=?"),
    ({ [.transition(.goalCard)] }, "navigationEventByTransition (learner=? AND transition=?"),
    ({ [.cause(.key)] }, "navigationEventByCause (learner=? AND cause=?"),
    ({ [.session(SessionID(rawValue: 1))] }, "navigationEventOfSession (session=?"),
    ({ [.since(Timestamp(milliseconds: 15))] }, "navigationEventOfLearner (learner=? AND rowid>?"),
    ({ [.until(Timestamp(milliseconds: 25))] }, "navigationEventOfLearner (learner=? AND rowid<?"),
    (
      { [.operation(.resume), .since(Timestamp(milliseconds: 15))] },
      "navigationEventByOperation (learner=? AND operation=? AND rowid>?"
    ),
  ]

  @Test(arguments: filters.indices, [true, false])
  func `a page of the history with any filter is one index search`(filter: Int, isFirst: Bool) throws {
    var query = HistoryQuery()
    query.learner = LearnerID(rawValue: 1)
    query.before = isFirst ? nil : 1_000
    query.conditions = Self.filters[filter].conditions()

    let plan = try plan(query)

    #expect(plan.contains { $0.contains(Self.filters[filter].index) }, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(plan)")
  }

  @Test(arguments: filters.indices)
  func `a history page of all learners merges index searches without sorting`(filter: Int) throws {
    var query = HistoryQuery()
    query.conditions = Self.filters[filter].conditions()

    let plan = try plan(query)

    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    #expect(plan.filter { $0.hasPrefix("SCAN") } == (filter == 0 ? ["SCAN event"] : []), "\(plan)")
  }

  @Test(arguments: filters.indices)
  func `conditions apply even with too many learners for separate index searches`(filter: Int) throws {
    var query = HistoryQuery()
    query.conditions = Self.filters[filter].conditions()
    let expected = try store.read { try $0.navigationEvents(matching: query).map(\.event.id) }
    try store.write { transaction in
      for number in 0..<HistoryStatement.maximumWalks {
        _ = try transaction.makeLearner(named: "learner \(number)", at: Timestamp(milliseconds: 0))
      }
    }

    let steps = try store.read { try $0.navigationEvents(matching: query).map(\.event.id) }

    #expect(steps == expected)
    #expect(try plan(query).contains("SCAN event") || query.conditions.contains { $0.session != nil })
  }
}
