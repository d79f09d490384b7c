import Foundation
import GRDB
package import LearningModel

/// A plan beside the database, worked out to the last column before anything is locked, so that a few statements make the
/// course of it. Nodes of which nothing is written are not in it.
struct CourseStaging {
  /// The tables, in a database of their own that goes with the connection.
  static let tables = """
    CREATE TABLE staging.stagedContent (number INTEGER PRIMARY KEY, type TEXT, json TEXT, letters INTEGER);
    -- The pictures that the course has; without their bytes those that are there already.
    CREATE TABLE staging.stagedPicture (digest TEXT PRIMARY KEY, bytes BLOB);
    CREATE TABLE staging.stagedNode (
      number INTEGER PRIMARY KEY,
      id INTEGER,
      -- Of a new node: which of the new ones it is, from 1. Its id is that far behind the last id there is.
      fresh INTEGER,
      parent INTEGER,
      freshParent INTEGER,
      key TEXT, kind TEXT, position INTEGER, slug TEXT, title TEXT, summary TEXT, minutes INTEGER,
      changes INTEGER,
      -- Of a node that is there and gets another place: how.
      move INTEGER,
      -- Whether the totals are others than those that are kept.
      addsUp INTEGER, activities INTEGER, seconds INTEGER);
    CREATE INDEX staging.stagedFresh ON stagedNode (number) WHERE fresh IS NOT NULL;
    CREATE INDEX staging.stagedAddsUp ON stagedNode (number) WHERE addsUp;
    CREATE INDEX staging.stagedMove ON stagedNode (move, number) WHERE move IS NOT NULL;
    CREATE TABLE staging.goingNode (id INTEGER PRIMARY KEY);
    -- The places in which what learners have begun and done may add up to something else.
    CREATE TABLE staging.summedPlace (id INTEGER PRIMARY KEY);
    """

  private let plan: CoursePlan
  /// How many letters each staged content has, by the number of its node; `nil`, or no entry, where none is staged.
  private let letters: [Int?]
  /// How many new nodes stand before each in reading order; one entry more than there are nodes.
  private let freshBefore: [Int]
  /// How many nodes that are there already get another place, in each way.
  private(set) var moving: [MoveKind: Int] = [:]
  /// The numbers of those that are moved one by one.
  private(set) var movingAlone: [Int] = []

  init(_ plan: CoursePlan, letters: [Int?]) {
    self.plan = plan
    self.letters = letters
    freshBefore = plan.nodes.reduce(into: [0]) { counts, node in counts.append(counts.last! + (node.id == nil ? 1 : 0))
    }
  }

  /// In which way a node gets another place.
  enum MoveKind: Int {
    /// It only makes room for a sibling, or fills the place of one.
    case shift = 1
    /// It is an activity, moved or returning, or another node that returns to its parent: the way up from no other node
    /// becomes another by that, and all of these are moved at once.
    case batch = 2
    /// All others: each move may be what makes the next one right.
    case alone = 3
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
    try database.execute(
      sql: """
        DELETE FROM staging.stagedNode;
        DELETE FROM staging.goingNode;
        DELETE FROM staging.summedPlace;
        """)
    let totals = PlaceTotals(of: try parts(in: database))
    let kept = try keptTotals(in: database)
    let node = try database.cachedStatement(
      sql: "INSERT INTO staging.stagedNode VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?)")
    for (number, planned) in plan.nodes.enumerated() {
      let addsUp =
        planned.id.map {
          kept[$0.rawValue] != KeptTotals(activities: totals.activities[number], seconds: totals.seconds[number])
        } ?? true
      guard addsUp || !planned.changes.isEmpty else { continue }
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
    let going = try database.cachedStatement(sql: "INSERT INTO staging.goingNode VALUES (?)")
    for id in plan.removed { try going.execute(arguments: [id.rawValue]) }
    if plan.base != nil { try findWays(in: database) }
  }

  /// Finds out in which way each node gets another place.
  private mutating func findWays(in database: Database) throws {
    try database.execute(
      sql: """
        UPDATE staging.stagedNode SET move = CASE
          WHEN node.kind = stagedNode.kind AND node.parent IS stagedNode.parent AND stagedNode.freshParent IS NULL
            AND node.slug = stagedNode.slug AND node.living = 1 THEN \(MoveKind.shift.rawValue)
          WHEN node.kind = stagedNode.kind AND (node.kind = 'activity'
            OR node.living IS NULL AND node.parent IS stagedNode.parent AND stagedNode.freshParent IS NULL)
            THEN \(MoveKind.batch.rawValue)
          ELSE \(MoveKind.alone.rawValue) END
        FROM contentNode AS node WHERE node.id = stagedNode.id AND stagedNode.changes & ?
        """, arguments: [PlannedNode.Changes.placement.rawValue])
    let rows = try Row.fetchAll(
      database, sql: "SELECT move, count(*) FROM staging.stagedNode WHERE move IS NOT NULL GROUP BY move")
    moving = Dictionary(
      uniqueKeysWithValues: rows.compactMap { row in MoveKind(rawValue: row[0]).map { ($0, row[1]) } })
    movingAlone = try Int.fetchAll(
      database, sql: "SELECT number FROM staging.stagedNode WHERE move = ? ORDER BY number",
      arguments: [MoveKind.alone.rawValue])
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
          SELECT node, letters FROM activityContent JOIN contentNode ON id = node
          WHERE course = (SELECT id FROM contentNode WHERE parent IS NULL AND key = ?)
          """, arguments: [plan.key])
      while let row = try rows.next() { kept[row[0]] = row[1] }
    }
    return plan.nodes.enumerated().map { number, node in
      return PlaceTotals.Part(
        parent: node.parent, isActivity: node.kind == .activity, minutes: node.minutes,
        letters: (number < letters.count ? letters[number] : nil) ?? node.id.flatMap { kept[$0.rawValue] } ?? 0)
    }
  }
}

/// An activity's content as the database keeps it. Equal contents have equal texts.
package struct StoredContent: Hashable, Sendable {
  /// Which of the four it is.
  package let type: ActivityType
  /// The content as JSON, its keys sorted.
  package let json: String
  /// How many letters there are to read.
  package let letters: Int

  /// Puts a content into the form in which it is kept.
  ///
  /// - Throws: `EncodingError`, where the content holds a number that JSON cannot.
  package init(_ content: ActivityContent) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    type = content.type
    json = String(decoding: try encoder.encode(content), as: UTF8.self)
    letters = content.plainText.unicodeScalars.count
  }
}
