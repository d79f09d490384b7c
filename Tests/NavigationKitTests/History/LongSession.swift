import GRDB
import LearningModel
import NavigationKit
import TestSupport

/// A session of any length in a course with 73 places, with an activity event in each of the first steps.
enum LongSession {
  /// The database in which a session took place, and whether it has ended.
  enum Kind: CaseIterable, Sendable {
    /// Open in this database.
    case open
    /// Ended in this database.
    case ended
    /// Merged from another database, and ended.
    case merged
  }

  /// The maximum number of activity events.
  static let events = 100

  /// Makes a database with a session `shell` of the learner `ada`.
  static func fixture(steps: Int, _ kind: Kind) throws -> NavigationFixture {
    let fixture = try NavigationFixture()
    var drawing = "course\n"
    for goal in 0..<4 {
      drawing += "  goal\(goal)\n"
      for lesson in 0..<4 {
        drawing += "    lesson\(goal)\(lesson)\n"
        for activity in 0..<4 { drawing += "      activity\(goal)\(lesson)\(activity)*\n" }
      }
    }
    try fixture.insertCourse(drawing)
    let end = fixture.now.milliseconds
    try fixture.write { try write(steps, kind, until: end, to: $0) }
    try fixture.service().rebuild()
    return fixture
  }

  private static func write(_ steps: Int, _ kind: Kind, until end: Int64, to database: Database) throws {
    let places = try Row.fetchAll(database, sql: HistorySQL.places).map {
      (id: $0[0] as Int64, kind: $0[1] as String, stack: $0[2] as String)
    }
    let addStep = try database.cachedStatement(
      sql: """
        INSERT INTO navigationEvent (
          uuid, learner, session, sequence, operation, transition, direction, reason, movingNode, animated, cause,
          fromKind, fromNode, toKind, toNode, stack, at, clock, leftAt, activeMs, courseRevision)
        VALUES (?, 1, 1, ?, ?, ?, NULL, ?, NULL, 1, 'key', ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
        """)
    let start = end - Int64(steps) * 1000
    try database.execute(
      sql: """
        INSERT INTO learner (name, createdAt) VALUES ('ada', 0);
        INSERT INTO session (uuid, learner, name, timeZone, startedAt, lastInputAt, replica)
        SELECT ?, 1, 'shell', 'UTC', ?, ?, uuid FROM replica
        """, arguments: [RandomIdentifier.make(), start, end])
    var random = SplitMix64(seed: UInt64(steps))
    var last: (id: Int64, kind: String, stack: String)?
    for sequence in 1...steps {
      let place = places[random.below(places.count)]
      let at = start + Int64(sequence - 1) * 1000
      let isLast = sequence == steps && kind == .open
      try addStep.execute(arguments: [
        RandomIdentifier.make(), sequence, last == nil ? "resume" : "open", last.map { _ in "crossFade" },
        last.map { _ in "noMatch" }, last?.kind, last?.id, place.kind, place.id, place.stack, at, at,
        isLast ? nil : at + 1000, isLast ? nil : 1000,
      ])
      if sequence <= 2 * events, place.kind == "activity" {
        try database.execute(
          sql: """
            INSERT INTO activityEvent (uuid, learner, session, sequence, node, kind, detail, score, at, orderedAt)
            SELECT ?1, 1, 1, 1 + count(*), ?2, 'quizChecked', '{"pass":0.5}', 1, ?3, ?3 FROM activityEvent
            """, arguments: [RandomIdentifier.make(), place.id, at + 500])
      }
      last = place
    }
    if kind != .open { try database.execute(sql: "UPDATE session SET endedAt = lastInputAt") }
    if kind == .merged { try database.execute(sql: "UPDATE replica SET uuid = 'another'") }
  }
}
