import TestSupport
import Testing

@testable import CourseKit

struct LongestIncreasingSubsequenceTests {
  @Test(arguments: [
    ([], []), ([4], [0]), ([1, 2, 3], [0, 1, 2]), ([3, 1, 2], [1, 2]), ([2, 3, 1], [0, 1]),
    ([5, 1, 6, 2, 7], [1, 3, 4]),
  ])
  func `values outside the longest increasing subsequence count as moved`(values: [Int], indices: [Int]) {
    #expect(LongestIncreasingSubsequence.indices(in: values).sorted() == indices)
  }

  @Test func `the subsequence is increasing and as long as the one found by exhaustive search`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<200 {
      let values = Array(0..<9).shuffled(using: &random)
      let subsequence = LongestIncreasingSubsequence.indices(in: values).sorted().map { values[$0] }
      let longest = (0..<512).filter { bits in
        let chosen = values.indices.filter { bits >> $0 & 1 == 1 }.map { values[$0] }
        return chosen == chosen.sorted()
      }.map(\.nonzeroBitCount).max()
      #expect(subsequence == subsequence.sorted() && subsequence.count == longest)
    }
  }
}
