import GRDB
import LearningModel

// Where nodes of an edition will stand, until they do. See `0015_moving.sql`.

extension CourseEdition {
  /// What the staged plan calls those that get their places by being published.
  static let published = CourseStaging.Way.published.rawValue

  /// Writes beside the places of the nodes of those numbers, where they are there already, those that they will have.
  func writePlaces(_ numbers: ClosedRange<Int>, in database: Database) throws {
    // Whoever still stands there is found there first, so that nobody sees these before they are needed.
    try database.cachedStatement(
      sql: """
        INSERT INTO formerPath (parent, slug, node)
        SELECT node.parent, node.slug, node.id
        FROM staging.stagedNode AS staged CROSS JOIN contentNode AS node ON node.id = staged.id
        WHERE staged.number BETWEEN ?1 AND ?2 AND staged.way = \(Self.published) AND node.living = 1
          AND (node.parent IS NOT ifnull(staged.parent, ?3 + staged.freshParent) OR node.slug <> staged.slug)
        ORDER BY staged.number
        """
    ).execute(arguments: [numbers.lowerBound, numbers.upperBound, lastID])
    try database.cachedStatement(
      sql: """
        UPDATE contentNode
        SET nextParent = ifnull(staged.parent, ?3 + staged.freshParent), nextPosition = staged.position,
          nextSlug = staged.slug
        FROM staging.stagedNode AS staged
        WHERE staged.number BETWEEN ?1 AND ?2 AND staged.way = \(Self.published) AND contentNode.id = staged.id
        """
    ).execute(arguments: [numbers.lowerBound, numbers.upperBound, lastID])
  }

  /// Puts some nodes of a published edition where they stand.
  ///
  /// - Parameter rows: How many at most.
  /// - Returns: Whether none was left.
  func place(_ rows: Int, in database: Database) throws -> Bool {
    // More than that are many more than a piece of anything else.
    let rows = min(rows, 2_000)
    let some = "SELECT id FROM contentNode WHERE nextParent IS NOT NULL AND +course = ?1 LIMIT ?2"
    func execute(_ sql: String) throws {
      try database.cachedStatement(sql: sql).execute(arguments: [course.rawValue, rows])
    }
    // Whoever is to go from there, or from there to elsewhere in the same piece, makes room: behind everybody, under a
    // slug that nobody else has.
    let inTheWay = """
      SELECT other.id FROM contentNode AS node JOIN contentNode AS other ON other.parent = node.nextParent
      WHERE node.id IN (\(some)) AND other.living = 1 AND other.nextParent IS NOT NULL AND other.position < 1000000000
      """
    try execute(
      """
      UPDATE contentNode SET position = position + 1000000000, slug = char(1) || id
      WHERE id IN (
        \(inTheWay) AND other.position = node.nextPosition
        UNION ALL \(inTheWay) AND other.slug = node.nextSlug)
      """)
    try execute(
      """
      UPDATE contentNode
      SET parent = nextParent, position = nextPosition, slug = nextSlug, removedInRevision = NULL, nextParent = NULL,
        nextPosition = NULL, nextSlug = NULL
      WHERE id IN (\(some))
      """)
    return database.changesCount == 0
  }

  /// What leaves nothing of the places that nodes from `?2` to `?3` of the course `?1` were to have, where they will not
  /// have them: each that was to leave a place has its newest former path from that.
  static let givingUpPlaces = [
    """
    DELETE FROM formerPath WHERE id IN (
      SELECT (SELECT max(former.id) FROM formerPath AS former WHERE former.node = node.id)
      FROM contentNode AS node
      WHERE node.id BETWEEN ?2 AND ?3 AND +node.course = ?1 AND node.nextParent IS NOT NULL AND node.living = 1
        AND (node.nextParent <> node.parent OR node.nextSlug <> node.slug))
    """,
    """
    DELETE FROM placeTotal WHERE node IN (
      SELECT id FROM contentNode
      WHERE id BETWEEN ?2 AND ?3 AND +course = ?1 AND nextParent IS NOT NULL AND living IS NULL)
    """,
    """
    UPDATE contentNode SET nextParent = NULL, nextPosition = NULL, nextSlug = NULL
    WHERE id BETWEEN ?2 AND ?3 AND +course = ?1 AND nextParent IS NOT NULL
    """,
  ]
}
