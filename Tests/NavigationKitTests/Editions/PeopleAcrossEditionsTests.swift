import TestSupport
import Testing

struct PeopleAcrossEditionsTests {
  @Test(arguments: 0..<UInt64(Tier.count(1, long: 40)))
  func `however courses are edited, what people did in them is still theirs`(part: UInt64) throws {
    var seen: Set<String> = []
    for seed in part * 3..<part * 3 + 3 {
      let walk = try EditionWalk(seed: seed)
      for _ in 0..<Tier.count(12, long: 30) {
        for _ in 0..<15 { try walk.operation() }
        try walk.edition()
        try walk.expectAll()
      }
      seen.formUnion(walk.seen)
    }

    // Nothing was held of nothing.
    #expect(seen.isSuperset(of: EditionWalk.everything), "\(EditionWalk.everything.subtracting(seen))")
  }
}
