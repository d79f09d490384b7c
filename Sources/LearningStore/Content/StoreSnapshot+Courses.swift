import Foundation
import GRDB
import JSONCoding
package import LearningModel

extension StoreSnapshot {
  /// Returns the courses that were not removed, in their order.
  package func courses() throws -> [Course] {
    try all(Self.coursesWithRowSQL, as: Self.course)
  }

  private static let coursesWithRowSQL = course(
    where: "node.parent IS NULL AND node.living = 1 ORDER BY node.position")
  private static let courseSQL = course(where: "node.id = ?")
  private static let courseWithKeySQL = course(where: "node.parent IS NULL AND node.key = ?")

  private static func course(where condition: String) -> StatementText {
    StatementText(
      """
      SELECT \(ContentNode.columns), course.language, course.sourceFormat, course.revision
      FROM contentNode AS node JOIN course ON course.node = node.id WHERE \(condition)
      """)
  }

  /// Returns the course with a root node, even if it was removed, or `nil` if the node is not the root node of a
  /// course.
  package func course(_ id: NodeID) throws -> Course? {
    try first(Self.courseSQL, id, as: Self.course)
  }

  /// Returns the course with the given key in any Unicode form, even if it was removed, or `nil` if there never was such
  /// a course.
  package func course(withKey key: String) throws -> Course? {
    try key.unicodeForms.compactMap { try first(Self.courseWithKeySQL, $0, as: Self.course) }.first
  }

  private static func course(_ row: ResultRow) throws -> Course {
    Course(node: try ContentNode(row: row), language: row[11], sourceFormat: row[12], revision: row[13])
  }

  /// Returns the numbers of nodes of each kind in a course, without removed nodes.
  package func counts(of course: NodeID) throws -> ContentCounts {
    var counts = ContentCounts()
    for (kind, count) in try all(Self.countsSQL, course, as: { ($0[0] as String, $0[1] as Int) }) {
      if let kind = ContentKind(rawValue: kind) { counts[kind] = count }
    }
    return counts
  }

  private static let countsSQL = StatementText(
    "SELECT kind, count(*) FROM contentNode AS node WHERE course = ? AND node.living = 1 GROUP BY kind")

  /// Calls a function with every current and removed node of a course, in no particular order.
  package func forEachNode(of course: NodeID, _ body: (ContentNode) throws -> Void) throws {
    try statements.run(Self.everyNodeSQL, [course]) { row in
      try body(ContentNode(row: row))
      return true
    }
  }

  /// Returns every current and removed node of a course, in no particular order.
  package func everyNode(of course: NodeID) throws -> [ContentNode] {
    try nodes(Self.everyNodeSQL, course)
  }

  private static let everyNodeSQL = StatementText(
    "SELECT \(ContentNode.columns) FROM contentNode AS node WHERE course = ?")

  /// Returns the content of an activity, or `nil` if the node is not an activity. For a removed activity, returns its
  /// last content.
  ///
  /// - Throws: `SQLITE_CORRUPT` if the stored content cannot be decoded.
  package func content(of activity: NodeID) throws -> ActivityContent? {
    guard let text = try storedContent(of: activity) else { return nil }
    do {
      return try JSONDecoding.decode(ActivityContent.self, from: Array(text.utf8))
    } catch {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the content of node \(activity.rawValue): \(error)")
    }
  }

  /// Returns the type of an activity, or `nil` if the node is not an activity.
  package func activityType(of activity: NodeID) throws -> ActivityType? {
    let type: String? = try value(Self.typeSQL, activity)
    return type.flatMap(ActivityType.init)
  }

  private static let typeSQL = StatementText("SELECT type FROM activityContent WHERE node = ?")

  /// Returns the encoded content of an activity as it is stored, for comparisons. `nil` if the node is not an activity.
  package func storedContent(of activity: NodeID) throws -> String? {
    try value(Self.contentSQL, activity)
  }

  private static let contentSQL = StatementText("SELECT content FROM activityContent WHERE node = ?")
}

/// The source of the last import of a course.
package struct CourseSourceRecord: Hashable, Sendable {
  package let key: String
  /// A name, an absolute path or a URL.
  package let source: String
  package let digest: String
}

extension StoreSnapshot {
  /// Returns the sources of all imported courses, including removed ones.
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

  /// Returns the format, source and revision of a course, or `nil` if the node is not the root node of a course.
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

  /// Returns the bytes of an image, or `nil` if no course uses it.
  ///
  /// - Parameter digest: The ``LearningModel/StoredImage/digest`` of the image.
  package func image(_ digest: String) throws -> [UInt8]? {
    let statement = try database.cachedStatement(sql: "SELECT bytes FROM picture WHERE digest = ?")
    return try Data.fetchOne(statement, arguments: [digest]).map { Array($0) }
  }

  /// Returns whether an image with the given digest is stored.
  package func hasImage(_ digest: String) throws -> Bool {
    try value(Self.hasImageSQL, digest) ?? false
  }

  /// Returns the digests of the images of a course, sorted.
  package func images(of course: NodeID) throws -> [String] {
    try all(Self.imagesSQL, course, as: { $0[0] as String })
  }

  private static let imagesSQL = StatementText(
    "SELECT digest FROM coursePicture WHERE course = ? ORDER BY digest")
  private static let hasImageSQL = StatementText("SELECT EXISTS (SELECT 1 FROM picture WHERE digest = ?)")
}

extension StoreTransaction {
  /// Deletes the images that no course uses.
  func removeUnusedImages() throws {
    try database.execute(sql: "DELETE FROM picture WHERE digest NOT IN (SELECT digest FROM coursePicture)")
  }
}

extension LearningStore {
  /// Removes a course, in one transaction that survives a power cut. Its nodes are kept and marked as removed, so that
  /// the history can still show their titles and paths. The search index is updated by the next
  /// ``indexSearch(for:until:progress:)``.
  ///
  /// - Parameters:
  ///   - id: The root node of the course.
  ///   - time: The time of the removal.
  /// - Returns: The number of removed nodes, or 0 if there is no such course.
  package func removeCourse(_ id: NodeID, at time: Timestamp) throws -> Int {
    try write(durability: .powerCut) { try $0.removeCourse(id, at: time) }
  }
}

extension StoreTransaction {
  fileprivate func removeCourse(_ id: NodeID, at time: Timestamp) throws -> Int {
    guard let course = try snapshot.course(id), !course.node.isRemoved else { return 0 }
    let revision = course.revision + 1
    let count = try snapshot.counts(of: id).total
    try run(Self.noteSQL, id, revision, time, count)
    try run(Self.advanceSQL, id, revision)
    try recordFormerPaths(ofNodes: "IN (SELECT id FROM contentNode WHERE course = \(id.rawValue) AND living = 1)")
    try run(Self.queueSQL, id, revision)
    try run(Self.forgetTotalsSQL, id)
    try run(Self.forgetSumsSQL, id)
    try run(Self.removeSQL, id, revision)
    try run(Self.removeImagesSQL, id)
    try removeUnusedImages()
    try updatePresence(in: id)
    try contentDidChange(moving: [], at: time)
    return count
  }

  private static let noteSQL = StatementText(
    """
    INSERT INTO courseRevision (course, number, importedAt, added, moved, renamed, changed, removed, unchanged)
    VALUES (?, ?, ?, 0, 0, 0, 0, ?, 0)
    """)
  private static let advanceSQL = StatementText("UPDATE course SET revision = ?2 WHERE node = ?1")
  private static let queueSQL = StatementText(
    """
    INSERT OR REPLACE INTO searchQueue (node, revision)
    SELECT id, ?2 FROM contentNode WHERE course = ?1 AND living = 1
    """)
  private static let forgetTotalsSQL = StatementText(
    "DELETE FROM placeTotal WHERE node IN (SELECT id FROM contentNode WHERE course = ? AND living = 1)")
  private static let forgetSumsSQL = StatementText(
    "DELETE FROM placeProgress WHERE node IN (SELECT id FROM contentNode WHERE course = ? AND living = 1)")
  private static let removeImagesSQL = StatementText("DELETE FROM coursePicture WHERE course = ?")
  private static let removeSQL = StatementText(
    "UPDATE contentNode SET removedInRevision = ?2 WHERE course = ?1 AND living = 1")
}
