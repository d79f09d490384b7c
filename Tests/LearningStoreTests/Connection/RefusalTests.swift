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

struct RefusalTests {
  let folder: TemporaryFolder
  var path: String { folder.file("waymark.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Creates a database with one row and closes it.
  private func makeDatabase(_ more: [Migrations.Migration] = []) throws {
    let store = try LearningStore.open(at: path, migrations: Migrations.all + more)
    try store.write { try $0.database.execute(sql: "CREATE TABLE kept AS SELECT 1 AS a") }
    try store.close()
  }

  private func refusal(_ open: () throws -> LearningStore) -> LearningDatabaseError? {
    do {
      _ = try open()
      return nil
    } catch {
      return error as? LearningDatabaseError
    }
  }

  @Test func `a file that is not a database is rejected and left unchanged`() throws {
    let garbage = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) })
    try folder.write(garbage, to: "waymark.sqlite")

    #expect(refusal { try LearningStore.open(at: path) } == .notADatabase(path: path))
    #expect(try folder.bytes(of: "waymark.sqlite") == garbage)
  }

  @Test func `a text file is rejected and left unchanged`() throws {
    try folder.write(Data("Dear diary".utf8), to: "waymark.sqlite")

    #expect(refusal { try LearningStore.open(at: path) } == .notADatabase(path: path))
    #expect(try folder.names == ["waymark.sqlite"])
  }

  @Test(arguments: [4096, 20_000, 30_001])
  func `a truncated database is rejected and left unchanged`(length: Int) throws {
    try makeDatabase()
    let cut = try folder.bytes(of: "waymark.sqlite").prefix(length)
    try folder.write(cut, to: "waymark.sqlite")

    let error = refusal { try LearningStore.open(at: path) }

    guard case .damaged(path, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try folder.bytes(of: "waymark.sqlite") == cut)
  }

  @Test func `a database of another program is rejected and left unchanged`() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "CREATE TABLE invoice (a)") }
    try queue.close()
    let before = try folder.bytes(of: "waymark.sqlite")

    #expect(refusal { try LearningStore.open(at: path) } == .anotherProgram(path: path))
    #expect(try folder.bytes(of: "waymark.sqlite") == before)
  }

  @Test func `a database of a newer version is rejected and left unchanged`() throws {
    try makeDatabase([Migrations.Migration(name: "9000_tomorrow", sql: "CREATE TABLE tomorrow (a)")])
    let before = try folder.bytes(of: "waymark.sqlite")

    #expect(refusal { try LearningStore.open(at: path) } == .newer(path: path, migration: "9000_tomorrow"))
    #expect(try folder.bytes(of: "waymark.sqlite") == before)
  }

  @Test func `a database of an early development version is rejected and left unchanged`() throws {
    let made = [
      (["0001_content", "0002_log"], 0), (["0001_content", "0002_log", "0003_search_term", "0015_moving"], 0),
      (["0001_content", "0002_log", "0003_search"], 1),
      (["0001_content", "0002_log", "0003_search", "0004_import", "0005_server"], 3),
      (["0001_content", "0002_log", "0003_search", "0004_import", "0005_server", "0013_open_places"], 8_516_099),
      (["0001_content", "0002_log", "0003_search", "0004_import", "0005_server", "0009_answers_by_time"], 4),
      (["0001_content", "0002_log", "0003_search", "0004_import", "0005_server", "0006_source_keys", "0008_begun"], 6),
    ]
    for (names, version) in made {
      let path = folder.file("of \(names.last!).sqlite")
      let older = try DatabaseQueue(path: path)
      try older.write { database in
        try database.execute(
          sql: """
            PRAGMA application_id = \(DatabaseState.applicationID);
            PRAGMA user_version = \(version);
            CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
            CREATE TABLE contentNode (id INTEGER PRIMARY KEY, nextTitle TEXT);
            """)
        for name in names { try database.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [name]) }
      }
      try older.close()
      let before = try folder.bytes(of: "of \(names.last!).sqlite")

      #expect(refusal { try LearningStore.open(at: path) } == .tooOld(path: path, migration: names.last!))
      #expect(try folder.bytes(of: "of \(names.last!).sqlite") == before)
    }
  }

  @Test func `a newer database with a log is rejected, and both files are unchanged`() throws {
    let more = [Migrations.Migration(name: "9000_tomorrow", sql: "CREATE TABLE tomorrow (a)")]
    let other = try TemporaryFolder()
    let alive = try LearningStore.open(at: other.file("waymark.sqlite"), migrations: Migrations.all + more)
    try alive.write { try $0.database.execute(sql: "CREATE TABLE kept AS SELECT 1 AS a") }
    for name in ["waymark.sqlite", "waymark.sqlite-wal"] { try folder.write(other.bytes(of: name), to: name) }
    let before = try ["waymark.sqlite", "waymark.sqlite-wal"].map(folder.bytes)
    try #require(!before[1].isEmpty)

    #expect(refusal { try LearningStore.open(at: path) } == .newer(path: path, migration: "9000_tomorrow"))
    #expect(try ["waymark.sqlite", "waymark.sqlite-wal"].map(folder.bytes) == before)
  }

  @Test func `opening a folder as a database fails`() throws {
    #expect(
      refusal { try LearningStore.open(at: folder.path) }
        == .notAPath(folder.path, reason: .folder))
  }

  @Test func `a database path through a regular file is rejected`() throws {
    try folder.write(Data(), to: "taken")
    let path = folder.file("taken/waymark.sqlite")

    #expect(
      refusal { try LearningStore.open(at: path) }
        == .cannotCreate(path: path, reason: "'\(folder.file("taken"))' is not a folder"))
  }

  @Test func `a folder that cannot be created is reported with its cause`() {
    #expect(
      refusal { try LearningStore.open(at: "/proc/waymark/waymark.sqlite") }
        == .cannotCreate(path: "/proc/waymark/waymark.sqlite", reason: "no such file or directory"))
  }

  @Test func `a broken or circular symbolic link is rejected and creates nothing`() throws {
    func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
    }
    try link("dangling", to: "missing/waymark.sqlite")
    try link("first", to: "second")
    try link("second", to: "first")
    let names = try folder.names

    let errors = ["dangling", "first", "dangling/waymark.sqlite", "first/waymark.sqlite"].map { name in
      refusal { try LearningStore.open(at: folder.file(name)) }
    }

    let targets = [("dangling", "missing/waymark.sqlite", false), ("first", "second", true)]
    let direct = targets.map { name, target, isCircular in
      LearningDatabaseError.brokenLink(
        path: folder.file(name), link: folder.file(name), target: target, isCircular: isCircular)
    }
    let asFolder = targets.map { name, target, isCircular in
      LearningDatabaseError.brokenLink(
        path: folder.file(name + "/waymark.sqlite"), link: folder.file(name), target: target, isCircular: isCircular)
    }
    #expect(errors == direct + asFolder)
    #expect(try folder.names == names)
  }

  @Test func `a network folder is rejected before anything is written`() throws {
    let error = refusal {
      try LearningStore.open(at: path, migrations: Migrations.all, networkFileSystem: { _ in "nfs4" })
    }

    #expect(error == .networkFolder(path: path, fileSystem: "nfs4"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `nothing is created on a network folder, even through a symbolic link`() throws {
    let remote = folder.file("there")
    let local = folder.file("here")
    for folder in [remote, local] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    let link = local + "/waymark.sqlite"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: remote + "/waymark.sqlite")
    try Data().write(to: URL(filePath: remote + "/waymark.sqlite"))
    let isThere = { (path: String) in path.hasSuffix("/there") ? "nfs4" : nil }

    let new = refusal {
      try LearningStore.open(
        at: remote + "/a/b/waymark.sqlite", migrations: Migrations.all, networkFileSystem: isThere)
    }
    let linked = refusal { try LearningStore.open(at: link, migrations: Migrations.all, networkFileSystem: isThere) }

    #expect(new == .networkFolder(path: remote + "/a/b/waymark.sqlite", fileSystem: "nfs4"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: remote) == ["waymark.sqlite"])
    #expect(linked == .networkFolder(path: remote + "/waymark.sqlite", fileSystem: "nfs4"))
  }

  @Test func `a write to a locked database fails after its timeout, and reads continue`() throws {
    var options = LearningStore.Options()
    options.busyTimeout = .seconds(60)
    let store = try LearningStore.open(at: path, options)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: path, configuration: configuration)

    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let start = ContinuousClock.now
    let error = #expect(throws: LearningDatabaseError.self) {
      try store.write(waitingAtMost: .milliseconds(20)) { _ in }
    }
    let waited = ContinuousClock.now - start
    let count = try store.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM contentNode") }
    try other.inDatabase { try $0.execute(sql: "ROLLBACK") }

    #expect(error == .busy(path: path))
    #expect(waited >= .milliseconds(15) && waited < .seconds(60), "the timeout of the write, not of the store")
    #expect(count == 0)
    try store.write(waitingAtMost: .milliseconds(20)) { _ in }
  }

  @Test func `a write on a full disk fails and is rolled back`() throws {
    let store = try LearningStore.open(at: path)
    try store.write { transaction in
      let pages = try Int.fetchOne(transaction.database, sql: "PRAGMA page_count") ?? 0
      try transaction.database.execute(sql: "PRAGMA max_page_count = \(pages + 2)")
    }

    let error = #expect(throws: LearningDatabaseError.self) {
      try store.write { try $0.database.execute(sql: "CREATE TABLE large AS SELECT zeroblob(1000000) AS a") }
    }

    #expect(error == .diskFull(path: path))
    #expect(try store.read { try $0.database.tableExists("large") } == false)
  }

  @Test func `a row that violates a constraint is reported with the constraint`() throws {
    let store = try LearningStore.open(at: path)

    let error = #expect(throws: LearningDatabaseError.self) {
      try store.write { try $0.database.execute(sql: "INSERT INTO course VALUES (1, NULL, 'x', 1)") }
    }

    #expect(error == .ruleBroken(path: path, detail: "FOREIGN KEY constraint failed"))
  }

  #if canImport(Glibc)
  /// Runs a function with the file permissions of the user `nobody`, on the current thread only.
  ///
  /// Source: setfsuid(2).
  private func asNobody<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
    let me = setFileSystemUser(65_534)
    defer { _ = setFileSystemUser(UInt32(me)) }
    return try body()
  }

  @Test(.enabled(if: geteuid() == 0), arguments: [(file: 0o444, folder: 0o777), (file: 0o666, folder: 0o755)])
  func `a read-only file is read without creating files, and writes throw`(
    file: Int, folder mode: Int
  ) throws {
    try makeDatabase()
    try FileManager.default.setAttributes([.posixPermissions: file], ofItemAtPath: path)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)

    try asNobody {
      let store = try LearningStore.open(at: path)
      #expect(store.refusal == .readOnly(path: path))
      #expect(try store.readLatest { try Int.fetchOne($0.database, sql: "SELECT a FROM kept") } == 1)
      #expect(throws: LearningDatabaseError.readOnly(path: path)) { try store.write { _ in } }
      #expect(throws: LearningDatabaseError.readOnly(path: path)) { try store.importing { _ in } }
      #expect(try folder.names == ["waymark.sqlite", "waymark.sqlite-sessions"])
    }
  }

  @Test(.enabled(if: geteuid() == 0))
  func `a file without read permission is rejected`() throws {
    try makeDatabase()
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)

    #expect(asNobody { refusal { try LearningStore.open(at: path) } } == .noPermission(path: path))
  }

  @Test(.enabled(if: geteuid() == 0))
  func `a database in a folder without write permission is not created`() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)

    #expect(
      asNobody { refusal { try LearningStore.open(at: path) } }
        == .cannotCreate(path: path, reason: "permission denied"))
  }
  #endif
}

#if canImport(Glibc)
@_silgen_name("setfsuid")
private func setFileSystemUser(_ user: UInt32) -> Int32
#endif
