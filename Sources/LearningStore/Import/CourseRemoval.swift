import GRDB
public import LearningModel

/// The removal of a whole course, whatever its size: its nodes are marked in pieces that nobody sees, a few rows take it
/// away for everybody, and the nodes are written as removed in pieces again. See `0009_leaving.sql`.
struct CourseRemoval {
  /// The course as it was found.
  private let course: Course
  private let time: Timestamp
  private let path: String
  private let turns: ShortTurns

  init(of course: Course, at time: Timestamp, path: String, _ turns: ShortTurns) {
    self.course = course
    self.time = time
    self.path = path
    self.turns = turns
  }

  private var database: Database { turns.database }
  private var revision: Int { course.revision + 1 }

  /// Removes it; where that fails, it is there as before.
  ///
  /// - Parameter progress: Is called behind each piece that marks nodes, and before each that writes them as removed. What
  ///   it throws ends the removal, which the next one finishes when the course has gone by then.
  /// - Returns: How many nodes went.
  func run(_ progress: () throws -> Void) throws -> Int {
    // Whoever came with the last edition is not where they stand before.
    try CourseEdition.finishPublished(of: course.id, at: path, turns)
    let (nodes, count) = try CourseStaging.stageAll(of: course.id, in: database)
    let edition = try CourseEdition.begin(of: course.id, nodes: nodes, at: path, turns)
    do {
      try edition.markLeaving(goingIn: revision, turns, progress)
      // What the disk has already is not waited for while everybody else waits. Somebody else may be at it just now.
      _ = try? database.checkpoint(.passive)
      try turns.withoutForeignKeys { try publish(edition, count: count) }
    } catch {
      // Where the marks cannot be taken away now, whoever comes next does it.
      try? edition.finish(turns)
      throw error
    }
    // It has gone for everybody; each node is still to be told.
    edition.finishPublished(turns, progress: progress)
    return count
  }

  /// Takes it away: a few rows, and one step in each open session that was in it.
  private func publish(_ edition: CourseEdition, count: Int) throws {
    try turns.take(surviving: .powerCut) {
      let transaction = try StoreTransaction(database: database)
      guard let now = try transaction.snapshot.course(course.id), !now.node.isRemoved, now.revision == course.revision
      else { throw LearningStoreError.changedMeanwhile(path: path, course: course.node.key) }
      let id = course.id.rawValue
      try database.execute(
        sql: """
          INSERT INTO courseRevision (course, number, importedAt, added, moved, renamed, changed, removed, unchanged)
          VALUES (?, ?, ?, 0, 0, 0, 0, ?, 0)
          """, arguments: [id, revision, time.milliseconds, count])
      try database.execute(sql: "UPDATE course SET revision = ? WHERE node = ?", arguments: [revision, id])
      try database.execute(
        sql: "UPDATE contentNode SET removedInRevision = ? WHERE id = ?", arguments: [revision, id])
      try edition.publish(in: database)
      try transaction.contentDidChange(
        ContentChange(course: course.id, revision: revision, moved: [], changesSums: false, at: time))
    }
  }
}

extension LearningStore {
  /// Removes a course. Its nodes are kept as removed, with their titles and places, so that history still reads.
  ///
  /// It goes for everybody at once, and everybody else goes on writing meanwhile. Whoever is killed behind that moment has
  /// removed it: what is left to be written is written by whoever opens the database next, imports or removes.
  ///
  /// - Parameters:
  ///   - id: The course.
  ///   - time: When it happens.
  ///   - progress: Is called now and then. What it throws before the course has gone ends the removal, and the course
  ///     stays; what it throws afterwards leaves the rest to the next one.
  /// - Returns: How many nodes were removed; 0 where it is not there.
  public func removeCourse(
    _ id: NodeID, at time: Timestamp, progress: () throws -> Void = {}
  ) throws -> Int {
    func remove() throws -> Int { try importing { try $0.remove(id, at: time, progress: progress) } }
    // Whoever changes it meanwhile has changed what is to be removed.
    for _ in 0..<3 {
      do { return try remove() } catch LearningStoreError.changedMeanwhile { continue }
    }
    return try remove()
  }
}
