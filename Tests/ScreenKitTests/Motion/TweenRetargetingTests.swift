import ScreenKit
import TestSupport
import Testing

struct TweenRetargetingTests {
  private let first = Tween(from: 0, to: 1, curve: .spring(.smooth, initialVelocity: 0), duration: 0)

  @Test func `a restart takes over place and velocity and follows the reference`() {
    let now = first.state(at: RetargetReference.moment)
    expect(now.value, near: RetargetReference.x, within: computed)
    expect(now.velocity, near: RetargetReference.v, within: computed)
    expect(
      now.velocity / (RetargetReference.target - now.value), near: RetargetReference.normalisedVelocity,
      within: computed)

    let second = first.retargeted(to: RetargetReference.target, at: RetargetReference.moment, spring: .smooth)

    let states = RetargetReference.t.map { second.state(at: RetargetReference.moment + $0) }
    expect(states.map(\.value), near: RetargetReference.restartedX, within: computed)
    expect(states.map(\.velocity), near: RetargetReference.restartedV, within: computed)
  }

  @Test func `turned back with its velocity it follows the reference`() {
    let back = first.retargeted(to: 0, at: RetargetReference.moment, spring: .smooth)

    let values = RetargetReference.t.map { back.value(at: RetargetReference.moment + $0) }

    expect(values, near: RetargetReference.reversedX, within: computed)
  }

  @Test func `the same spring restarted and added up is the same path`() {
    // Superposition holds while no journey has been called settled.
    let shift = RetargetReference.target - 1
    let values = RetargetReference.t.map { since in
      let moment = RetargetReference.moment + since
      let added = Spring.smooth.value(from: -shift, to: 0, at: since).value
      return Spring.smooth.value(from: 0, to: 1, at: moment).value + shift + added
    }

    expect(values, near: RetargetReference.superposedX, within: computed)
    expect(RetargetReference.superposedX, near: RetargetReference.restartedX, within: computed)
  }

  @Test func `whatever moves may be retargeted at any moment without a jump in place or velocity`() {
    var random = SplitMix64(seed: 31)
    let curves: [TimingCurve] = [
      .linear, .easeInOut, .spring(duration: 0.4, dampingRatio: 0.8, initialVelocity: 1),
      .spring(duration: 1, bounce: 0.3),
    ]
    for index in 0..<400 {
      var tween = Tween(
        from: .random(in: -80...80, using: &random), to: .random(in: -80...80, using: &random),
        curve: curves[index % curves.count], duration: 0.5)
      var moment = 0.0
      for _ in 0..<5 {
        moment += .random(in: 0.01...0.3, using: &random)
        let before = tween.state(at: moment)

        tween = tween.retargeted(
          to: .random(in: -80...80, using: &random), at: moment, spring: .init(duration: 0.28, bounce: 0.1))

        #expect(tween.state(at: moment) == before)
        let soon = tween.state(at: moment + 1e-6)
        expect(soon.value, near: before.value + before.velocity * 1e-6, within: 1e-6)
      }
      #expect(tween.state(at: tween.end) == (tween.target, 0))
    }
  }
}
