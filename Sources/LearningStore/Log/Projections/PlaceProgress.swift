public import LearningModel

// What learners have begun and done: of each activity, and summed up over the places above it.

/// How much of a place a learner has begun and done, and how long the rest takes by the author's word.
public struct PlaceProgress: Hashable, Sendable {
  /// Living activities.
  public var total: Int
  /// Those that were begun, the done ones among them.
  public var begun: Int
  /// Those that are done.
  public var done: Int
  /// How long all of them take, in seconds; 0 where nothing is known.
  public var seconds: Int
  /// How long the done ones take, in seconds.
  public var secondsDone: Int

  /// Makes a progress.
  public init(total: Int = 0, begun: Int = 0, done: Int = 0, seconds: Int = 0, secondsDone: Int = 0) {
    self.total = total
    self.begun = begun
    self.done = done
    self.seconds = seconds
    self.secondsDone = secondsDone
  }
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
  public func progress(of node: NodeID?, for learner: LearnerID?) throws -> PlaceProgress {
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
  public func progressOfLearners(at node: NodeID) throws -> [(learner: Learner, progress: PlaceProgress)] {
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
