import GRDB
public import LearningModel

/// The source of a course's last import.
public struct CourseSourceRecord: Hashable, Sendable {
  /// The course's key.
  public let key: String
  /// The source: a name, an absolute path or an address.
  public let source: String
  /// The digest of the source.
  public let digest: String
}

extension StoreSnapshot {
  /// Returns the sources of all courses, also of those that were removed.
  public func courseSources() throws -> [CourseSourceRecord] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT node.key, import.sourceName, import.sourceDigest
        FROM course JOIN contentNode AS node ON node.id = course.node
        JOIN courseRevision AS import ON import.course = course.node AND import.number = (
          SELECT max(number) FROM courseRevision WHERE course = node.id AND sourceName IS NOT NULL)
        """)
    return try Row.fetchAll(statement).map {
      CourseSourceRecord(key: $0[0], source: $0[1], digest: ($0[2] as String?) ?? "")
    }
  }

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
