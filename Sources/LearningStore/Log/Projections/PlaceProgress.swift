package import LearningModel

// The progress of learners: which activities they have begun and done, summed up for all ancestor places.

/// A learner's progress in a place, with durations estimated by the author.
package struct PlaceProgress: Hashable, Sendable {
  /// The number of current activities.
  package var total = 0
  /// The number of begun activities, including those that are done.
  package var begun = 0
  /// The number of activities that are done.
  package var done = 0
  /// The duration of all activities in seconds, or 0 if unknown.
  package var seconds = 0
  /// The duration of the done activities in seconds.
  package var secondsDone = 0
  /// The part of an unfinished activity's duration that counts as read, in seconds. 0 for other places: see
  /// ``StoreSnapshot/secondsRead(by:in:)``.
  package var secondsRead = 0
}

extension StoreTransaction {
  /// Records when an activity was first opened or first had an event. Has no effect if an earlier time is already
  /// recorded. Whether the activity was begun is defined by the view `begunActivity`.
  ///
  /// - Returns: Whether the activity had been begun before.
  @discardableResult
  func recordOpening(of activity: NodeID, by learner: LearnerID, at time: Timestamp) throws -> Bool {
    let stored = try snapshot.first(Self.openedSQL, learner, activity) {
      (at: $0[0] as Timestamp, isBegun: $0[1] as Bool)
    }
    if let stored, stored.at <= time { return stored.isBegun }
    // Keeps the earliest time, regardless of the order in which the two logs are processed.
    try run(Self.openSQL, learner, activity, time)
    // The reading position may have arrived from another database before the first event.
    if stored == nil { try updateBegun(activity, by: learner) }
    return stored?.isBegun ?? false
  }

  private static let openedSQL = StatementText("SELECT begunAt, isBegun FROM progress WHERE learner = ? AND node = ?")
  private static let openSQL = StatementText(
    """
    INSERT INTO progress (learner, node, begunAt) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET begunAt = excluded.begunAt
    """)

  /// Determines again whether an activity was begun, after an event or a change of the reading position. Has no effect
  /// if the activity was never opened and has no events.
  func updateBegun(_ activity: NodeID, by learner: LearnerID) throws {
    try updateProgress(of: activity, by: learner) { $0 }
  }

  /// Records whether an activity is done, and determines again whether it was begun.
  ///
  /// - Parameter time: The time since which it is done, or `nil` if it is not done.
  func setDone(_ activity: NodeID, for learner: LearnerID, since time: Timestamp?) throws {
    try updateProgress(of: activity, by: learner) { _ in time }
  }

  private func updateProgress(
    of activity: NodeID, by learner: LearnerID, doneAt: (_ stored: Timestamp?) -> Timestamp?
  ) throws {
    let progress = try snapshot.first(Self.progressSQL, learner, activity) { row in
      (doneAt: row[0] as Timestamp?, isBegun: row[1] as Bool, begins: row[2] as Bool)
    }
    guard let progress else { return }
    let doneAt = doneAt(progress.doneAt)
    let isBegun = progress.begins || doneAt != nil
    guard isBegun != progress.isBegun || doneAt != progress.doneAt else { return }
    try run(Self.setProgressSQL, learner, activity, isBegun, doneAt)

    let begun = (isBegun ? 1 : 0) - (progress.isBegun ? 1 : 0)
    let done = (doneAt == nil ? 0 : 1) - (progress.doneAt == nil ? 0 : 1)
    guard begun != 0 || done != 0, let seconds = try estimatedSeconds(activity) else { return }
    try run(begun > 0 ? Self.beginAboveSQL : Self.changeAboveSQL, learner, activity, begun, done, done * seconds)
    // Places without begun activities have no row, as after a rebuild.
    if begun < 0 { try run(Self.tidyAboveSQL, learner, activity) }
  }

  private static let progressSQL = StatementText(
    """
    SELECT doneAt, isBegun, EXISTS (SELECT 1 FROM begunActivity AS begun WHERE begun.learner = ?1 AND begun.node = ?2)
    FROM progress WHERE learner = ?1 AND node = ?2
    """)
  private static let setProgressSQL = StatementText(
    "UPDATE progress SET isBegun = ?3, doneAt = ?4 WHERE learner = ?1 AND node = ?2")
  private static let beginAboveSQL = StatementText(
    """
    INSERT INTO placeProgress (learner, node, begun, done, secondsDone)
    SELECT ?1, node, ?3, ?4, ?5 FROM (\(ancestorsOfActivity)) WHERE true
    ON CONFLICT DO UPDATE SET begun = begun + ?3, done = done + ?4, secondsDone = secondsDone + ?5
    """)
  private static let changeAboveSQL = StatementText(
    """
    UPDATE placeProgress SET begun = begun + ?3, done = done + ?4, secondsDone = secondsDone + ?5
    WHERE learner = ?1 AND node IN (\(ancestorsOfActivity))
    """)
  private static let tidyAboveSQL = StatementText(
    "DELETE FROM placeProgress WHERE learner = ?1 AND begun = 0 AND node IN (\(ancestorsOfActivity))")

  /// Selects all ancestors of the activity `?2`.
  private static let ancestorsOfActivity = """
    WITH RECURSIVE above (node) AS (
      SELECT parent FROM contentNode WHERE id = ?2
      UNION ALL
      SELECT contentNode.parent FROM above JOIN contentNode ON id = node WHERE contentNode.parent IS NOT NULL
    )
    SELECT node FROM above
    """

  /// Returns the duration of an activity in seconds, or `nil` if it was removed from its course.
  private func estimatedSeconds(_ activity: NodeID) throws -> Int? {
    try snapshot.value(Self.secondsSQL, activity)
  }

  private static let secondsSQL = StatementText(
    """
    SELECT seconds FROM contentNode AS node JOIN placeTotal ON placeTotal.node = node.id
    WHERE node.id = ? AND kind = 'activity' AND node.living = 1
    """)
}

extension StoreSnapshot {
  /// Returns a learner's progress in a place.
  ///
  /// - Parameters:
  ///   - node: The place, or `nil` for the sum of all current courses.
  ///   - learner: The learner. If `nil`, only the number and the duration of all activities are set, and the other
  ///     values are 0.
  package func progress(of node: NodeID?, for learner: LearnerID?) throws -> PlaceProgress {
    try first(Self.progressSQL[node == nil], learner, node) { row in
      PlaceProgress(total: row[0], begun: row[1], done: row[2], seconds: row[3], secondsDone: row[4])
    } ?? PlaceProgress()
  }

  private static let progressSQL = ScopedText(
    "node.id = ?2", "parent IS NULL AND removedInRevision IS NULL AND ?2 IS NULL"
  ) { scope in
    """
    SELECT ifnull(sum(total.activities), 0), ifnull(sum(\(PlaceProgressSQL.begun)), 0), ifnull(sum(\(PlaceProgressSQL.done)), 0),
      ifnull(sum(total.seconds), 0), ifnull(sum(\(PlaceProgressSQL.secondsDone)), 0)
    FROM contentNode AS node \(PlaceProgressSQL.joined(ofLearner: "?1")) WHERE \(scope)
    """
  }

  /// Returns the progress in a place of every learner who has begun an activity there, sorted by name.
  package func progressOfLearners(at node: NodeID) throws -> [(learner: Learner, progress: PlaceProgress)] {
    try all(
      """
      SELECT learner.id, learner.name, total.activities, begun, done, total.seconds, ifnull(secondsDone, done * total.seconds)
      FROM (
        SELECT learner, begun, done, secondsDone FROM placeProgress WHERE node = ?1
        UNION ALL
        SELECT learner, 1, doneAt IS NOT NULL, NULL FROM progress
        WHERE node = ?1 AND isBegun = 1 AND (SELECT kind FROM contentNode WHERE id = ?1) = 'activity'
      )
      JOIN learner ON learner.id = learner
      JOIN placeTotal AS total ON total.node = ?1
      """, node
    ) { row in
      (
        learner: Learner(id: row[0], name: row[1]),
        progress: PlaceProgress(total: row[2], begun: row[3], done: row[4], seconds: row[5], secondsDone: row[6])
      )
    }.sorted { Array($0.learner.name.utf8).lexicographicallyPrecedes(Array($1.learner.name.utf8)) }
  }
}

/// Fragments of SQL statements that read a learner's progress in places named `node`. The progress of an activity is
/// derived from `progress`. Only ancestors have stored sums, so that few sums must be updated when a course changes.
enum PlaceProgressSQL {
  /// Returns the joins after `contentNode AS node`: `total` contains the totals, `sums` the learner's sums, and `own`
  /// the learner's progress in an activity that was begun.
  static func joined(ofLearner learner: String) -> String {
    """
    LEFT JOIN placeTotal AS total ON total.node = node.id
    LEFT JOIN placeProgress AS sums ON sums.node = node.id AND sums.learner = \(learner)
    LEFT JOIN progress AS own ON own.learner = \(learner) AND own.node = total.node AND own.isBegun = 1
      AND node.kind = 'activity'
    """
  }

  static let begun = "ifnull(sums.begun, own.node IS NOT NULL)"
  static let done = "ifnull(sums.done, own.doneAt IS NOT NULL)"
  static let secondsDone = "ifnull(sums.secondsDone, iif(own.doneAt IS NULL, 0, total.seconds))"

  /// An expression that is true for an activity that is done and of which a check was passed, with an edited file, after it
  /// was last marked as not done. The statement joins `own`, and its first parameter is the learner.
  static let isPassed = """
    (own.doneAt IS NOT NULL AND EXISTS (
      SELECT 1 FROM activityEvent AS event INDEXED BY activityEventOfLearner
      WHERE event.learner = ?1 AND event.node = node.id AND event.kind = 'exerciseChecked'
        AND \(StoreSnapshot.isPassedCheck) AND event.orderedAt > ifnull((
          SELECT max(orderedAt) FROM activityEvent INDEXED BY activityEventOfLearner
          WHERE learner = ?1 AND activityEvent.node = node.id AND kind = 'markedNotDone'), -1)))
    """

  /// The share of an unfinished activity that counts as read, 0…1, or NULL if nothing was read. The statement joins
  /// `content` and `reading`, and its first parameter is the learner. A quiz that was completed but not passed must be
  /// repeated.
  static let readShare = """
    iif(content.hasScore AND EXISTS (
      SELECT 1 FROM activityEvent AS attempt INDEXED BY activityEventOfLearner
      WHERE attempt.learner = ?1 AND attempt.node = content.node AND attempt.kind = 'quizChecked'),
      NULL, reading.fraction)
    """
  /// The part of an unfinished activity's duration that counts as read, in whole seconds.
  static let secondsRead =
    "iif(content.isReadInParts, CAST(total.seconds * ifnull(\(readShare), 0) AS INTEGER), 0)"
}

extension StoreSnapshot {
  /// Returns the time that counts as read in the unfinished activities of a course, in whole seconds for each activity,
  /// summed up for each ancestor. Places without such time are missing.
  ///
  /// Stored positions change with every page that a learner turns, so these sums are not stored.
  ///
  package func secondsRead(by learner: LearnerID, in course: NodeID) throws -> [NodeID: Int] {
    var sums: [NodeID: Int] = [:]
    try statements.run(
      """
      WITH RECURSIVE part (node, seconds) AS (
        SELECT node.parent, \(PlaceProgressSQL.secondsRead)
        FROM progress INDEXED BY progressUnfinished
        CROSS JOIN readingPosition AS reading ON reading.learner = ?1 AND reading.node = progress.node
        CROSS JOIN contentNode AS node ON node.id = progress.node AND node.living = 1 AND node.kind = 'activity'
        CROSS JOIN placeTotal AS total ON total.node = node.id
        CROSS JOIN activityContent AS content ON content.node = node.id
        WHERE progress.learner = ?1 AND progress.isBegun = 1 AND progress.doneAt IS NULL
          -- All nodes of a course have higher IDs than its root node.
          AND progress.node > ?2 AND node.course = ?2
        UNION ALL
        SELECT above.parent, part.seconds
        FROM part JOIN contentNode AS above ON above.id = part.node WHERE above.parent IS NOT NULL
      )
      SELECT node, sum(seconds) FROM part GROUP BY node
      """, [learner, course]
    ) { row in
      sums[row[0]] = row[1]
      return true
    }
    return sums
  }
}

extension StoreSnapshot {
  /// Returns the number of exercises in each place that is or contains any, and how many of them the learner has passed.
  ///
  /// - Parameter course: The course, or `nil` for all courses.
  package func passedExercises(by learner: LearnerID?, in course: NodeID?) throws -> [NodeID: LearningProgress] {
    var sums: [NodeID: LearningProgress] = [:]
    try statements.run(
      """
      WITH RECURSIVE part (node, passed) AS (
        SELECT node.id, \(PlaceProgressSQL.isPassed)
        FROM activityContent AS content INDEXED BY activityContentOfExercise
        CROSS JOIN contentNode AS node ON node.id = content.node AND node.living = 1 AND node.kind = 'activity'
        LEFT JOIN progress AS own ON own.learner = ?1 AND own.node = node.id
        WHERE content.type = 'exercise' AND content.node > ifnull(?2, 0) AND (?2 IS NULL OR node.course = ?2)
        UNION ALL
        SELECT above.parent, part.passed
        FROM part JOIN contentNode AS above ON above.id = part.node WHERE above.parent IS NOT NULL
      )
      SELECT node, sum(passed), count(*) FROM part GROUP BY node
      """, [learner, course]
    ) { row in
      sums[row[0]] = LearningProgress(done: row[1], total: row[2])
      return true
    }
    return sums
  }
}

// The totals of each place of a course and the sums of the learners' progress, recomputed when the course changes.

extension StoreTransaction {
  /// Recomputes the totals of all current places of a course.
  func addUpTotals(of course: NodeID) throws {
    try run("DELETE FROM placeTotal WHERE node IN (SELECT id FROM contentNode WHERE course = ?)", course)

    let rows = try snapshot.all(
      """
      SELECT node.id, node.parent, node.kind = 'activity', node.minutes,
        ifnull((SELECT letters FROM activityContent WHERE activityContent.node = node.id), 0)
      FROM contentNode AS node WHERE node.course = ? AND node.living = 1
      """, course
    ) { row in
      (
        node: row[0] as NodeID, parent: row[1] as NodeID?, isActivity: row[2] as Bool, minutes: row[3] as Int?,
        letters: row[4] as Int
      )
    }
    let numbers = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.node, $0) })
    let totals = PlaceTotals(
      of: rows.map { row in
        PlaceTotals.Input(
          parent: row.parent.flatMap { numbers[$0] }, isActivity: row.isActivity, minutes: row.minutes,
          letters: row.letters)
      })
    for (number, row) in rows.enumerated() {
      try run(
        "INSERT INTO placeTotal (node, activities, seconds) VALUES (?, ?, ?)", row.node, totals.activities[number],
        totals.seconds[number])
    }
  }

  /// Recomputes the sums of all learners' progress in the current places of a course.
  func addUpProgress(in course: NodeID) throws {
    // Starts from the begun activities, which are fewer than the places. All nodes of a course have higher IDs than its
    // root node.
    try run(
      """
      DELETE FROM placeProgress
      WHERE node >= ?1
        AND (SELECT course FROM contentNode WHERE id = placeProgress.node) = ?1
      """, course)
    try run(
      """
      INSERT INTO placeProgress (learner, node, begun, done, secondsDone)
      WITH RECURSIVE sum (learner, node, isDone, seconds) AS (
        SELECT progress.learner, node.parent, progress.doneAt IS NOT NULL, placeTotal.seconds
        FROM progress
        CROSS JOIN contentNode AS node ON node.id = progress.node
        CROSS JOIN placeTotal ON placeTotal.node = progress.node
        WHERE progress.node >= ?1 AND progress.isBegun = 1
          AND node.course = ?1 AND node.living = 1 AND node.kind = 'activity'
        UNION ALL
        SELECT sum.learner, above.parent, sum.isDone, sum.seconds
        FROM sum JOIN contentNode AS above ON above.id = sum.node WHERE above.parent IS NOT NULL
      )
      SELECT learner, node, count(*), sum(isDone), sum(isDone * seconds) FROM sum GROUP BY learner, node
      """, course)
  }
}

/// The numbers and durations of the activities in each place of a course.
struct PlaceTotals {
  /// The assumed reading speed in letters per second, if the author gives no duration. Equals about 200 words per
  /// minute.
  private static let lettersReadInASecond = 20

  /// The properties of a place that the totals depend on.
  struct Input {
    /// The index of the parent, or `nil` for the course.
    let parent: Int?
    let isActivity: Bool
    /// The author's estimate of the duration, or `nil` if the author gives none.
    let minutes: Int?
    /// The number of letters to read.
    let letters: Int

    /// The estimated duration of an activity in seconds, based on the length of its text. At least one minute.
    fileprivate var estimate: Int { max(60, letters / PlaceTotals.lettersReadInASecond) }
  }

  /// The number of activities, and their duration in seconds, by the index of the place.
  private(set) var activities: [Int]
  private(set) var seconds: [Int]

  /// Computes the totals of a course.
  init(of inputs: [Input]) {
    activities = Array(repeating: 0, count: inputs.count)
    seconds = activities
    // For each lesson, the total duration of the activities with a duration of their own, and the number of activities
    // without one.
    var secondsOfActivities = activities
    var withoutTime = activities
    for input in inputs where input.isActivity {
      guard let parent = input.parent else { continue }
      if let minutes = input.minutes { secondsOfActivities[parent] += minutes * 60 } else { withoutTime[parent] += 1 }
    }
    for (number, input) in inputs.enumerated() where input.isActivity {
      // If only the lesson has a duration, its remaining time is divided equally among the activities without one.
      let equalShare = input.parent.flatMap { parent in
        inputs[parent].minutes.map { max(0, $0 * 60 - secondsOfActivities[parent]) / max(1, withoutTime[parent]) }
      }
      let duration = input.minutes.map { $0 * 60 } ?? equalShare ?? input.estimate
      var ancestor: Int? = number
      while let place = ancestor {
        activities[place] += 1
        seconds[place] += duration
        ancestor = inputs[place].parent
      }
    }
  }
}

extension StoreTransaction {
  /// Recomputes the sums of all learners' progress in some places and in all their ancestors. Each sum is computed from
  /// the children of the place, so the progress in the rest of the course is not read.
  ///
  /// - Parameter table: A table with the column `id`. It must contain every place above activities that was added,
  ///   removed or moved, that has gained or lost an activity, or whose activities' durations have changed.
  func addUpProgress(ofPlacesIn table: String) throws {
    try run(
      """
      INSERT OR IGNORE INTO \(table) (id)
      WITH RECURSIVE above (id) AS (
        SELECT parent FROM contentNode WHERE id IN (SELECT id FROM \(table)) AND parent IS NOT NULL
        UNION
        SELECT node.parent FROM above JOIN contentNode AS node ON node.id = above.id WHERE node.parent IS NOT NULL
      )
      SELECT id FROM above
      """)
    try run("DELETE FROM placeProgress WHERE node IN (SELECT id FROM \(table))")
    let places = try snapshot.all(
      """
      SELECT place.id FROM \(table) AS place
      JOIN contentNode AS node ON node.id = place.id AND node.living = 1 AND node.kind <> 'activity'
      ORDER BY (
        WITH RECURSIVE above (parent, depth) AS (
          VALUES (node.parent, 0)
          UNION ALL
          SELECT next.parent, above.depth + 1 FROM above JOIN contentNode AS next ON next.id = above.parent
        )
        SELECT max(depth) FROM above) DESC
      """
    ) { $0[0] as NodeID }
    // One place at a time, because sorting the rows of all places together takes twice as long.
    for place in places {
      try run(
        """
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
          WHERE child.parent = ?1 AND child.living = 1 AND child.kind = 'activity' AND own.isBegun = 1
        )
        GROUP BY learner
        """, place)
    }
  }
}
