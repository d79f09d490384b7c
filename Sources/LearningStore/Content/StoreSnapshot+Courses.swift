import Foundation
import GRDB
public import LearningModel

extension StoreSnapshot {
  /// The living courses in their order.
  public func courses() throws -> [Course] {
    try all(Self.coursesWithRowText, as: Self.course)
  }

  private static let coursesWithRowText = course(
    where: "node.parent IS NULL AND node.living = 1 ORDER BY node.position")
  private static let courseText = course(where: "node.id = ?")
  private static let courseWithKeyText = course(where: "node.parent IS NULL AND node.key = ?")

  private static func course(where condition: String) -> StatementText {
    StatementText(
      """
      SELECT \(ContentNode.columns), course.language, course.sourceFormat, course.revision
      FROM contentNode AS node JOIN course ON course.node = node.id WHERE \(condition)
      """)
  }

  /// The course whose top node that is, living or removed.
  public func course(_ id: NodeID) throws -> Course? {
    try first(Self.courseText, id, as: Self.course)
  }

  /// The course of that key, living or removed.
  public func course(withKey key: String) throws -> Course? {
    try first(Self.courseWithKeyText, key, as: Self.course)
  }

  private static func course(_ row: ResultRow) throws -> Course {
    Course(node: try ContentNode(row: row), language: row[11], sourceFormat: row[12], revision: row[13])
  }

  /// How many living nodes of each kind a course has.
  public func counts(of course: NodeID) throws -> ContentCounts {
    var counts = ContentCounts()
    for (kind, count) in try all(Self.countsText, course, as: { ($0[0] as String, $0[1] as Int) }) {
      if let kind = ContentKind(rawValue: kind) { counts[kind] = count }
    }
    return counts
  }

  private static let countsText = StatementText(
    "SELECT kind, count(*) FROM contentNode AS node WHERE course = ? AND node.living = 1 GROUP BY kind")

  /// Calls a function with every node that a course has or has ever had, in no order.
  public func forEachNode(of course: NodeID, _ body: (ContentNode) throws -> Void) throws {
    try statements.run(Self.everyNodeText, [course]) { row in
      try body(ContentNode(row: row))
      return true
    }
  }

  /// Every node that a course has or has ever had, in no order.
  public func everyNode(of course: NodeID) throws -> [ContentNode] {
    try nodes(Self.everyNodeText, course)
  }

  private static let everyNodeText = StatementText(
    "SELECT \(ContentNode.columns) FROM contentNode AS node WHERE course = ?")

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
    let type: String? = try value(Self.typeText, activity)
    return type.flatMap(ActivityType.init)
  }

  private static let typeText = StatementText("SELECT type FROM activityContent WHERE node = ?")

  /// The content as it is stored, to compare it with another.
  public func storedContent(of activity: NodeID) throws -> String? {
    try value(Self.contentText, activity)
  }

  private static let contentText = StatementText("SELECT content FROM activityContent WHERE node = ?")
}
