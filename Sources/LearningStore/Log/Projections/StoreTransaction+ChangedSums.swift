import GRDB

extension StoreTransaction {
  /// Works out anew what learners have begun and done in some places, and in all places above them, from the places below
  /// each: what many have done in the rest of a course is not looked at.
  ///
  /// - Parameter table: A table with the columns `id` and `depth`. It holds every place that has come, gone or moved, or
  ///   whose activities take another time, and every place that has lost or won one.
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
        DELETE FROM placeProgress WHERE node IN (
          SELECT place.id FROM \(table) AS place CROSS JOIN contentNode AS node ON node.id = place.id
          WHERE node.living IS NULL OR node.kind <> 'activity');

        INSERT INTO placeProgress (learner, node, begun, done, secondsDone)
        SELECT progress.learner, place.id, 1, progress.doneAt IS NOT NULL,
          (progress.doneAt IS NOT NULL) * placeTotal.seconds
        FROM \(table) AS place
        CROSS JOIN contentNode AS node ON node.id = place.id AND node.living = 1 AND node.kind = 'activity'
        CROSS JOIN progress ON progress.node = place.id
        CROSS JOIN placeTotal ON placeTotal.node = place.id
        WHERE true ON CONFLICT DO UPDATE SET secondsDone = excluded.secondsDone
        WHERE secondsDone <> excluded.secondsDone;

        UPDATE \(table) SET depth = (
          WITH RECURSIVE above (parent, depth) AS (
            SELECT parent, 0 FROM contentNode WHERE id = \(table).id
            UNION ALL
            SELECT node.parent, above.depth + 1 FROM above JOIN contentNode AS node ON node.id = above.parent
          )
          SELECT max(depth) FROM above)
        WHERE (SELECT kind <> 'activity' AND living = 1 FROM contentNode AS node WHERE node.id = \(table).id)
        """)
    let deepest = try Int.fetchOne(database, sql: "SELECT max(depth) FROM \(table)") ?? -1
    let addUp = try database.makeStatement(
      sql: """
        INSERT INTO placeProgress (learner, node, begun, done, secondsDone)
        SELECT sums.learner, place.id, sum(sums.begun), sum(sums.done), sum(sums.secondsDone)
        FROM \(table) AS place
        CROSS JOIN contentNode AS child ON child.parent = place.id AND child.living = 1
        CROSS JOIN placeProgress AS sums ON sums.node = child.id
        WHERE place.depth = ? GROUP BY place.id, sums.learner
        """)
    for depth in stride(from: deepest, through: 0, by: -1) { try addUp.execute(arguments: [depth]) }
  }
}
