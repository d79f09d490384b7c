import Foundation
import GRDB
import LearningModel
import Migrations
import TestSupport
import Testing

@testable import LearningStore

struct LearningDatabaseTests {
  let folder: TemporaryFolder
  var path: String { folder.file("waymark.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func learners(in database: LearningDatabase) throws -> [String] {
    try database.store.read { try String.fetchAll($0.database, sql: "SELECT name FROM learner") }
  }

  private func add(_ name: String, to database: LearningDatabase) throws {
    try database.store.write {
      try $0.database.execute(sql: "INSERT INTO learner (name, createdAt) VALUES (?, 0)", arguments: [name])
    }
  }

  @Test func `databases in memory are separate and have no file`() throws {
    let (first, second) = (try LearningDatabase(.memory), try LearningDatabase(.memory))

    try add("ada", to: first)
    try add("ben", to: second)

    #expect(try learners(in: first) == ["ada"] && learners(in: second) == ["ben"])
    #expect(first.path == nil && !first.isReadOnly)
    #expect(throws: LearningDatabaseError.empty(path: ":memory:")) { try LearningDatabase(.memory, isReadOnly: true) }
  }

  @Test func `a database in memory can be watched, backed up, swept and checked`() throws {
    let database = try LearningDatabase(.memory)
    let watch = try database.store.watch()
    let before = try watch.version()

    try add("ada", to: database)

    #expect(try watch.version() != before)
    #expect(try database.store.sweep())
    #expect(try database.store.read { try $0.fileProblems() } == [])
    try database.store.backUp(to: path)
    #expect(try learners(in: LearningDatabase(.file(path))) == ["ada"])
  }

  @Test func `databases with the same file and options share their connections`() throws {
    let first = try LearningDatabase(.file(path))
    let second = try LearningDatabase(.file(path))
    let impatient = try LearningDatabase(.file(path), busyTimeout: .zero)
    let reader = try LearningDatabase(.file(path), isReadOnly: true)

    try add("ada", to: impatient)

    #expect(first.store === second.store && first.store !== impatient.store && first.store !== reader.store)
    #expect(try [first, second, impatient, reader].allSatisfy { try learners(in: $0) == ["ada"] })
    #expect(first.path == path && impatient.busyTimeout == .zero && reader.isReadOnly)
  }

  @Test func `opening a missing file read-only throws and creates nothing`() throws {
    #expect(throws: LearningDatabaseError.missing(path: path)) { try LearningDatabase(.file(path), isReadOnly: true) }
    let below = folder.file("a/b/waymark.sqlite")
    #expect(throws: LearningDatabaseError.missing(path: below)) { try LearningDatabase(.file(below), isReadOnly: true) }
    #expect(try folder.names == [])
  }

  @Test func `opening an empty file read-only throws and creates no tables`() throws {
    try folder.write(Data(), to: "waymark.sqlite")

    #expect(throws: LearningDatabaseError.empty(path: path)) { try LearningDatabase(.file(path), isReadOnly: true) }
    #expect(try folder.bytes(of: "waymark.sqlite") == Data())
  }

  @Test func `an older database is migrated in memory when it is opened read-only`() throws {
    let store = try LearningStore.open(at: path)
    try store.write { try $0.database.execute(sql: "CREATE TABLE kept AS SELECT 1 AS a") }
    try store.close()
    let before = try folder.bytes(of: "waymark.sqlite")
    let next = Migrations.Migration(name: "9000_next", sql: "CREATE TABLE next AS SELECT a + 1 AS a FROM kept")
    var options = LearningStore.Options()
    options.isReadOnly = true

    let reader = try LearningStore.open(at: path, options, migrations: Migrations.all + [next])

    #expect(try reader.read { try Int.fetchOne($0.database, sql: "SELECT a FROM next") } == 2)
    #expect(throws: LearningDatabaseError.openedReadOnly(path: path)) { try reader.write { _ in } }
    try reader.close()
    #expect(try folder.bytes(of: "waymark.sqlite") == before)
  }

  @Test(arguments: [
    ("", LearningDatabaseError.PathProblem.empty), (":memory:", .memory), (":memory:?cache=shared", .memory),
    ("file:waymark.sqlite", .uri), ("file:///tmp/waymark.sqlite?mode=ro", .uri), ("sqlite://waymark.sqlite", .uri),
    ("~ben/waymark.sqlite", .otherHome), ("~waymark.sqlite", .otherHome),
  ])
  func `a text that is not a path is rejected`(text: String, reason: LearningDatabaseError.PathProblem)
    throws
  {
    let current = FileManager.default.currentDirectoryPath
    let before = try FileManager.default.contentsOfDirectory(atPath: current)

    #expect(throws: LearningDatabaseError.notAPath(text, reason: reason)) { try LearningDatabase(.file(text)) }
    #expect(throws: LearningDatabaseError.notAPath(text, reason: reason)) {
      try LearningDatabase(.file(text), isReadOnly: true)
    }
    let database = try LearningDatabase(.memory)
    #expect(throws: LearningDatabaseError.notAPath(text, reason: reason)) { try database.store.backUp(to: text) }
    #expect(throws: LearningDatabaseError.notAPath(text, reason: reason)) {
      try LearningStore.restore(from: path, to: text)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: current) == before)
  }

  @Test func `a tilde is replaced by the home folder only alone or before a slash`() throws {
    let home = ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()

    let paths = ["~/a/b.sqlite", "~", "./~ben", "./:memory:", "a://", "a~", "/a b/c.sqlite"].map { text in
      do { return try LearningDatabase.path(named: text) } catch { return "refused" }
    }

    #expect(paths == [home + "/a/b.sqlite", home, "./~ben", "./:memory:", "refused", "a~", "/a b/c.sqlite"])
  }

  @Test func `the watch and a write report that the file was deleted`() throws {
    let database = try LearningDatabase(.file(path))
    let watch = try database.store.watch()
    for name in try folder.names { try FileManager.default.removeItem(atPath: folder.file(name)) }

    #expect(throws: LearningDatabaseError.removed(path: path)) { try watch.version() }
    #expect(throws: LearningDatabaseError.removed(path: path)) { try add("ada", to: database) }
  }

  @Test func `a file that this process has already opened is read with locks`() throws {
    try LearningStore.open(at: path, migrations: Migrations.all).close()
    var file = try DatabaseFile(at: path)
    let address = file.addressForReading

    file.isOpenInProcess = true

    #expect(address.hasSuffix("?immutable=1"))
    #expect(file.addressForReading == path)
  }
}
