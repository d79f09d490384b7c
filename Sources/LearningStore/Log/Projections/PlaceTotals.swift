import GRDB
import LearningModel

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
