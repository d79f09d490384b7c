import GRDB
public import LearningModel

extension StoreSnapshot {
  /// The node, living or removed; `nil` where there has never been one of that number.
  public func node(_ id: NodeID) throws -> ContentNode? {
    try firstNode("SELECT \(ContentNode.columns) FROM contentNode AS node WHERE id = ?", [id.rawValue])
  }

  /// The node of that key in a course, living or removed.
  public func node(withKey key: String, inCourse course: NodeID) throws -> ContentNode? {
    try firstNode(
      "SELECT \(ContentNode.columns) FROM contentNode AS node WHERE course = ? AND key = ?", [course.rawValue, key])
  }

  /// The living children in their order; the courses, where the place is the root.
  public func children(of place: Place) throws -> [ContentNode] {
    switch place {
    case .root:
      try nodes(
        "SELECT \(ContentNode.columns) FROM contentNode AS node "
          + "WHERE parent IS NULL AND living = 1 ORDER BY position")
    case .node(let id):
      try nodes(
        "SELECT \(ContentNode.columns) FROM contentNode AS node "
          + "WHERE parent = ? AND living = 1 ORDER BY position", [id.rawValue])
    }
  }

  /// The nodes above a node, its course first, its parent last. A removed node's are those of its last place.
  public func ancestors(of id: NodeID) throws -> [ContentNode] {
    try nodes(
      """
      WITH RECURSIVE above (id, distance) AS (
        SELECT parent, 1 FROM contentNode WHERE id = ?
        UNION ALL
        SELECT contentNode.parent, distance + 1 FROM contentNode JOIN above ON contentNode.id = above.id
      )
      SELECT \(ContentNode.columns) FROM above JOIN contentNode AS node ON node.id = above.id ORDER BY distance DESC
      """, [id.rawValue])
  }

  /// A node and the living nodes below it, in reading order; from the root, every course and what is below it.
  ///
  /// - Parameters:
  ///   - place: Where to begin. A removed node has nothing below it.
  ///   - depth: How many levels below the first one to show, from 0; `nil` for all of them.
  /// - Returns: Each node with its depth: 0 for the place, or for each course where the place is the root.
  public func subtree(from place: Place, depth: Int? = nil) throws -> [(node: ContentNode, depth: Int)] {
    let start: (condition: String, arguments: StatementArguments) =
      switch place {
      case .root: ("parent IS NULL AND living = 1", [])
      case .node(let id): ("id = ?", [id.rawValue])
      }
    // Whoever is deepest is taken from the queue first, and of those the first in position: reading order. A join
    // around the recursion would lose that order.
    let statement = try database.cachedStatement(
      sql: """
        WITH RECURSIVE below (
          id, course, parent, key, kind, position, slug, title, summary, minutes, removedInRevision, depth
        ) AS (
          SELECT \(ContentNode.columns), 0 FROM contentNode AS node WHERE \(start.condition)
          UNION ALL
          SELECT \(ContentNode.columns), below.depth + 1
          FROM below JOIN contentNode AS node ON node.parent = below.id AND node.living = 1
          WHERE below.depth < ?
          ORDER BY 12 DESC, 6
        )
        SELECT * FROM below
        """)
    let rows = try Row.fetchCursor(statement, arguments: start.arguments + [depth ?? Int(Int32.max)])
    var found: [(node: ContentNode, depth: Int)] = []
    while let row = try rows.next() { found.append((try ContentNode(row: row), row[11])) }
    return found
  }

  /// The node itself where it lives, else the nearest node above it that does; the root where none does.
  public func nearestLiving(of id: NodeID) throws -> Place {
    guard let node = try node(id) else { return .root }
    guard node.isRemoved else { return .node(id) }
    return Place(try ancestors(of: id).last { !$0.isRemoved }?.id)
  }
}
