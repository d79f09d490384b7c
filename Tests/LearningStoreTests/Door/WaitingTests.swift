import Foundation
import GRDB
import TestSupport
import Testing

@testable import LearningStore

/// How long a write waits for the database, and who lets others go first.
struct WaitingTests {
  let folder: TemporaryFolder
  var path: String { folder.file("waymark.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  @Test func `SQLite is asked often, until nobody can help it`() {
    let waits = [0, 3, 100, 999, 1_000, 9_000].map(Duration.milliseconds)

    #expect(waits.map(Patience.interval(after:)) == [150, 150, 150, 150, 1_000, 1_000])
  }

  @Test func `giving way ends when nobody waits any more, or has had twice the time`() throws {
    let store = try LearningStore.open(at: path)
    let (patience, writing) = (Patience(for: path), WritersLine(for: path))
    let clock = ContinuousClock()
    #expect(clock.measure { patience.giveWay(after: .seconds(9)) } < .seconds(1))
    #expect(writing.wait(until: .now))
    #expect(clock.measure { patience.giveWay(after: .seconds(9)) } < .seconds(1), "who writes does not wait")

    let waiting = WritersLine(for: path)
    #expect(!waiting.wait(until: .now + .milliseconds(1)))
    let time = clock.measure { patience.giveWay(after: .milliseconds(30)) }

    #expect(time >= .milliseconds(60))
    withExtendedLifetime(store) {}
  }

  @Test func `a writer that was stopped at the head of the line keeps nobody for long`() throws {
    let store = try LearningStore.open(at: path)
    // As a process that somebody stops, while it waits, for as long as they like.
    let (writing, stopped) = (WritersLine(for: path), WritersLine(for: path))
    #expect(writing.wait(until: .now))
    #expect(!stopped.wait(until: .now + .milliseconds(1)))

    let time = try ContinuousClock().measure {
      try store.write { try $0.database.execute(sql: "CREATE TABLE written (a)") }
    }

    #expect(time >= Patience.longestLine)
  }

  @Test func `a long log is carried over beside the writes, and begins anew`() throws {
    let store = try LearningStore.open(at: path)
    try store.write { try $0.database.execute(sql: "CREATE TABLE filler (a)") }
    let before = DatabaseFile.size(at: path)
    // 17 pages.
    func write() throws {
      try store.write { try $0.database.execute(sql: "INSERT INTO filler VALUES (zeroblob(65536))") }
    }

    for _ in 0..<1_000 { try write() }
    // Where the machine is busy the thread comes late; without it this would go on.
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
    func written() throws -> [Int] { try WriteAheadLog(of: path).pages }

    // 17 pages each, until there are 1,000, and a few more.
    for _ in 0..<80 {
      try store.write { try $0.database.execute(sql: "INSERT INTO filler VALUES (zeroblob(65536))") }
      store.keeper.finish()
    }

    #expect(try written().first == 1 && written().count < 60, "what it begins with is one page that nobody asked for")
    #expect(try store.dataVersion() == version)
    #expect(try store.read { try Int.fetchOne($0.database, sql: "PRAGMA user_version") } == 0)
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
