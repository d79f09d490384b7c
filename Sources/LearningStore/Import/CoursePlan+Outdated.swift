import GRDB
import LearningModel

extension CoursePlan {
  /// Whether the database has become another one since the plan was made, so that what it wants cannot be: another
  /// revision of the course is there, another course has its name or its position, or a node that would be new came in
  /// somebody's record from elsewhere.
  func isOutdated(in database: Database) throws -> Bool {
    let snapshot = StoreTransaction(database: database).snapshot
    let known = try snapshot.course(withKey: key)
    guard known?.revision == base else { return true }
    let isTaken: Bool? = try snapshot.value(
      """
      SELECT EXISTS (
        SELECT 1 FROM contentNode
        WHERE parent IS NULL AND living = 1 AND id IS NOT ? AND (slug = ? OR position = ?))
      """, [known?.id.rawValue, nodes[0].slug, nodes[0].position])
    if isTaken == true { return true }
    guard let course = known?.id else { return false }
    return try nodes.contains { try $0.id == nil && snapshot.node(withKey: $0.key, inCourse: course) != nil }
  }
}
