import Foundation
import GRDB
import TestSupport

/// A history of a few learners in a course of 11,111 nodes, with frequent and rare values.
struct GrownHistory {
  let events: Int
  let seed: UInt64
  /// Whether all steps are in one session of one learner, at one step per second, instead of many short sessions.
  var isOneSession = false

  /// The learners and their numbers of steps. The numbers of the last two are constant.
  static let year = (name: "year", events: 20_000)
  static let rare = (name: "rare", events: 10)
  private var learners: [(name: String, events: Int)] {
    if isOneSession { return [("ada", events)] }
    let remaining = (events - Self.year.events - Self.rare.events) / years
    return [
      ("often", remaining * 6 / 10), ("sometimes", remaining * 3 / 10),
      ("seldom", remaining - remaining * 6 / 10 - remaining * 3 / 10),
    ]
      + [Self.year, Self.rare]
  }

  /// The time at which every history begins and the length of a year, in milliseconds.
  static let begin: Int64 = 1_700_000_000_000
  static let length: Int64 = 365 * 86_400_000

  /// The maximum number of steps that are generated individually. Larger histories repeat them every year.
  private static let mostInAYear = 1_000_000
  /// The number of years.
  var years: Int { max(1, events / Self.mostInAYear) }

  /// Writes the history without triggers and indexes, and then creates these again. The written data satisfies the
  /// triggers.
  func write(to path: String) throws {
    try Shell.run(in: path) { database in
      let tables = "('navigationEvent', 'visitUnder', 'session')"
      let rules = try Row.fetchAll(
        database,
        sql: "SELECT type, name, sql FROM sqlite_schema WHERE tbl_name IN \(tables) AND type <> 'table' AND sql <> ''")
      for rule in rules { try database.execute(sql: "DROP \(rule[0] as String) \(rule[1] as String)") }
      try database.inTransaction {
        try writeSteps(database)
        try repeatSteps(database)
        try writeSubtrees(database)
        return .commit
      }
      for rule in rules { try database.execute(sql: rule[2]) }
      try database.execute(sql: "ANALYZE sqlite_schema")
    }
  }

  private func writeSteps(_ database: Database) throws {
    let nodes = try Row.fetchAll(database, sql: HistorySQL.places).map {
      (id: $0[0] as Int64, kind: $0[1] as String, stack: $0[2] as String)
    }
    let activities = nodes.filter { $0.kind == "activity" }
    let others = nodes.filter { $0.kind == "lesson" || $0.kind == "goal" }
    let addSession = try database.makeStatement(
      sql: """
        INSERT INTO session (uuid, learner, name, timeZone, startedAt, lastInputAt, endedAt, replica)
        SELECT ?, ?, ?, 'UTC', ?, ?, ?, uuid FROM replica
        """)
    let addStep = try database.makeStatement(
      sql: """
        INSERT INTO navigationEvent (
          uuid, learner, session, sequence, operation, returnsTo, transition, direction, reason, movingNode, animated,
          cause, fromKind, fromNode, toKind, toNode, stack, at, clock, leftAt, activeMs, courseRevision)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
        """)
    var random = SplitMix64(seed: seed)
    var number = 0
    func uuid() -> String {
      number += 1
      let digits = String(number, radix: 16)
      return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    for learner in learners {
      try database.execute(
        sql: "INSERT INTO learner (name, createdAt) VALUES (?, ?)", arguments: [learner.name, Self.begin])
      let id = database.lastInsertedRowID
      let pace = isOneSession ? 1000 : Self.length / Int64(learner.events)
      let sessionLength = isOneSession ? learner.events : 50
      var session: Int64 = 0
      var sequence = 0
      var place = nodes[0]
      for step in 0..<learner.events {
        let at = Self.begin + Int64(step) * pace
        if step % sessionLength == 0 {
          let end = at + Int64(sessionLength) * pace
          let name = isOneSession ? "shell" : random.below(100) == 0 ? "script" : "browser"
          try addSession.execute(arguments: [uuid(), id, name, at, end, end])
          session = database.lastInsertedRowID
          sequence = 0
        }
        sequence += 1
        let from = place
        // The random share is squared, so that the first lessons are visited most often.
        let fraction = Double.random(in: 0..<1, using: &random)
        let pool = random.below(10) < 7 ? activities : others
        place = random.below(5000) == 0 ? nodes[0] : pool[Int(fraction * fraction * Double(pool.count))]
        let isFirst = sequence == 1
        var operation = ["next", "next", "next", "next", "push", "push", "pop", "open", "select", "previous"][
          random.below(10)]
        if random.below(20_000) == 0 { operation = "popToRoot" }
        var returnsTo: Int?
        if sequence > 2, random.below(200) == 0 { (operation, returnsTo) = ("back", sequence - 2) }
        if isFirst { operation = "resume" }
        let transition = ["siblingSlide", "siblingSlide", "activityCard", "lessonCard", "crossFade"][random.below(5)]
        let moves = transition != "crossFade"
        let cause = random.below(10_000) == 0 ? "bookmark" : random.below(5) == 0 ? "mouse" : "key"
        try addStep.execute(arguments: [
          uuid(), id, session, sequence, operation, returnsTo, isFirst ? nil : transition,
          isFirst || !moves ? nil : "right", isFirst ? nil : moves ? "matched" : "noMatch",
          isFirst || !moves ? nil : place.id, cause, isFirst ? nil : from.kind, isFirst ? nil : from.id, place.kind,
          place.id, place.stack, at, at, at + pace, min(pace, 60_000),
        ])
      }
    }
  }

  /// Writes the years after the first, in which the first three learners repeat their steps.
  private func repeatSteps(_ database: Database) throws {
    let sessions = try Int.fetchOne(database, sql: "SELECT max(id) FROM session")!
    let steps = try Int.fetchOne(database, sql: "SELECT max(id) FROM navigationEvent")!
    for year in 1..<max(1, years) {
      let later = Int64(year) * Self.length
      let suffix = String(year, radix: 16)
      try database.execute(
        sql: """
          INSERT INTO session (id, uuid, learner, name, timeZone, startedAt, lastInputAt, endedAt, replica)
          SELECT id + ?1, ?3 || substr(uuid, 2), learner, name, timeZone, startedAt + ?2, lastInputAt + ?2, endedAt + ?2,
            replica
          FROM session WHERE id <= ?4 AND learner <= 3
          """, arguments: [year * sessions, later, suffix, sessions])
      try database.execute(
        sql: """
          INSERT INTO navigationEvent (
            id, uuid, learner, session, sequence, operation, returnsTo, transition, direction, reason, movingNode,
            animated, cause, fromKind, fromNode, toKind, toNode, stack, at, clock, leftAt, activeMs, courseRevision)
          SELECT id + ?1, ?3 || substr(uuid, 2), learner, session + ?5, sequence, operation, returnsTo, transition,
            direction, reason, movingNode, animated, cause, fromKind, fromNode, toKind, toNode, stack, at + ?2,
            clock + ?2, leftAt + ?2, activeMs, courseRevision
          FROM navigationEvent WHERE id <= ?4 AND learner <= 3
          """, arguments: [year * steps, later, suffix, steps, year * sessions])
    }
  }

  /// Shifts all times, so that the last session ends at a time.
  static func move(to end: Date, _ database: Database) throws {
    let end = Int64(end.timeIntervalSince1970 * 1000)
    try database.execute(sql: "INSERT INTO merging SELECT id FROM learner")
    for (table, columns) in [
      ("navigationEvent", ["at", "clock", "leftAt"]), ("session", ["startedAt", "lastInputAt", "endedAt"]),
    ] {
      let last = "(SELECT max(lastInputAt) FROM session)"
      let shift = try Int64.fetchOne(database, sql: "SELECT ?1 - \(last)", arguments: [end]) ?? 0
      let sets = columns.map { "\($0) = \($0) + \(shift)" }.joined(separator: ", ")
      try database.execute(sql: "UPDATE \(table) SET \(sets)")
    }
    try database.execute(sql: "DELETE FROM merging")
  }

  private func writeSubtrees(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TEMP TABLE above AS
        WITH RECURSIVE above (node, place) AS (
          SELECT id, id FROM contentNode
          UNION ALL
          SELECT above.node, contentNode.parent FROM above JOIN contentNode ON contentNode.id = above.place
          WHERE contentNode.parent IS NOT NULL)
        SELECT node, place FROM above;
        CREATE INDEX temp.aboveOfNode ON above (node, place);
        INSERT INTO visitUnder (learner, node, event)
        SELECT event.learner, above.place, event.id
        FROM navigationEvent AS event JOIN above ON above.node = event.toNode
        ORDER BY event.learner, above.place, event.id;
        DROP TABLE temp.above;
        INSERT INTO visitNamed (learner, name, event)
        SELECT event.learner, session.name, event.id
        FROM navigationEvent AS event JOIN session ON session.id = event.session
        ORDER BY event.learner, session.name, event.id;
        """)
  }
}
