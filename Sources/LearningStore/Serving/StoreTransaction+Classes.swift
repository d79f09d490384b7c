package import LearningModel

extension StoreTransaction {
  /// Creates a class.
  ///
  /// - Returns: `false` if a class with this name already exists.
  package func addClass(_ name: String, at time: Timestamp) throws -> Bool {
    try run("INSERT INTO class (name, createdAt) VALUES (?, ?) ON CONFLICT DO NOTHING", name, time) > 0
  }

  /// Deletes a class. Its members are kept as learners.
  ///
  /// - Returns: `false` if there is no class with this name.
  package func removeClass(_ name: String) throws -> Bool {
    try run("DELETE FROM member WHERE class = (SELECT id FROM class WHERE name = ?)", name)
    return try run("DELETE FROM class WHERE name = ?", name) > 0
  }

  /// Adds a learner to a class.
  ///
  /// - Returns: `false` if the learner is already a member, or the class does not exist.
  package func join(_ learner: LearnerID, toClass name: String, at time: Timestamp) throws -> Bool {
    try run(
      """
      INSERT INTO member (class, learner, joinedAt) SELECT id, ?2, ?3 FROM class WHERE name = ?1
      ON CONFLICT DO NOTHING
      """, name, learner, time) > 0
  }

  /// Removes a learner from a class.
  ///
  /// - Returns: `false` if the learner is not a member.
  package func leave(_ learner: String, fromClass name: String) throws -> Bool {
    try run(
      """
      DELETE FROM member WHERE class = (SELECT id FROM class WHERE name = ?1)
        AND learner = (SELECT id FROM learner WHERE name = ?2)
      """, name, learner) > 0
  }
}

extension StoreSnapshot {
  /// Returns all classes with their members, both sorted by name.
  package func classes() throws -> [LearnerClass] {
    let members = try all("SELECT class, name FROM member JOIN learner ON learner.id = learner ORDER BY name") {
      row -> (Int64, String) in (row[0], row[1])
    }
    let names = Dictionary(grouping: members) { $0.0 }
    return try all("SELECT id, name, createdAt FROM class ORDER BY name") { row in
      let id: Int64 = row[0]
      return LearnerClass(name: row[1], createdAt: row[2], members: (names[id] ?? []).map(\.1))
    }
  }
}

// Reports on the progress of a class. These queries read only the table `progress`, never the logs, and correspond to
// the queries in the SQL of the central server.

extension StoreSnapshot {
  /// Returns the course with the given path or key, or `nil` if no course matches. Current courses and paths take
  /// precedence over removed courses and keys.
  package func course(called name: String) throws -> NodeID? {
    try value(
      """
      SELECT id FROM contentNode WHERE parent IS NULL AND (slug = ?1 OR key = ?1) ORDER BY living IS NULL, slug <> ?1 LIMIT 1
      """, name)
  }

  /// Returns the learners who have begun at least one activity and not finished it, and have neither begun nor finished
  /// an activity since `time`.
  ///
  /// - Parameters:
  ///   - className: The name of a class, or `nil` for all learners.
  ///   - course: A course, or `nil` for all courses.
  ///   - time: The time since which the learners have been inactive.
  ///   - limit: The maximum number of rows. The learners who have been inactive longest come first.
  package func stuckLearners(
    class className: String?, course: NodeID?, since time: Timestamp, limit: Int
  ) throws -> [StuckLearner] {
    try all(
      """
      WITH \(Self.begunQuery), ranked AS (
        SELECT *, max(max(begunAt, ifnull(doneAt, begunAt))) OVER learners AS lastAt,
          sum(doneAt IS NULL) OVER learners AS unfinished,
          row_number() OVER (
            PARTITION BY learner ORDER BY doneAt IS NOT NULL, begunAt DESC, courseKey, key) AS place
        FROM begun WINDOW learners AS (PARTITION BY learner))
      SELECT uuid, name, node, title, begunAt, lastAt, unfinished FROM ranked
      WHERE place = 1 AND doneAt IS NULL AND lastAt <= ?3 ORDER BY lastAt, name, uuid LIMIT ?4
      """, className, course, time, limit
    ) { row in
      StuckLearner(
        learner: row[1], uuid: row[0], path: try path(of: row[2] as NodeID).description, title: row[3], begunAt: row[4],
        lastAt: row[5], unfinished: row[6])
    }
  }

  /// Returns the learners who have begun no activity. Those who joined the class first come first or, without
  /// a class, those who were created first.
  package func learnersNotBegun(class className: String?, course: NodeID?, limit: Int) throws -> [LearnerNotBegun] {
    try all(
      """
      WITH \(Self.begunQuery)
      SELECT uuid, name, since FROM asked WHERE id NOT IN (SELECT learner FROM begun)
      ORDER BY since, name, uuid LIMIT ?3
      """, className, course, limit
    ) { row in
      LearnerNotBegun(learner: row[1], uuid: row[0], since: row[2])
    }
  }

  /// Returns the activities that learners have begun before `time` and not finished, the most frequent first.
  package func abandonedActivities(
    class className: String?, course: NodeID?, since time: Timestamp, limit: Int
  ) throws -> [AbandonedActivity] {
    let rows = try all(
      """
      WITH \(Self.begunQuery)
      SELECT node, title, count(*), count(doneAt), count(*) FILTER (WHERE doneAt IS NULL AND begunAt <= ?3) AS unfinished
      FROM begun GROUP BY node HAVING unfinished > 0
      """, className, course, time
    ) { row in
      AbandonedActivity(
        path: try path(of: row[0] as NodeID).description, title: row[1], begun: row[2], done: row[3], left: row[4])
    }
    return Array(rows.sorted { ($1.left, $0.begun, $0.path) < ($0.left, $1.begun, $1.path) }.prefix(limit))
  }

  /// Returns for each week, counted from the first activity of each learner, how many learners have begun or finished
  /// an activity in that week.
  package func retention(
    class className: String?, course: NodeID?, at now: Timestamp, weeks: Int
  ) throws -> [RetentionWeek] {
    try all(
      """
      WITH RECURSIVE \(Self.begunQuery), beginning AS (SELECT learner, min(begunAt) AS first FROM begun GROUP BY learner),
      moment AS (
        SELECT learner, begunAt AS at FROM begun UNION ALL SELECT learner, doneAt FROM begun WHERE doneAt IS NOT NULL),
      active AS (
        SELECT DISTINCT learner, (at - first) / \(Self.weekMilliseconds) AS week FROM moment JOIN beginning USING (learner)
        WHERE at <= ?3),
      week (learner, first, number) AS (
        SELECT learner, first, 0 FROM beginning WHERE first <= ?3
        UNION ALL
        SELECT learner, first, number + 1 FROM week
        WHERE number + 1 < ?4 AND first + (number + 1) * \(Self.weekMilliseconds) <= ?3)
      SELECT number, count(*), count(active.week) FROM week
      LEFT JOIN active ON active.learner = week.learner AND active.week = number GROUP BY number ORDER BY number
      """, className, course, now, weeks
    ) { row in
      RetentionWeek(week: row[0], learners: row[1], active: row[2])
    }
  }

  private static let weekMilliseconds = 604_800_000

  /// Common table expressions of the reports. `asked` contains the learners of the class `?1`, or all learners. `begun`
  /// contains the activities that they have begun in the course `?2`, or in all courses. Activities of a course that
  /// was never imported here are included as the learners' records describe them.
  private static let begunQuery = """
    asked AS (
      SELECT id, uuid, name, createdAt AS since FROM learner WHERE ?1 IS NULL
      UNION ALL
      SELECT learner.id, uuid, learner.name, joinedAt FROM member JOIN learner ON learner.id = learner
      WHERE class = (SELECT id FROM class WHERE name = ?1)),
    begun AS (
      SELECT learner, uuid, name, progress.node, top.key AS courseKey, node.key, node.title, begunAt, doneAt
      FROM asked JOIN progress ON progress.learner = asked.id AND progress.isBegun = 1
      JOIN contentNode AS node ON node.id = progress.node AND node.kind = 'activity'
      JOIN contentNode AS top ON top.id = node.course
      JOIN course ON course.node = node.course
      WHERE (node.living = 1 OR sourceFormat = 'learner') AND (?2 IS NULL OR node.course = ?2))
    """
}
