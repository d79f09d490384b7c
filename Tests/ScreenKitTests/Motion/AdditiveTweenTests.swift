import ScreenKit
import TestSupport
import Testing

struct AdditiveTweenTests {
  private static func curve(velocity: Double) -> TimingCurve {
    .spring(duration: 0.4, dampingRatio: 0.8, initialVelocity: velocity)
  }

  @Test func `a moving centre that is sent on moves as UIKit's does`() {
    var first = AdditiveTween(50)
    first.retarget(to: 150, curve: Self.curve(velocity: 0), duration: 0.4, at: 0)
    var second = first
    second.retarget(to: 350, curve: Self.curve(velocity: 1), duration: 0.4, at: 0.25)

    let values = MeasuredRetargetReference.t.map { ($0 < 0.25 ? first : second).value(at: $0) }

    // The path is 300 long. The computed row was rounded to six digits after the point.
    expect(values, near: MeasuredRetargetReference.measuredX, within: measured * 300)
    expect(values, near: MeasuredRetargetReference.modelX, within: computed * 5)
    #expect(second.end == 0.65)
  }

  @Test func `the sum of springs of one kind is the path of the reference`() {
    let curve = TimingCurve.spring(.smooth, initialVelocity: 0)
    var tween = AdditiveTween(0)
    tween.retarget(to: 1, curve: curve, duration: 0, at: 0)
    tween.retarget(to: RetargetReference.target, curve: curve, duration: 0, at: RetargetReference.moment)

    let values = RetargetReference.t.map { tween.value(at: RetargetReference.moment + $0) }

    expect(values, near: RetargetReference.superposedX, within: computed)
  }

  @Test func `the target is the model value at once, and the value rests there after the last end`() {
    var tween = AdditiveTween(3)
    #expect(tween.end == nil)
    #expect(tween.state(at: 7) == (3, 0))

    tween.retarget(to: 10, curve: .easeIn, duration: 1, at: 0)
    tween.retarget(to: -4, curve: .linear, duration: 0.2, at: 0.5)

    #expect(tween.target == -4)
    #expect(tween.end == 1)
    #expect(tween.state(at: 1) == (-4, 0))
    #expect(tween.value(at: 0.5) == TimingCurve.easeIn.progress(at: 0.5) * 7 + 3)
  }

  @Test func `a target that is already the model value adds nothing`() {
    var tween = AdditiveTween(0)
    tween.retarget(to: 1, curve: .linear, duration: 1, at: 0)
    let before = tween

    tween.retarget(to: 1, curve: .easeOut, duration: 3, at: 0.5)

    #expect(tween == before)
  }

  @Test func `journeys that are over are let go`() {
    var tween = AdditiveTween(0)
    for step in 0..<100 {
      tween.retarget(to: Double(step + 1), curve: .easeInOut, duration: 0.25, at: Double(step) * 0.1)
    }

    #expect(tween.tweens.count == 3)
  }

  @Test func `it may be sent on at any moment without a jump in place, nor in velocity with curves that start at rest`()
  {
    var random = SplitMix64(seed: 41)
    for _ in 0..<200 {
      var tween = AdditiveTween(.random(in: -80...80, using: &random))
      var moment = 0.0
      for _ in 0..<8 {
        moment += .random(in: 0.01...0.3, using: &random)
        let before = (value: tween.value(at: moment), velocity: tween.velocity(at: moment))

        tween.retarget(
          to: .random(in: -80...80, using: &random),
          curve: Bool.random(using: &random) ? .easeInOut : .spring(duration: 0.5, bounce: 0.2), duration: 0.4,
          at: moment)

        let after = tween.state(at: moment)
        expect(after.value, near: before.value, within: 1e-9)
        expect(after.velocity, near: before.velocity, within: 1e-9)
      }
    }
  }
}
