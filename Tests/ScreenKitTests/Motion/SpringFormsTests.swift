import Foundation
import ScreenKit
import TestSupport
import Testing

/// Tests the three ways to describe a spring: by duration and bounce, by settling duration, and by fixed duration and
/// damping ratio.
struct SpringFormsTests {
  @Test func `a spring created from duration and bounce returns both values`() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<200 {
      let duration = Double.random(in: 0.05...5, using: &random)
      let bounce = Double.random(in: -0.95...0.99, using: &random)

      let spring = Spring(duration: duration, bounce: bounce)

      expect(spring.response, near: duration, within: 1e-12)
      expect(spring.bounce, near: bounce, within: 1e-12)
      #expect(spring.cutoff == nil)
    }
    #expect(Spring() == Spring.smooth)
    expect(Spring.smooth.bounce, near: 0, within: computed)
  }

  @Test func `a spring with a settling duration settles in that time`() {
    var random = SplitMix64(seed: 14)
    for index in 0..<200 {
      let seconds = Double.random(in: 0.05...5, using: &random)
      let ratio = index.isMultiple(of: 4) ? 1 : Double.random(in: 0.05...5, using: &random)

      let spring = Spring(settlingDuration: seconds, dampingRatio: ratio)

      expect(spring.settlingDuration(.coreAnimation(initialVelocity: 0)) / seconds, near: 1, within: 1e-9)
      expect(spring.dampingRatio, near: ratio, within: 1e-9)
      #expect(spring.cutoff == nil)
    }
    expect(
      Spring(settlingDuration: 2).angularFrequency, near: MotionReference.durationSprings.criticalW / 2,
      within: computed)
  }

  // Checklist: S2.6.
  @Test func `a spring with a fixed duration overshoots only below damping ratio 1`() {
    let highest = { (ratio: Double) in
      (0...1000).map { Spring(duration: 1, dampingRatio: ratio).value(from: 0, to: 1, at: Double($0) / 1000).value }
        .max() ?? 0
    }

    #expect(highest(1) == 1)
    #expect(highest(0.9) > 1)
    #expect(highest(0.3) > highest(0.6))
  }

  // Checklist: S2.7.
  @Test func `a spring with a fixed duration reaches its target exactly at its end`() {
    var random = SplitMix64(seed: 12)
    for _ in 0..<200 {
      let duration = Double.random(in: 0.05...3, using: &random)
      let ratio = Double.random(in: 0.1...1, using: &random)
      let velocity = Double.random(in: -3...3, using: &random)
      let spring = Spring(duration: duration, dampingRatio: ratio, initialVelocity: velocity)

      let before = spring.value(from: 10, to: 20, velocity: velocity * 10, at: duration.nextDown)
      let after = spring.value(from: 10, to: 20, velocity: velocity * 10, at: duration)

      #expect(spring.cutoff == duration)
      #expect(before.velocity != 0)
      #expect(after == (20, 0))
    }
  }

  @Test func `the stiffness of springs with fixed durations solves UIKit's equation`() {
    var random = SplitMix64(seed: 13)
    for index in 0..<20_000 {
      let duration = Double.random(in: 0.05...3, using: &random)
      let ratio = index.isMultiple(of: 5) ? 1 : Double.random(in: 0.01...0.999, using: &random)
      let velocity = Double.random(in: -30...30, using: &random)

      let w =
        Spring(duration: duration, dampingRatio: ratio, initialVelocity: velocity).angularFrequency * duration
      let u = velocity * duration
      let residual =
        ratio == 1
        ? abs(u - w - 1) * exp(-w) : abs((u / w - ratio) / (1 - ratio * ratio).squareRoot()) * exp(-ratio * w)

      #expect(
        abs(residual - 1e-3) <= 1e-4, "damping ratio \(ratio), velocity \(u) a duration: W \(w) leaves \(residual)")
    }
  }

  @Test func `a damping ratio above 1 counts as 1, as in UIKit`() {
    #expect(Spring(duration: 0.4, dampingRatio: 3) == Spring(duration: 0.4, dampingRatio: 1))
  }

  @Test func `a spring with a fixed duration of 0 is at its target immediately`() {
    for duration: Double in [0, -1, -.infinity, .nan] {
      let state = Spring(duration: duration, dampingRatio: 0.8).value(from: 0, to: 1, at: 0)

      #expect(state == (1, 0))
    }
  }

  @Test func `invalid parameters are limited to their valid ranges`() {
    let springs = [
      Spring(mass: 0, stiffness: -1, damping: -5), Spring(mass: .nan, stiffness: .nan, damping: .nan),
      Spring(mass: .infinity, stiffness: .infinity, damping: .infinity), Spring(duration: 0, bounce: 7),
      Spring(duration: .nan, bounce: -7), Spring(duration: 1, dampingRatio: .nan, initialVelocity: .nan),
      Spring(duration: 1, dampingRatio: 0, initialVelocity: .infinity),
    ]
    for spring in springs {
      for time in [0.0, 1e-9, 0.1, 1, 1e9] {
        let state = spring.value(from: 0, to: 1, velocity: 2, at: time)

        #expect(state.value.isFinite && state.velocity.isFinite)
      }
      #expect(spring.settlingDuration(.coreAnimation(initialVelocity: 2)).isFinite)
      #expect(spring.settlingDuration(.swiftUI).isFinite)
    }
  }
}
