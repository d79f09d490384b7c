import Foundation
import GRDB
import Migrations
import TestSupport
import Testing

@testable import LearningStore

struct MigratingTests {
  let folder: TemporaryFolder
  var path: String { folder.file("waymark.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private let next = Migrations.Migration(name: "9000_next", sql: "CREATE TABLE next (a); INSERT INTO next VALUES (7)")

  @Test func `an older database is backed up in its folder, then migrated`() throws {
    let old = try LearningStore.open(at: path, migrations: Migrations.all)
    try old.write { transaction in
      try transaction.database.execute(
        sql: "CREATE TABLE kept AS SELECT 'old' AS a; INSERT INTO learner (name, createdAt) VALUES ('ada', 0)")
    }
    try old.close()

    // The file is moved, because this process still has the closed store registered for its old path. A newer program
    // would be another process.
    let file = folder.file("moved.sqlite")
    try FileManager.default.moveItem(atPath: path, toPath: file)
    let new = try LearningStore.open(at: file, migrations: Migrations.all + [next])

    #expect(try new.read { try Int.fetchOne($0.database, sql: "SELECT a FROM next") } == 7)
    #expect(try new.read { try String.fetchOne($0.database, sql: "SELECT a FROM kept") } == "old")
    #expect(try folder.permissions(of: "moved.sqlite.before-9000_next") == 0o600)
    let copy = try LearningStore.open(at: "\(file).before-9000_next", migrations: Migrations.all)
    #expect(try copy.read { try String.fetchOne($0.database, sql: "SELECT a FROM kept") } == "old")
    #expect(try copy.read { try $0.database.tableExists("next") } == false)
  }

  @Test func `a database of the version before exercises has the same tables as a new one after it was migrated`()
    throws
  {
    let old = try LearningStore.open(at: path, migrations: Array(Migrations.all.prefix(4)))
    try old.write { try $0.database.execute(sql: "INSERT INTO learner (name, createdAt) VALUES ('ada', 0)") }
    try old.close()
    let file = folder.file("moved.sqlite")
    try FileManager.default.moveItem(atPath: path, toPath: file)

    let new = try LearningStore.open(at: file)

    let schema =
      "SELECT group_concat(sql, char(10)) FROM (SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY name)"
    let fresh = try LearningStore.open(at: folder.file("fresh.sqlite"))
    #expect(
      try new.read { try String.fetchOne($0.database, sql: schema) }
        == fresh.read { try String.fetchOne($0.database, sql: schema) })
    #expect(try folder.names.contains("moved.sqlite.before-0005_exercises"))
  }

  @Test func `opening a migrated database restores its missing version number`() throws {
    func number(_ store: LearningStore) throws -> Int? {
      try store.read { try Int.fetchOne($0.database, sql: "PRAGMA user_version") }
    }
    let version = DatabaseState.versionNumber(of: Migrations.all)
    let made = try LearningStore.open(at: path)
    try #require(try number(made) == version)
    try made.write {
      try $0.database.execute(sql: "PRAGMA user_version = \(LearningStore.exposureReportedBit | DatabaseState.version)")
    }
    try made.close()

    let file = folder.file("moved.sqlite")
    for name in try folder.names where name.hasPrefix("waymark.sqlite") {
      try FileManager.default.moveItem(
        atPath: folder.file(name), toPath: file + name.dropFirst("waymark.sqlite".count))
    }
    let opened = try LearningStore.open(at: file)

    #expect(try number(opened) == LearningStore.exposureReportedBit | version)
    #expect(DatabaseState.versionNumber(of: Migrations.all + [next]) != version)
    #expect(version < LearningStore.exposureReportedBit && version & 0xFF == DatabaseState.version)
    #expect(try folder.names.filter { $0.contains("before") } == [])
  }

  @Test func `the backup before a migration overwrites no existing file`() throws {
    let old = try LearningStore.open(at: path, migrations: Migrations.all)
    try old.write { try $0.database.execute(sql: "INSERT INTO learner (name, createdAt) VALUES ('ada', 0)") }
    try old.close()
    let file = folder.file("moved.sqlite")
    try FileManager.default.moveItem(atPath: path, toPath: file)
    // A file, a link to another file, a broken link, and a journal that SQLite would play back.
    let copy = "moved.sqlite.before-9000_next"
    try folder.write(Data("mine".utf8), to: copy)
    try folder.write(Data("notes".utf8), to: "notes")
    try FileManager.default.createSymbolicLink(atPath: folder.file("\(copy).2"), withDestinationPath: "notes")
    try FileManager.default.createSymbolicLink(atPath: folder.file("\(copy).3"), withDestinationPath: "nowhere")
    try folder.write(Data("log".utf8), to: "\(copy).4-journal")

    let new = try LearningStore.open(at: file, migrations: Migrations.all + [next])

    #expect(try new.read { try Int.fetchOne($0.database, sql: "SELECT a FROM next") } == 7)
    #expect(try folder.bytes(of: copy) == Data("mine".utf8))
    #expect(try folder.bytes(of: "notes") == Data("notes".utf8))
    #expect(try folder.bytes(of: "\(copy).4-journal") == Data("log".utf8))
    let others = [copy, "\(copy).2", "\(copy).3", "\(copy).4-journal", "\(copy).5"]
    #expect(try folder.names.filter { $0.hasPrefix(copy) } == others)
    #expect(try folder.permissions(of: "\(copy).5") == 0o600)
    let backup = try DatabaseQueue(path: folder.file("\(copy).5"))
    #expect(try backup.read { try String.fetchOne($0, sql: "SELECT name FROM learner") } == "ada")
    #expect(try backup.read { try $0.tableExists("next") } == false)
  }

  @Test func `a new database is not backed up`() throws {
    let store = try LearningStore.open(at: path, migrations: Migrations.all + [next])
    try store.close()

    #expect(try folder.names.filter { $0.contains("before") } == [])
  }

  @Test(arguments: [1, 2, Migrations.all.count])
  func `a database whose creation was interrupted is completed without a backup`(migrations: Int) throws {
    try LearningStore.open(at: path, migrations: Array(Migrations.all.prefix(migrations))).close()
    let file = folder.file("moved.sqlite")
    try FileManager.default.moveItem(atPath: path, toPath: file)

    let completed = try LearningStore.open(at: file, migrations: Migrations.all + [next])

    #expect(try completed.read { try Int.fetchOne($0.database, sql: "SELECT a FROM next") } == 7)
    #expect(try folder.names.filter { $0.contains("before") } == [])
  }

  @Test func `a failed migration keeps the changes of the previous migrations`() throws {
    let broken = Migrations.Migration(name: "9001_broken", sql: "CREATE TABLE half (a); INSERT INTO nowhere VALUES (1)")

    let error = #expect(throws: LearningDatabaseError.self) {
      _ = try LearningStore.open(at: path, migrations: Migrations.all + [next, broken])
    }

    #expect(
      error
        == .migrationFailed(path: path, migration: "9001_broken", detail: "no such table: nowhere"))
    let store = try LearningStore.open(at: path, migrations: Migrations.all + [next])
    #expect(try store.read { try $0.database.tableExists("half") } == false)
    #expect(try store.read { try Int.fetchOne($0.database, sql: "SELECT a FROM next") } == 7)
  }

  @Test func `the list of migrations equals the files in the folder`() throws {
    let sql = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Migrations/sql")
    let files = try FileManager.default.contentsOfDirectory(atPath: sql.path).sorted()

    #expect(Migrations.all.map { "\($0.name).sql" } == files)
    for migration in Migrations.all {
      #expect(try String(contentsOf: sql.appending(path: "\(migration.name).sql"), encoding: .utf8) == migration.sql)
    }
  }

  @Test(arguments: 0..<3)
  func `while tables are being created, the file is a database of Waymark, and another program can finish them`(
    failing: Int
  ) throws {
    var migrations = Migrations.all
    migrations[failing] = Migrations.Migration(name: migrations[failing].name, sql: "SELECT no_such_function()")

    // Keeps the tables in the state between two migrations.
    #expect(throws: LearningDatabaseError.self) { try LearningStore.open(at: path, migrations: migrations) }
    let state = try DatabaseState(of: DatabaseFile(at: path), migrations: Migrations.all)
    let store = try LearningStore.open(at: path)

    #expect(state == .older(firstMissing: migrations[failing].name))
    #expect(try store.read { try $0.courses() }.isEmpty)
    #expect(try folder.names.allSatisfy { !$0.contains(".before-") })
  }
}
