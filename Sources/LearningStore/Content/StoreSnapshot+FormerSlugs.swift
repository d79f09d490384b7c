import GRDB
public import LearningModel

extension StoreSnapshot {
  /// The slugs under each node of a course by which living nodes can be found that no longer stand there.
  public func formerSlugs(in course: NodeID) throws -> [NodeID: [String: NodeID]] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT formerPath.parent, formerPath.slug, formerPath.node
        FROM formerPath JOIN contentNode AS node ON node.id = formerPath.node
        WHERE formerPath.parent IS NOT NULL AND node.living = 1 AND node.course = ?
        ORDER BY formerPath.id
        """)
    var slugs: [NodeID: [String: NodeID]] = [:]
    for row in try Row.fetchAll(statement, arguments: [course.rawValue]) {
      slugs[NodeID(rawValue: row[0]), default: [:]][row[1]] = NodeID(rawValue: row[2])
    }
    return slugs
  }
}
