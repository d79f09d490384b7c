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

  /// Searches as the Find tab does: the hits, their titles with marked matches, and their passages.
  private func find(_ text: String, _ snapshot: StoreSnapshot) throws -> [String] {
    let findings = try snapshot.search(text)
    return try findings.hits.map(\.node.title)
      + snapshot.highlightedTitle(findings.hits.map(\.node.title), for: findings.searchedFor).map(\.marked)
      + snapshot.snippets(of: findings.hits.map(\.node.id), for: findings.searchedFor).map(\.marked)
  }

  private static let activities = [
    ("Anchors", "Drop an anchor before the storm."), ("Über anchors", "The anchor of a 船 is heavy."), ("Sails", "Wind"),
  ]

  @Test(arguments: ["anchor", "fir anch", "anhcor", "船", "\"an anchor\""], [false, true])
  func `a search that is interrupted after any number of steps throws, and the next one is complete`(
    text: String, isNewConnection: Bool
  ) throws {
    let fixture = try SearchFixture()
    try fixture.write("Course", Self.activities)
    let expected = try fixture.store.read { try find(text, $0) }
    try #require(!expected.isEmpty)
    if isNewConnection { try fixture.store.close() }
    var steps = 0
    var isComplete = false
    while !isComplete {
      steps += isNewConnection ? 1 + steps / 20 : 1
      // On a new connection, nothing was prepared before.
      let store = isNewConnection ? try LearningStore.open(at: fixture.folder.file("waymark.sqlite")) : fixture.store
      let interruption = Interruption()
      let limit = StepLimit(steps) { interruption.interrupt() }
      do {
        let found = try store.read(until: interruption) { snapshot in
          limit.install(on: snapshot.database)
          return try find(text, snapshot)
        }
        isComplete = !limit.isReached
        if isComplete { #expect(found == expected) }
      } catch is CancellationError {
        #expect(limit.isReached)
      }
      if isNewConnection {
        try store.close()
      } else if steps % 16 == 0 {
        #expect(try store.read { try find(text, $0) } == expected, "after \(steps) steps")
      }
    }
    #expect(steps > 100)
  }
}
