import GRDB
public import LearningModel

extension StoreTransaction {
  /// Removes a course. Its nodes are kept as removed, with their titles and places, so that history still reads.
  ///
  /// - Returns: How many nodes were removed.
  public func removeCourse(_ id: NodeID, at time: Timestamp) throws -> Int {
    guard let course = try snapshot.course(id), !course.node.isRemoved else { return 0 }
    let revision = course.revision + 1
    let removed = try Int64.fetchAll(
      database.cachedStatement(sql: "SELECT id FROM contentNode WHERE course = ? AND living = 1"),
      arguments: [id.rawValue]
    ).map(NodeID.init(rawValue:))

    try database.execute(
      sql: """
        INSERT INTO courseRevision (course, number, importedAt, added, moved, renamed, changed, removed, unchanged)
        VALUES (?, ?, ?, 0, 0, 0, 0, ?, 0)
        """, arguments: [id.rawValue, revision, time.milliseconds, removed.count])
    try keepPaths(ofNodes: "IN (SELECT id FROM contentNode WHERE course = \(id.rawValue) AND living = 1)")
    try database.execute(sql: "UPDATE course SET revision = ? WHERE node = ?", arguments: [revision, id.rawValue])
    try database.execute(
      sql: "UPDATE contentNode SET removedInRevision = ? WHERE course = ? AND living = 1",
      arguments: [revision, id.rawValue])
    for node in removed { try queueForSearch(node, in: revision) }
    try contentDidChange(
      ContentChange(course: id, revision: revision, removed: removed, moved: [], totals: .unknown, at: time))
    return removed.count
  }
}
