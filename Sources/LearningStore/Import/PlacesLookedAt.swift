import GRDB
import LearningModel

/// What of the nodes that get their places by being published is not written beforehand, since it would be seen: looked for
/// beforehand, so that little is left to be looked for while everybody waits.
struct PlacesLookedAt {
  /// The nodes that somebody has been to and that get another parent.
  private var visited: [Int64] = []
  /// The last step that there was by then.
  private var lastEvent: Int64 = 0
  /// Those that return to another place than they left, of which no former path says where that was.
  private var withoutPath: [Int64] = []

  /// Looks at the nodes of the staged plan.
  init(for edition: CourseEdition, in database: Database) throws {
    let newParent = "ifnull(staged.parent, \(edition.lastID) + staged.freshParent)"
    let nodes = """
      SELECT staged.id
      FROM staging.stagedNode AS staged CROSS JOIN contentNode AS node ON node.id = staged.id
      WHERE staged.way = \(CourseEdition.published)
      """
    lastEvent = try Int64.fetchOne(database, sql: "SELECT max(id) FROM navigationEvent") ?? 0
    visited = try Int64.fetchAll(
      database,
      sql: """
        \(nodes) AND node.parent IS NOT \(newParent)
          AND EXISTS (SELECT 1 FROM navigationEvent WHERE toNode = staged.id)
        """)
    // Where somebody else leaves the same spot now, they are the last who did.
    withoutPath = try Int64.fetchAll(
      database,
      sql: """
        \(nodes) AND node.living IS NULL AND (node.parent IS NOT \(newParent) OR node.slug <> staged.slug)
          AND NOT EXISTS (
            SELECT 1 FROM formerPath AS former JOIN contentNode AS other ON other.id = former.node
            WHERE former.parent IS node.parent AND former.slug = node.slug
              AND (other.id = node.id OR other.nextParent IS NOT NULL AND other.living = 1
                AND other.parent IS node.parent AND other.slug = node.slug))
        """)
  }

  /// Every node of them that somebody has been to, inside the transaction that publishes.
  func visitedNow(of course: NodeID, in database: Database) throws -> [NodeID] {
    let since = try Int64.fetchAll(
      database,
      sql: """
        SELECT DISTINCT event.toNode
        FROM navigationEvent AS event CROSS JOIN contentNode AS node ON node.id = event.toNode
        WHERE event.id > ? AND node.course = ? AND node.nextParent IS NOT NULL AND node.nextParent <> node.parent
        """, arguments: [lastEvent, course.rawValue])
    return Set(visited).union(since).sorted().map(NodeID.init(rawValue:))
  }

  /// Keeps where those stood that return from nowhere, inside the transaction that publishes.
  func keepPaths(in database: Database) throws {
    for node in withoutPath {
      try database.cachedStatement(
        sql: "INSERT INTO formerPath (parent, slug, node) SELECT parent, slug, id FROM contentNode WHERE id = ?"
      ).execute(arguments: [node])
    }
  }
}
