import GRDB
import LearningModel

/// What much of a course is to become, beside what it is, and what of it is to go: written in pieces that nobody sees,
/// published by a few rows, and put in its place in pieces of which nobody sees a difference. See `0006_edition.sql`,
/// `0009_leaving.sql` and `0012_coming.sql`.
struct CourseEdition {
  /// When a change is worth an edition, and what becomes of it.
  struct Habits: Sendable {
    /// From how many nodes and how many bytes on. Less than that is written at once, while everybody waits, within some
    /// milliseconds.
    var fewestNodes = 500
    var fewestBytes = 256 << 10
    /// Of how many nodes a piece is at most, however quick the machine.
    var mostNodes = 8_000
    /// Whether what is published is put in its place, and not left to the next one, as by somebody who is killed.
    var putsInPlace = true
  }

  /// What everybody does; tests try everything else.
  @TaskLocal static var habits = Habits()

  let course: NodeID
  /// The last id there was before those that are kept for new nodes: the first one of them is the next.
  let lastID: Int64
  /// Held until nothing is left of the edition, so that nobody else works on it.
  let lock: ProcessLock

  /// The editions of those who died while they brought them.
  static func abandoned(in database: Database, at path: String) throws -> [CourseEdition] {
    try Int64.fetchAll(database, sql: "SELECT course FROM edition").map(NodeID.init(rawValue:)).compactMap { course in
      ProcessLock.takeOver(of: course, of: path).map { CourseEdition(course: course, lastID: 0, lock: $0) }
    }
  }

  /// Puts in its place what has just been published. Where that does not work now, whoever comes next goes on.
  func finishPublished(_ turns: ShortTurns, progress: () throws -> Void) {
    if Self.habits.putsInPlace { try? finish(turns, progress: progress) }
  }

  /// Begins an edition, when nobody else brings one of that course.
  ///
  /// - Parameters:
  ///   - nodes: The ids of the nodes that may have something of it.
  ///   - fresh: How many new nodes it brings; their ids are kept for them.
  static func begin(
    of course: NodeID, nodes: ClosedRange<Int64>, expecting fresh: Int = 0, at path: String, _ turns: ShortTurns
  ) throws -> CourseEdition {
    let lock = try hold(course, at: path, turns)
    let database = turns.database
    var lastID: Int64 = 0
    try turns.take {
      lastID = try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'contentNode'") ?? 0
      let end = lastID + Int64(fresh)
      try database.execute(sql: "UPDATE sqlite_sequence SET seq = ? WHERE name = 'contentNode'", arguments: [end])
      try database.execute(
        sql: "INSERT INTO edition (course, nextNode, lastNode) VALUES (?, ?, ?)",
        arguments: [course.rawValue, nodes.lowerBound, fresh > 0 ? end : nodes.upperBound])
    }
    return CourseEdition(course: course, lastID: lastID, lock: lock)
  }

  /// Waits until nobody changes a course, and keeps everybody else from it.
  ///
  /// What somebody has written beforehand who is at it would not be seen, and would be in the way.
  static func hold(_ course: NodeID, at path: String, _ turns: ShortTurns) throws -> ProcessLock {
    let lock = try lock(of: course, of: path)
    // Somebody was killed only now.
    if try Bool.fetchOne(
      turns.database, sql: "SELECT EXISTS (SELECT 1 FROM edition WHERE course = ?)", arguments: [course.rawValue])
      == true
    {
      try CourseEdition(course: course, lastID: 0, lock: lock).finish(turns)
    }
    return lock
  }

  /// Finishes what somebody has published of a course, or waits until they have: nothing may be written over it.
  static func finishPublished(of course: NodeID, at path: String, _ turns: ShortTurns) throws {
    guard try isPublished(of: course, in: turns.database) else { return }
    try CourseEdition(course: course, lastID: 0, lock: try lock(of: course, of: path)).finish(turns)
  }

  /// Whether an edition of that course counts and is not in its place yet.
  static func isPublished(of course: NodeID, in database: Database) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM edition WHERE course = ? AND isPublished)"),
      arguments: [course.rawValue]) ?? false
  }

  /// Waits for whoever brings an edition of the same course.
  private static func lock(of course: NodeID, of path: String) throws -> ProcessLock {
    let deadline = ContinuousClock.now + .milliseconds(Patience.usual)
    while true {
      do throws(LearningStoreError) {
        return try ProcessLock.make(for: course, of: path)
      } catch {
        guard error == .busy(path: path), ContinuousClock.now < deadline else { throw error }
        pause(milliseconds: 5)
      }
    }
  }

  // MARK: - Before it is published

  /// Writes a piece of it: the nodes of those numbers in the staged plan.
  ///
  /// - Parameter base: The revision before it.
  func write(_ numbers: ClosedRange<Int>, after base: Int, in database: Database) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO contentNode (
          id, course, parent, key, kind, position, slug, title, summary, minutes, removedInRevision, goneSince,
          nextParent, nextPosition, nextSlug)
        SELECT ?5 + fresh, ?1, ifnull(parent, ?5 + freshParent), key, kind, position, slug, title, summary, minutes,
          CASE WHEN way <> \(CourseStaging.Way.new.rawValue) THEN ?4 END, 0,
          CASE way WHEN \(Self.published) THEN ifnull(parent, ?5 + freshParent) END,
          CASE way WHEN \(Self.published) THEN position END, CASE way WHEN \(Self.published) THEN slug END
        FROM staging.stagedNode WHERE number BETWEEN ?2 AND ?3 AND \(Self.isNew) ORDER BY number
        """
    ).execute(arguments: [course.rawValue, numbers.lowerBound, numbers.upperBound, base, lastID])
    try writePlaces(numbers, in: database)
    try database.cachedStatement(
      sql: """
        UPDATE contentNode SET removedInRevision = NULL, goneSince = removedInRevision
        FROM staging.stagedNode AS staged
        WHERE staged.number BETWEEN ? AND ? AND staged.way = \(CourseStaging.Way.back.rawValue)
          AND contentNode.id = staged.id
        """
    ).execute(arguments: [numbers.lowerBound, numbers.upperBound])
    try database.cachedStatement(
      sql: """
        INSERT INTO activityContent (node, type, content, letters)
        SELECT ?3 + fresh, type, json, letters
        FROM staging.stagedNode JOIN staging.stagedContent USING (number)
        WHERE number BETWEEN ?1 AND ?2 AND kind = 'activity' AND \(Self.isNew) ORDER BY number
        """
    ).execute(arguments: [numbers.lowerBound, numbers.upperBound, lastID])
    try database.cachedStatement(
      sql: """
        UPDATE contentNode SET nextTitle = staged.title, nextSummary = staged.summary, nextMinutes = staged.minutes
        FROM staging.stagedNode AS staged
        WHERE staged.number BETWEEN ? AND ? AND staged.changes & ? AND contentNode.id = staged.id
        """
    ).execute(arguments: [numbers.lowerBound, numbers.upperBound, PlannedNode.Changes.description.rawValue])
    try database.cachedStatement(
      sql: """
        INSERT INTO nextContent (node, course, type, content, letters)
        SELECT ifnull(id, ?5 + fresh), ?1, type, json, letters
        FROM staging.stagedNode JOIN staging.stagedContent USING (number)
        WHERE number BETWEEN ?2 AND ?3 AND kind = 'activity' AND NOT (\(Self.isNew)) AND (id IS NULL OR changes & ?4)
        ORDER BY number
        """
    ).execute(
      arguments: [
        course.rawValue, numbers.lowerBound, numbers.upperBound, PlannedNode.Changes.content.rawValue, lastID,
      ])
    try database.cachedStatement(
      sql: """
        INSERT INTO placeTotal (node, activities, seconds)
        SELECT ifnull(id, ?3 + fresh), activities, seconds FROM staging.stagedNode
        WHERE number BETWEEN ?1 AND ?2 AND (
          fresh IS NOT NULL OR way = \(CourseStaging.Way.back.rawValue) OR way = \(Self.published) AND standing IS NULL)
        ORDER BY number
        """
    ).execute(arguments: [numbers.lowerBound, numbers.upperBound, lastID])
  }

  /// Whether a staged node is new and written beforehand.
  private static let isNew = """
    ifnull(way IN (\(CourseStaging.Way.new.rawValue), \(CourseStaging.Way.top.rawValue), \(Self.published)), 0) \
    AND fresh IS NOT NULL
    """

  /// Marks some of the staged nodes that go.
  ///
  /// - Parameters:
  ///   - last: The one that was marked last; 0 at first.
  ///   - rows: How many at most.
  ///   - revision: The one in which they go.
  /// - Returns: The one that is marked last now; `nil` where none was left.
  func mark(after last: Int64, atMost rows: Int, goingIn revision: Int, in database: Database) throws -> Int64? {
    let some = "SELECT id FROM staging.goingNode WHERE id > ?1 ORDER BY id LIMIT ?2"
    let end = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT max(id) FROM (\(some))"), arguments: [last, rows])
    guard let end else { return nil }
    try database.cachedStatement(sql: "UPDATE contentNode SET goesIn = ?3 WHERE id IN (\(some))")
      .execute(arguments: [last, rows, revision])
    return end
  }

  /// Marks all of them, in pieces.
  func markLeaving(goingIn revision: Int, _ turns: ShortTurns, _ progress: () throws -> Void = {}) throws {
    var size = PieceSize(from: 500, to: Self.habits.mostNodes)
    var last: Int64? = 0
    while let from = last {
      let time = try turns.take {
        last = try mark(after: from, atMost: size.rows, goingIn: revision, in: turns.database)
      }
      size.adapt(to: time)
      try progress()
      turns.giveWay(after: time)
    }
  }

  /// Makes all of it true, inside the transaction in which the rest of the course changes.
  ///
  /// - Parameter moves: Whether nodes get or lose their places by it.
  func publish(moving moves: Bool = false, in database: Database) throws {
    try database.execute(
      sql: "UPDATE edition SET isPublished = 1, moves = ? WHERE course = ?", arguments: [moves, course.rawValue])
  }
}
