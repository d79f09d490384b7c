import GRDB
import NavigationKit
import TestSupport
import Testing

struct PropertyTests {
  @Test func `random steps and edits follow the table of operations and match the logs`() throws {
    let walk = try RandomWalk(seed: 1)

    for number in 1...Tier.count(2_000, long: 100_000) {
      try walk.operation()
      if number.isMultiple(of: 1_000) { try walk.compareLogs(after: number) }
    }

    // Checks that all situations occurred: every operation and refusal, sessions that ended, and repairs.
    #expect(walk.seen.isSuperset(of: RandomWalk.everything), "\(RandomWalk.everything.subtracting(walk.seen))")
    try walk.fixture.write { try $0.execute(sql: "DELETE FROM progress WHERE node % 2 = 0; DELETE FROM placeScore") }
    #expect(try walk.frontEnds[0].service.check().count == 2)
    try walk.frontEnds[0].service.rebuild()
    #expect(try walk.frontEnds[0].service.check() == [])
  }
}
