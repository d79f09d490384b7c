import Foundation
import GRDB
import TestSupport
import Testing

@testable import LearningStore

/// What is carried over from the write-ahead log, and when it begins anew: no write waits for it.
struct WaitingTests {
  let folder: TemporaryFolder
  var path: String { folder.file("waymark.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  @Test func `a long log is carried over beside the writes, and begins anew`() throws {
    let store = try LearningStore.open(at: path)
    try store.write { try $0.database.execute(sql: "CREATE TABLE filler (a)") }
    let before = DatabaseFile.size(at: path)
    // 17 pages.
    func write() throws {
      try store.write { try $0.database.execute(sql: "INSERT INTO filler VALUES (zeroblob(65536))") }
    }

    for _ in 0..<1_000 { try write() }
    // Where the machine is busy the thread comes late; without it this would not end.
    var writes = 0
    while writes < 300, DatabaseFile.size(at: path) - before < 60_000_000 {
      try write()
      store.keeper.finish()
      writes += 1
    }
    #expect(DatabaseFile.size(at: path) - before >= 60_000_000, "the pages are in the file while it is open")

    let log = DatabaseFile.size(at: path + "-wal")
    for _ in 0..<500 {
      try write()
      store.keeper.finish()
    }
    // Writers are held once it has 4,000 pages, which is seen when a round of 1,000 ends; a page has a head of 24 bytes.
    // It may begin anew only behind the next write.
    let most = max(log + 24 * (4_096 + 24), 5_100 * (4_096 + 24))
    #expect(DatabaseFile.size(at: path + "-wal") <= most, "the log began anew, in the file that it has")
  }

  @Test func `a log that was carried over has begun anew before the next write, and nothing is different`() throws {
    let store = try LearningStore.open(at: path)
    try store.write { try $0.database.execute(sql: "CREATE TABLE filler (a)") }
    let version = try store.dataVersion()
    func mark() throws -> Int? { try store.read { try Int.fetchOne($0.database, sql: "PRAGMA user_version") } }
    let marked = try mark()
    func written() throws -> [Int] { try WriteAheadLog(of: path).pages }

    // 17 pages each, until there are 1,000, and a few more.
    for _ in 0..<80 {
      try store.write { try $0.database.execute(sql: "INSERT INTO filler VALUES (zeroblob(65536))") }
      store.keeper.finish()
    }

    #expect(try written().first == 1 && written().count < 60, "what it begins with is one page that nobody asked for")
    #expect(try store.dataVersion() == version)
    #expect(try mark() == marked)
  }

  @Test func `a store that carried its log over leaves none behind when it is closed`() throws {
    let store = try LearningStore.open(at: path)
    try store.write { try $0.database.execute(sql: "CREATE TABLE filler (a)") }
    // The first thousand pages, which are carried over, and some that are not.
    for _ in 0..<80 {
      try store.write { try $0.database.execute(sql: "INSERT INTO filler VALUES (zeroblob(65536))") }
    }

    try store.close()

    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    let rows = try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM filler") }
    #expect(rows == 80)
  }
}
