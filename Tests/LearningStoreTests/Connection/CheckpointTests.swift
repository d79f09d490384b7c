import Foundation
import GRDB
import TestSupport
import Testing

@testable import LearningStore

/// Tests that checkpoints and restarts of the write-ahead log never delay a write.
struct CheckpointTests {
  let folder: TemporaryFolder
  var path: String { folder.file("waymark.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  @Test func `a long log is checkpointed during writes and restarts`() throws {
    let store = try LearningStore.open(at: path)
    try store.write { try $0.database.execute(sql: "CREATE TABLE filler (a)") }
    let before = DatabaseFile.size(at: path)
    // Writes 17 pages.
    func write() throws {
      try store.write { try $0.database.execute(sql: "INSERT INTO filler VALUES (zeroblob(65536))") }
    }

    for _ in 0..<1_000 { try write() }
    // On a busy machine the checkpointer runs late. Without `finish()` the loop might not end.
    var writes = 0
    while writes < 300, DatabaseFile.size(at: path) - before < 60_000_000 {
      try write()
      store.checkpointer.finish()
      writes += 1
    }
    store.checkpointer.finish()
    #expect(DatabaseFile.size(at: path) - before >= 60_000_000, "the pages were copied into the file while it was open")

    let log = DatabaseFile.size(at: path + "-wal")
    for _ in 0..<500 {
      try write()
      store.checkpointer.finish()
    }
    // A busy machine may have left a log of any length. A checkpoint that restarts the log starts each time it has grown
    // by 1,000 pages, if it then has at least 4,000. A page has a header of 24 bytes, and a write has 17 pages.
    let limit = max(log, 4_000 * (4_096 + 24)) + 1_024 * (4_096 + 24)
    #expect(DatabaseFile.size(at: path + "-wal") <= limit, "the log has restarted in its existing file")
  }

  @Test func `a checkpointed log restarts before the next write, without visible changes`() throws {
    let store = try LearningStore.open(at: path)
    try store.write { try $0.database.execute(sql: "CREATE TABLE filler (a)") }
    let version = try store.dataVersion()
    func mark() throws -> Int? { try store.read { try Int.fetchOne($0.database, sql: "PRAGMA user_version") } }
    let marked = try mark()
    func written() throws -> [Int] { try WriteAheadLog(of: path).pages }

    // Each write has 17 pages; the loop exceeds 1,000 pages.
    for _ in 0..<80 {
      try store.write { try $0.database.execute(sql: "INSERT INTO filler VALUES (zeroblob(65536))") }
      store.checkpointer.finish()
    }

    #expect(try written().first == 1 && written().count < 60, "the checkpointer has written the first page")
    #expect(try store.dataVersion() == version)
    #expect(try mark() == marked)
  }

  @Test func `closing a store removes its checkpointed log`() throws {
    let store = try LearningStore.open(at: path)
    try store.write { try $0.database.execute(sql: "CREATE TABLE filler (a)") }
    // The first thousand pages are checkpointed, the rest is not.
    for _ in 0..<80 {
      try store.write { try $0.database.execute(sql: "INSERT INTO filler VALUES (zeroblob(65536))") }
    }

    try store.close()

    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    let rows = try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM filler") }
    #expect(rows == 80)
  }

  @Test func `overlapping reads do not keep the log growing`() throws {
    let store = try LearningStore.open(at: path)
    try store.write { try $0.database.execute(sql: "CREATE TABLE filler (a)") }
    let chain = ReadChain(store)
    defer { chain.end() }

    // Each write has 17 pages. A restart fails if the thread of a read gets no processor for 0.1 s; it is repeated each
    // 1,000 pages, up to 100 times.
    var (size, hasRestarted) = (0, false)
    for _ in 0..<6_000 where !hasRestarted {
      try store.write { try $0.database.execute(sql: "INSERT INTO filler VALUES (zeroblob(65536))") }
      chain.waitForNextReads()
      store.checkpointer.finish()
      let newSize = DatabaseFile.size(at: path + "-wal")
      (size, hasRestarted) = (newSize, newSize == size)
    }

    #expect(hasRestarted, "a write has reused the file of the log")
    #expect(chain.end() > 0)
  }

  @Test func `the log is truncated only after earlier reads have ended`() throws {
    let store = try LearningStore.open(at: path)
    try store.write { try $0.database.execute(sql: "CREATE TABLE filler AS SELECT 1 AS a") }
    func size() -> Int { DatabaseFile.size(at: path + "-wal") }
    let before = size()

    let whileReading = try DatabaseQueue(path: path).read { database in
      _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM filler")
      try store.write { try $0.database.execute(sql: "INSERT INTO filler VALUES (2)") }
      return try store.truncateLog()
    }
    let long = size()
    let below = try store.truncateLog(over: long)
    let sizeDuringRead = size()
    let afterwards = try store.truncateLog(over: long - 1)

    #expect(before > 0 && !whileReading && long > 0)
    #expect(below && sizeDuringRead == long)
    #expect(afterwards && size() == 0)
    #expect(try store.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM filler") } == 2)
  }
}

/// Overlapping reads on two threads: each read ends after the next one has begun.
private final class ReadChain: @unchecked Sendable {
  private let condition = NSCondition()
  private let threads = DispatchGroup()
  private var newest = -1
  private var isOver = false

  init(_ store: LearningStore) {
    for first in 0..<2 {
      threads.enter()
      // Uses threads, because a dispatch queue might start the second reader only after the first has ended.
      Thread.detachNewThread { [self] in
        defer { threads.leave() }
        var number = first
        while begin(number, store) { number += 2 }
      }
    }
  }

  /// Ends the reads and returns their number.
  @discardableResult func end() -> Int {
    condition.withLock {
      isOver = true
      condition.broadcast()
    }
    threads.wait()
    return newest + 1
  }

  /// Waits until all current reads have begun after this call.
  func waitForNextReads() {
    condition.withLock {
      let current = newest
      while newest < current + 2, !isOver { condition.wait() }
    }
  }

  /// Reads until the next read has begun.
  ///
  /// - Returns: `false` if the reads must end.
  private func begin(_ number: Int, _ store: LearningStore) -> Bool {
    do {
      try store.read { snapshot in
        _ = try Int.fetchOne(snapshot.database, sql: "SELECT count(*) FROM filler WHERE a IS NULL")
        condition.withLock {
          newest = max(newest, number)
          condition.broadcast()
          while newest <= number, !isOver { condition.wait() }
        }
      }
    } catch {
      Issue.record(error)
      condition.withLock { isOver = true }
      condition.broadcast()
    }
    return condition.withLock { !isOver }
  }
}
