import GRDB
import LearningModel

/// What much of a course is to become, beside what it is: written in pieces that nobody sees, published by one row, and
/// put in its place in pieces of which nobody sees a difference. See `0006_edition.sql`.
struct CourseEdition {
  /// From how many nodes and how many bytes on a change is worth an edition. Less than that is written at once, while
  /// everybody waits, within some milliseconds.
  static let fewestNodes = 500
  static let fewestBytes = 256 << 10

  let course: NodeID
  /// Held until nothing is left of the edition, so that nobody else works on it.
  let lock: ArrivalLock

  /// The editions of those who died while they brought them.
  static func abandoned(in database: Database, at path: String) throws -> [CourseEdition] {
    try Int64.fetchAll(database, sql: "SELECT course FROM edition").map(NodeID.init(rawValue:)).compactMap { course in
      ArrivalLock.takeOver(of: course, of: path).map { CourseEdition(course: course, lock: $0) }
    }
  }

  /// Begins an edition, when nobody else brings one of that course.
  ///
  /// - Parameter nodes: The ids of the nodes that may have something of it.
  static func begin(
    of course: NodeID, nodes: ClosedRange<Int64>, at path: String, _ turns: ShortTurns
  ) throws -> CourseEdition {
    let edition = CourseEdition(course: course, lock: try lock(of: course, of: path))
    // Somebody was killed only now.
    try edition.finish(turns)
    try turns.take {
      try turns.database.execute(
        sql: "INSERT INTO edition (course, nextNode, lastNode) VALUES (?, ?, ?)",
        arguments: [course.rawValue, nodes.lowerBound, nodes.upperBound])
    }
    return edition
  }

  /// Waits for whoever brings an edition of the same course.
  private static func lock(of course: NodeID, of path: String) throws -> ArrivalLock {
    let deadline = ContinuousClock.now + .milliseconds(Patience.usual)
    while true {
      do throws(LearningStoreError) {
        return try ArrivalLock.make(for: course, of: path)
      } catch {
        guard error == .busy(path: path), ContinuousClock.now < deadline else { throw error }
        pause(milliseconds: 5)
      }
    }
  }

  // MARK: - Before it is published

  /// Writes a piece of it: the nodes of those numbers in the staged plan.
  func write(_ numbers: ClosedRange<Int>, in database: Database) throws {
    try database.cachedStatement(
      sql: """
        UPDATE contentNode SET nextTitle = staged.title, nextSummary = staged.summary, nextMinutes = staged.minutes
        FROM staging.stagedNode AS staged
        WHERE staged.number BETWEEN ? AND ? AND staged.changes & ? AND contentNode.id = staged.id
        """
    ).execute(arguments: [numbers.lowerBound, numbers.upperBound, PlannedNode.Changes.description.rawValue])
    try database.cachedStatement(
      sql: """
        INSERT INTO nextContent (node, course, type, content, letters)
        SELECT id, ?, type, json, letters FROM staging.stagedNode JOIN staging.stagedContent USING (number)
        WHERE number BETWEEN ? AND ? AND kind = 'activity' AND id IS NOT NULL AND changes & ? ORDER BY number
        """
    ).execute(
      arguments: [
        course.rawValue, numbers.lowerBound, numbers.upperBound, PlannedNode.Changes.content.rawValue,
      ])
  }

  /// Makes all of it true, inside the transaction in which the rest of the course changes.
  func publish(in database: Database) throws {
    try database.execute(sql: "UPDATE edition SET isPublished = 1 WHERE course = ?", arguments: [course.rawValue])
  }

  // MARK: - Afterwards

  /// Puts it in its place where it was published, and takes it away where it was not.
  ///
  /// - Parameter deadline: When to stop behind a piece; `nil` to finish. The next one goes on.
  func finish(_ turns: ShortTurns, until deadline: ContinuousClock.Instant? = nil) throws {
    var size = PieceSize(from: 500, to: 8_000)
    var isDone = false
    while !isDone {
      let time = try turns.take { isDone = try finishPiece(of: size.rows, in: turns.database) }
      size.adapt(to: time)
      if let deadline, ContinuousClock.now >= deadline { break }
      if !isDone { turns.giveWay(after: time) }
    }
    withExtendedLifetime(lock) {}
  }

  private func finishPiece(of rows: Int, in database: Database) throws -> Bool {
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT isPublished, nextNode, lastNode FROM edition WHERE course = ?",
        arguments: [course.rawValue])
    else { return true }
    let (first, last) = (row[1] as Int64, row[2] as Int64)
    let end =
      try Int64.fetchOne(
        database,
        sql: """
          SELECT max(id) FROM (
            SELECT id FROM contentNode WHERE id BETWEEN ?2 AND ?3 AND +course = ?1 ORDER BY id LIMIT ?4)
          """, arguments: [course.rawValue, first, last, rows]) ?? last
    let statements = row[0] ? Self.placing : []
    for sql in statements + Self.clearing {
      try database.cachedStatement(sql: sql).execute(arguments: [course.rawValue, first, end])
    }
    guard end < last else {
      try database.execute(sql: "DELETE FROM edition WHERE course = ?", arguments: [course.rawValue])
      return true
    }
    try database.execute(
      sql: "UPDATE edition SET nextNode = ? WHERE course = ?", arguments: [end + 1, course.rawValue])
    return false
  }

  /// What puts the nodes from `?2` to `?3` of the course `?1` in order, and lets the search index follow. The plus keeps
  /// SQLite from going through all keys of the course instead of the few ids.
  private static let placing = [
    """
    INSERT OR REPLACE INTO searchQueue (node, revision)
    SELECT id, (SELECT revision FROM course WHERE node = ?1) FROM contentNode
    WHERE id BETWEEN ?2 AND ?3 AND +course = ?1
      AND (nextTitle IS NOT NULL OR EXISTS (SELECT 1 FROM nextContent WHERE nextContent.node = contentNode.id))
    """,
    """
    UPDATE contentNode SET title = nextTitle, summary = nextSummary, minutes = nextMinutes
    WHERE id BETWEEN ?2 AND ?3 AND +course = ?1 AND nextTitle IS NOT NULL
    """,
    """
    INSERT OR REPLACE INTO activityContent (node, type, content, letters)
    SELECT node, type, content, letters FROM nextContent WHERE node BETWEEN ?2 AND ?3 AND +course = ?1 ORDER BY node
    """,
  ]

  /// What leaves nothing of the edition in those nodes.
  private static let clearing = [
    """
    UPDATE contentNode SET nextTitle = NULL, nextSummary = NULL, nextMinutes = NULL
    WHERE id BETWEEN ?2 AND ?3 AND +course = ?1 AND nextTitle IS NOT NULL
    """,
    "DELETE FROM nextContent WHERE node BETWEEN ?2 AND ?3 AND +course = ?1",
  ]
}
