import Foundation
import GRDB
import LearningModel
import TestSupport
import Testing

@testable import LearningStore

/// Tests that the tables reject invalid changes to the logs that are made with plain SQL. The IDs of the nodes of the
/// sample: 1 english, 2 meetings, 3 lopening, 4 agenda.
///
/// Ada (1) has an open session (1) with two navigation events: a `resume` at the root, and an `open` of agenda, whose
/// visit has not ended. Ben (2) has an ended session (2), and one without events (3).
struct LogRulesTests {
  let folder: TemporaryFolder
  let shell: DatabaseQueue

  init() throws {
    folder = try TemporaryFolder()
    let store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    try CourseOutlines.sample.write(to: store)
    shell = try DatabaseQueue(path: folder.file("waymark.sqlite"))
    try store.write { transaction in
      let ada = try transaction.makeLearner(named: "ada", at: Timestamp(milliseconds: 0))
      let ben = try transaction.makeLearner(named: "ben", at: Timestamp(milliseconds: 0))
      let session = try transaction.beginSession(
        of: ada.id, uuid: Self.uuid(1), named: "shell", timeZone: "UTC", lockFile: nil, at: Timestamp(milliseconds: 10))
      var draft = PendingEvent(
        uuid: Self.uuid(11), session: session.session, operation: .resume, transition: nil, isAnimated: false,
        cause: .system, stack: [], at: Timestamp(milliseconds: 10), courseRevision: nil)
      _ = try transaction.append(draft, after: nil, presence: session.presence)
      draft.uuid = Self.uuid(12)
      draft.operation = .open
      draft.transition = TransitionChoice(
        kind: .courseCard, direction: .down, reason: .matched, node: NodeID(rawValue: 1))
      draft.stack = try transaction.snapshot.chain(to: NodeID(rawValue: 4))
      draft.at = Timestamp(milliseconds: 20)
      _ = try transaction.append(
        draft, after: transaction.snapshot.lastNavigationEvent(of: session.session.id), presence: session.presence)
      _ = try transaction.append(
        PendingActivityEvent(
          uuid: Self.uuid(21), session: session.session, node: NodeID(rawValue: 4), kind: .seenToEnd, detail: nil,
          score: nil, at: Timestamp(milliseconds: 30)))
      let ended = try transaction.beginSession(
        of: ben.id, uuid: Self.uuid(2), named: "shell", timeZone: "UTC", lockFile: nil, at: Timestamp(milliseconds: 10))
      try transaction.end(ended)
      _ = try transaction.beginSession(
        of: ben.id, uuid: Self.uuid(3), named: "shell", timeZone: "UTC", lockFile: nil, at: Timestamp(milliseconds: 10))
    }
  }

  private static func uuid(_ number: Int) -> String {
    "00000000-0000-0000-0000-0000000000" + (number < 10 ? "0" : "") + "\(number)"
  }

  private func everything() throws -> [String] {
    try shell.read { database in
      try [
        "learner", "session", "navigationEvent", "activityEvent", "stackEntry", "visitEntry", "visitUnder",
        "placeScore", "progress", "placeTotal", "placeProgress",
      ].flatMap { table in try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" } }
    }
  }

  /// Returns SQL that adds a valid event of Ada, from agenda to its parent. Each test case changes one part of the SQL.
  private static func step(_ changes: (from: String, to: String)...) -> String {
    var sql = """
      UPDATE navigationEvent SET leftAt = 40, activeMs = 20 WHERE id = 2; \
      INSERT INTO navigationEvent (uuid, learner, session, sequence, operation, returnsTo, transition, direction, \
      reason, movingNode, animated, cause, fromKind, fromNode, toKind, toNode, stack, at, clock) VALUES ( \
      '\(uuid(13))', 1, 1, 3, 'pop', NULL, 'activityCard', 'up', 'matched', 4, 0, 'key', 'activity', 4, 'lesson', 3, \
      '[1,2,3]', 40, 40)
      """
    for change in changes { sql = sql.replacingOccurrences(of: change.from, with: change.to) }
    return sql
  }

  private static func merging(_ learner: Int, split: Int? = nil) -> String {
    "INSERT INTO merging VALUES (\(learner), \(split.map { "\($0)" } ?? "NULL")); "
  }

  private static let event =
    "INSERT INTO activityEvent (uuid, learner, session, sequence, node, kind, detail, score, at, orderedAt) VALUES "

  static let attacks: [(sql: String, refusal: String)] = [
    // Sequence numbers within a session.
    (step(("1, 1, 3, 'pop'", "1, 1, 4, 'pop'")), "navigationEvent: the sequence has a gap"),
    (step(("1, 1, 3, 'pop'", "1, 1, 2, 'pop'")), "navigationEvent: the sequence has a gap"),
    (step(("1, 1, 3, 'pop'", "1, 2, 1, 'pop'")), "navigationEvent: the session is not the learner's"),
    (step(("1, 1, 3, 'pop'", "2, 2, 1, 'pop'")), "navigationEvent: the session has ended"),
    (step(("1, 1, 3, 'pop'", "1, 9, 1, 'pop'")), "navigationEvent: the session is not the learner's"),
    (step(("leftAt = 40, activeMs = 20", "uuid = uuid")), "navigationEvent: the place before was not left"),
    (
      step(("'activity', 4, 'lesson'", "'lesson', 3, 'lesson'")),
      "navigationEvent: the step does not begin where the last one ended"
    ),
    (step(("40, 40)", "10, 10)")), "navigationEvent: clock is not the latest time of the learner"),
    (step(("40, 40)", "40, 41)")), "navigationEvent: clock is not the latest time of the learner"),
    // Values of an event.
    (step(("'pop'", "'Jump'")), "CHECK constraint failed: operation GLOB"),
    (step(("'key'", "''")), "CHECK constraint failed: cause GLOB"),
    (step(("'activityCard'", "'\(String(repeating: "zoom", count: 11))'")), "CHECK constraint failed: transition GLOB"),
    (step(("'up'", "NULL")), "CHECK constraint failed: direction IS NOT NULL OR"),
    (step(("'matched', 4", "'matched', NULL")), "CHECK constraint failed: (movingNode IS NULL)"),
    (step(("'matched'", "'noMatch'")), "CHECK constraint failed: (reason = 'noMatch')"),
    (step(("'lesson', 3, '[1,2,3]'", "'root', 3, '[1,2,3]'")), "CHECK constraint failed: toNode IS NULL OR"),
    (step(("[1,2,3]", "[1,2]")), "navigationEvent: the stack does not end in the place"),
    (step(("[1,2,3]", "[1,99,3]")), "navigationEvent: the stack names a node that does not exist"),
    (step(("'[1,2,3]'", "'{\"a\":3}'")), "navigationEvent: the stack does not end in the place"),
    (
      step(("'pop', NULL", "'back', NULL")),
      "navigationEvent: a traversal does not name the visit that it returns to"
    ),
    (step(("'pop', NULL", "'pop', 1")), "navigationEvent: the visit that it returns to was of another place"),
    (step(("'pop', NULL", "'back', 1")), "navigationEvent: the visit that it returns to was of another place"),
    (step((uuid(13), "x")), "CHECK constraint failed: length(uuid) = 36"),
    (step((uuid(13), uuid(12))), "navigationEvent: a recorded value never changes"),
    // Events never change.
    ("UPDATE navigationEvent SET toNode = 3 WHERE id = 2", "navigationEvent: a recorded value never changes"),
    ("UPDATE navigationEvent SET at = 5", "navigationEvent: a recorded value never changes"),
    ("UPDATE navigationEvent SET leftAt = 99, activeMs = 1 WHERE id = 1", "navigationEvent: a recorded value never"),
    ("UPDATE navigationEvent SET leftAt = 99 WHERE id = 2", "CHECK constraint failed: (leftAt IS NULL)"),
    ("UPDATE navigationEvent SET leftAt = 5, activeMs = 0 WHERE id = 2", "CHECK constraint failed: leftAt >= at"),
    ("UPDATE navigationEvent SET leftAt = 25, activeMs = 9 WHERE id = 2", "CHECK constraint failed: activeMs BETWEEN"),
    ("DELETE FROM navigationEvent WHERE id = 1", "navigationEvent: only an erasure deletes it"),
    (
      step(
        ("INSERT INTO navigationEvent (uuid", "INSERT OR REPLACE INTO navigationEvent (id, uuid"),
        ("VALUES (", "VALUES (1,")),
      "navigationEvent: a recorded value never changes"
    ),
    ("UPDATE activityEvent SET at = 5", "activityEvent: a recorded value never changes"),
    ("DELETE FROM activityEvent", "activityEvent: only an erasure deletes it"),
    (
      event + "('\(uuid(22))', 1, 1, 2, 3, 'markedDone', NULL, NULL, 5, 31)",
      "activityEvent: the node is not an activity"
    ),
    (
      event + "('\(uuid(22))', 2, 1, 1, 4, 'markedDone', NULL, NULL, 5, 5)",
      "activityEvent: the session is not the learner's"
    ),
    (event + "('\(uuid(22))', 2, 2, 1, 4, 'markedDone', NULL, NULL, 5, 5)", "activityEvent: the session has ended"),
    (
      event + "('\(uuid(22))', 1, 1, 3, 4, 'markedDone', NULL, NULL, 50, 50)", "activityEvent: the sequence has a gap"
    ),
    (
      event + "('\(uuid(22))', 1, 1, 2, 4, 'markedDone', NULL, NULL, 50, 60)",
      "activityEvent: orderedAt does not follow the learner's other events"
    ),
    (
      event + "('\(uuid(22))', 1, 1, 2, 4, 'markedDone', NULL, NULL, 5, 5)",
      "activityEvent: orderedAt does not follow the learner's other events"
    ),
    (
      event + "('\(uuid(22))', 1, 1, 2, 4, 'cardGraded', NULL, NULL, 5, 30)",
      "activityEvent: orderedAt does not follow the learner's other events"
    ),
    (
      event + "('\(uuid(22))', 1, 1, 2, 4, 'cardGraded', NULL, NULL, -5, -5)",
      "activityEvent: orderedAt does not follow the learner's other events"
    ),
    (
      merging(1)
        + event + "('\(uuid(22))', 1, 1, 2, 4, 'markedDone', NULL, NULL, 5, 9007199254740992)",
      "CHECK constraint failed: orderedAt BETWEEN 0"
    ),
    (event + "('\(uuid(22))', 1, 1, 2, 4, '?', NULL, NULL, 5, 31)", "CHECK constraint failed: kind GLOB"),
    (event + "('\(uuid(22))', 1, 1, 2, 4, 'quizChecked', '{', NULL, 5, 31)", "CHECK constraint failed: detail IS NULL"),
    (event + "('\(uuid(22))', 1, 1, 2, 4, 'quizChecked', NULL, 1.5, 5, 31)", "CHECK constraint failed: score BETWEEN"),
    (
      event.replacingOccurrences(of: "INSERT", with: "INSERT OR REPLACE")
        + "('\(uuid(21))', 1, 1, 2, 4, 'markedDone', NULL, NULL, 5, 30)",
      "activityEvent: a recorded value never changes"
    ),
    // Sessions and learners.
    ("UPDATE session SET endedAt = 50 WHERE id = 1", "session: the last place was not left"),
    ("UPDATE session SET endedAt = NULL WHERE id = 2", "session: a recorded value never changes"),
    ("UPDATE session SET startedAt = 0 WHERE id = 1", "session: a recorded value never changes"),
    ("UPDATE session SET learner = 2 WHERE id = 1", "session: a recorded value never changes"),
    ("DELETE FROM session WHERE id = 3", "session: only an erasure deletes it"),
    (
      "INSERT OR REPLACE INTO session (id, uuid, learner, name, timeZone, startedAt, lastInputAt, replica) "
        + "SELECT 1, '\(uuid(9))', 1, 'x', 'UTC', 0, 0, uuid FROM replica", "session: a recorded value never changes"
    ),
    (
      "INSERT INTO session (uuid, learner, name, timeZone, startedAt, lastInputAt, replica) "
        + "SELECT '\(uuid(9))', 1, 'shell', 'UTC', 0, 0, uuid FROM replica",
      "UNIQUE constraint failed: session.learner, session.name"
    ),
    // Sessions of other databases.
    (
      "INSERT INTO session (uuid, learner, name, timeZone, startedAt, lastInputAt, replica) "
        + "VALUES ('\(uuid(9))', 1, 'x', 'UTC', 0, 0, 'other')", "session: it belongs to another database"
    ),
    ("UPDATE session SET replica = 'other' WHERE id = 1", "session: a recorded value never changes"),
    (
      "UPDATE replica SET uuid = 'other'; UPDATE session SET lastInputAt = 90 WHERE id = 1", "session: a recorded value"
    ),
    ("UPDATE replica SET uuid = 'other'; " + step(), "navigationEvent: a recorded value never changes"),
    (
      "UPDATE navigationEvent SET leftAt = 40, activeMs = 20 WHERE id = 2; UPDATE replica SET uuid = 'other'; "
        + step(("UPDATE navigationEvent SET leftAt = 40, activeMs = 20 WHERE id = 2; ", "")),
      "navigationEvent: the session belongs to another database"
    ),
    (
      "UPDATE replica SET uuid = 'other'; " + event + "('\(uuid(22))', 1, 1, 2, 4, 'markedDone', NULL, NULL, 50, 50)",
      "activityEvent: the session belongs to another database"
    ),
    // Values that are set never change, also while merging.
    (merging(1) + "UPDATE navigationEvent SET leftAt = 99 WHERE id = 1", "navigationEvent: a recorded value"),
    (
      merging(1) + "UPDATE navigationEvent SET leftAt = NULL, activeMs = NULL WHERE id = 1",
      "navigationEvent: a recorded value"
    ),
    (merging(1) + "UPDATE navigationEvent SET at = 5 WHERE id = 2", "navigationEvent: a recorded value never changes"),
    (merging(1) + "UPDATE navigationEvent SET sequence = 9 WHERE id = 2", "navigationEvent: a recorded value never"),
    (merging(1) + "UPDATE activityEvent SET sequence = 9", "activityEvent: a recorded value never changes"),
    (merging(1) + step(("'pop', NULL", "'back', NULL")), "navigationEvent: a traversal does not name the visit"),
    (merging(2) + "UPDATE session SET endedAt = 99 WHERE id = 2", "session: a recorded value never"),
    (merging(2) + "UPDATE session SET endedAt = NULL WHERE id = 2", "session: a recorded value never"),
    (merging(1) + "UPDATE session SET startedAt = 1 WHERE id = 1", "session: a recorded value never"),
    // Values that are set never change, also while a session is split.
    (merging(1, split: 1) + "UPDATE navigationEvent SET leftAt = 99 WHERE id = 1", "navigationEvent: a recorded value"),
    (merging(1, split: 1) + "UPDATE navigationEvent SET toNode = 3 WHERE id = 2", "navigationEvent: a recorded value"),
    (merging(1, split: 1) + "UPDATE activityEvent SET orderedAt = 31", "activityEvent: a recorded value never changes"),
    (merging(2, split: 2) + "UPDATE session SET endedAt = 99 WHERE id = 2", "session: a recorded value never"),
    (merging(2, split: 3) + "UPDATE session SET endedAt = NULL WHERE id = 2", "session: a recorded value never"),
    ("DELETE FROM learner WHERE id = 1", "FOREIGN KEY constraint failed"),
    ("INSERT INTO learner (name, createdAt) VALUES (' ada', 0)", "CHECK constraint failed: trim(name) = name"),
    ("INSERT INTO learner (name, createdAt) VALUES ('ada', 0)", "UNIQUE constraint failed: learner.name"),
    // Stacks.
    ("INSERT INTO stackEntry VALUES (1, 5, 3)", "stackEntry: the stack is not a chain of parents"),
    ("INSERT INTO stackEntry VALUES (3, 1, 2)", "stackEntry: the stack is not a chain of parents"),
    ("UPDATE stackEntry SET node = 5 WHERE depth = 4", "stackEntry: entries are added and removed, never changed"),
  ]

  @Test(arguments: attacks)
  func `an invalid change of the logs by SQL is rejected without effect`(sql: String, refusal: String) throws {
    let before = try everything()

    #expect {
      try shell.write { try $0.execute(sql: sql) }
    } throws: { error in
      "\((error as? DatabaseError)?.message ?? "")".hasPrefix(refusal)
    }

    #expect(try everything() == before)
  }

  @Test func `a valid navigation event is accepted`() throws {
    try shell.write { try $0.execute(sql: Self.step()) }

    #expect(try shell.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM navigationEvent") } == 3)
  }

  @Test func `a check reports what no database would have written`() throws {
    let sql = Self.event + "('\(Self.uuid(22))', 1, 1, 2, 4, 'markedDone', NULL, NULL, 20, 30)"
    try shell.write { try $0.execute(sql: "\(Self.merging(1))\(sql); DELETE FROM merging") }
    let store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    defer { try? store.close() }

    let problem = "1 activity event(s) that do not follow the previous one of their session."
    #expect(try store.checkLogs().map(\.description).contains(problem))
  }

  @Test func `a learner's row can be deleted while the learner is being erased`() throws {
    try shell.write { database in
      try database.execute(
        sql: """
          INSERT INTO erasure VALUES (1);
          DELETE FROM visitUnder; DELETE FROM visitEntry; DELETE FROM stackEntry; DELETE FROM placeScore;
          DELETE FROM progress; DELETE FROM placeProgress; DELETE FROM activityEvent WHERE learner = 1;
          DELETE FROM navigationEvent WHERE learner = 1; DELETE FROM session WHERE learner = 1;
          DELETE FROM erasure; DELETE FROM learner WHERE id = 1;
          """)
    }

    #expect(try shell.read { try String.fetchAll($0, sql: "SELECT name FROM learner") } == ["ben"])
  }

  @Test func `the views can be queried with plain SQL`() throws {
    let rows = try shell.read { database in
      try Row.fetchAll(
        database,
        sql: "SELECT learner, sequence, operation, traversal, kind, path, title, at, leftAt, dwellMs FROM visit"
      ).map(\.description)
        + Row.fetchAll(database, sql: "SELECT * FROM learnerProgress ORDER BY path").map(\.description)
    }

    #expect(
      rows == [
        #"[learner:"ada" sequence:1 operation:"resume" traversal:0 kind:"root" path:"/" title:"Courses" "#
          + #"at:"1970-01-01T00:00:00.010Z" leftAt:"1970-01-01T00:00:00.020Z" dwellMs:10]"#,
        #"[learner:"ada" sequence:2 operation:"open" traversal:0 kind:"activity" "#
          + #"path:"english/meetings/lopening/agenda" title:"Agenda" at:"1970-01-01T00:00:00.020Z" leftAt:NULL "#
          + #"dwellMs:NULL]"#,
        #"[learner:"ada" path:"english" kind:"course" title:"English" begun:1 done:1 total:5]"#,
        #"[learner:"ada" path:"english/meetings" kind:"goal" title:"Meetings" begun:1 done:1 total:4]"#,
        #"[learner:"ada" path:"english/meetings/lopening" kind:"lesson" title:"Lopening" begun:1 done:1 total:2]"#,
        #"[learner:"ada" path:"english/meetings/lopening/agenda" kind:"activity" title:"Agenda" begun:1 done:1 "#
          + "total:1]",
      ])
  }
}
