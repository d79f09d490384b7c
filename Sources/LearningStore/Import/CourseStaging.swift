import GRDB
import LearningModel

/// A plan in temporary tables, prepared completely before anything is locked, so that a few statements can write the
/// course. Contains only new and changed nodes.
struct CourseStaging {
  /// The definitions of the temporary tables, in an attached database that is deleted when the connection is closed.
  static let tables = """
    CREATE TABLE staging.stagedContent (
      number INTEGER PRIMARY KEY, type TEXT, json TEXT, letters INTEGER, items INTEGER, hasScore INTEGER,
      isReadInParts INTEGER);
    -- The pictures of the course. The bytes of a picture that is stored already are NULL.
    CREATE TABLE staging.stagedPicture (digest TEXT PRIMARY KEY, bytes BLOB);
    CREATE TABLE staging.stagedNode (
      number INTEGER PRIMARY KEY,
      id INTEGER,
      -- The number of a new node, from 1, otherwise NULL. Its id is the last stored id plus this number.
      fresh INTEGER,
      parent INTEGER,
      freshParent INTEGER,
      key TEXT, kind TEXT, position INTEGER, slug TEXT, title TEXT, summary TEXT, minutes INTEGER,
      changes INTEGER,
      -- The kind of move of a stored node that moves, otherwise NULL.
      move INTEGER,
      -- Whether the totals differ from the stored ones.
      addsUp INTEGER, activities INTEGER, seconds INTEGER);
    CREATE INDEX staging.stagedFresh ON stagedNode (number) WHERE fresh IS NOT NULL;
    CREATE INDEX staging.stagedAddsUp ON stagedNode (number) WHERE addsUp;
    CREATE INDEX staging.stagedMove ON stagedNode (move, number) WHERE move IS NOT NULL;
    CREATE TABLE staging.goingNode (id INTEGER PRIMARY KEY);
    -- The places whose sums of learners' begun and done activities may change.
    CREATE TABLE staging.summedPlace (id INTEGER PRIMARY KEY);
    """

  private let plan: CoursePlan
  /// The number of letters of each staged content, by the index of its node in the plan. `nil` or missing if no content
  /// is staged.
  private let letters: [Int?]
  /// For each node, the number of new nodes before it in reading order. The last element is the total number of new
  /// nodes.
  private let newNodeCounts: [Int]
  /// The number of existing nodes with each kind of move.
  private(set) var moving: [MoveKind: Int] = [:]
  /// The indices of the nodes that are moved one by one, ascending.
  private(set) var movingAlone: [Int] = []

  init(_ plan: CoursePlan, letters: [Int?]) {
    self.plan = plan
    self.letters = letters
    newNodeCounts = plan.nodes.reduce(into: [0]) { counts, node in
      counts.append(counts.last! + (node.id == nil ? 1 : 0))
    }
  }

  /// How a node is moved.
  enum MoveKind: Int {
    /// Only the position of the node among its siblings changes.
    case shift = 1
    /// The node is an activity that is moved or restored, or another node that is restored under its former parent.
    /// These moves change the ancestors of no other node, so all of them are done by one statement.
    case batch = 2
    /// All other moves. They are done one by one, because each move may depend on the previous one.
    case alone = 3
  }

  /// Returns the number of a node among the new nodes, from 1, or `nil` if it is not new.
  func newNodes(_ number: Int) -> Int? {
    plan.nodes[number].id == nil ? newNodeCounts[number] + 1 : nil
  }

  /// Returns whether a range of indices contains new nodes.
  func hasNewNodes(in numbers: Range<Int>) -> Bool {
    newNodeCounts[numbers.upperBound] > newNodeCounts[numbers.lowerBound]
  }

  /// Writes the plan into the temporary tables. Takes no lock on the database itself.
  mutating func write(in transaction: StoreTransaction) throws {
    try transaction.database.execute(
      sql: """
        DELETE FROM staging.stagedNode;
        DELETE FROM staging.goingNode;
        DELETE FROM staging.summedPlace;
        """)
    let totals = PlaceTotals(of: try totalsInput(in: transaction))
    let storedTotals = try currentTotals(in: transaction)
    for (number, planned) in plan.nodes.enumerated() {
      let addsUp =
        planned.id.map {
          storedTotals[$0]
            != CurrentTotals(activities: totals.activities[number], seconds: totals.seconds[number])
        } ?? true
      guard addsUp || !planned.changes.isEmpty else { continue }
      // Bound one by one, to avoid an array of existential values for every node of a course.
      try transaction.run(
        "INSERT INTO staging.stagedNode VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?)"
      ) {
        parameters in
        parameters.add(number)
        parameters.add(planned.id)
        parameters.add(newNodes(number))
        parameters.add(planned.parent.flatMap { plan.nodes[$0].id })
        parameters.add(planned.parent.flatMap { newNodes($0) })
        parameters.add(planned.key)
        parameters.add(planned.kind.rawValue)
        parameters.add(planned.position)
        parameters.add(planned.slug)
        parameters.add(planned.title)
        parameters.add(planned.summary)
        parameters.add(planned.minutes)
        parameters.add(planned.changes.rawValue)
        parameters.add(addsUp)
        parameters.add(totals.activities[number])
        parameters.add(totals.seconds[number])
      }
    }
    for id in plan.removed { try transaction.run("INSERT INTO staging.goingNode VALUES (?)", id) }
    if plan.base != nil { try classifyMoves(in: transaction) }
  }

  /// Determines how each node is moved.
  private mutating func classifyMoves(in transaction: StoreTransaction) throws {
    try transaction.run(
      """
      UPDATE staging.stagedNode SET move = CASE
        WHEN node.kind = stagedNode.kind AND node.parent IS stagedNode.parent AND stagedNode.freshParent IS NULL
          AND node.slug = stagedNode.slug AND node.living = 1 THEN \(MoveKind.shift.rawValue)
        WHEN node.kind = stagedNode.kind AND (node.kind = 'activity'
          OR node.living IS NULL AND node.parent IS stagedNode.parent AND stagedNode.freshParent IS NULL)
          THEN \(MoveKind.batch.rawValue)
        ELSE \(MoveKind.alone.rawValue) END
      FROM contentNode AS node WHERE node.id = stagedNode.id AND stagedNode.changes & ?
      """, PlannedNode.Changes.placement.rawValue)
    try transaction.statements.run(
      "SELECT move, count(*) FROM staging.stagedNode WHERE move IS NOT NULL GROUP BY move"
    ) { row in
      if let kind = MoveKind(rawValue: row[0]) { moving[kind] = row[1] }
      return true
    }
    movingAlone = try transaction.snapshot.all(
      "SELECT number FROM staging.stagedNode WHERE move = ? ORDER BY number", MoveKind.alone.rawValue
    ) { $0[0] }
  }

  private struct CurrentTotals: Equatable {
    let activities: Int
    let seconds: Int
  }

  /// Returns the stored numbers of activities and seconds of the existing nodes.
  private func currentTotals(in transaction: StoreTransaction) throws -> [NodeID: CurrentTotals] {
    guard plan.base != nil else { return [:] }
    var totals: [NodeID: CurrentTotals] = [:]
    try transaction.statements.run(
      """
      SELECT placeTotal.node, activities, seconds FROM contentNode JOIN placeTotal ON placeTotal.node = id
      WHERE course = (SELECT id FROM contentNode WHERE parent IS NULL AND key = ?)
      """, [plan.key]
    ) { row in
      totals[row[0]] = CurrentTotals(activities: row[1], seconds: row[2])
      return true
    }
    return totals
  }

  private func totalsInput(in transaction: StoreTransaction) throws -> [PlaceTotals.Input] {
    var letterCounts: [NodeID: Int] = [:]
    if plan.base != nil {
      try transaction.statements.run(
        """
        SELECT node, letters FROM activityContent JOIN contentNode ON id = node
        WHERE course = (SELECT id FROM contentNode WHERE parent IS NULL AND key = ?)
        """, [plan.key]
      ) { row in
        letterCounts[row[0]] = row[1]
        return true
      }
    }
    return plan.nodes.enumerated().map { number, node in
      return PlaceTotals.Input(
        parent: node.parent, isActivity: node.kind == .activity, minutes: node.minutes,
        letters: (number < letters.count ? letters[number] : nil) ?? node.id.flatMap { letterCounts[$0] } ?? 0)
    }
  }
}
