import ScreenKit
import Testing

struct SpringTests {
  @Test func `physical springs follow the oscillator in all three damping regimes`() {
    for path in MotionReference.physicalSprings.paths {
      let spring = Spring(stiffness: path.stiffness, damping: path.damping)

      let states = path.t.map { spring.value(from: 0, to: 1, velocity: path.initialVelocity, at: $0) }

      expect(states.map(\.value), near: path.x, within: computed)
      expect(states.map(\.velocity), near: path.v, within: computed)
    }
  }

  @Test func `springs with a fixed duration have the same stiffness as in UIKit`() {
    for row in MotionReference.durationSprings.restW {
      let spring = Spring(duration: 1, dampingRatio: row.dampingRatio)

      expect(spring.angularFrequency, near: row.w, within: computed)
    }
    expect(
      Spring(duration: 1, dampingRatio: 1).angularFrequency, near: MotionReference.durationSprings.criticalW,
      within: computed)

    for row in MotionReference.durationSprings.stiffnesses {
      let spring = Spring(
        duration: row.duration, dampingRatio: row.dampingRatio, initialVelocity: row.initialVelocity)

      expect(spring.stiffness / row.computed, near: 1, within: computed)
      expect(spring.stiffness / row.measured, near: 1, within: measured)
    }
  }

  @Test func `springs with a fixed duration follow the reference path and end on time`() {
    for path in MotionReference.durationSprings.paths {
      let spring = Spring(
        duration: path.duration, dampingRatio: path.dampingRatio, initialVelocity: path.initialVelocity)
      expect(spring.angularFrequency * path.duration, near: path.w, within: computed)
      expect(spring.stiffness / path.stiffness, near: 1, within: computed)
      expect(spring.damping / path.damping, near: 1, within: computed)

      let times = path.t.dropLast() + [path.duration.nextDown]
      let states = times.map { spring.value(from: 0, to: 1, velocity: path.initialVelocity, at: $0) }
      expect(states.map(\.value), near: path.x, within: computed)
      expect(states.map(\.velocity), near: path.v, within: computed)

      let end = spring.value(from: 0, to: 1, velocity: path.initialVelocity, at: path.duration)
      #expect(end == (1, 0))
    }
  }

  @Test func `springs with duration and bounce follow the values of SwiftUI`() {
    for path in MotionReference.responseSprings.paths {
      let spring = Spring(duration: path.duration, bounce: path.bounce)
      expect(spring.dampingRatio, near: path.dampingRatio, within: computed)
      expect(spring.stiffness, near: path.stiffness, within: computed)
      expect(spring.damping, near: path.damping, within: computed)

      let states = path.t.map { spring.value(from: 0, to: 1, at: $0) }

      expect(states.map(\.value), near: path.x, within: computed)
      expect(states.map(\.velocity), near: path.v, within: computed)
    }
  }

  @Test func `settling durations equal those of SwiftUI and Core Animation`() {
    for path in MotionReference.responseSprings.paths {
      let spring = Spring(duration: path.duration, bounce: path.bounce)

      expect(spring.settlingDuration(.swiftUI), near: path.settlingSwiftUI, within: computed)
      expect(
        spring.settlingDuration(.coreAnimation(initialVelocity: 0)), near: path.settlingCoreAnimation,
        within: computed)
    }
    for row in MotionReference.responseSprings.settlings {
      let settling = Spring(duration: row.duration, bounce: row.bounce).settlingDuration(.swiftUI)

      expect(settling, near: row.computed, within: computed)
      expect(settling, near: row.measured, within: measured)
    }
  }
}
