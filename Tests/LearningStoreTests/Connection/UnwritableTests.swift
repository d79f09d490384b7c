import Foundation
import GRDB
import LearningModel
import Migrations
import TestSupport
import Testing

@testable import LearningStore

#if canImport(Glibc)
import Glibc
#endif

/// Tests a database whose file cannot be written.
struct UnwritableTests {
  let folder: TemporaryFolder
  var path: String { folder.file("waymark.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Opens a store whose file has no space for another page.
  private func openFullStore() throws -> LearningStore {
    let store = try LearningStore.open(at: path)
    try store.write { transaction in
      try transaction.database.execute(sql: "CREATE TABLE word (text)")
      let pages = try Int.fetchOne(transaction.database, sql: "PRAGMA page_count") ?? 0
      try transaction.database.execute(sql: "PRAGMA max_page_count = \(pages)")
    }
    return store
  }

  private func add(_ word: String, to store: LearningStore) throws {
    try store.write {
      try $0.database.execute(sql: "INSERT INTO word VALUES (?), (zeroblob(100000))", arguments: [word])
    }
  }

  private func words(in store: LearningStore) throws -> [String] {
    try store.read { try String.fetchAll($0.database, sql: "SELECT text FROM word WHERE typeof(text) = 'text'") }
  }

  @Test func `writes on a full disk continue in memory if allowed`() throws {
    let store = try openFullStore()
    store.allowScratch()

    #expect(store.refusal == nil && !store.isScratch)
    try add("first", to: store)
    try add("second", to: store)

    #expect(store.refusal == .diskFull(path: path) && store.isScratch)
    #expect(try words(in: store) == ["first", "second"])
    #expect(try store.readLatest { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM word") } == 4)
    let file = try DatabaseQueue(path: path)
    #expect(try file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM word") } == 0)
  }

  @Test func `imports fail after writes have switched to memory`() throws {
    let store = try openFullStore()
    store.allowScratch()
    try add("first", to: store)

    #expect(throws: LearningDatabaseError.diskFull(path: path)) { try store.importing { _ in } }
    #expect(throws: LearningDatabaseError.diskFull(path: path)) { try store.checkWritable() }
  }

  @Test func `a check that writes and rolls back works on a full disk`() throws {
    let store = try openFullStore()

    let count = try store.withScratch { store in
      try add("first", to: store)
      return try words(in: store).count
    }

    #expect(count == 1)
    #expect(store.refusal == nil && !store.isScratch)
    #expect(try words(in: store) == [])
  }

  @Test func `opening a database with an empty log needs no write lock`() throws {
    try LearningStore.open(at: path).close()
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: path, configuration: configuration)
    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    try #require(DatabaseFile.size(at: path + "-wal") == 0)

    let store = try LearningStore.open(at: path)
    let count = try store.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM contentNode") }
    try other.inDatabase { database in
      try database.execute(sql: "CREATE TABLE other (a); COMMIT")
    }

    #expect(count == 0)
    #expect(try store.read { try $0.database.tableExists("other") })
    try store.write { try $0.database.execute(sql: "DROP TABLE other") }
    #expect(try store.read { try $0.fileProblems() } == [])
  }

  #if canImport(Glibc)
  private func asNobody<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
    let me = setFileSystemUser(65_534)
    defer { _ = setFileSystemUser(UInt32(me)) }
    return try body()
  }

  @Test(.enabled(if: geteuid() == 0))
  func `a log without shared memory is readable without write permission`() throws {
    let other = try TemporaryFolder()
    let alive = try LearningStore.open(at: other.file("waymark.sqlite"))
    try alive.write { try $0.database.execute(sql: "CREATE TABLE kept AS SELECT 1 AS a") }
    for name in ["waymark.sqlite", "waymark.sqlite-wal"] {
      try folder.write(other.bytes(of: name), to: name)
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.file(name))
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)

    try asNobody {
      let store = try LearningStore.open(at: path)
      #expect(store.refusal == .readOnly(path: path))
      #expect(try store.read { try Int.fetchOne($0.database, sql: "SELECT a FROM kept") } == 1)
      #expect(try store.readLatest { try Int.fetchOne($0.database, sql: "SELECT a FROM kept") } == 1)
      try store.close()
    }
    #expect(try folder.names == ["waymark.sqlite", "waymark.sqlite-wal"])
  }

  @Test(.enabled(if: geteuid() == 0))
  func `an older read-only database is migrated in memory`() throws {
    let store = try LearningStore.open(at: path)
    try store.write { try $0.database.execute(sql: "CREATE TABLE kept AS SELECT 1 AS a") }
    try store.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    let before = try folder.bytes(of: "waymark.sqlite")
    let next = Migrations.Migration(name: "9000_next", sql: "CREATE TABLE next AS SELECT a + 1 AS a FROM kept")

    try asNobody {
      let store = try LearningStore.open(at: path, migrations: Migrations.all + [next])
      #expect(try store.read { try Int.fetchOne($0.database, sql: "SELECT a FROM next") } == 2)
      #expect(throws: LearningDatabaseError.readOnly(path: path)) { try store.write { _ in } }
    }
    #expect(try folder.names == ["waymark.sqlite", "waymark.sqlite-sessions"])
    #expect(try folder.bytes(of: "waymark.sqlite") == before)
  }
  #endif
}

#if canImport(Glibc)
@_silgen_name("setfsuid")
private func setFileSystemUser(_ user: UInt32) -> Int32
#endif
