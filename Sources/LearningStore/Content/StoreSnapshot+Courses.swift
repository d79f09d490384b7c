import Foundation
import GRDB
package import LearningModel

extension StoreSnapshot {
  /// The living courses in their order.
  package func courses() throws -> [Course] {
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
  package func course(_ id: NodeID) throws -> Course? {
    try first(Self.courseText, id, as: Self.course)
  }

  /// The course of that key, living or removed.
  package func course(withKey key: String) throws -> Course? {
    try first(Self.courseWithKeyText, key, as: Self.course)
  }

  private static func course(_ row: ResultRow) throws -> Course {
    Course(node: try ContentNode(row: row), language: row[11], sourceFormat: row[12], revision: row[13])
  }

  /// How many living nodes of each kind a course has.
  package func counts(of course: NodeID) throws -> ContentCounts {
    var counts = ContentCounts()
    for (kind, count) in try all(Self.countsText, course, as: { ($0[0] as String, $0[1] as Int) }) {
      if let kind = ContentKind(rawValue: kind) { counts[kind] = count }
    }
    return counts
  }

  private static let countsText = StatementText(
    "SELECT kind, count(*) FROM contentNode AS node WHERE course = ? AND node.living = 1 GROUP BY kind")

  /// Calls a function with every node that a course has or has ever had, in no order.
  package func forEachNode(of course: NodeID, _ body: (ContentNode) throws -> Void) throws {
    try statements.run(Self.everyNodeText, [course]) { row in
      try body(ContentNode(row: row))
      return true
    }
  }

  /// Every node that a course has or has ever had, in no order.
  package func everyNode(of course: NodeID) throws -> [ContentNode] {
    try nodes(Self.everyNodeText, course)
  }

  private static let everyNodeText = StatementText(
    "SELECT \(ContentNode.columns) FROM contentNode AS node WHERE course = ?")

  /// What an activity is made of; a removed one's is what it was last. `nil` for what is no activity.
  package func content(of activity: NodeID) throws -> ActivityContent? {
    guard let text = try storedContent(of: activity) else { return nil }
    do {
      return try JSONDecoder().decode(ActivityContent.self, from: Data(text.utf8))
    } catch {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the content of node \(activity.rawValue): \(error)")
    }
  }

  /// The type of an activity; `nil` for what is none.
  package func activityType(of activity: NodeID) throws -> ActivityType? {
    let type: String? = try value(Self.typeText, activity)
    return type.flatMap(ActivityType.init)
  }

  private static let typeText = StatementText("SELECT type FROM activityContent WHERE node = ?")

  /// The content as it is stored, to compare it with another.
  package func storedContent(of activity: NodeID) throws -> String? {
    try value(Self.contentText, activity)
  }

  private static let contentText = StatementText("SELECT content FROM activityContent WHERE node = ?")
}

/// The source of a course's last import.
package struct CourseSourceRecord: Hashable, Sendable {
  /// The course's key.
  package let key: String
  /// The source: a name, an absolute path or an address.
  package let source: String
  /// The digest of the source.
  package let digest: String
}

extension StoreSnapshot {
  /// Returns the sources of all courses, also of those that were removed.
  package func courseSources() throws -> [CourseSourceRecord] {
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
  package func origin(of course: NodeID) throws -> CourseOrigin? {
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

  /// The bytes of a picture that a course has; `nil` where none has it.
  ///
  /// - Parameter digest: What ``LearningModel/KeptPicture/digest`` says.
  package func picture(_ digest: String) throws -> [UInt8]? {
    let statement = try database.cachedStatement(sql: "SELECT bytes FROM picture WHERE digest = ?")
    return try Data.fetchOne(statement, arguments: [digest]).map { Array($0) }
  }

  /// Whether a course has the picture of that digest.
  package func hasPicture(_ digest: String) throws -> Bool {
    try value(Self.hasPictureText, digest) ?? false
  }

  /// The digests of the pictures that a course has, in their order.
  package func pictures(of course: NodeID) throws -> [String] {
    try all(Self.picturesText, course, as: { $0[0] as String })
  }

  private static let picturesText = StatementText(
    "SELECT digest FROM coursePicture WHERE course = ? ORDER BY digest")
  private static let hasPictureText = StatementText("SELECT EXISTS (SELECT 1 FROM picture WHERE digest = ?)")
}

extension StoreTransaction {
  /// Deletes the pictures that no course has.
  func removePicturesOfNoCourse() throws {
    try database.execute(sql: "DELETE FROM picture WHERE digest NOT IN (SELECT digest FROM coursePicture)")
  }
}

extension LearningStore {
  /// Removes a course, in one transaction that survives a power cut. Its nodes are kept as removed, with their titles and
  /// places, so that history still reads. The search index follows with ``indexSearch(for:until:progress:)``.
  ///
  /// - Parameters:
  ///   - id: The course.
  ///   - time: When it happens.
  /// - Returns: How many nodes were removed; 0 where it is not there.
  package func removeCourse(_ id: NodeID, at time: Timestamp) throws -> Int {
    try write(surviving: .powerCut) { try $0.removeCourse(id, at: time) }
  }
}

extension StoreTransaction {
  fileprivate func removeCourse(_ id: NodeID, at time: Timestamp) throws -> Int {
    guard let course = try snapshot.course(id), !course.node.isRemoved else { return 0 }
    let revision = course.revision + 1
    let count = try snapshot.counts(of: id).total
    try run(Self.noteText, id, revision, time, count)
    try run(Self.advanceText, id, revision)
    try keepPaths(ofNodes: "IN (SELECT id FROM contentNode WHERE course = \(id.rawValue) AND living = 1)")
    try run(Self.queueText, id, revision)
    try run(Self.forgetTotalsText, id)
    try run(Self.forgetSumsText, id)
    try run(Self.removeText, id, revision)
    try run(Self.forgetPicturesText, id)
    try removePicturesOfNoCourse()
    try contentDidChange(moving: [], at: time)
    return count
  }

  private static let noteText = StatementText(
    """
    INSERT INTO courseRevision (course, number, importedAt, added, moved, renamed, changed, removed, unchanged)
    VALUES (?, ?, ?, 0, 0, 0, 0, ?, 0)
    """)
  private static let advanceText = StatementText("UPDATE course SET revision = ?2 WHERE node = ?1")
  private static let queueText = StatementText(
    """
    INSERT OR REPLACE INTO searchQueue (node, revision)
    SELECT id, ?2 FROM contentNode WHERE course = ?1 AND living = 1
    """)
  private static let forgetTotalsText = StatementText(
    "DELETE FROM placeTotal WHERE node IN (SELECT id FROM contentNode WHERE course = ? AND living = 1)")
  private static let forgetSumsText = StatementText(
    "DELETE FROM placeProgress WHERE node IN (SELECT id FROM contentNode WHERE course = ? AND living = 1)")
  private static let forgetPicturesText = StatementText("DELETE FROM coursePicture WHERE course = ?")
  private static let removeText = StatementText(
    "UPDATE contentNode SET removedInRevision = ?2 WHERE course = ?1 AND living = 1")
}
