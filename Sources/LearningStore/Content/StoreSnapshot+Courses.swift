import Foundation
import GRDB
public import LearningModel

extension StoreSnapshot {
  private static let courseColumns = "\(ContentNode.columns), course.language, course.sourceFormat, course.revision"

  /// The living courses in their order.
  public func courses() throws -> [Course] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT \(Self.courseColumns) FROM contentNode AS node JOIN course ON course.node = node.id
        WHERE node.parent IS NULL AND node.living = 1 ORDER BY node.position
        """)
    return try Row.fetchAll(statement).map(Self.course)
  }

  /// The course whose top node that is, living or removed.
  public func course(_ id: NodeID) throws -> Course? {
    let statement = try database.cachedStatement(
      sql: """
        SELECT \(Self.courseColumns) FROM contentNode AS node JOIN course ON course.node = node.id WHERE node.id = ?
        """)
    return try Row.fetchOne(statement, arguments: [id.rawValue]).map(Self.course)
  }

  /// The course of that key, living or removed.
  public func course(withKey key: String) throws -> Course? {
    let statement = try database.cachedStatement(
      sql: """
        SELECT \(Self.courseColumns) FROM contentNode AS node JOIN course ON course.node = node.id
        WHERE node.parent IS NULL AND node.key = ?
        """)
    return try Row.fetchOne(statement, arguments: [key]).map(Self.course)
  }

  private static func course(_ row: Row) throws -> Course {
    Course(node: try ContentNode(row: row), language: row[11], sourceFormat: row[12], revision: row[13])
  }

  /// How many living nodes of each kind a course has.
  public func counts(of course: NodeID) throws -> ContentCounts {
    let statement = try database.cachedStatement(
      sql: "SELECT kind, count(*) FROM contentNode WHERE course = ? AND living = 1 GROUP BY kind")
    var counts = ContentCounts()
    for row in try Row.fetchAll(statement, arguments: [course.rawValue]) {
      if let kind = ContentKind(rawValue: row[0]) { counts[kind] = row[1] }
    }
    return counts
  }

  /// Every node that a course has or has ever had, in no order.
  public func everyNode(of course: NodeID) throws -> [ContentNode] {
    try nodes("SELECT \(ContentNode.columns) FROM contentNode AS node WHERE course = ?", [course.rawValue])
  }

  /// What an activity is made of; a removed one's is what it was last. `nil` for what is no activity.
  public func content(of activity: NodeID) throws -> ActivityContent? {
    guard let text = try storedContent(of: activity) else { return nil }
    do {
      return try JSONDecoder().decode(ActivityContent.self, from: Data(text.utf8))
    } catch {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the content of node \(activity.rawValue): \(error)")
    }
  }

  /// The type of an activity; `nil` for what is none.
  public func activityType(of activity: NodeID) throws -> ActivityType? {
    let type: String? = try value("SELECT type FROM activityContent WHERE node = ?", [activity.rawValue])
    return type.flatMap(ActivityType.init)
  }

  /// The content as it is stored, to compare it with another.
  public func storedContent(of activity: NodeID) throws -> String? {
    try value("SELECT content FROM activityContent WHERE node = ?", [activity.rawValue])
  }
}
