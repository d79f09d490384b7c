import GRDB
import LearningModel
import NavigationKit
import TestSupport

/// A history that is long enough to distinguish an index search from a full scan: 24,000 steps of three learners in a
/// course with 585 places. Each filter has a frequent and a rare value.
enum LongHistory {
  static let steps = ["ada": 15_000, "ben": 8_990, "eve": 10]

  /// Makes a database with that history.
  static func fixture() throws -> NavigationFixture {
    let fixture = try NavigationFixture()
    var drawing = "course\n"
    for goal in 0..<8 {
      drawing += "  goal\(goal)\n"
      for lesson in 0..<8 {
        drawing += "    lesson\(goal)\(lesson)\n"
        for activity in 0..<8 { drawing += "      activity\(goal)\(lesson)\(activity)*\n" }
      }
    }
    try fixture.insertCourse(drawing)
    try fixture.write { database in try steps.keys.sorted().forEach { try write($0, steps[$0]!, to: database) } }
    try fixture.service().rebuild()
    return fixture
  }

  private struct Node {
    let id: Int64
    let kind: String
    let stack: String
  }

  private static func write(_ learner: String, _ count: Int, to database: Database) throws {
    let nodes = try Row.fetchAll(database, sql: HistorySQL.places).map { Node(id: $0[0], kind: $0[1], stack: $0[2]) }
    let activities = nodes.filter { $0.kind == "activity" }
    let lessons = nodes.filter { $0.kind == "lesson" }
    let addSession = try database.cachedStatement(
      sql: """
        INSERT INTO session (uuid, learner, name, timeZone, startedAt, lastInputAt, replica)
        SELECT ?, ?, ?, 'UTC', ?, ?, uuid FROM replica
        """)
    let addStep = try database.cachedStatement(
      sql: """
        INSERT INTO navigationEvent (
          uuid, learner, session, sequence, operation, transition, direction, reason, movingNode, animated, cause,
          fromKind, fromNode, toKind, toNode, stack, at, clock, leftAt, activeMs, courseRevision)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1000, 1)
        """)
    try database.execute(sql: "INSERT INTO learner (name, createdAt) VALUES (?, 0)", arguments: [learner])
    let id = database.lastInsertedRowID
    var random = SplitMix64(seed: UInt64(count))
    var session: Int64 = 0
    var place = nodes[0]
    for step in 0..<count {
      let at = Int64(step) * 60_000
      if step % 50 == 0 {
        if step > 0 {
          try database.execute(sql: "UPDATE session SET endedAt = lastInputAt WHERE id = ?", arguments: [session])
        }
        try addSession.execute(arguments: [
          RandomIdentifier.make(), id, step % 5_000 == 0 ? "script" : "browser", at, at,
        ])
        session = database.lastInsertedRowID
      }
      let from = place
      let isFirst = step % 50 == 0
      let isRare = step % 1_500 == 707
      place =
        isRare ? nodes[0] : random.below(10) < 7 ? activities[random.below(activities.count)] : lessons[random.below(8)]
      let moves = random.below(4) > 0
      try addStep.execute(arguments: [
        RandomIdentifier.make(), id, session, step % 50 + 1, isFirst ? "resume" : isRare ? "popTo" : "next",
        isFirst ? nil : isRare ? "goalCard" : moves ? "siblingSlide" : "crossFade",
        isFirst || !isRare && !moves ? nil : "up", isFirst ? nil : isRare || moves ? "matched" : "noMatch",
        isFirst || !isRare && !moves ? nil : place.id, isRare ? "bookmark" : "key", isFirst ? nil : from.kind,
        isFirst ? nil : from.id, place.kind, place.id, place.stack, at, at, at + 60_000,
      ])
      if place.kind == "activity", step % 40 == 3 {
        try database.execute(
          sql: """
            INSERT INTO activityEvent (uuid, learner, session, sequence, node, kind, detail, score, at, orderedAt)
            SELECT ?1, ?2, ?3, 1 + ifnull(max(sequence), 0), ?4, 'quizChecked', '{}', 0.5, ?5,
              max(?5, 1 + ifnull((SELECT max(orderedAt) FROM activityEvent WHERE learner = ?2), -1))
            FROM activityEvent WHERE session = ?3
            """, arguments: [RandomIdentifier.make(), id, session, place.id, at])
      }
    }
  }
}
