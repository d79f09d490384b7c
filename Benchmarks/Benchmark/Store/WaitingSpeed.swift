import CourseKit
import Foundation
import GRDB
import LearningModel
import NavigationKit
import TestSupport

/// The longest time that a step waits while a course is imported, changed or removed in which 1,000 learners have begun
/// 100 activities each.
struct WaitingSpeed {
  /// The number of activities of each of the 1,000 innermost lessons.
  let activities: Int
  /// The maximum time that a step may wait, in milliseconds.
  let limit: Double
  let databases: Databases

  /// A step that takes longer, in nanoseconds, has waited.
  private static let notable = 20e6

  func table() throws -> Table {
    let large = WrittenCourse(key: "large", activities: activities)
    let path = databases.new()
    do {
      // Closes the database before visits are written to the file directly.
      let library = try CourseLibrary(databaseAt: path)
      _ = try library.importCourse(named: "walked.json", bytes: WrittenCourse(key: "walked", activities: 2).json)
      _ = try library.importCourse(named: "large.json", bytes: large.json)
    }
    try BegunActivities(course: "large", learners: 1_000, each: 100).write(to: path)
    let service = try NavigationService(
      databaseAt: path, learner: "walker", session: .named("benchmark"), timeZone: TimeZone(identifier: "UTC")!)
    try service.rebuild()
    let library = try CourseLibrary(databaseAt: path)

    let changed = { (change: (inout WrittenCourse) -> Void) -> WrittenCourse in
      var course = large
      change(&course)
      return course
    }
    let works: [(String, WrittenCourse?)] = [
      ("a new course", changed { $0.key = "other" }),
      ("1 % of the texts changed", changed { $0.edition = (of: 100, number: 2) }),
      ("all texts changed", changed { $0.edition = (of: 1, number: 3) }),
      (
        "all minutes changed",
        changed {
          $0.edition = (of: 1, number: 3); $0.minutes = 7
        }
      ),
      ("half of the activities replaced", changed { $0.replaced = 5 }),
      ("the replaced half restored", large),
      ("the course removed", nil),
      ("the course restored", large),
    ]
    var table = Table(
      "Store: a step beside an import of \(large.count.grouped) nodes",
      note: "1,000 learners have begun 100 activities each of the changed course. Another learner navigates in another "
        + "course, with a pause of 2 ms after each step. Elapsed time.",
      columns: ["beside", "took", "steps", "99 %", "longest"])
    for (name, course) in works {
      let walk = Walk(service)
      let start = Clock.wall.now
      if let course {
        let options = ImportOptions(replaces: true)
        _ = try library.importCourse(named: "\(course.key).json", bytes: course.json, options: options)
      } else {
        _ = try library.remove(PlacePath("large"))
      }
      let duration = Double(Clock.wall.now - start)
      let steps = try walk.end()
      let longest = steps.quantile(1)
      table.add(
        name, duration.asTime, steps.count.grouped, steps.p99.asTime, longest.asTime,
        target: "≤ \(Int(limit)) ms", isMet: longest <= limit * 1e6)
    }
    return table
  }
}

/// Steps on a background thread, which runs until ``end()`` is called.
private final class Walk: @unchecked Sendable {
  // Guarded by `lock`, because the thread and its owner both use it.
  private var isOver = false
  private let lock = NSLock()
  // Written by the thread only, and read after `done` was signalled.
  private var steps = Samples()
  private var failure: (any Error)?
  private let done = DispatchSemaphore(value: 0)

  init(_ service: NavigationService) {
    // A thread, because a task would wait while the thread pool is busy.
    Thread {
      do {
        var number = 0
        while !self.lock.withLock({ self.isOver }) {
          let request = number % 2 == 0 ? NavigationRequest.open(.text("walked/goal-0/lesson-0/inner-0")) : .pop
          try self.steps.measure(.wall) { _ = try service.perform(request, cause: .key, animated: true) }
          number += 1
          usleep(2_000)
        }
      } catch {
        self.failure = error
      }
      self.done.signal()
    }.start()
  }

  func end() throws -> Samples {
    lock.withLock { isOver = true }
    done.wait()
    if let failure { throw failure }
    return steps
  }
}

/// A course of ten goals, each with ten lessons of ten lessons, as a file in Waymark's format.
private struct WrittenCourse {
  var key: String
  var activities: Int
  /// One of `of` texts has edition `number`; all others have edition 1.
  var edition = (of: 1, number: 1)
  var minutes = 5
  /// The number of lessons, of every ten, whose keys are changed.
  var replaced = 0

  var count: Int { 1_111 + 1_000 * activities }

  var json: [UInt8] {
    var number = 0
    let goals = (0..<10).map { goal in
      node(
        "goal-\(goal)",
        (0..<10).map { lesson in
          node(
            "goal-\(goal)-lesson-\(lesson)",
            (0..<10).map { inner in
              let new = inner < replaced ? "new-" : ""
              let key = "\(new)goal-\(goal)-lesson-\(lesson)-inner-\(inner)"
              return node(
                key,
                (0..<activities).map { activity in
                  number += 1
                  let text =
                    "Words of the text \(number), edition \(number % edition.of == 0 ? edition.number : 1), to be read"
                  return #"{"key":"\#(key)-\#(activity)","title":"Text \#(number)","minutes":\#(minutes),"#
                    + #""reading":[{"p":["\#(text)"]}]}"#
                }, title: "Inner \(inner)")
            }, title: "Lesson \(lesson)")
        }, title: "Goal \(goal)")
    }
    let course = #"{"waymark":1,"course":{"key":"\#(key)","title":"Course \#(key)","children":["#
    return Array((course + goals.joined(separator: ",") + "]}}").utf8)
  }

  private func node(_ key: String, _ children: [String], title: String) -> String {
    #"{"key":"\#(key)","title":"\#(title)","children":[\#(children.joined(separator: ","))]}"#
  }
}

/// Visits and reading positions of learners who have begun activities. They are written without the triggers, but satisfy them.
private struct BegunActivities {
  let course: String
  let learners: Int
  let each: Int

  func write(to path: String) throws {
    try Shell.run(in: path) { database in
      let rules = try Row.fetchAll(
        database, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'navigationEvent'")
      for rule in rules { try database.execute(sql: "DROP TRIGGER \(rule[0] as String)") }
      try database.execute(
        sql: """
          CREATE TEMP TABLE place AS
          SELECT row_number() OVER (ORDER BY a.id) AS number, a.id AS node,
            json_array(a.course, l.parent, i.parent, i.id, a.id) AS stack
          FROM contentNode AS a JOIN contentNode AS i ON i.id = a.parent JOIN contentNode AS l ON l.id = i.parent
          WHERE a.kind = 'activity' AND a.course = (SELECT id FROM contentNode WHERE key = '\(course)' AND kind = 'course');
          CREATE INDEX temp.placeByNumber ON place (number);
          CREATE TEMP TABLE pupil AS WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < \(learners))
            SELECT n, (n * 7919) % ((SELECT count(*) FROM place) - \(each)) AS start FROM n;
          INSERT INTO learner (id, name, createdAt) SELECT n, 'pupil-' || n, 0 FROM pupil;
          INSERT INTO session (id, uuid, learner, name, timeZone, startedAt, lastInputAt, replica)
            SELECT n, printf('00000000-0000-4000-8000-%012d', n), n, 'shell', 'UTC', 0, 1000, uuid FROM pupil, replica;
          INSERT INTO navigationEvent (
            uuid, learner, session, sequence, operation, transition, reason, animated, cause, fromKind, fromNode, toKind,
            toNode, stack, at, clock, leftAt, activeMs, courseRevision)
          WITH RECURSIVE s (s) AS (VALUES (1) UNION ALL SELECT s + 1 FROM s WHERE s < \(each))
          SELECT printf('00000000-0000-4001-8000-%012d', n * 1000 + s), n, n, s, 'open', iif(s > 1, 'crossFade', NULL),
            iif(s > 1, 'noMatch', NULL), 0, 'key', iif(s > 1, 'activity', NULL),
            (SELECT node FROM place WHERE number = start + s - 1 AND s > 1), 'activity', place.node, place.stack, s, s,
            iif(s < \(each), s + 1, NULL), iif(s < \(each), 1, NULL), 1
          FROM pupil JOIN s JOIN place ON place.number = start + s
          ORDER BY n, s;
          INSERT INTO visitNamed (learner, name, event) SELECT learner, 'shell', id FROM navigationEvent;
          INSERT INTO readingPosition (learner, node, block, blockOffset, fraction, savedAt)
            SELECT learner, toNode, 1, 0, 0, at FROM navigationEvent;
          DROP TABLE temp.place;
          DROP TABLE temp.pupil;
          """)
      for rule in rules { try database.execute(sql: rule[1] as String) }
    }
  }
}
