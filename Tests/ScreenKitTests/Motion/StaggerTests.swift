import ScreenKit
import Testing

struct StaggerTests {
  @Test func `siblings start one after another and share out the time`() {
    let stagger = Stagger(count: 3, share: 0.5)

    let intervals = (0..<3).map { stagger.interval(of: $0) }

    #expect(intervals.map(\.start) == [0, 0.25, 0.5])
    #expect(intervals.map(\.end) == [0.5, 0.75, 1])
  }

  @Test func `the first starts at 0, the last ends at 1, and none starts before the one before it`() {
    for count in 1...40 {
      for share in [0, 0.1, 0.3, 1.0 / 3, 0.7, 1] {
        let stagger = Stagger(count: count, share: share)
        let intervals = (0..<count).map { stagger.interval(of: $0) }

        #expect(intervals.first?.start == 0)
        #expect(intervals.last?.end == 1)
        #expect(zip(intervals, intervals.dropFirst()).allSatisfy { $0.start <= $1.start })
        #expect(intervals.last?.fraction(of: 1) == 1)
      }
    }
  }

  @Test func `one alone takes all the time, and numbers beyond the ends are brought in`() {
    #expect(Stagger(count: 0, share: 0.2).interval(of: 5) == Stagger(count: 1, share: 1).interval(of: 0))
    #expect(Stagger(count: 1, share: 0.2).interval(of: 0).duration == 1)
    #expect(Stagger(count: 3, share: 9).interval(of: 99).start == 0)
    #expect(Stagger(count: 3, share: 0.5).interval(of: -1).start == 0)
  }
}
