import LearningModel
import Testing

struct ProgressTests {
  @Test func `only a place with activities that are all done is complete`() {
    let all = [(0, 0), (0, 4), (3, 4), (4, 4)].map { Progress(done: $0.0, total: $0.1) }

    #expect(all.map(\.isComplete) == [false, false, false, true])
    #expect(all.map(\.fraction) == [0, 0, 0.75, 1])
  }
}
