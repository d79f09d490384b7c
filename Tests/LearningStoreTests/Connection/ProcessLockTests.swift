import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LearningStore

struct ProcessLockTests {
  private let folder: TemporaryFolder
  private var locks: String { folder.file("locks") }

  init() throws { folder = try TemporaryFolder() }

  @Test func `a lock has one owner, and releasing it removes its file`() throws {
    let first = try ProcessLock.make("1", in: locks)
    let other = try ProcessLock.make("2", in: locks)

    let refusal = #expect(throws: ProcessLock.Refusal.self) { try ProcessLock.make("1", in: locks) }
    #expect(refusal == ProcessLock.Refusal(path: "\(locks)/1", code: EWOULDBLOCK))
    #expect(ProcessLock.takeOver("1", in: locks) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: locks).sorted() == ["1", "2"])

    withExtendedLifetime((first, other)) {}
    _ = consume first
    #expect(try FileManager.default.contentsOfDirectory(atPath: locks) == ["2"])
    _ = consume other
    #expect(try FileManager.default.contentsOfDirectory(atPath: locks) == [])
  }

  @Test func `the lock of a process that ended can be taken over`() throws {
    try FileManager.default.createDirectory(atPath: locks, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: "\(locks)/1"))

    let lock = try #require(ProcessLock.takeOver("1", in: locks))
    #expect(throws: ProcessLock.Refusal.self) { try ProcessLock.make("1", in: locks) }
    _ = consume lock

    #expect(try FileManager.default.contentsOfDirectory(atPath: locks) == [])
    #expect(ProcessLock.takeOver("1", in: locks) != nil)
  }

  @Test func `a folder that cannot be created is reported with its cause`() throws {
    let file = folder.file("file")
    try Data().write(to: URL(filePath: file))

    let refusal = #expect(throws: ProcessLock.Refusal.self) { try ProcessLock.make("1", in: "\(file)/locks") }

    #expect(refusal == ProcessLock.Refusal(path: "\(file)/locks", code: ENOTDIR))
    #expect(refusal?.reason == "not a directory")
  }

  @Test func `a process lock never has two owners at the same time`() throws {
    let inside = Mutex(0)
    let maximum = Mutex(0)
    let turns = Mutex(0)

    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      while turns.withLock({ $0 < 2_000 }) {
        guard let lock = try? ProcessLock.make("1", in: locks) else { continue }
        let count = inside.withLock { inside in
          inside += 1
          return inside
        }
        maximum.withLock { $0 = max($0, count) }
        turns.withLock { $0 += 1 }
        inside.withLock { $0 -= 1 }
        withExtendedLifetime(lock) {}
      }
    }

    #expect(maximum.withLock { $0 } == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: locks) == [])
  }
}
