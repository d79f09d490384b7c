import Foundation
import GRDB
import LearningModel
import TestSupport
import Testing

@testable import LearningStore

/// Tests replacing a database with a backup.
struct RestoringTests {
  let folder: TemporaryFolder
  var path: String { folder.file("waymark.sqlite") }
  var copy: String { folder.file("copy.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Creates a database with the log of a crashed process, and a backup of an earlier state. The learner "monday" is in
  /// both, the learner "tuesday" only in the log of the database.
  private func makeCrashedDatabase() throws {
    let source = try TemporaryFolder()
    let store = try LearningStore.open(at: source.file("waymark.sqlite"))
    try store.write { _ = try $0.makeLearner(named: "monday", at: Timestamp(milliseconds: 1)) }
    try store.backUp(to: copy)
    try store.write { _ = try $0.makeLearner(named: "tuesday", at: Timestamp(milliseconds: 2)) }
    for name in ["waymark.sqlite", "waymark.sqlite-wal", "waymark.sqlite-shm"] {
      try folder.write(source.bytes(of: name), to: name)
    }
    try #require(DatabaseFile.size(at: path + "-wal") > 0)
  }

  private func learners(at path: String) throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { try String.fetchAll($0, sql: "SELECT name FROM learner ORDER BY name") }
  }

  /// Restores the database and returns the error, or `nil` on success.
  private func refusal(from copy: String) -> LearningDatabaseError? {
    do {
      _ = try LearningStore.restore(from: copy, to: path, waitingAtMost: .zero)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a restore keeps the replaced database with its log`() throws {
    try makeCrashedDatabase()

    let result = try LearningStore.restore(from: copy, to: path)

    let monday = DatabaseContents(courses: 0, learners: 1, steps: 0, lastStepAt: nil)
    let tuesday = DatabaseContents(courses: 0, learners: 2, steps: 0, lastStepAt: nil)
    #expect(
      result
        == RestoredDatabase(
          path: path, restored: monday, replaced: tuesday, previousPath: path + ".before-restore", kept: KeptRecords()))
    #expect(
      try folder.names == [
        "copy.sqlite", "waymark.sqlite", "waymark.sqlite.before-restore", "waymark.sqlite.before-restore-wal",
      ])
    #expect(try learners(at: path) == ["monday"])
    #expect(try learners(at: path + ".before-restore") == ["monday", "tuesday"])
  }

  /// Creates a token and returns its ID.
  private func addToken(_ name: String, _ store: LearningStore) throws -> Int64 {
    let digest = String(repeating: "0", count: 64 - name.count) + name
    return try store.write {
      try $0.addAccessToken(digest: digest, for: name, .learner, at: Timestamp(milliseconds: 1), expiresAt: nil).id
    }
  }

  @Test func `a restore revives neither revoked tokens nor erased learners, and keeps the audit`() throws {
    let actor = AuditActor(command: "test", by: "root")
    func time(_ number: Int64) -> Timestamp { Timestamp(milliseconds: number) }
    let store = try LearningStore.open(at: path)
    let tokens = try ["revoked", "erased", "valid", "unborn"].map { try addToken($0, store) }
    let erased = try store.write { transaction in
      for name in ["revoked", "valid"] { _ = try transaction.makeLearner(named: name, at: time(1)) }
      try transaction.appendAudit(AuditEntry(actor, of: "erased", at: time(1)))
      return try transaction.makeLearner(named: "erased", at: time(1))
    }
    try store.backUp(to: copy)
    try store.write { transaction in
      _ = try transaction.revokeAccessToken(tokens[0], at: time(2))
      try transaction.appendAudit(AuditEntry(actor, of: "revoked", at: time(2)))
    }
    // A learner who began after the backup is erased too.
    let unborn = try store.write { try $0.makeLearner(named: "unborn", at: time(2)) }
    let uuids = try store.read { snapshot in try [erased, unborn].map { try snapshot.uuid(of: $0.id) ?? "" } }
    for learner in [erased, unborn] { _ = try store.erase(learner.id, by: actor, at: time(3)) }
    let audit = try store.read { try $0.audit() }
    try store.close()

    let result = try LearningStore.restore(from: copy, to: path)

    let restored = try LearningStore.open(at: path)
    defer { try? restored.close() }
    let left = try restored.read { try $0.accessTokens() }
    #expect(left.map(\.learner) == ["revoked", "valid"])
    #expect(left.map(\.revokedAt) == [time(2), nil])
    #expect(try restored.read { try $0.learners().map(\.name) } == ["revoked", "valid"])
    #expect(try restored.read { snapshot in try uuids.allSatisfy(snapshot.isErased(learnerWithUUID:)) })
    #expect(try restored.read { try $0.audit() } == audit)
    var kept = KeptRecords()
    (kept.revokedTokens, kept.erasedTokens, kept.erasures, kept.auditEntries) = (1, 2, 1, 3)
    #expect(result.kept == kept)
    #expect(try restored.read { try $0.fileProblems() } == [])
    for suffix in ["", "-wal"] where DatabaseFile.size(at: path + suffix) > 0 {
      #expect(try !folder.bytes(of: "waymark.sqlite" + suffix).contains(Data("unborn".utf8)))
    }
  }

  @Test func `a restore of a database of another origin deletes no tokens`() throws {
    let store = try LearningStore.open(at: copy)
    _ = try addToken("ada", store)
    try store.close()
    let other = try LearningStore.open(at: path)
    for name in ["ben", "cleo"] { _ = try addToken(name, other) }
    try other.close()

    _ = try LearningStore.restore(from: copy, to: path)

    let restored = try LearningStore.open(at: path)
    defer { try? restored.close() }
    #expect(try restored.read { try $0.accessTokens().map(\.learner) } == ["ada"])
  }

  @Test func `sessions that were open in the copy belong to another database after the first write`() throws {
    let store = try LearningStore.open(at: path)
    try store.write { transaction in
      let ada = try transaction.makeLearner(named: "ada", at: Timestamp(milliseconds: 0))
      _ = try transaction.beginSession(
        of: ada.id, uuid: "00000000-0000-0000-0000-000000000001", named: "shell", timeZone: "UTC", lockFile: nil,
        at: Timestamp(milliseconds: 10))
    }
    try store.backUp(to: copy)
    try store.close()

    _ = try LearningStore.restore(from: copy, to: path)

    let restored = try LearningStore.open(at: path)
    defer { try? restored.close() }
    try restored.write { _ in }
    let sessions = try restored.read { try $0.sessions(of: nil) }
    #expect(sessions.map(\.isOwn) == [false] && sessions.map(\.session.endedAt) == [nil])
    let learner = try #require(sessions.first).session.learner
    #expect(try restored.read { try $0.openSession(named: "shell", of: learner) } == nil)
  }

  @Test func `a second restore keeps both previous databases`() throws {
    try makeCrashedDatabase()

    _ = try LearningStore.restore(from: copy, to: path)
    let second = try LearningStore.restore(from: copy, to: path)

    #expect(second.previousPath == path + ".before-restore.2")
    #expect(try learners(at: path + ".before-restore") == ["monday", "tuesday"])
    #expect(try learners(at: path + ".before-restore.2") == ["monday"])
  }

  @Test func `a backup is restored with the contents of its log`() throws {
    try makeCrashedDatabase()
    for suffix in ["", "-wal"] { try folder.write(folder.bytes(of: "waymark.sqlite" + suffix), to: "raw" + suffix) }

    _ = try LearningStore.restore(from: folder.file("raw"), to: folder.file("other.sqlite"))

    #expect(try learners(at: folder.file("other.sqlite")) == ["monday", "tuesday"])
  }

  @Test func `a damaged database is replaced, and its file is kept under another name`() throws {
    try makeCrashedDatabase()
    let garbage = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) })
    try folder.write(garbage, to: "waymark.sqlite")

    let result = try LearningStore.restore(from: copy, to: path)

    #expect(result.replaced == nil && result.kept == nil)
    #expect(try folder.bytes(of: "waymark.sqlite.before-restore") == garbage)
    #expect(try learners(at: path) == ["monday"])
  }

  @Test func `a missing database is created from the backup`() throws {
    try makeCrashedDatabase()
    let new = folder.file("new/folder/waymark.sqlite")

    let result = try LearningStore.restore(from: copy, to: new)

    #expect(result.replaced == nil && result.previousPath == nil)
    #expect(try learners(at: new) == ["monday"])
    #expect(try folder.permissions(of: "new/folder/waymark.sqlite") == 0o600)
  }

  @Test func `the restored database keeps the permissions of the replaced file`() throws {
    try makeCrashedDatabase()
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)

    _ = try LearningStore.restore(from: copy, to: path)

    #expect(try folder.permissions(of: "waymark.sqlite") == 0o640)
  }

  @Test func `an unusable backup is rejected without changes`() throws {
    try makeCrashedDatabase()
    let intact = try folder.bytes(of: "copy.sqlite")
    var torn = intact
    for index in 8_192..<torn.count - 4_096 { torn[index] = UInt8(truncatingIfNeeded: index &* 31) }
    try folder.write(torn, to: "torn")
    try folder.write(Data("Dear diary".utf8), to: "text")
    try folder.write(Data(), to: "empty")
    let names = try folder.names
    let before = try names.map(folder.bytes)

    let refusals = ["torn", "text", "empty", "missing", "waymark.sqlite"].map { refusal(from: folder.file($0)) }

    guard case .copyUnusable(folder.file("torn"), _) = refusals[0] else {
      Issue.record("\(String(describing: refusals[0]))")
      return
    }
    #expect(
      Array(refusals.dropFirst()) == [
        .copyUnusable(path: folder.file("text"), detail: "it is not a SQLite database"),
        .copyUnusable(path: folder.file("empty"), detail: "it is empty"),
        .copyMissing(path: folder.file("missing")), .copyIsDatabase(path: path),
      ])
    #expect(try folder.names == names)
    #expect(try names.map(folder.bytes) == before)
  }

  @Test func `an open database is not replaced`() throws {
    try makeCrashedDatabase()
    let store = try LearningStore.open(at: path)

    #expect(refusal(from: copy) == .inUse(path: path))
    #expect(try store.read { try $0.contents().learners } == 2)
    #expect(try !folder.names.contains { $0.contains("restor") })
  }
}
