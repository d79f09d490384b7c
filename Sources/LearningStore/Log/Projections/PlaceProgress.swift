import GRDB
package import LearningModel

// What learners have begun and done: of each activity, and summed up over the places above it.

/// How much of a place a learner has begun and done, and how long the rest takes by the author's word.
package struct PlaceProgress: Hashable, Sendable {
  /// Living activities.
  package var total = 0
  /// Those that were begun, the done ones among them.
  package var begun = 0
  /// Those that are done.
  package var done = 0
  /// How long all of them take, in seconds; 0 where nothing is known.
  package var seconds = 0
  /// How long the done ones take, in seconds.
  package var secondsDone = 0
}

extension StoreTransaction {
  /// Notes that an activity was begun; nothing where it was already.
  func begin(_ activity: NodeID, for learner: LearnerID, at moment: Timestamp) throws {
    let begunAt: Timestamp? = try snapshot.value(Self.begunText, learner, activity)
    if let begunAt, begunAt <= moment { return }
    // The earliest time, in whatever order the two logs are read.
    try run(Self.beginText, learner, activity, moment)
    guard begunAt == nil, try secondsOfLiving(activity) != nil else { return }
    try run(Self.beginAboveText, learner, activity)
  }

  private static let begunText = StatementText("SELECT begunAt FROM progress WHERE learner = ? AND node = ?")
  private static let beginText = StatementText(
    """
    INSERT INTO progress (learner, node, begunAt) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET begunAt = excluded.begunAt
    """)
  private static let beginAboveText = StatementText(
    """
    INSERT INTO placeProgress (learner, node, begun, done, secondsDone)
    SELECT ?1, node, 1, 0, 0 FROM (\(above)) WHERE true
    ON CONFLICT DO UPDATE SET begun = begun + 1
    """)

  /// Notes whether an activity that was begun is done.
  ///
  /// - Parameter moment: Since when; `nil` where it is not done.
  func setDone(_ activity: NodeID, for learner: LearnerID, since moment: Timestamp?) throws {
    let wasDone: Timestamp? = try snapshot.value(Self.doneText, learner, activity)
    guard wasDone != moment else { return }
    try run(Self.setDoneText, moment, learner, activity)

    guard (wasDone == nil) != (moment == nil), let seconds = try secondsOfLiving(activity) else { return }
    try run(Self.setDoneAboveText, learner, activity, moment == nil ? -1 : 1, moment == nil ? -seconds : seconds)
  }

  private static let doneText = StatementText("SELECT doneAt FROM progress WHERE learner = ? AND node = ?")
  private static let setDoneText = StatementText("UPDATE progress SET doneAt = ? WHERE learner = ? AND node = ?")
  private static let setDoneAboveText = StatementText(
    """
    UPDATE placeProgress SET done = done + ?3, secondsDone = secondsDone + ?4
    WHERE learner = ?1 AND node IN (\(above))
    """)

  /// Every place above the activity `?2`.
  private static let above = """
    WITH RECURSIVE above (node) AS (
      SELECT parent FROM contentNode WHERE id = ?2
      UNION ALL
      SELECT contentNode.parent FROM above JOIN contentNode ON id = node WHERE contentNode.parent IS NOT NULL
    )
    SELECT node FROM above
    """

  /// How long an activity takes; `nil` where it is not in its course any more.
  private func secondsOfLiving(_ activity: NodeID) throws -> Int? {
    try snapshot.value(Self.secondsText, activity)
  }

  private static let secondsText = StatementText(
    """
    SELECT seconds FROM contentNode AS node JOIN placeTotal ON placeTotal.node = node.id
    WHERE node.id = ? AND kind = 'activity' AND node.living = 1
    """)
}

extension StoreSnapshot {
  /// Returns how much of a place a learner has begun and done.
  ///
  /// - Parameters:
  ///   - node: The place; every living course together where `nil`.
  ///   - learner: Whose; only the totals where `nil`.
  package func progress(of node: NodeID?, for learner: LearnerID?) throws -> PlaceProgress {
    try first(node == nil ? Self.progressOfAllText : Self.progressText, learner, node) { row in
      PlaceProgress(total: row[0], begun: row[1], done: row[2], seconds: row[3], secondsDone: row[4])
    } ?? PlaceProgress()
  }

  private static let progressText = progress(where: "node.id = ?2")
  private static let progressOfAllText = progress(where: "parent IS NULL AND removedInRevision IS NULL AND ?2 IS NULL")

  private static func progress(where condition: String) -> StatementText {
    StatementText(
      """
      SELECT ifnull(sum(total.activities), 0), ifnull(sum(\(PlaceSums.begun)), 0), ifnull(sum(\(PlaceSums.done)), 0),
        ifnull(sum(total.seconds), 0), ifnull(sum(\(PlaceSums.secondsDone)), 0)
      FROM contentNode AS node \(PlaceSums.joined(ofLearner: "?1")) WHERE \(condition)
      """)
  }

  /// Returns, for every learner who has begun something at a place, how much of it they have done; by name.
  package func progressOfLearners(at node: NodeID) throws -> [(learner: Learner, progress: PlaceProgress)] {
    try all(Self.progressOfLearnersText, node) { row in
      (
        learner: Learner(id: row[0], name: row[1]),
        progress: PlaceProgress(total: row[2], begun: row[3], done: row[4], seconds: row[5], secondsDone: row[6])
      )
    }.sorted { Array($0.learner.name.utf8).lexicographicallyPrecedes(Array($1.learner.name.utf8)) }
  }

  private static let progressOfLearnersText = StatementText(
    """
    SELECT learner.id, learner.name, total.activities, begun, done, total.seconds, ifnull(secondsDone, done * total.seconds)
    FROM (
      SELECT learner, begun, done, secondsDone FROM placeProgress WHERE node = ?1
      UNION ALL
      SELECT learner, 1, doneAt IS NOT NULL, NULL FROM progress
      WHERE node = ?1 AND (SELECT kind FROM contentNode WHERE id = ?1) = 'activity'
    )
    JOIN learner ON learner.id = learner
    JOIN placeTotal AS total ON total.node = ?1
    """)
}

/// The parts of a statement about places `node` that read how much of each a learner has begun and done. Of an activity it
/// follows from `progress`; only of the places above are there sums, so that a course that changes has few to add up.
enum PlaceSums {
  /// The joins behind `contentNode AS node`: `total`, and the learner's `sums`, or what is known of the activity itself.
  static func joined(ofLearner learner: String) -> String {
    """
    LEFT JOIN placeTotal AS total ON total.node = node.id
    LEFT JOIN placeProgress AS sums ON sums.node = node.id AND sums.learner = \(learner)
    LEFT JOIN progress AS own ON own.learner = \(learner) AND own.node = total.node AND node.kind = 'activity'
    """
  }

  static let begun = "ifnull(sums.begun, own.node IS NOT NULL)"
  static let done = "ifnull(sums.done, own.doneAt IS NOT NULL)"
  static let secondsDone = "ifnull(sums.secondsDone, iif(own.doneAt IS NULL, 0, total.seconds))"
}

// How much there is to do at each place of a course, and how much of it learners have done: worked out anew when the
// course changes.

extension StoreTransaction {
  /// Works out the totals of every living place of a course.
  func addUpTotals(of course: NodeID) throws {
    try database.execute(
      sql: "DELETE FROM placeTotal WHERE node IN (SELECT id FROM contentNode WHERE course = ?)",
      arguments: [course.rawValue])

    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT node.id, node.parent, node.kind = 'activity', node.minutes,
            ifnull((SELECT letters FROM activityContent WHERE activityContent.node = node.id), 0)
          FROM contentNode AS node WHERE node.course = ? AND node.living = 1
          """), arguments: [course.rawValue])
    let numbers = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1[0] as Int64, $0) })
    let totals = PlaceTotals(
      of: rows.map { row in
        PlaceTotals.Part(
          parent: (row[1] as Int64?).flatMap { numbers[$0] }, isActivity: row[2], minutes: row[3], letters: row[4])
      })
    let insert = try database.cachedStatement(
      sql: "INSERT INTO placeTotal (node, activities, seconds) VALUES (?, ?, ?)")
    for (number, row) in rows.enumerated() {
      try insert.execute(arguments: [row[0] as Int64, totals.activities[number], totals.seconds[number]])
    }
  }

  /// Works out, from what learners have begun and done, the sums over the living places of a course.
  func addUpProgress(in course: NodeID) throws {
    // By what has been begun, of which there is less than there are places. A course's nodes all come after its first.
    try database.execute(
      sql: """
        DELETE FROM placeProgress
        WHERE node >= ?1
          AND (SELECT course FROM contentNode WHERE id = placeProgress.node) = ?1
        """,
      arguments: [course.rawValue])
    try database.execute(
      sql: """
        INSERT INTO placeProgress (learner, node, begun, done, secondsDone)
        WITH RECURSIVE sum (learner, node, isDone, seconds) AS (
          SELECT progress.learner, node.parent, progress.doneAt IS NOT NULL, placeTotal.seconds
          FROM progress
          CROSS JOIN contentNode AS node ON node.id = progress.node
          CROSS JOIN placeTotal ON placeTotal.node = progress.node
          WHERE progress.node >= ?1
            AND node.course = ?1 AND node.living = 1 AND node.kind = 'activity'
          UNION ALL
          SELECT sum.learner, above.parent, sum.isDone, sum.seconds
          FROM sum JOIN contentNode AS above ON above.id = sum.node WHERE above.parent IS NOT NULL
        )
        SELECT learner, node, count(*), sum(isDone), sum(isDone * seconds) FROM sum GROUP BY learner, node
        """, arguments: [course.rawValue])
  }
}

/// How much there is to do at each place of a course: how many activities, and how many seconds they take.
struct PlaceTotals {
  /// How many letters of text are read in a second, where the author gives no time: about 200 words in a minute.
  private static let lettersReadInASecond = 20

  /// What is known of a place before its course is added up.
  struct Part {
    /// The number of the place that it stands in.
    let parent: Int?
    let isActivity: Bool
    /// The author's estimate.
    let minutes: Int?
    /// How many letters there are to read.
    let letters: Int

    /// How long an activity takes by the length of its text, in seconds: a minute at least.
    fileprivate var estimate: Int { max(60, letters / PlaceTotals.lettersReadInASecond) }
  }

  /// Of each place, by its number.
  private(set) var activities: [Int]
  private(set) var seconds: [Int]

  /// Adds up a course.
  init(of parts: [Part]) {
    activities = Array(repeating: 0, count: parts.count)
    seconds = activities
    // What a lesson's activities take that have a time of their own, and how many have none.
    var given = activities
    var withoutTime = activities
    for part in parts where part.isActivity {
      guard let parent = part.parent else { continue }
      if let minutes = part.minutes { given[parent] += minutes * 60 } else { withoutTime[parent] += 1 }
    }
    for (number, part) in parts.enumerated() where part.isActivity {
      // Where the lesson has a time and the activity none, it has its share of what is left.
      let share = part.parent.flatMap { parent in
        parts[parent].minutes.map { max(0, $0 * 60 - given[parent]) / max(1, withoutTime[parent]) }
      }
      let takes = part.minutes.map { $0 * 60 } ?? share ?? part.estimate
      var above: Int? = number
      while let place = above {
        activities[place] += 1
        seconds[place] += takes
        above = parts[place].parent
      }
    }
  }
}

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
