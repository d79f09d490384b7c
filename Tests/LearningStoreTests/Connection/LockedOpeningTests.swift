import Foundation
import GRDB
import Migrations
import TestSupport
import Testing

@testable import LearningStore

/// Tests opening a database while another connection holds its write lock. Each store has a busy timeout of zero, so it
/// fails at once if it needs the lock.
struct LockedOpeningTests {
  let folder: TemporaryFolder
  var path: String { folder.file("waymark.sqlite") }
  private let options: LearningStore.Options

  init() throws {
    folder = try TemporaryFolder()
    var options = LearningStore.Options()
    options.busyTimeout = .zero
    self.options = options
  }

  private func makeDatabase(_ migrations: [Migrations.Migration] = Migrations.all) throws {
    let store = try LearningStore.open(at: path, migrations: migrations)
    try store.write { try $0.database.execute(sql: "INSERT INTO learner (name, createdAt) VALUES ('ada', 0)") }
    try store.close()
  }

  private func names(in store: LearningStore) throws -> [String] {
    try store.read { try String.fetchAll($0.database, sql: "SELECT name FROM learner ORDER BY name") }
  }

  @Test(arguments: ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
  func `a database can be read while another connection holds its write lock`(statement: String) throws {
    try makeDatabase()
    let lock = try HeldLock(on: path, by: statement)

    let store = try LearningStore.open(at: path, options)
    let read = try names(in: store)
    let glanced = try store.readLatest { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM learner") }
    #expect(throws: LearningDatabaseError.busy(path: path)) { try store.write { _ in } }
    try lock.release("INSERT INTO learner (name, createdAt) VALUES ('ben', 0)")

    #expect(read == ["ada"] && glanced == 1)
    #expect(try names(in: store) == ["ada", "ben"])
    try store.write { try $0.database.execute(sql: "DELETE FROM learner WHERE name = 'ben'") }
    #expect(try store.read { try $0.fileProblems() } == [])
  }

  @Test func `a database without a log is read during another write, and converted later`()
    throws
  {
    try makeDatabase()
    let queue = try DatabaseQueue(path: path)
    try queue.inDatabase { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
    try queue.close()
    let lock = try HeldLock(on: path)

    let store = try LearningStore.open(at: path, options)
    let read = try names(in: store)
    #expect(throws: LearningDatabaseError.busy(path: path)) { try store.write { _ in } }
    try lock.release()
    try store.write { try $0.database.execute(sql: "INSERT INTO learner (name, createdAt) VALUES ('ben', 0)") }

    #expect(read == ["ada"])
    #expect(try names(in: store) == ["ada", "ben"])
    #expect(try store.write { try String.fetchOne($0.database, sql: "PRAGMA journal_mode") } == "wal")
  }

  @Test func `opening read-only needs no lock, and changes by other programs are seen`() throws {
    try makeDatabase()
    let lock = try HeldLock(on: path)
    var options = options
    options.isReadOnly = true

    let store = try LearningStore.open(at: path, options)
    let before = try names(in: store)
    try lock.release("INSERT INTO learner (name, createdAt) VALUES ('ben', 0)")

    #expect(before == ["ada"])
    #expect(try names(in: store) == ["ada", "ben"], "changes by other programs are visible")
    #expect(throws: LearningDatabaseError.openedReadOnly(path: path)) { try store.write { _ in } }
    #expect(throws: LearningDatabaseError.openedReadOnly(path: path)) { try store.importing { _ in } }
  }

  @Test func `creating tables fails with a busy error while the database is locked`() throws {
    try folder.write(Data(), to: "waymark.sqlite")
    let lock = try HeldLock(on: path, by: "BEGIN EXCLUSIVE")

    #expect(throws: LearningDatabaseError.busyOpening(path: path, preparation: .creation, waited: .zero)) {
      try LearningStore.open(at: path, options)
    }
    try lock.release()

    #expect(try names(in: LearningStore.open(at: path, options)) == [])
  }

  @Test func `migrating tables fails with a busy error while the database is locked`() throws {
    try makeDatabase()
    let next = Migrations.Migration(name: "9000_next", sql: "CREATE TABLE next AS SELECT 7 AS a")
    let lock = try HeldLock(on: path)

    #expect(throws: LearningDatabaseError.busyOpening(path: path, preparation: .migration, waited: .zero)) {
      try LearningStore.open(at: path, options, migrations: Migrations.all + [next])
    }
    try lock.release()

    let store = try LearningStore.open(at: path, options, migrations: Migrations.all + [next])
    #expect(try store.read { try Int.fetchOne($0.database, sql: "SELECT a FROM next") } == 7)
  }

  @Test func `reads keep the log empty, and the first write adds the unchanged first page`() throws {
    try makeDatabase()
    let store = try LearningStore.open(at: path, options)

    _ = try names(in: store)
    let wasEmpty = DatabaseFile.hasEmptyLog(at: path)
    try store.write { try $0.database.execute(sql: "UPDATE learner SET createdAt = 1") }

    #expect(wasEmpty)
    let pages = try WriteAheadLog(of: path).pages
    #expect(pages.first == 1 && pages.count == 2)
  }

  @Test func `a wait for another connection ends when it is interrupted`() throws {
    try makeDatabase()
    let store = try LearningStore.open(at: path)
    let lock = try HeldLock(on: path)
    let interruption = Interruption()
    let waiter = Waiter { try store.write(waitingAtMost: .seconds(60)) { _ in } }

    waiter.start(interruption)
    interruption.interrupt()
    let error = waiter.join()
    try lock.release()

    #expect(error is CancellationError)
    try store.write(waitingAtMost: .zero) { _ in }
  }
}

/// A thread that runs a function that an ``Interruption`` can end.
private final class Waiter: @unchecked Sendable {
  private let body: () throws -> Void
  private let group = DispatchGroup()
  private var error: (any Error)?

  init(_ body: @escaping () throws -> Void) { self.body = body }

  func start(_ interruption: Interruption) {
    group.enter()
    Thread.detachNewThread { [self] in
      do { try Interruption.$current.withValue(interruption) { try body() } } catch { self.error = error }
      group.leave()
    }
  }

  /// Waits for the function to end, and returns the error that it threw, or `nil`.
  func join() -> (any Error)? {
    group.wait()
    return error
  }
}
