import GRDB
import LearningModel
import TestSupport
import Testing

@testable import LearningStore

/// Who waits for the database, how often it asks, and who lets it go first.
struct WaitingTests {
  let folder: TemporaryFolder
  var path: String { folder.file("waymark.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  @Test func `whoever has waited for longer asks more often, until nobody can help it`() {
    let waits = [0, 3, 4, 11, 12, 99, 100, 199, 200, 999, 1_000, 9_000].map(Duration.milliseconds)

    #expect(
      waits.map { Patience.interval(after: $0, politely: false) }
        == [1_000, 1_000, 500, 500, 150, 150, 150, 150, 150, 150, 1_000, 1_000])
    #expect(
      waits.map { Patience.interval(after: $0, politely: true) }
        == [1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 500, 500, 150, 150, 1_000, 1_000])
  }

  @Test func `a sign is seen by everybody else while it is raised`() {
    let (one, other) = (WaitingSign(for: path), WaitingSign(for: path))
    #expect(!other.isRaisedBySomebodyElse)

    one.raise()
    #expect(other.isRaisedBySomebodyElse)
    #expect(!one.isRaisedBySomebodyElse, "it is its own")

    one.lower()
    #expect(!other.isRaisedBySomebodyElse)
  }

  @Test func `a sign goes with whoever raised it`() {
    let other = WaitingSign(for: path)
    do {
      let one = WaitingSign(for: path)
      one.raise()
      #expect(other.isRaisedBySomebodyElse)
    }

    #expect(!other.isRaisedBySomebodyElse)
  }

  @Test func `whoever waits raises the sign, unless politely, and lowers it at the end`() {
    let (patience, polite, watcher) = (Patience(for: path), Patience(for: path), WaitingSign(for: path))
    polite.begin(politely: true)
    #expect(polite.tryAgain(after: 0))
    #expect(!watcher.isRaisedBySomebodyElse)

    patience.begin()
    #expect(patience.tryAgain(after: 0))
    #expect(watcher.isRaisedBySomebodyElse)

    patience.end()
    #expect(!watcher.isRaisedBySomebodyElse)
  }

  @Test func `giving way ends when nobody waits any more, or has had twice the time`() {
    let (patience, sign) = (Patience(for: path), WaitingSign(for: path))
    let clock = ContinuousClock()
    #expect(clock.measure { patience.giveWay(after: .seconds(9)) } < .seconds(1))

    sign.raise()
    let time = clock.measure { patience.giveWay(after: .milliseconds(30)) }

    #expect(time >= .milliseconds(60))
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
    // Writers are held once it has 16,000 pages, which is seen when a round of 1,000 ends; a page has a head of 24 bytes.
    let most = max(log, 17_100 * (4_096 + 24))
    #expect(DatabaseFile.size(at: path + "-wal") <= most, "the log began anew, in the file that it has")
  }
}
