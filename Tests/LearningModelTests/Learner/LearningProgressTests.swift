import LearningModel
import Testing

struct LearningProgressTests {
  @Test func `a place is complete if it has activities and all of them are done`() {
    let all = [(0, 0), (0, 4), (3, 4), (4, 4)].map { LearningProgress(done: $0.0, total: $0.1) }

    #expect(all.map(\.isComplete) == [false, false, false, true])
    #expect(all.map(\.fraction) == [0, 0, 0.75, 1])
  }
}
