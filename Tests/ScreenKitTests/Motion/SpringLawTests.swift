import ScreenKit
import TestSupport
import Testing

/// Tests properties that all springs have, on springs chosen at random with a fixed seed.
struct SpringLawTests {
  private struct Release {
    let spring: Spring
    let start, target, velocity: Double
  }

  /// Makes springs from nearly undamped to strongly overdamped, a quarter of them very close to critical damping.
  private static func releases(_ count: Int, seed: UInt64) -> [Release] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { index in
      let mass = Double.random(in: 0.2...5, using: &random)
      let frequency = Double.random(in: 2...30, using: &random)
      let ratio =
        index.isMultiple(of: 4)
        ? 1 + Double.random(in: -1e-6...1e-6, using: &random) : Double.random(in: 0.05...4, using: &random)
      return Release(
        spring: Spring(mass: mass, stiffness: mass * frequency * frequency, damping: 2 * mass * ratio * frequency),
        start: .random(in: -100...100, using: &random), target: .random(in: -100...100, using: &random),
        velocity: .random(in: -500...500, using: &random))
    }
  }

  @Test func `a spring has its start value and velocity up to its release`() {
    for release in Self.releases(200, seed: 1) {
      for elapsed in [0.0, -1] {
        let state = release.spring.value(
          from: release.start, to: release.target, velocity: release.velocity, at: elapsed)

        #expect(state == (release.start, release.velocity))
      }
    }
  }

  @Test func `the position over time satisfies the oscillator's equation`() {
    for release in Self.releases(200, seed: 2) {
      let spring = release.spring
      var state = (value: release.start, velocity: release.velocity)
      let step = 1e-4
      let acceleration = { (x: Double, v: Double) in
        (spring.stiffness * (release.target - x) - spring.damping * v) / spring.mass
      }

      // The Runge–Kutta method of fourth order computes the same path independently.
      for _ in 0..<3000 {
        let (x, v) = state
        let a1 = acceleration(x, v)
        let v2 = v + step / 2 * a1
        let a2 = acceleration(x + step / 2 * v, v2)
        let v3 = v + step / 2 * a2
        let a3 = acceleration(x + step / 2 * v2, v3)
        let v4 = v + step * a3
        let a4 = acceleration(x + step * v3, v4)
        state = (x + step / 6 * (v + 2 * v2 + 2 * v3 + v4), v + step / 6 * (a1 + 2 * a2 + 2 * a3 + a4))
      }

      let closed = spring.value(from: release.start, to: release.target, velocity: release.velocity, at: 0.3)
      expect(closed.value, near: state.value, within: 1e-5)
      expect(closed.velocity, near: state.velocity, within: 1e-4)
    }
  }

  @Test func `a spring released again from its path continues along it`() {
    for release in Self.releases(200, seed: 3) {
      let spring = release.spring
      let uninterrupted = { (time: Double) in
        spring.value(from: release.start, to: release.target, velocity: release.velocity, at: time)
      }
      let middle = uninterrupted(0.13)

      let second = spring.value(from: middle.value, to: release.target, velocity: middle.velocity, at: 0.29)

      expect(second.value, near: uninterrupted(0.42).value, within: 1e-9)
      expect(second.velocity, near: uninterrupted(0.42).velocity, within: 1e-8)
    }
  }

  @Test func `a path scales with its distance and is mirrored by its sign`() {
    for release in Self.releases(200, seed: 4) {
      let path = release.spring.value(from: 0, to: release.target, velocity: release.velocity, at: 0.2)

      let unit = release.spring.value(from: 0, to: 1, velocity: release.velocity / release.target, at: 0.2)
      expect(unit.value * release.target, near: path.value, within: 1e-9)

      let turned = release.spring.value(from: 0, to: -release.target, velocity: -release.velocity, at: 0.2)
      #expect(turned == (-path.value, -path.velocity))
    }
  }

  @Test func `a spring stays within the tolerance after its settling duration`() {
    for release in Self.releases(300, seed: 5) {
      let tolerance = 0.05
      let settled = release.spring.settlingDuration(
        from: release.start, to: release.target, velocity: release.velocity, tolerance: tolerance)

      #expect(settled.isFinite)
      for step in 0...400 {
        let time = settled * (1 + Double(step) / 200)
        let state = release.spring.value(
          from: release.start, to: release.target, velocity: release.velocity, at: time)

        #expect(abs(state.value - release.target) <= tolerance * (1 + 1e-9))
      }
    }
  }

  @Test func `without oscillation, the tolerance is reached exactly at the settling duration`() {
    for release in Self.releases(300, seed: 6) where release.spring.dampingRatio >= 1 {
      let settled = release.spring.settlingDuration(
        from: release.start, to: release.target, velocity: release.velocity, tolerance: 0.05)

      let state = release.spring.value(
        from: release.start, to: release.target, velocity: release.velocity, at: settled)
      expect(abs(state.value - release.target), near: 0.05, within: 1e-9)
    }
  }

  @Test func `a spring that starts within the tolerance is settled immediately`() {
    for spring in [Spring(stiffness: 100, damping: 10), Spring(stiffness: 100, damping: 20), Spring.smooth] {
      #expect(spring.settlingDuration(from: 1, to: 1, tolerance: 0.1) == 0)
      #expect(spring.settlingDuration(from: 1, to: 1.05, tolerance: 0.1) == 0)
    }
    #expect(Spring(stiffness: 100, damping: 40).settlingDuration(from: 1, to: 1.05, tolerance: 0.1) == 0)
  }

  @Test func `a critically damped spring with a velocity settles after its last excursion`() {
    let spring = Spring(stiffness: 1, damping: 2)

    // The spring overshoots and returns. In the first case, the overshoot barely exceeds the tolerance.
    let late = spring.settlingDuration(from: 0, to: 1, velocity: 1.2262, tolerance: 1e-3)
    let early = spring.settlingDuration(from: 0, to: 1, velocity: 1.2261, tolerance: 1e-3)

    expect(late, near: 5.454495, within: 1e-5)
    #expect(early < 4.2)
  }

  @Test func `only a spring with bounce overshoots its target`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<100 {
      let duration = Double.random(in: 0.1...2, using: &random)
      let bounce = Double.random(in: -0.9...0.9, using: &random)
      let spring = Spring(duration: duration, bounce: bounce)

      let highest = (0...2000).map { spring.value(from: 0, to: 1, at: Double($0) * duration / 500).value }.max() ?? 0

      #expect(bounce > 0.1 ? highest > 1 : bounce > 0 || highest <= 1)
    }
  }

  @Test func `the path is continuous across critical damping`() {
    for time in stride(from: 0.05, through: 2, by: 0.05) {
      let critical = Spring(stiffness: 100, damping: 20).value(from: 0, to: 1, velocity: 3, at: time)
      for offset in [-1e-7, -1e-10, -1e-14, 1e-14, 1e-10, 1e-7] {
        let near = Spring(stiffness: 100, damping: 20 * (1 + offset)).value(from: 0, to: 1, velocity: 3, at: time)

        expect(near.value, near: critical.value, within: 1e-6)
        expect(near.velocity, near: critical.velocity, within: 1e-5)
      }
    }
  }
}
