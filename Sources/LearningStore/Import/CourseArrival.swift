import Foundation
import GRDB
import LearningModel

/// A new course on its way into the tables: in pieces, each a short transaction of its own, of which nobody sees anything
/// until a last small one publishes them all. See `0004_arrival.sql`.
struct CourseArrival {
  private let plan: CoursePlan
  private let staging: CourseStaging
  private let time: Timestamp
  private let path: String
  private let turns: ShortTurns

  init(_ plan: CoursePlan, _ staging: CourseStaging, at time: Timestamp, path: String, _ turns: ShortTurns) {
    self.plan = plan
    self.staging = staging
    self.time = time
    self.path = path
    self.turns = turns
  }

  private var database: Database { turns.database }

  /// Brings the course; what was written of it is taken back where that fails.
  ///
  /// - Parameter progress: Is told after each piece how many nodes are written. What it throws ends the import.
  func run(_ progress: (Int) throws -> Void) throws -> (course: NodeID, revision: Int) {
    try turns.withoutForeignKeys {
      let (course, lock) = try announce()
      do {
        try writePieces(of: course, progress)
        // What the disk has already is not waited for while everybody else waits. Somebody else may be at it just now.
        _ = try? database.checkpoint(.passive)
        try publish(course)
      } catch {
        // Where it cannot be taken back now, it is cleared away with what was left by others.
        try? AbandonedArrival(course: course, lock: lock).clear(turns)
        throw error
      }
      withExtendedLifetime(lock) {}
      return (course, 1)
    }
  }

  /// Takes the ids for its nodes, so that nobody else does, and puts its top node there under a name that nobody knows.
  private func announce() throws -> (NodeID, ProcessLock) {
    let name = UUID().uuidString.lowercased()
    var made: (NodeID, ProcessLock)?
    try turns.take {
      let last = try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'contentNode'") ?? 0
      let course = NodeID(rawValue: last + 1)
      made = (course, try ProcessLock.make(for: course, of: path))
      try execute(
        """
        INSERT INTO contentNode (id, course, key, kind, position, slug, title, summary, minutes, removedInRevision)
        VALUES (?1, ?1, ?2, 'course', 0, ?2, ?3, ?4, ?5, 1)
        """, [course.rawValue, name, plan.nodes[0].title, plan.nodes[0].summary, plan.nodes[0].minutes])
      let end = last + Int64(plan.nodes.count)
      try execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'contentNode'", [end])
      try execute("INSERT INTO arrival (course, lastNode) VALUES (?, ?)", [course.rawValue, end])
    }
    return made!
  }

  // MARK: - Pieces

  private func writePieces(of course: NodeID, _ progress: (Int) throws -> Void) throws {
    var size = PieceSize(from: 500, to: CourseEdition.habits.mostNodes)
    var next = 0
    while next < plan.nodes.count {
      let piece = next..<end(ofPieceFrom: next, rows: size.rows)
      let time = try turns.take {
        guard try isOnItsWay(course) else { throw changedMeanwhile }
        try write(piece, of: course)
      }
      size.adapt(to: time)
      next = piece.upperBound
      try progress(next)
      turns.giveWay(after: time)
    }
  }

  /// Where a piece ends that has so many rows at most, and no more bytes than are written quickly; one node at least.
  private func end(ofPieceFrom start: Int, rows: Int) -> Int {
    var bytes = 0
    var end = start
    while end < min(start + rows, plan.nodes.count) {
      bytes += staging.bytes(at: end)
      if end > start, bytes > 1 << 20 { break }
      end += 1
    }
    return end
  }

  private func write(_ piece: Range<Int>, of course: NodeID) throws {
    // Node 0 is the top node. The number of a node is how far its id is behind that one's.
    try execute(
      """
      INSERT INTO contentNode (id, course, parent, key, kind, position, slug, title, summary, minutes)
      SELECT ?1 + number, ?1, ?1 + freshParent - 1, key, kind, position, slug, title, summary, minutes
      FROM staging.stagedNode WHERE number >= max(1, ?2) AND number < ?3 ORDER BY number
      """, [course.rawValue, piece.lowerBound, piece.upperBound])
    try execute(
      """
      INSERT INTO activityContent (node, type, content, letters)
      SELECT ?1 + number, type, json, letters FROM staging.stagedContent WHERE number >= ?2 AND number < ?3
      ORDER BY number
      """, [course.rawValue, piece.lowerBound, piece.upperBound])
    try execute(
      """
      INSERT INTO placeTotal (node, activities, seconds)
      SELECT ?1 + number, activities, seconds FROM staging.stagedNode WHERE number >= ?2 AND number < ?3
      ORDER BY number
      """, [course.rawValue, piece.lowerBound, piece.upperBound])
  }

  // MARK: - Publishing

  /// Gives the course its name and its life: a few rows, whatever its size.
  private func publish(_ course: NodeID) throws {
    try turns.take(surviving: .powerCut) {
      let snapshot = try StoreTransaction(database: database).snapshot
      guard try isOnItsWay(course), try snapshot.course(withKey: plan.key) == nil else { throw changedMeanwhile }
      let top = plan.nodes[0]
      let isTaken: Bool = try snapshot.value(
        "SELECT EXISTS (SELECT 1 FROM contentNode WHERE parent IS NULL AND living = 1 AND slug = ?)", [top.slug])!
      guard !isTaken else { throw changedMeanwhile }
      try execute(
        """
        UPDATE contentNode SET key = ?2, slug = ?3, removedInRevision = NULL, position = (
          SELECT ifnull(max(position) + 1, 0) FROM contentNode WHERE parent IS NULL AND living = 1)
        WHERE id = ?1
        """, [course.rawValue, plan.key, top.slug])
      try execute("DELETE FROM arrival WHERE course = ?", [course.rawValue])
      try execute(
        "INSERT INTO courseRevision VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          course.rawValue, time.milliseconds, plan.format, plan.sourceName, plan.sourceDigest, plan.counts.added,
          plan.counts.moved, plan.counts.renamed, plan.counts.changed, plan.counts.removed, plan.counts.unchanged,
        ])
      try execute("INSERT INTO course VALUES (?, ?, ?, 1)", [course.rawValue, plan.language, plan.format])
      try execute(
        "INSERT INTO searchRange (course, nextNode, lastNode) VALUES (?1, ?1, ?1 + ?2 - 1)",
        [course.rawValue, plan.nodes.count])
      // Nobody has been there or done anything in it, so nothing that follows from the logs changes.
    }
  }

  private func isOnItsWay(_ course: NodeID) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM arrival WHERE course = ?)"),
      arguments: [course.rawValue]) ?? false
  }

  private var changedMeanwhile: LearningStoreError { .changedMeanwhile(path: path, course: plan.key) }

  private func execute(_ sql: String, _ arguments: StatementArguments) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}
