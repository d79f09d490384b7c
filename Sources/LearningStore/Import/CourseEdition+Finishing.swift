import GRDB
import LearningModel

// What becomes of an edition when it is published, or never will be.

extension CourseEdition {
  /// Puts it in its place where it was published, and takes it away where it was not.
  ///
  /// - Parameters:
  ///   - deadline: When to stop behind a piece; `nil` to finish. The next one goes on.
  ///   - progress: Is called before each piece. What it throws stops this too.
  func finish(
    _ turns: ShortTurns, until deadline: ContinuousClock.Instant? = nil, progress: () throws -> Void = {}
  ) throws {
    // Some whose parents went are still written as living.
    try turns.withoutForeignKeys {
      var size = PieceSize(from: 200, to: Self.habits.mostNodes)
      var isDone = false
      while !isDone {
        try progress()
        let time = try turns.take { isDone = try finishPiece(of: size.rows, in: turns.database) }
        size.adapt(to: time)
        if let deadline, ContinuousClock.now >= deadline { break }
        if !isDone { turns.giveWay(after: time) }
      }
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
    // Counted in ids, of which some are nobody's: what was to become a node may have been given up.
    let end = min(last, first + Int64(rows) - 1)
    let isPublished: Bool = row[0]
    if isPublished {
      try StoreTransaction(database: database).keepPaths(
        ofNodes: "BETWEEN \(first) AND \(end) AND +node.course = \(course.rawValue) AND node.goesIn IS NOT NULL")
    }
    for sql in (isPublished ? Self.placing : Self.givingUpPlaces + Self.givingUp) + Self.clearing {
      try database.cachedStatement(sql: sql).execute(arguments: [course.rawValue, first, end])
    }
    guard end < last else {
      // When whoever goes has gone, nobody else can be in the way of those who come.
      if isPublished, try !place(rows, in: database) { return false }
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
      AND (nextTitle IS NOT NULL OR goesIn IS NOT NULL OR goneSince IS NOT NULL
        OR EXISTS (SELECT 1 FROM nextContent WHERE nextContent.node = contentNode.id))
    """,
    """
    UPDATE contentNode SET title = nextTitle, summary = nextSummary, minutes = nextMinutes
    WHERE id BETWEEN ?2 AND ?3 AND +course = ?1 AND nextTitle IS NOT NULL
    """,
    """
    INSERT OR REPLACE INTO activityContent (node, type, content, letters)
    SELECT node, type, content, letters FROM nextContent WHERE node BETWEEN ?2 AND ?3 AND +course = ?1 ORDER BY node
    """,
    "DELETE FROM placeTotal WHERE node IN (\(leaving))",
    "DELETE FROM placeProgress WHERE node IN (\(leaving))",
    """
    UPDATE contentNode SET removedInRevision = goesIn, goesIn = NULL
    WHERE id BETWEEN ?2 AND ?3 AND +course = ?1 AND goesIn IS NOT NULL
    """,
    "UPDATE contentNode SET goneSince = NULL WHERE id BETWEEN ?2 AND ?3 AND +course = ?1 AND goneSince IS NOT NULL",
  ]

  private static let leaving =
    "SELECT id FROM contentNode WHERE id BETWEEN ?2 AND ?3 AND +course = ?1 AND goesIn IS NOT NULL"

  /// What was written of nodes that never came: those that were there once are removed as before, new ones are nobody.
  private static let givingUp = [
    """
    DELETE FROM placeTotal
    WHERE node BETWEEN ?2 AND ?3 AND (
      SELECT goneSince IS NOT NULL AND course = ?1 FROM contentNode WHERE id = placeTotal.node) IS NOT 0
    """,
    """
    UPDATE contentNode SET removedInRevision = goneSince, goneSince = NULL
    WHERE id BETWEEN ?2 AND ?3 AND +course = ?1 AND goneSince > 0
    """,
    "DELETE FROM activityContent WHERE node IN (\(new))",
    "DELETE FROM contentNode WHERE id IN (\(new))",
  ]

  private static let new =
    "SELECT id FROM contentNode WHERE id BETWEEN ?2 AND ?3 AND +course = ?1 AND goneSince = 0"

  /// What leaves nothing of the edition in those nodes.
  private static let clearing = [
    """
    UPDATE contentNode SET nextTitle = NULL, nextSummary = NULL, nextMinutes = NULL
    WHERE id BETWEEN ?2 AND ?3 AND +course = ?1 AND nextTitle IS NOT NULL
    """,
    "DELETE FROM nextContent WHERE node BETWEEN ?2 AND ?3 AND +course = ?1",
    "UPDATE contentNode SET goesIn = NULL WHERE id BETWEEN ?2 AND ?3 AND +course = ?1 AND goesIn IS NOT NULL",
  ]
}
