import GRDB
import LearningModel

/// A staged plan for a course that is there: few changes are written at once, many come as an edition.
struct CourseChange {
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

  /// Changes the course; where that fails, nothing of it is left.
  ///
  /// - Parameter progress: Is told after each piece how many nodes are done. What it throws ends the import.
  func run(_ progress: (Int) throws -> Void) throws -> (course: NodeID, revision: Int) {
    // A course that is not there is not changed.
    guard let course = plan.nodes[0].id, let base = plan.base else { return try commit() }
    guard staging.isLarge else {
      let lock = try CourseEdition.hold(course, at: path, turns)
      defer { withExtendedLifetime(lock) {} }
      return try commit()
    }

    var ids = staging.changing.compactMap { plan.nodes[$0].id?.rawValue }
    for range in [staging.leaving, staging.placing].compactMap(\.self) {
      ids += [range.lowerBound, range.upperBound]
    }
    let nodes = (ids.min() ?? course.rawValue)...(ids.max() ?? course.rawValue)
    let edition = try CourseEdition.begin(of: course, nodes: nodes, expecting: staging.freshCount, at: path, turns)
    let made: (course: NodeID, revision: Int)
    do {
      // From here on nobody else changes it.
      guard try StoreTransaction(database: turns.database).snapshot.course(course)?.revision == base else {
        throw LearningStoreError.changedMeanwhile(path: path, course: plan.key)
      }
      // Some of it is of nodes that are not there yet.
      try turns.withoutForeignKeys { try writePieces(of: edition, base, progress) }
      try CourseStaging.forgetEarly(in: turns.database)
      if staging.leaving != nil {
        try edition.markLeaving(goingIn: base + 1, turns) { try progress(plan.nodes.count) }
      }
      // What the disk has already is not waited for while everybody else waits. Somebody else may be at it just now.
      _ = try? turns.database.checkpoint(.passive)
      // Whoever leaves later stands under a parent that has gone, for a while.
      let places = try PlacesLookedAt(for: edition, in: turns.database)
      made = try turns.withoutForeignKeys { try commit(edition, places) }
    } catch {
      // Where it cannot be taken back now, it is cleared away with what was left by others.
      try? edition.finish(turns)
      throw error
    }
    // It is there for everybody.
    edition.finishPublished(turns) { try progress(plan.nodes.count) }
    return made
  }

  private func commit(
    _ edition: CourseEdition? = nil, _ places: PlacesLookedAt? = nil
  ) throws -> (course: NodeID, revision: Int) {
    var made: (course: NodeID, revision: Int)?
    try turns.take(surviving: .powerCut) {
      let transaction = try StoreTransaction(database: turns.database)
      var commit = CourseCommit(plan, staging, edition, places, at: time, path: path, in: transaction)
      made = try commit.run()
    }
    return made!
  }

  private func writePieces(of edition: CourseEdition, _ base: Int, _ progress: (Int) throws -> Void) throws {
    var size = PieceSize(from: 500, to: CourseEdition.habits.mostNodes)
    var rest = staging.staged[...]
    while let first = rest.first {
      var bytes = 0
      // No more than is written quickly; one node at least.
      let piece = rest.prefix(size.rows).prefix { number in
        bytes += staging.bytes(at: number)
        return number == first || bytes <= 1 << 20
      }
      rest = rest.dropFirst(piece.count)
      let time = try turns.take { try edition.write(first...piece.last!, after: base, in: turns.database) }
      size.adapt(to: time)
      try progress(piece.last! + 1)
      turns.giveWay(after: time)
    }
    try progress(plan.nodes.count)
  }
}
