import GRDB
import LearningModel

/// A course that never arrived, since whoever brought it is gone or has given up: nobody has ever seen it, and it is
/// taken away as it came, in pieces.
struct AbandonedArrival {
  let course: NodeID
  /// Held while it is taken away, so that nobody else does the same.
  let lock: ProcessLock

  /// The courses that were on their way when those who brought them died.
  static func all(in database: Database, at path: String) throws -> [AbandonedArrival] {
    try Int64.fetchAll(database, sql: "SELECT course FROM arrival").map(NodeID.init(rawValue:)).compactMap { course in
      ProcessLock.takeOver(of: course, of: path).map { AbandonedArrival(course: course, lock: $0) }
    }
  }

  /// Takes it away.
  ///
  /// - Parameters:
  ///   - turns: Of a connection without foreign keys: with them SQLite would look through the logs for each node.
  ///   - deadline: When to stop behind a piece; `nil` to finish. The next one goes on.
  func clear(_ turns: ShortTurns, until deadline: ContinuousClock.Instant? = nil) throws {
    let database = turns.database
    var size = PieceSize(from: 200, to: 4_000)
    var isDone = false
    while !isDone {
      let time = try turns.take { isDone = try clearPiece(of: size.rows, in: database) }
      size.adapt(to: time)
      if let deadline, ContinuousClock.now >= deadline { break }
      turns.giveWay(after: time)
    }
    withExtendedLifetime(lock) {}
  }

  /// Takes the last nodes away, the top node last of all.
  private func clearPiece(of rows: Int, in database: Database) throws -> Bool {
    guard
      let end = try Int64.fetchOne(
        database, sql: "SELECT lastNode FROM arrival WHERE course = ?", arguments: [course.rawValue])
    else { return true }
    let first = try Int64.fetchOne(
      database,
      sql: """
        SELECT min(id) FROM (
          SELECT id FROM contentNode WHERE id BETWEEN ?1 AND ?2 AND +course = ?1 ORDER BY id DESC LIMIT ?3)
        """, arguments: [course.rawValue, end, rows])
    if let first {
      for sql in [
        "DELETE FROM placeTotal WHERE node BETWEEN ?1 AND ?2",
        "DELETE FROM activityContent WHERE node BETWEEN ?1 AND ?2",
        "DELETE FROM contentNode WHERE id BETWEEN ?1 AND ?2",
      ] {
        try database.execute(sql: sql, arguments: [first, end])
      }
      if first > course.rawValue { return false }
    }
    try database.execute(sql: "DELETE FROM arrival WHERE course = ?", arguments: [course.rawValue])
    return true
  }
}
