public import LearningModel

extension LearningStore {
  /// Removes a course, in one transaction that survives a power cut. Its nodes are kept as removed, with their titles and
  /// places, so that history still reads. The search index follows with ``indexSearch(for:until:progress:)``.
  ///
  /// - Parameters:
  ///   - id: The course.
  ///   - time: When it happens.
  /// - Returns: How many nodes were removed; 0 where it is not there.
  public func removeCourse(_ id: NodeID, at time: Timestamp) throws -> Int {
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
