import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LearningStore

/// Who is next, when several want to write.
struct WritersLineTests {
  let folder: TemporaryFolder
  var path: String { folder.file("waymark.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try Data().write(to: URL(filePath: path + "-wal"))
  }

  private func line() -> WritersLine { WritersLine(for: path) }

  /// A line in which somebody has begun to wait behind whoever has the turn.
  private func waiting() -> WritersLine {
    let line = line()
    #expect(!line.wait(until: .now))
    let watcher = self.line()
    while !watcher.isSomebodyWaiting { usleep(100) }
    return line
  }

  @Test func `one has the turn, and when it leaves the next one has it`() {
    let (one, other) = (line(), line())
    #expect(one.wait(until: .now))
    #expect(!other.wait(until: .now))

    one.leave()

    #expect(other.wait(until: .now + .seconds(10)))
    other.leave()
    #expect(one.wait(until: .now + .seconds(10)))
  }

  @Test func `whoever has just had the turn does not take it from somebody who waits`() {
    for _ in 0..<100 {
      let one = line()
      #expect(one.wait(until: .now))
      let other = waiting()

      one.leave()

      #expect(!one.wait(until: .now))
      #expect(other.wait(until: .now + .seconds(10)))
      other.leave()
      #expect(one.wait(until: .now + .seconds(10)))
      one.leave()
    }
  }

  @Test func `waiting ends with its limit, and the place is kept for another try`() {
    let (one, last) = (line(), line())
    #expect(one.wait(until: .now))
    let other = line()
    let time = ContinuousClock().measure { #expect(!other.wait(until: .now + .milliseconds(30))) }
    #expect(time >= .milliseconds(30))
    other.leave()
    #expect(!last.wait(until: .now + .milliseconds(1)))

    #expect(!other.wait(until: .now))
    one.leave()

    #expect(other.wait(until: .now + .seconds(10)), "it stands before the last one")
    #expect(!last.wait(until: .now))
    other.leave()
    #expect(last.wait(until: .now + .seconds(10)))
  }

  @Test func `a turn that comes after its writer has given up goes on to the next`() {
    let (one, last) = (line(), line())
    #expect(one.wait(until: .now))
    let other = waiting()
    #expect(!last.wait(until: .now))
    other.leave()

    one.leave()

    #expect(last.wait(until: .now + .seconds(10)))
  }

  @Test func `a place and a turn go with whoever had them`() {
    let last = line()
    do {
      let one = line()
      #expect(one.wait(until: .now))
      let other = waiting()
      #expect(!last.wait(until: .now))
      withExtendedLifetime((one, other)) {}
    }

    #expect(last.wait(until: .now + .seconds(10)))
  }

  @Test func `those who wait are seen by everybody else, those who write are not`() {
    let (one, watcher) = (line(), line())
    #expect(!watcher.isSomebodyWaiting)
    #expect(one.wait(until: .now))
    #expect(!watcher.isSomebodyWaiting)

    let other = waiting()
    #expect(watcher.isSomebodyWaiting)
    #expect(!other.isSomebodyWaiting, "it is the one")

    one.leave()
    #expect(other.wait(until: .now + .seconds(10)))
    #expect(!watcher.isSomebodyWaiting)
  }

  @Test func `where there is nothing to lock nobody waits`() {
    let nowhere = WritersLine(for: folder.file("none/waymark.sqlite"))

    let time = ContinuousClock().measure { #expect(!nowhere.wait(until: .now + .seconds(60))) }

    #expect(time < .seconds(30))
    #expect(!nowhere.isSomebodyWaiting)
    nowhere.leave()
  }

  @Test func `of many who come again and again each has its turns, alone`() {
    let inside = Mutex(0)
    let turns = Mutex<[Int: Int]>([:])
    let (writers, rounds) = (6, 300)

    DispatchQueue.concurrentPerform(iterations: writers) { number in
      let line = line()
      for _ in 0..<rounds {
        #expect(line.wait(until: .now + .seconds(60)))
        #expect(
          inside.withLock {
            $0 += 1; return $0
          } == 1)
        turns.withLock { $0[number, default: 0] += 1 }
        inside.withLock { $0 -= 1 }
        line.leave()
      }
    }

    #expect(turns.withLock(\.self) == Dictionary(uniqueKeysWithValues: (0..<writers).map { ($0, rounds) }))
  }
}
