import ScreenKit
import TestSupport
import Testing

struct KeyframesTests {
  // S2.8
  @Test func `keyframes pass through the reference values`() throws {
    let frames = try KeyframesReference.frames.map {
      try Keyframes.Frame(start: $0.start, duration: $0.duration, to: $0.value)
    }
    let keyframes = Keyframes(from: 0, frames)

    expect(
      KeyframesReference.fraction.map { keyframes.value(at: $0) }, near: KeyframesReference.value, within: computed)
  }

  // S2.9
  @Test func `relative times become seconds of the whole animation`() throws {
    for (frame, expected) in zip(KeyframesReference.frames, KeyframesReference.seconds) {
      let interval = try RelativeInterval(start: frame.start, duration: frame.duration)

      let seconds = interval.seconds(duration: KeyframesReference.duration, delay: KeyframesReference.delay)

      expect([seconds.start, seconds.end], near: [expected.start, expected.end], within: computed)
    }
  }

  // S2.10
  @Test func `each keyframe starts from the value the earlier ones left, and rests between them`() throws {
    let keyframes = Keyframes(
      from: 5,
      [
        try .init(start: 0.6, duration: 0.2, to: 0),
        try .init(start: 0.2, duration: 0.2, to: 10),
      ])

    let values = [0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1].map { keyframes.value(at: $0) }

    expect(values, near: [5, 5, 7.5, 10, 10, 10, 5, 0, 0], within: computed)
  }

  @Test func `a keyframe that starts early takes over where the other one is`() throws {
    let keyframes = Keyframes(
      from: 0, [try .init(start: 0, duration: 1, to: 10), try .init(start: 0.5, duration: 0.5, to: 0)])

    expect([0.4, 0.5, 0.75, 1].map { keyframes.value(at: $0) }, near: [4, 5, 2.5, 0], within: computed)
  }

  @Test func `a keyframe has its own curve`() throws {
    let keyframes = Keyframes(from: 0, [try .init(start: 0.5, duration: 0.5, to: 2, curve: .easeIn)])

    #expect(keyframes.value(at: 0.75) == 2 * TimingCurve.easeIn.progress(at: 0.5))
  }

  @Test func `a keyframe of no length is a jump, and the later of two at one place counts`() throws {
    let keyframes = Keyframes(
      from: 0, [try .init(start: 0.5, duration: 0, to: 1), try .init(start: 0.5, duration: 0, to: 2)])

    #expect([(0.5).nextDown, 0.5, 1].map { keyframes.value(at: $0) } == [0, 2, 2])
  }

  @Test func `without keyframes the value stays`() {
    #expect(Keyframes(from: 4, []).value(at: 0.5) == 4)
  }

  @Test func `the path never jumps, whatever keyframes with a length there are`() throws {
    var random = SplitMix64(seed: 51)
    for _ in 0..<100 {
      let frames = try (0..<5).map { _ in
        try Keyframes.Frame(
          start: .random(in: 0...0.8, using: &random), duration: .random(in: 0.2...1, using: &random),
          to: .random(in: 0...1, using: &random))
      }
      let keyframes = Keyframes(from: 0, frames)

      let values = (0...10_000).map { keyframes.value(at: Double($0) / 10_000) }

      // The steepest a keyframe can be: 1 over 0.2.
      #expect(zip(values, values.dropFirst()).allSatisfy { abs($1 - $0) <= 5.001 / 10_000 })
      #expect(values.last == keyframes.frames.last?.target)
    }
  }
}
