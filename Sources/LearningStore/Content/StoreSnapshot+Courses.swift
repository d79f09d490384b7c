import Foundation
import GRDB
import JSONCoding
package import LearningModel

extension StoreSnapshot {
  /// Returns the courses that were not removed, in their order.
  package func courses() throws -> [Course] {
    try all(Self.coursesWithRowSQL, as: Course.init)
  }

  private static let coursesWithRowSQL = course(
    where: "node.parent IS NULL AND node.living = 1 ORDER BY node.position")
  private static let courseSQL = course(where: "node.id = ?")
  private static let courseWithKeySQL = course(where: "node.parent IS NULL AND node.key = ?")

  private static func course(where condition: String) -> StatementText {
    StatementText(
      """
      SELECT \(Course.columns) FROM contentNode AS node JOIN course ON course.node = node.id WHERE \(condition)
      """)
  }

  /// Returns the course with a root node, even if it was removed, or `nil` if the node is not the root node of a
  /// course.
  package func course(_ id: NodeID) throws -> Course? {
    try first(Self.courseSQL, id, as: Course.init)
  }

  /// Returns the course with the given key in any Unicode form, even if it was removed, or `nil` if there never was such
  /// a course.
  package func course(withKey key: String) throws -> Course? {
    try key.unicodeForms.compactMap { try first(Self.courseWithKeySQL, $0, as: Course.init) }.first
  }

  /// Returns the numbers of nodes of each kind in a course, without removed nodes.
  package func counts(of course: NodeID) throws -> ContentCounts {
    var counts = ContentCounts()
    for (kind, count) in try all(
      "SELECT kind, count(*) FROM contentNode AS node WHERE course = ? AND node.living = 1 GROUP BY kind", course,
      as: { ($0[0] as String, $0[1] as Int) })
    {
      if let kind = ContentKind(rawValue: kind) { counts[kind] = count }
    }
    return counts
  }

  /// Returns the kinds of records that learners have at the current places of a course.
  package func learnerRecords(in course: NodeID) throws -> [NodeID: [PlaceRecord]] {
    var records: [NodeID: [PlaceRecord]] = [:]
    try statements.run(Self.learnerRecordsSQL, [course]) { row in
      if let kind = PlaceRecord(rawValue: row[1]) { records[row[0], default: []].append(kind) }
      return true
    }
    return records
  }

  private static let learnerRecordsSQL = StatementText(
    """
    SELECT record.node, record.kind FROM (
      SELECT node, 'progress' AS kind, 1 AS rank FROM progress WHERE isBegun OR doneAt IS NOT NULL
      UNION SELECT node, 'notes', 2 FROM note
      UNION SELECT node, 'bookmark', 3 FROM bookmark
      UNION SELECT node, 'cards', 4 FROM cardMemory
      UNION SELECT node, 'cards', 4 FROM madeCard
    ) AS record CROSS JOIN contentNode AS place ON place.id = record.node
    WHERE place.course = ? AND place.living = 1 ORDER BY record.node, record.rank
    """)

  /// Calls a function with every current and removed node of a course, in no particular order.
  package func forEachNode(of course: NodeID, _ body: (ContentNode) throws -> Void) throws {
    try statements.run(Self.everyNodeSQL, [course]) { row in
      try body(ContentNode(row: row))
      return true
    }
  }

  /// Returns every current and removed node of a course, in no particular order.
  package func everyNode(of course: NodeID) throws -> [ContentNode] {
    try all(Self.everyNodeSQL, course, as: ContentNode.init)
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
    let type: String? = try value("SELECT type FROM activityContent WHERE node = ?", activity)
    return type.flatMap(ActivityType.init)
  }

  /// Returns the encoded content of an activity as it is stored, for comparisons. `nil` if the node is not an activity.
  package func storedContent(of activity: NodeID) throws -> String? {
    try value("SELECT content FROM activityContent WHERE node = ?", activity)
  }
}

extension Course: StoredRow {
  static let columns = RowReader.columns(of: Self.self)

  init(_ column: inout RowReader) throws {
    self.init(
      node: try ContentNode(&column), language: column("course.language"), sourceFormat: column("course.sourceFormat"),
      revision: column("course.revision"))
  }
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
    try all(
      """
      SELECT node.key, import.sourceName, ifnull(import.sourceDigest, '')
      FROM course JOIN contentNode AS node ON node.id = course.node
      JOIN courseRevision AS import ON import.course = course.node AND import.number = (
        SELECT max(number) FROM courseRevision WHERE course = node.id AND sourceName IS NOT NULL)
      """
    ) { CourseSourceRecord(key: $0[0], source: $0[1], digest: $0[2]) }
  }

  /// Returns the format, source and revision of a course, or `nil` if the node is not the root node of a course.
  package func origin(of course: NodeID) throws -> CourseOrigin? {
    try first(
      """
      SELECT course.sourceFormat, last.sourceName, last.number, last.importedAt, course.language
      FROM course JOIN courseRevision AS last ON last.course = course.node AND last.number = course.revision
      WHERE course.node = ?
      """, course
    ) { CourseOrigin(format: $0[0], source: $0[1], revision: $0[2], importedAt: $0[3], language: $0[4]) }
  }

  /// Returns the bytes of an image, or `nil` if no course uses it.
  ///
  /// - Parameter digest: The ``LearningModel/StoredImage/digest`` of the image.
  package func image(_ digest: String) throws -> [UInt8]? {
    try value("SELECT bytes FROM picture WHERE digest = ?", digest)
  }

  /// Returns whether an image with the given digest is stored.
  package func hasImage(_ digest: String) throws -> Bool {
    try value("SELECT EXISTS (SELECT 1 FROM picture WHERE digest = ?)", digest) ?? false
  }

  /// Returns the digests of the images of a course, sorted.
  package func images(of course: NodeID) throws -> [String] {
    try all("SELECT digest FROM coursePicture WHERE course = ? ORDER BY digest", course) { $0[0] }
  }
}

extension StoreTransaction {
  /// Deletes the images that no course uses.
  func removeUnusedImages() throws {
    try run("DELETE FROM picture WHERE digest NOT IN (SELECT digest FROM coursePicture)")
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
    try run(
      """
      INSERT INTO courseRevision (course, number, importedAt, added, moved, renamed, changed, removed, unchanged)
      VALUES (?, ?, ?, 0, 0, 0, 0, ?, 0)
      """, id, revision, time, count)
    try run("UPDATE course SET revision = ?2 WHERE node = ?1", id, revision)
    try recordFormerPaths(ofNodes: "IN (SELECT id FROM contentNode WHERE course = \(id.rawValue) AND living = 1)")
    try run(
      """
      INSERT OR REPLACE INTO searchQueue (node, revision)
      SELECT id, ?2 FROM contentNode WHERE course = ?1 AND living = 1
      """, id, revision)
    try run("DELETE FROM placeTotal WHERE node IN (SELECT id FROM contentNode WHERE course = ? AND living = 1)", id)
    try run("DELETE FROM placeProgress WHERE node IN (SELECT id FROM contentNode WHERE course = ? AND living = 1)", id)
    try run("UPDATE contentNode SET removedInRevision = ?2 WHERE course = ?1 AND living = 1", id, revision)
    try run("DELETE FROM coursePicture WHERE course = ?", id)
    try removeUnusedImages()
    try updatePresence(in: id)
    try contentDidChange(moving: [], at: time)
    return count
  }
}
