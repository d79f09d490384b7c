import Foundation
import GRDB
import LearningModel
import TestSupport
import Testing

@testable import LearningStore

struct InterruptionTests {
  /// Runs a query that takes minutes unless it is interrupted.
  ///
  /// - Parameter begun: Signalled by the statement itself when it runs.
  private func askForLong(_ fixture: SearchFixture, until interruption: Interruption, begun: DispatchSemaphore? = nil)
    throws
  {
    let text = StatementTexts.long
    try fixture.store.read(until: interruption) { snapshot in
      snapshot.database.add(
        function: DatabaseFunction("begun", argumentCount: 0) { _ in
          begun?.signal()
          return 1
        })
      _ = try snapshot.value(text) as Int?
    }
  }

  private enum StatementTexts {
    static let long = StatementText(
      "WITH RECURSIVE n (i) AS (VALUES (begun()) UNION ALL SELECT i + 1 FROM n LIMIT 100000000000) SELECT sum(i) FROM n"
    )
  }

  @Test func `a query interrupted by another thread leaves its connection usable`() throws {
    let fixture = try SearchFixture()
    try fixture.write("Course", [("Anchors", "")])
    let interruption = Interruption()
    let begun = DispatchSemaphore(value: 0)
    let stopper = Thread {
      begun.wait()
      interruption.interrupt()
    }
    stopper.start()

    #expect(throws: CancellationError.self) { try askForLong(fixture, until: interruption, begun: begun) }

    for _ in 0..<10 { #expect(try fixture.titles("anchor") == ["Anchors"]) }
    let next = Interruption()
    #expect(try fixture.store.read(until: next) { try $0.search("anchor") }.hits.count == 1)
  }

  @Test func `an interruption before a query cancels it, and one afterwards has no effect`() throws {
    let fixture = try SearchFixture()
    try fixture.write("Course", [("Anchors", "")])
    let early = Interruption()
    early.interrupt()

    #expect(throws: CancellationError.self) { try askForLong(fixture, until: early) }
    let late = Interruption()
    #expect(try fixture.store.read(until: late) { try $0.search("anchor") }.hits.count == 1)
    late.interrupt()
    late.interrupt()
    #expect(late.isInterrupted)
    #expect(try fixture.titles("anchor") == ["Anchors"])
  }

  @Test func `searches interrupted at any moment leave later ones correct`() throws {
    let fixture = try SearchFixture()
    let many = (0..<200).map { ("Word\($0) common", "common words of every kind, number \($0)") }
    try fixture.write("Course", many)
    let right = try fixture.titles("common")
    var random = SplitMix64(seed: 7)
    var stopped = 0

    var rounds = 0
    // On a busy machine the interrupting thread may run late.
    while rounds < 60 || stopped == 0 && rounds < 2_000 {
      rounds += 1
      let interruption = Interruption()
      let wait = Double(random.below(3_000)) / 1_000_000
      let stopper = Thread {
        Thread.sleep(forTimeInterval: wait)
        interruption.interrupt()
      }
      stopper.start()
      do {
        let findings = try fixture.store.read(until: interruption) { try $0.search("common num") }
        #expect(findings.hits.count == 20)
      } catch is CancellationError {
        stopped += 1
      }
      #expect(try fixture.titles("common") == right)
    }

    #expect(stopped > 0)
  }

  @Test func `reading the index ahead changes no results and can be interrupted`() throws {
    let fixture = try SearchFixture()
    try fixture.write("Course", [("Anchors", "")])
    let early = Interruption()
    early.interrupt()

    try fixture.store.readSearchAhead(until: Interruption())
    #expect(throws: CancellationError.self) { try fixture.store.readSearchAhead(until: early) }

    #expect(try fixture.titles("anchor") == ["Anchors"])
  }
}
