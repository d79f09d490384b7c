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
      -- Of a node that gets another place, or comes: how, and below whom it stands until then where it is there.
      way INTEGER, standing INTEGER,
      -- Whether the totals are others than those that are kept.
      addsUp INTEGER, activities INTEGER, seconds INTEGER);
    CREATE INDEX staging.stagedFresh ON stagedNode (number) WHERE fresh IS NOT NULL;
    CREATE INDEX staging.stagedAddsUp ON stagedNode (number) WHERE addsUp;
    CREATE INDEX staging.stagedWay ON stagedNode (way, number) WHERE way IS NOT NULL;
    CREATE TABLE staging.goingNode (
      id INTEGER PRIMARY KEY,
      -- Whether it is taken out of the tree at once; whoever is below it may follow later where they are many.
      isCut INTEGER NOT NULL);
    -- The places whose children are moved while everybody waits. One that is new is the negative of its number among
    -- the new ones.
    CREATE TABLE staging.heldPlace (id INTEGER PRIMARY KEY);
    """

  /// How much there is of a staged content.
  struct Measure {
    /// How long it is as it is kept; 0 where nothing is staged.
    var bytes = 0
    /// How many letters there are to read.
    var letters = 0
  }

  private let plan: CoursePlan
  /// Of each staged content, by the number of its node; those behind the last one are left out.
  private let measures: [Measure]
  /// How many new nodes stand before each in reading order; one entry more than there are nodes.
  private let freshBefore: [Int]
  /// The numbers of the nodes that are there already and say or are something else.
  let changing: [Int]
  /// How many of them get another place, in each way.
  private(set) var moving: [Way: Int] = [:]
  /// The numbers of those that are moved one by one.
  private(set) var movingAlone: [Int] = []
  /// The nodes that go, where they are many: from the first id to the last. They are marked beforehand.
  private(set) var leaving: ClosedRange<Int64>?
  /// The nodes that come back, or get another place, where that is written beforehand: from the first id to the last.
  private(set) var placing: ClosedRange<Int64>?
  /// Whether somewhere there will be more or less to do than before.
  private(set) var changesTotals = false

  init(_ plan: CoursePlan, _ measures: [Measure]) {
    self.plan = plan
    self.measures = measures
    freshBefore = plan.nodes.reduce(into: [0]) { counts, node in counts.append(counts.last! + (node.id == nil ? 1 : 0))
    }
    changing = plan.nodes.indices.filter {
      plan.nodes[$0].id != nil && !plan.nodes[$0].changes.isDisjoint(with: [.description, .content])
    }
  }

  /// In which way a node gets another place.
  enum Way: Int {
    /// It only makes room for a sibling, or fills the place of one.
    case shift = 1
    /// It is an activity, moved or returning, on which nobody else's place depends.
    case leaf = 2
    /// All others: each move may be what makes the next one right.
    case alone = 3
    /// It comes back to where it was, below somebody who is not there either: it is written beforehand.
    case back = 4
    /// It is new, and so it is written beforehand.
    case new = 5
    /// It is new below somebody who is there: it is written beforehand as removed.
    case top = 6
    /// It gets its place by the row that publishes the edition: that is written beforehand beside the one that it has.
    case published = 7
  }

  /// Whether nodes get, or lose, their places by the row that publishes the edition, and are put there afterwards.
  private(set) var moves = false

  /// Whether so much of a course that is there changes that it would keep everybody else waiting if it were written at
  /// once.
  private(set) var isLarge = false

  /// How many nodes are new.
  var freshCount: Int { freshBefore.last ?? 0 }

  /// The numbers of all nodes of which something may be written beforehand, where much changes.
  var staged: [Int] {
    plan.nodes.indices.filter { plan.nodes[$0].id == nil || !plan.nodes[$0].changes.isEmpty }
  }

  /// Which of the new nodes it is, from 1; `nil` where it is none.
  func fresh(_ number: Int) -> Int? {
    plan.nodes[number].id == nil ? freshBefore[number] + 1 : nil
  }

  /// Whether there are new nodes among those numbers.
  func hasFresh(in numbers: Range<Int>) -> Bool {
    freshBefore[numbers.upperBound] > freshBefore[numbers.lowerBound]
  }

  /// How long the staged content of a node is; 0 where none is staged.
  func bytes(at number: Int) -> Int { measure(at: number).bytes }

  private func measure(at number: Int) -> Measure { number < measures.count ? measures[number] : Measure() }

  /// Puts the plan into the tables. Nothing of the database itself is locked.
  mutating func write(to database: Database) throws {
    try database.execute(sql: "DELETE FROM staging.stagedNode; DELETE FROM staging.goingNode")
    let totals = PlaceTotals(of: try parts(in: database))
    let kept = try keptTotals(in: database)
    let node = try database.cachedStatement(
      sql: "INSERT INTO staging.stagedNode VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, ?, ?, ?)")
    for (number, planned) in plan.nodes.enumerated() {
      let addsUp =
        planned.id.map {
          kept[$0.rawValue] != KeptTotals(activities: totals.activities[number], seconds: totals.seconds[number])
        } ?? true
      guard addsUp || !planned.changes.isEmpty else { continue }
      changesTotals = changesTotals || addsUp
      // Bound one by one, without an array of boxes: this is done for every node of a course.
      try PreparedStatements.run(node.sqliteStatement, in: database) { parameters in
        parameters.add(number)
        parameters.add(planned.id)
        parameters.add(fresh(number))
        parameters.add(planned.parent.flatMap { plan.nodes[$0].id })
        parameters.add(planned.parent.flatMap { fresh($0) })
        parameters.add(planned.key)
        parameters.add(planned.kind.rawValue)
        parameters.add(planned.position)
        parameters.add(planned.slug)
        parameters.add(planned.title)
        parameters.add(planned.summary)
        parameters.add(planned.minutes)
        parameters.add(Int(planned.changes.rawValue))
        parameters.add(addsUp)
        parameters.add(totals.activities[number])
        parameters.add(totals.seconds[number])
      }
    }
    let going = try database.cachedStatement(sql: "INSERT INTO staging.goingNode VALUES (?, 1)")
    for id in plan.removed { try going.execute(arguments: [id.rawValue]) }
    leaving = try Self.findLeaving(in: database)
    guard plan.base != nil else { return }
    try findWays(in: database)
    let displaced = freshCount + moving.values.reduce(0, +) + plan.removed.count
    isLarge =
      max(displaced, changing.count) >= CourseEdition.habits.fewestNodes
      || measures.reduce(0) { $0 + $1.bytes } >= CourseEdition.habits.fewestBytes
    if isLarge { try chooseEarly(in: database) }
  }

  /// Finds out in which way each node gets another place.
  private mutating func findWays(in database: Database) throws {
    try database.execute(
      sql: """
        UPDATE staging.stagedNode SET standing = iif(\(ContentNode.livesNow), node.parent, NULL), way = CASE
          WHEN node.kind = stagedNode.kind AND node.parent IS stagedNode.parent AND stagedNode.freshParent IS NULL
            AND node.slug = stagedNode.slug AND \(ContentNode.livesNow) THEN \(Way.shift.rawValue)
          WHEN node.kind = 'activity' AND stagedNode.kind = 'activity' THEN \(Way.leaf.rawValue)
          ELSE \(Way.alone.rawValue) END
        FROM contentNode AS node WHERE node.id = stagedNode.id AND stagedNode.changes & ?
        """, arguments: [PlannedNode.Changes.placement.rawValue])
    try countWays(in: database)
  }

  /// Finds out which nodes can be written beforehand without anybody seeing them: new ones, and those that come back to
  /// where they were. Whoever stands below them need not be there. What may stand below what is as the tables ask it
  /// while it is written.
  private mutating func chooseEarly(in database: Database) throws {
    let mayStand = """
      (staged.kind = 'activity' AND node.kind = 'lesson' OR staged.kind = 'lesson' AND node.kind IN ('goal', 'lesson')
        OR staged.kind = 'goal' AND node.kind = 'course')
      """
    try database.execute(
      sql: """
        UPDATE staging.stagedNode AS staged SET way = \(Way.back.rawValue)
        FROM contentNode AS old, contentNode AS node
        WHERE staged.way IN (\(Way.leaf.rawValue), \(Way.alone.rawValue)) AND old.id = staged.id
          AND old.living IS NULL AND old.kind = staged.kind AND old.parent = staged.parent AND old.slug = staged.slug
          AND old.position = staged.position
          AND node.id = old.parent AND NOT ifnull(\(ContentNode.livesNow), 0) AND \(mayStand);

        UPDATE staging.stagedNode SET way = \(Way.new.rawValue) WHERE fresh IS NOT NULL;
        UPDATE staging.stagedNode AS staged
        SET way = CASE WHEN NOT \(mayStand) THEN NULL WHEN \(ContentNode.livesNow) THEN \(Way.top.rawValue) ELSE way END
        FROM contentNode AS node WHERE staged.fresh IS NOT NULL AND node.id = staged.parent
        """)
    // Whoever stands below one that has to wait waits too.
    repeat {
      try database.execute(
        sql: """
          UPDATE staging.stagedNode SET way = NULL
          WHERE way = \(Way.new.rawValue)
            AND freshParent IN (SELECT fresh FROM staging.stagedNode WHERE fresh IS NOT NULL AND way IS NULL)
          """)
    } while database.changesCount > 0
    try choosePublished(in: database)
    try countWays(in: database)
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT min(id), max(id) FROM staging.stagedNode WHERE way IN (\(Way.back.rawValue), \(Way.published.rawValue))
        """)
    if let row, let first = row[0] as Int64?, let last = row[1] as Int64? { placing = first...last }
  }

  /// Finds out which nodes get their places by being published: those that stand, before and afterwards, among others of
  /// which none is moved while everybody waits. Of the places that are held because of the others, whoever comes or goes
  /// is moved so too, and then so is everybody where they come from and go to.
  private mutating func choosePublished(in database: Database) throws {
    let candidates = "way IN (\(Way.shift.rawValue), \(Way.leaf.rawValue), \(Way.top.rawValue))"
    let wanted = "ifnull(parent, -freshParent)"
    try database.execute(
      sql: """
        DELETE FROM staging.heldPlace;
        INSERT OR IGNORE INTO staging.heldPlace
        SELECT \(wanted) FROM staging.stagedNode
        WHERE (way = \(Way.alone.rawValue) OR way IS NULL AND fresh IS NOT NULL) AND \(wanted) IS NOT NULL
        UNION SELECT standing FROM staging.stagedNode WHERE way = \(Way.alone.rawValue) AND standing IS NOT NULL
        -- Nobody may be left in it who may not stand in what it becomes.
        UNION SELECT staged.id FROM staging.stagedNode AS staged JOIN contentNode AS node ON node.id = staged.id
        WHERE staged.way = \(Way.alone.rawValue) AND node.kind <> staged.kind
        """)
    repeat {
      try database.execute(
        sql: """
          INSERT OR IGNORE INTO staging.heldPlace
          SELECT \(wanted) FROM staging.stagedNode
          WHERE \(candidates) AND standing IN (SELECT id FROM staging.heldPlace)
          UNION SELECT standing FROM staging.stagedNode
          WHERE \(candidates) AND standing IS NOT NULL AND \(wanted) IN (SELECT id FROM staging.heldPlace)
          """)
    } while database.changesCount > 0
    try database.execute(
      sql: """
        UPDATE staging.stagedNode SET way = \(Way.published.rawValue)
        WHERE \(candidates) AND \(wanted) NOT IN (SELECT id FROM staging.heldPlace)
          AND ifnull(standing, 0) NOT IN (SELECT id FROM staging.heldPlace)
        """)
    moves = database.changesCount > 0
    guard leaving != nil else { return }
    // Of those that go, only who stands in the way of somebody is taken out of the tree at once.
    try database.execute(
      sql: """
        UPDATE staging.goingNode SET isCut = 0
        WHERE isCut AND (SELECT parent FROM contentNode WHERE id = goingNode.id) NOT IN (
          SELECT id FROM staging.heldPlace)
        """)
    moves = moves || database.changesCount > 0
  }

  /// Forgets what is written beforehand: nothing of it is left to be done while everybody waits, but that the highest of
  /// the new ones live.
  static func forgetEarly(in database: Database) throws {
    try database.execute(
      sql: """
        DELETE FROM staging.stagedNode
        WHERE way IN (\(Way.back.rawValue), \(Way.new.rawValue)) OR way = \(Way.published.rawValue) AND fresh IS NOT NULL;
        UPDATE staging.stagedNode SET addsUp = 0
        WHERE way = \(Way.top.rawValue) OR way = \(Way.published.rawValue) AND standing IS NULL
        """)
  }

  private mutating func countWays(in database: Database) throws {
    let rows = try Row.fetchAll(
      database, sql: "SELECT way, count(*) FROM staging.stagedNode WHERE way IS NOT NULL GROUP BY way")
    moving = Dictionary(uniqueKeysWithValues: rows.compactMap { row in Way(rawValue: row[0]).map { ($0, row[1]) } })
    movingAlone = try Int.fetchAll(
      database, sql: "SELECT number FROM staging.stagedNode WHERE way = ? ORDER BY number",
      arguments: [Way.alone.rawValue])
  }

  /// Finds out which of many staged nodes go with one above them, so that few are left to be taken out of the tree.
  ///
  /// - Returns: From which id to which all of them are; `nil` where they are so few that all is done with them at once.
  private static func findLeaving(in database: Database) throws -> ClosedRange<Int64>? {
    let row = try Row.fetchOne(database, sql: "SELECT count(*), min(id), max(id) FROM staging.goingNode")
    guard let row, row[0] >= CourseEdition.habits.fewestNodes else { return nil }
    try database.execute(
      sql: """
        UPDATE staging.goingNode SET isCut = 0
        WHERE (SELECT parent FROM contentNode WHERE id = goingNode.id) IN (SELECT id FROM staging.goingNode)
        """)
    return row[1]...row[2]
  }

  /// Stages nothing but that a whole course goes.
  ///
  /// - Returns: From which id to which its nodes are, and how many.
  static func stageAll(of course: NodeID, in database: Database) throws -> (nodes: ClosedRange<Int64>, count: Int) {
    try database.execute(
      sql: """
        DELETE FROM staging.goingNode;
        INSERT INTO staging.goingNode
        SELECT id, parent IS NULL FROM contentNode AS node WHERE course = \(course.rawValue) AND \(ContentNode.livesNow)
        """)
    let row = try Row.fetchOne(database, sql: "SELECT max(id), count(*) FROM staging.goingNode")
    return (course.rawValue...max(course.rawValue, row?[0] ?? 0), row?[1] ?? 0)
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
    var kept: [Int64: Int] = [:]
    if plan.base != nil {
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT node, letters FROM currentContent JOIN contentNode ON id = node
          WHERE course = (SELECT id FROM contentNode WHERE parent IS NULL AND key = ?)
          """, arguments: [plan.key])
      while let row = try rows.next() { kept[row[0]] = row[1] }
    }
    return plan.nodes.enumerated().map { number, node in
      let staged = measure(at: number)
      return PlaceTotals.Part(
        parent: node.parent, isActivity: node.kind == .activity, minutes: node.minutes,
        letters: staged.bytes > 0 ? staged.letters : node.id.flatMap { kept[$0.rawValue] } ?? 0)
    }
  }
}
