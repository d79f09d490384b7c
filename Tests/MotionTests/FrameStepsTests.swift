import Motion
import TestSupport
import Testing

struct FrameStepsTests {
  @Test func `four steps of a cross-fade show four pictures after the first`() {
    let steps = FrameSteps(count: 4, duration: 0.12)

    expect(steps.moments, near: [0.03, 0.06, 0.09, 0.12], within: 1e-12)
    #expect([-1, 0, 0.02, 0.04, 0.1, 0.12, 9].map { steps.fractionComplete(at: $0) } == [0, 0, 0, 0.25, 0.75, 1, 1])
  }

  @Test func `a loop that sleeps from moment to moment draws every step once and then is done`() {
    var random = SplitMix64(seed: 81)
    for _ in 0..<300 {
      let steps = FrameSteps(
        count: .random(in: 1...200, using: &random), duration: .random(in: 0.001...10, using: &random))
      var drawn: [Double] = []
      var elapsed = 0.0

      while drawn.count <= steps.count, let next = steps.nextMoment(after: elapsed) {
        elapsed = next
        drawn.append(steps.fractionComplete(at: elapsed))
      }

      #expect(drawn == (1...steps.count).map { Double($0) / Double(steps.count) })
      #expect(elapsed == steps.duration)
      #expect(steps.moments.allSatisfy { steps.fractionComplete(at: $0.nextDown) < steps.fractionComplete(at: $0) })
    }
  }

  @Test func `steps at a frame rate are no longer than a frame`() {
    #expect(FrameSteps(framesPerSecond: 60, duration: 0.28).count == 17)
    #expect(FrameSteps(framesPerSecond: 60, duration: 0.5).count == 30)
    #expect(FrameSteps(framesPerSecond: 10, duration: 0.3).count == 3)
    #expect(FrameSteps(framesPerSecond: 60, duration: 0.001).count == 1)
  }

  @Test func `steps of no duration, or of nonsense, are over at once`() {
    for steps in [FrameSteps(count: 0, duration: -1), FrameSteps(framesPerSecond: .nan, duration: .nan)] {
      #expect(steps.fractionComplete(at: 0) == 1)
      #expect(steps.nextMoment(after: 0) == nil)
      #expect(steps.moments == [0])
    }
    #expect(FrameSteps(framesPerSecond: .infinity, duration: 1).count == 1_000_000)
  }
}
