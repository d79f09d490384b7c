import Foundation
import GRDB
import LearningModel
import Migrations
import TestSupport
import Testing

@testable import LearningStore

/// Databases that an older program has made, with a life in them, and that this one migrates.
struct LaterMigrationTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func uuid(_ number: Int64) -> String {
    let digits = String(number)
    return "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// Makes a database by all migrations before one: two learners with three sessions, of two names, and twelve steps.
  ///
  /// What is there is written as an older program did it, whatever the tables have learnt since.
  private func older(before name: String) throws -> String {
    let path = folder.file("older.sqlite")
    let store = try LearningStore.open(at: path, migrations: Array(Migrations.all.prefix { $0.name != name }))
    try copySample(to: path)
    try store.write { transaction in
      let database = transaction.database
      for (session, (learner, name)) in [(1, "shell"), (1, "browser"), (2, "shell")].enumerated() {
        try database.execute(
          sql: "INSERT OR IGNORE INTO learner (id, name, createdAt) VALUES (?, ?, 0)",
          arguments: [learner, "l\(learner)"])
        try database.execute(
          sql: """
            INSERT INTO session (id, uuid, learner, name, timeZone, startedAt, lastInputAt)
            VALUES (?, ?, ?, ?, 'UTC', 0, 0)
            """, arguments: [session + 1, Self.uuid(Int64(session + 1)), learner, name])
        for sequence in 1...4 {
          try database.execute(
            sql: """
              INSERT INTO navigationEvent (
                uuid, learner, session, sequence, operation, transition, reason, animated, cause, fromKind, toKind,
                stack, at, clock, leftAt, activeMs)
              VALUES (?1, ?2, ?3, ?4, 'open', ?5, ?6, 0, 'shell', ?7, 'root', '[]', ?8, ?8, ?8, 0)
              """,
            arguments: [
              Self.uuid(Int64(100 * session + sequence)), learner, session + 1, sequence,
              sequence == 1 ? nil : "crossFade", sequence == 1 ? nil : "noMatch", sequence == 1 ? nil : "root",
              1000 * session + sequence,
            ])
        }
      }
      try database.execute(
        sql: """
          INSERT INTO activityEvent (uuid, learner, session, node, kind, at)
          SELECT '\(Self.uuid(900))', 1, 1, id, 'seenToEnd', 5 FROM contentNode WHERE slug = 'agenda';
          INSERT INTO visitEntry (session, position, sequence)
          SELECT session, sequence - 1, sequence FROM navigationEvent;
          INSERT INTO progress (learner, node, begunAt, doneAt) SELECT 1, id, 5, 5 FROM contentNode WHERE slug = 'agenda';
          INSERT INTO placeProgress (learner, node, begun, done, secondsDone)
          SELECT 1, id, 1, 1, (SELECT seconds FROM placeTotal WHERE node = (
            SELECT id FROM contentNode WHERE slug = 'agenda'))
          FROM contentNode WHERE slug IN ('english', 'meetings', 'lopening', 'agenda');
          """)
    }
    try store.close()
    return path
  }

  /// Puts a course into a database by the columns that it has: this program's own way of importing needs newer ones.
  private func copySample(to path: String) throws {
    let sample = try LearningStore.open(at: folder.file("sample.sqlite"))
    try Outline.sample.write(to: sample)
    let queue = try DatabaseQueue(path: path)
    try queue.inDatabase { database in
      try database.execute(sql: "ATTACH ? AS sample; PRAGMA foreign_keys = OFF", arguments: [sample.path])
      for table in ["contentNode", "courseRevision", "course", "activityContent", "placeTotal", "searchRange"]
      where try database.tableExists(table) {
        let columns = try database.columns(in: table).map(\.name).filter { $0 != "living" }.joined(separator: ", ")
        try database.execute(
          sql: "INSERT INTO main.\(table) (\(columns)) SELECT \(columns) FROM sample.\(table)")
      }
    }
    try queue.close()
  }

  /// Migrates a database as a newer program does, which is another process: under another name the door is a new one.
  private func migrate(_ path: String) throws -> LearningStore {
    let moved = folder.file("newer.sqlite")
    try FileManager.default.moveItem(atPath: path, toPath: moved)
    return try LearningStore.open(at: moved)
  }

  /// Every row of every table, by its table, without what is null: a column that came later says nothing of an old row.
  private func everything(_ path: String) throws -> [String: [String]] {
    try DatabaseQueue(path: path).read { database in
      let tables = try String.fetchAll(
        database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'nodeSearch%'")
      return try Dictionary(
        uniqueKeysWithValues: tables.map { table in
          (
            table,
            try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { row in
              "[" + row.filter { !$0.1.isNull }.map { "\($0.0):\($0.1)" }.joined(separator: " ") + "]"
            }
          )
        })
    }
  }

  @Test func `steps by the names of sessions are found in a database that had no such list`() throws {
    let path = try older(before: "0005_visit_named")
    let before = try everything(path)

    let store = try migrate(path)
    let after = try everything(store.path)
    var query = HistoryQuery()
    query.learner = LearnerID(rawValue: 1)
    query.sessionName = "browser"
    let (found, plan) = try store.read { snapshot in
      let statement = try #require(try HistoryStatement(query, limit: nil, in: snapshot))
      let plan = try Row.fetchAll(
        snapshot.database, sql: "EXPLAIN QUERY PLAN \(statement.sql)", arguments: [1, "browser"])
      return (try snapshot.steps(matching: query).map(\.event.id), plan.map { $0["detail"] as String })
    }

    let apart: Set = ["grdb_migrations", "session", "sqlite_sequence"]
    for (table, rows) in before where !apart.contains(table) { #expect(after[table] == rows, "\(table)") }
    #expect(before["visitNamed"] == nil && before["navigationEvent"]?.count == 12)
    #expect(after["visitNamed"]?.count == 12)
    #expect(found == [8, 7, 6, 5])
    #expect(plan.first?.contains("visit USING PRIMARY KEY (learner=? AND name=?") == true, "\(plan)")
    #expect(try store.checkLogs() == [])
    query.learner = nil
    query.sessionName = "shell"
    #expect(try store.read { try $0.steps(matching: query).map(\.event.id) } == [12, 11, 10, 9, 4, 3, 2, 1])
  }

  @Test func `the list of a migrated database follows new steps, and forgets erased ones`() throws {
    let store = try migrate(older(before: "0005_visit_named"))
    try store.write { transaction in
      let record = try #require(try transaction.snapshot.session(SessionID(rawValue: 2)))
      let draft = StepDraft(
        uuid: Self.uuid(800), session: record.session, operation: .open, transition: .crossFade, isAnimated: false,
        cause: .shell, stack: [], at: Timestamp(milliseconds: 9_000), courseRevision: nil)
      _ = try transaction.append(
        draft, after: transaction.snapshot.lastStep(of: record.session.id), presence: record.presence)
    }
    func rows() throws -> [String] {
      try store.read { snapshot in
        try Row.fetchAll(snapshot.database, sql: "SELECT learner || ' ' || name || ' ' || event FROM visitNamed").map {
          $0[0]
        }
      }
    }

    let followed = try rows()
    _ = try store.erase(LearnerID(rawValue: 1))

    #expect(followed.suffix(5) == ["1 shell 4", "2 shell 9", "2 shell 10", "2 shell 11", "2 shell 12"])
    #expect(followed.contains("1 browser 13") && followed.count == 13)
    #expect(try rows() == ["2 shell 9", "2 shell 10", "2 shell 11", "2 shell 12"])
  }

  @Test func `sessions of an older database went on nowhere else, and what was done in them stays`() throws {
    let path = try older(before: "0007_from_elsewhere")
    let before = try everything(path)

    let store = try migrate(path)
    let after = try everything(store.path)

    for (table, rows) in before where !["grdb_migrations", "session"].contains(table) {
      #expect(after[table] == rows, "\(table)")
    }
    #expect(after["session"] == before["session"]?.map { $0.dropLast() + " openElsewhere:0]" })
    #expect(after["merging"] == [])
    #expect(try store.read { try $0.openSessions().map(\.isOpenElsewhere) } == [false, false, false])
    #expect(try store.checkLogs() == [])
  }

  @Test func `things are done in activities only, also after the rule was made anew`() throws {
    let store = try migrate(older(before: "0007_from_elsewhere"))

    #expect(throws: LearningStoreError.self) {
      try store.write { transaction in
        try transaction.database.execute(
          sql: """
            INSERT INTO activityEvent (uuid, learner, session, node, kind, at)
            SELECT ?, 1, 1, id, 'seenToEnd', 6 FROM contentNode WHERE slug = 'lopening'
            """, arguments: [Self.uuid(901)])
      }
    }
  }

  @Test func `visits asked for by position alone are those that were there, and are gone along`() throws {
    let path = try older(before: "0010_fewer_indexes")
    let before = try everything(path)

    let store = try migrate(path)
    let after = try everything(store.path)
    try store.write { transaction in
      let record = try #require(try transaction.snapshot.session(SessionID(rawValue: 2)))
      for (sequence, returnsTo) in [(5, 3), (6, 2), (7, nil)] {
        let draft = StepDraft(
          uuid: Self.uuid(Int64(800 + sequence)), session: record.session, operation: returnsTo == nil ? .open : .back,
          returnsTo: returnsTo, transition: .crossFade, isAnimated: false, cause: .shell, stack: [],
          at: Timestamp(milliseconds: Int64(9_000 + sequence)), courseRevision: nil)
        _ = try transaction.append(
          draft, after: transaction.snapshot.lastStep(of: record.session.id), presence: record.presence)
      }
    }

    for (table, rows) in before where table != "grdb_migrations" { #expect(after[table] == rows, "\(table)") }
    let visits = try store.read { snapshot in
      try Row.fetchAll(snapshot.database, sql: "SELECT position, sequence FROM visitEntry WHERE session = 2").map {
        [$0[0] as Int, $0[1] as Int]
      }
    }
    #expect(visits == [[0, 1], [1, 2], [2, 7]])
    #expect(try store.checkLogs() == [])
  }

  @Test func `a session does not end before its last place was left, also after the rule was made anew`() throws {
    let store = try migrate(older(before: "0010_fewer_indexes"))
    func end(_ session: Int) throws {
      try store.write {
        try $0.database.execute(sql: "UPDATE session SET endedAt = lastInputAt WHERE id = ?", arguments: [session])
      }
    }
    try store.write { transaction in
      let record = try #require(try transaction.snapshot.session(SessionID(rawValue: 2)))
      let draft = StepDraft(
        uuid: Self.uuid(800), session: record.session, operation: .open, transition: .crossFade, isAnimated: false,
        cause: .shell, stack: [], at: Timestamp(milliseconds: 9_000), courseRevision: nil)
      _ = try transaction.append(
        draft, after: transaction.snapshot.lastStep(of: record.session.id), presence: record.presence)
    }

    #expect(throws: LearningStoreError.self) { try end(2) }
    try end(1)
    try store.write { try $0.end(try #require(try $0.snapshot.session(SessionID(rawValue: 2)))) }

    #expect(try store.read { try $0.openSessions().map(\.session.id.rawValue) } == [3])
  }
}
