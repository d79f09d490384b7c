import GRDB
public import LearningModel

extension StoreSnapshot {
  /// Where the course of that top node came from; `nil` for what is no course.
  public func origin(of course: NodeID) throws -> CourseOrigin? {
    let statement = try database.cachedStatement(
      sql: """
        SELECT course.sourceFormat, last.sourceName, last.number, last.importedAt, course.language
        FROM course JOIN courseRevision AS last ON last.course = course.node AND last.number = course.revision
        WHERE course.node = ?
        """)
    return try Row.fetchOne(statement, arguments: [course.rawValue]).map {
      CourseOrigin(
        format: $0[0], source: $0[1], revision: $0[2], importedAt: Timestamp(milliseconds: $0[3]), language: $0[4])
    }
  }
}
