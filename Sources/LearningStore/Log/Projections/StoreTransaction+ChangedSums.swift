import GRDB

extension StoreTransaction {
  /// Works out anew what learners have begun and done in some places, and in all places above them, from the places below
  /// each: what many have done in the rest of a course is not looked at.
  ///
  /// - Parameter table: A table with the column `id`. It holds every place above activities that has come, gone or moved,
  ///   whose activities take another time, or that has lost or won one.
  func addUpProgress(ofPlacesIn table: String) throws {
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO \(table) (id)
        WITH RECURSIVE above (id) AS (
          SELECT parent FROM contentNode WHERE id IN (SELECT id FROM \(table)) AND parent IS NOT NULL
          UNION
          SELECT node.parent FROM above JOIN contentNode AS node ON node.id = above.id WHERE node.parent IS NOT NULL
        )
        SELECT id FROM above;
        DELETE FROM placeProgress WHERE node IN (SELECT id FROM \(table))
        """)
    let places = try Int64.fetchAll(
      database,
      sql: """
        SELECT place.id FROM \(table) AS place
        JOIN contentNode AS node ON node.id = place.id AND node.living = 1 AND node.kind <> 'activity'
        ORDER BY (
          WITH RECURSIVE above (parent, depth) AS (
            VALUES (node.parent, 0)
            UNION ALL
            SELECT next.parent, above.depth + 1 FROM above JOIN contentNode AS next ON next.id = above.parent
          )
          SELECT max(depth) FROM above) DESC
        """)
    // One place at a time: the rows of all of them together are sorted in twice the time.
    let addUp = try database.makeStatement(
      sql: """
        INSERT INTO placeProgress (learner, node, begun, done, secondsDone)
        SELECT learner, ?1, sum(begun), sum(done), sum(secondsDone)
        FROM (
          SELECT sums.learner, sums.begun, sums.done, sums.secondsDone
          FROM contentNode AS child CROSS JOIN placeProgress AS sums ON sums.node = child.id
          WHERE child.parent = ?1 AND child.living = 1 AND child.kind <> 'activity'
          UNION ALL
          SELECT own.learner, 1, own.doneAt IS NOT NULL, iif(own.doneAt IS NULL, 0, total.seconds)
          FROM contentNode AS child
          CROSS JOIN placeTotal AS total ON total.node = child.id
          CROSS JOIN progress AS own ON own.node = child.id
          WHERE child.parent = ?1 AND child.living = 1 AND child.kind = 'activity'
        )
        GROUP BY learner
        """)
    for place in places { try addUp.execute(arguments: [place]) }
  }
}
