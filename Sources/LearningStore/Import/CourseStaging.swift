import GRDB
import LearningModel

/// A plan beside the database, worked out to the last column, so that a few statements make the course of it while
/// everybody else waits. Nodes of which nothing is written are not in it.
struct CourseStaging {
  /// The tables, in a database of their own that goes with the connection.
  static let tables = """
    CREATE TABLE staging.stagedContent (number INTEGER PRIMARY KEY, type TEXT, json TEXT, letters INTEGER);
    CREATE TABLE staging.stagedNode (
      number INTEGER PRIMARY KEY,
      id INTEGER,
      -- Of a new node: which of the new ones it is, from 1. Its id is that far behind the last id there is.
      fresh INTEGER,
      parent INTEGER,
      freshParent INTEGER,
      key TEXT, kind TEXT, position INTEGER, slug TEXT, title TEXT, summary TEXT, minutes INTEGER,
      changes INTEGER,
      -- Whether the totals are others than those that are kept.
      addsUp INTEGER, activities INTEGER, seconds INTEGER);
    CREATE INDEX staging.stagedFresh ON stagedNode (number) WHERE fresh IS NOT NULL;
    CREATE INDEX staging.stagedAddsUp ON stagedNode (number) WHERE addsUp;
    CREATE TABLE staging.goingNode (id INTEGER PRIMARY KEY);
    """

  private let plan: CoursePlan
  /// How many new nodes stand before each in reading order; one entry more than there are nodes.
  private let freshBefore: [Int]
  /// The numbers of the nodes that are there already and get another place, or say or are something else.
  let moving: [Int]
  let changing: [Int]
  /// Whether somewhere there will be more or less to do than before.
  private(set) var changesTotals = false

  init(_ plan: CoursePlan) {
    self.plan = plan
    freshBefore = plan.nodes.reduce(into: [0]) { counts, node in counts.append(counts.last! + (node.id == nil ? 1 : 0))
    }
    moving = plan.nodes.indices.filter { plan.nodes[$0].id != nil && plan.nodes[$0].changes.contains(.placement) }
    changing = plan.nodes.indices.filter {
      plan.nodes[$0].id != nil && !plan.nodes[$0].changes.isDisjoint(with: [.description, .content])
    }
  }

  /// Which of the new nodes it is, from 1; `nil` where it is none.
  func fresh(_ number: Int) -> Int? {
    plan.nodes[number].id == nil ? freshBefore[number] + 1 : nil
  }

  /// Whether there are new nodes among those numbers.
  func hasFresh(in numbers: Range<Int>) -> Bool {
    freshBefore[numbers.upperBound] > freshBefore[numbers.lowerBound]
  }

  /// Puts the plan into the tables. Nothing of the database itself is locked.
  mutating func write(to database: Database) throws {
    try database.execute(sql: "DELETE FROM staging.stagedNode; DELETE FROM staging.goingNode")
    let totals = PlaceTotals(of: try parts(in: database))
    let kept = try keptTotals(in: database)
    let node = try database.cachedStatement(
      sql: "INSERT INTO staging.stagedNode VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for (number, planned) in plan.nodes.enumerated() {
      let addsUp =
        planned.id.map {
          kept[$0.rawValue] != KeptTotals(activities: totals.activities[number], seconds: totals.seconds[number])
        } ?? true
      guard addsUp || !planned.changes.isEmpty else { continue }
      changesTotals = changesTotals || addsUp
      let values: [any ColumnValue] = [
        number, planned.id, fresh(number), planned.parent.flatMap { plan.nodes[$0].id },
        planned.parent.flatMap { fresh($0) }, planned.key, planned.kind.rawValue, planned.position, planned.slug,
        planned.title, planned.summary, planned.minutes, Int(planned.changes.rawValue), addsUp,
        totals.activities[number], totals.seconds[number],
      ]
      // Bound without GRDB's boxes: this is done for every node of a course.
      try PreparedStatements.run(node.sqliteStatement, values, in: database) { _ in true }
    }
    let going = try database.cachedStatement(sql: "INSERT INTO staging.goingNode VALUES (?)")
    for id in plan.removed { try going.execute(arguments: [id.rawValue]) }
  }

  private struct KeptTotals: Equatable {
    let activities: Int
    let seconds: Int
  }

  /// How many activities and how many seconds there are at each node that is there already.
  private func keptTotals(in database: Database) throws -> [Int64: KeptTotals] {
    guard plan.base != nil else { return [:] }
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT placeTotal.node, activities, seconds FROM contentNode JOIN placeTotal ON placeTotal.node = id
        WHERE course = (SELECT id FROM contentNode WHERE parent IS NULL AND key = ?)
        """, arguments: [plan.key])
    var kept: [Int64: KeptTotals] = [:]
    while let row = try rows.next() { kept[row[0]] = KeptTotals(activities: row[1], seconds: row[2]) }
    return kept
  }

  private func parts(in database: Database) throws -> [PlaceTotals.Part] {
    func letters(_ sql: String, _ arguments: StatementArguments = []) throws -> [Int64: Int] {
      let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
      var letters: [Int64: Int] = [:]
      while let row = try rows.next() { letters[row[0]] = row[1] }
      return letters
    }
    let staged = try letters("SELECT number, letters FROM staging.stagedContent")
    let kept = try letters(
      """
      SELECT node, letters FROM currentContent JOIN contentNode ON id = node
      WHERE course = (SELECT id FROM contentNode WHERE parent IS NULL AND key = ?)
      """, [plan.key])
    return plan.nodes.enumerated().map { number, node in
      PlaceTotals.Part(
        parent: node.parent, isActivity: node.kind == .activity, minutes: node.minutes,
        letters: staged[Int64(number)] ?? node.id.flatMap { kept[$0.rawValue] } ?? 0)
    }
  }
}
