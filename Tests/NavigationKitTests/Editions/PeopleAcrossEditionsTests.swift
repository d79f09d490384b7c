import TestSupport
import Testing

struct PeopleAcrossEditionsTests {
  @Test(arguments: 0..<UInt64(Tier.count(1, long: 40)))
  func `learners keep their history, progress and bookmarks through all edits`(batch: UInt64) throws {
    var occurred: Set<String> = []
    for seed in batch * 3..<batch * 3 + 3 {
      let walk = try EditionWalk(seed: seed)
      for _ in 0..<Tier.count(12, long: 30) {
        for _ in 0..<15 { try walk.operation() }
        try walk.edition()
        try walk.expectAll()
      }
      occurred.formUnion(walk.seen)
    }

    // Checks that all situations occurred, so that no expectation passes without being exercised.
    #expect(occurred.isSuperset(of: EditionWalk.everything), "\(EditionWalk.everything.subtracting(occurred))")
  }
}
