import GRDB
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
    let isNew =
      try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT begunAt FROM progress WHERE learner = ? AND node = ?"),
        arguments: [learner.rawValue, activity.rawValue]) == nil
    // The earliest time, in whatever order the two logs are read.
    let sql = """
      INSERT INTO progress (learner, node, begunAt) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET begunAt = excluded.begunAt WHERE excluded.begunAt < begunAt
      """
    try database.cachedStatement(sql: sql)
      .execute(arguments: [learner.rawValue, activity.rawValue, moment.milliseconds])
    guard isNew, try secondsOfLiving(activity) != nil else { return }
    try database.cachedStatement(
      sql: """
        INSERT INTO placeProgress (learner, node, begun, done, secondsDone)
        SELECT ?1, node, 1, 0, 0 FROM (\(Self.above)) WHERE true
        ON CONFLICT DO UPDATE SET begun = begun + 1
        """
    ).execute(arguments: [learner.rawValue, activity.rawValue])
  }

  /// Notes whether an activity that was begun is done.
  ///
  /// - Parameter moment: Since when; `nil` where it is not done.
  func setDone(_ activity: NodeID, for learner: LearnerID, since moment: Timestamp?) throws {
    let wasDone = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT doneAt FROM progress WHERE learner = ? AND node = ?"),
      arguments: [learner.rawValue, activity.rawValue])
    guard (wasDone == nil) != (moment == nil) else { return }
    try database.cachedStatement(sql: "UPDATE progress SET doneAt = ? WHERE learner = ? AND node = ?")
      .execute(arguments: [moment?.milliseconds, learner.rawValue, activity.rawValue])

    guard let seconds = try secondsOfLiving(activity) else { return }
    try database.cachedStatement(
      sql: """
        UPDATE placeProgress SET done = done + ?3, secondsDone = secondsDone + ?4
        WHERE learner = ?1 AND node IN (\(Self.above))
        """
    ).execute(arguments: [
      learner.rawValue, activity.rawValue, moment == nil ? -1 : 1, moment == nil ? -seconds : seconds,
    ])
  }

  /// The activity `?2` and every place above it.
  private static let above = """
    WITH RECURSIVE above (node) AS (
      VALUES (?2)
      UNION ALL
      SELECT contentNode.parent FROM above JOIN contentNode ON id = node WHERE contentNode.parent IS NOT NULL
    )
    SELECT node FROM above
    """

  /// How long an activity takes; `nil` where it is not in its course any more.
  private func secondsOfLiving(_ activity: NodeID) throws -> Int? {
    let sql = """
      SELECT seconds FROM placeTotal JOIN contentNode ON id = node AND kind = 'activity' AND living = 1 WHERE node = ?
      """
    return try Int.fetchOne(database.cachedStatement(sql: sql), arguments: [activity.rawValue])
  }
}

extension StoreSnapshot {
  /// Returns how much of a place a learner has begun and done.
  ///
  /// - Parameters:
  ///   - node: The place; every living course together where `nil`.
  ///   - learner: Whose; only the totals where `nil`.
  public func progress(of node: NodeID?, for learner: LearnerID?) throws -> PlaceProgress {
    let sql = """
      SELECT ifnull(sum(activities), 0), ifnull(sum(begun), 0), ifnull(sum(done), 0), ifnull(sum(seconds), 0),
        ifnull(sum(secondsDone), 0)
      FROM \(node == nil ? "contentNode JOIN placeTotal ON placeTotal.node = id" : "placeTotal")
      LEFT JOIN placeProgress ON placeProgress.node = placeTotal.node AND learner = ?1
      WHERE \(node == nil ? "parent IS NULL AND removedInRevision IS NULL AND ?2 IS NULL" : "placeTotal.node = ?2")
      """
    let row = try Row.fetchOne(
      database.cachedStatement(sql: sql), arguments: [learner?.rawValue, node?.rawValue])!
    return PlaceProgress(total: row[0], begun: row[1], done: row[2], seconds: row[3], secondsDone: row[4])
  }

  /// Returns, for every learner who has begun something at a place, how much of it they have done; by name.
  public func progressOfLearners(at node: NodeID) throws -> [(learner: Learner, progress: PlaceProgress)] {
    let sql = """
      SELECT learner.id, learner.name, activities, begun, done, seconds, secondsDone
      FROM placeProgress
      JOIN learner ON learner.id = placeProgress.learner
      JOIN placeTotal ON placeTotal.node = placeProgress.node
      WHERE placeProgress.node = ? ORDER BY learner.name
      """
    return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [node.rawValue]).map { row in
      (
        Learner(id: LearnerID(rawValue: row[0]), name: row[1]),
        PlaceProgress(total: row[2], begun: row[3], done: row[4], seconds: row[5], secondsDone: row[6])
      )
    }
  }
}
