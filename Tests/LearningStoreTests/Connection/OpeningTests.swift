import Foundation
import GRDB
import LearningModel
import Migrations
import TestSupport
import Testing

@testable import LearningStore

struct OpeningTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `a database is created on first use, readable only by its owner`() throws {
    let store = try LearningStore.open(at: folder.file("a/b/waymark.sqlite"))
    try store.write { try $0.database.execute(sql: "CREATE TABLE once (a)") }

    #expect(store.path == folder.file("a/b/waymark.sqlite"))
    #expect(try folder.permissions(of: "a") == 0o700)
    #expect(try folder.permissions(of: "a/b") == 0o700)
    #expect(try folder.permissions(of: "a/b/waymark.sqlite") == 0o600)
    #expect(try folder.permissions(of: "a/b/waymark.sqlite-wal") == 0o600)
  }

  @Test func `an existing folder keeps its permissions`() throws {
    let before = try folder.permissions(of: "")

    _ = try LearningStore.open(at: folder.file("waymark.sqlite"))

    #expect(try folder.permissions(of: "") == before)
  }

  @Test func `writing connections use the specified journal mode, foreign keys and durability`() throws {
    let store = try LearningStore.open(at: folder.file("waymark.sqlite"))

    func pragma(_ name: String, _ database: Database) throws -> String? {
      try String.fetchOne(database, sql: "PRAGMA \(name)")
    }

    let ofWriter = try store.write { transaction in
      try ["journal_mode", "foreign_keys", "synchronous"].map { try pragma($0, transaction.database) }
    }
    let whenItMustLast = try store.write(durability: .powerCut) { try pragma("synchronous", $0.database) }
    let afterwards = try store.write { try pragma("synchronous", $0.database) }
    #expect(ofWriter == ["wal", "1", "1"])
    #expect(whenItMustLast == "2")
    #expect(afterwards == "1")
  }

  @Test func `opening a complete database does not change its version numbers`() throws {
    func numbers(_ store: LearningStore) throws -> [Int?] {
      try store.read { snapshot in
        try ["schema_version", "user_version"].map { try Int.fetchOne(snapshot.database, sql: "PRAGMA \($0)") }
      }
    }
    let noted = LearningStore.exposureReportedBit | DatabaseState.versionNumber(of: Migrations.all)
    let made = try LearningStore.open(at: folder.file("made.sqlite"))
    try made.write { try $0.database.execute(sql: "PRAGMA user_version = \(noted)") }
    let before = try numbers(made)
    // This is the state after the last program has closed the database and removed the log.
    try made.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try FileManager.default.copyItem(atPath: made.path, toPath: folder.file("waymark.sqlite"))

    let opened = try LearningStore.open(at: folder.file("waymark.sqlite"))

    #expect(try numbers(opened) == before)
    #expect(before.last == noted)
  }

  @Test func `opening a file again returns the same store, also through symbolic links`() throws {
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.path)

    let first = try LearningStore.open(at: folder.file("waymark.sqlite"))
    let second = try LearningStore.open(at: folder.file("link/waymark.sqlite"))

    #expect(first === second)
  }

  @Test func `a file that replaced another one gets a new store`() throws {
    let first = try LearningStore.open(at: folder.file("waymark.sqlite"))
    for name in try folder.names { try FileManager.default.removeItem(atPath: folder.file(name)) }

    let second = try LearningStore.open(at: folder.file("waymark.sqlite"))

    #expect(first !== second)
    #expect(try second.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM contentNode") } == 0)
  }

  @Test func `a write that throws is rolled back`() throws {
    struct Stop: Error {}
    let store = try LearningStore.open(at: folder.file("waymark.sqlite"))

    #expect(throws: Stop.self) {
      try store.write { transaction in
        try transaction.database.execute(sql: "CREATE TABLE half (a)")
        throw Stop()
      }
    }

    #expect(try store.read { try $0.database.tableExists("half") } == false)
  }

  @Test func `many threads can open a new database at the same time`() async throws {
    let path = folder.file("waymark.sqlite")
    // Several tasks open the database at the same time, as several processes would.
    let counts = try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let store = try LearningStore.open(at: path)
          return try store.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM grdb_migrations") }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }

    #expect(counts == Array(repeating: Migrations.all.count, count: 8))
  }
}
