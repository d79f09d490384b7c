import ScreenKit
import Testing

struct TimingCurveTests {
  private static let curves: [TimingCurve] = [
    .linear, .ease, .easeIn, .easeOut, .easeInOut, .bezier(0.3, -0.4, 0.6, 1.5),
    .spring(duration: 0.4, dampingRatio: 0.8, initialVelocity: 1), .spring(duration: 0.28, bounce: 0),
    .spring(Spring(stiffness: 100, damping: 10), initialVelocity: -2),
    .spring(Spring(stiffness: 100, damping: 40), initialVelocity: 0),
  ]

  @Test func `the five named curves pass through the reference values`() {
    let curves: [TimingCurve] = [.linear, .ease, .easeIn, .easeOut, .easeInOut]
    for (curve, row) in zip(curves, MotionReference.bezier.curves) {
      let points = row.controlPoints
      #expect(curve.unitBezier == UnitBezier(points[0], points[1], points[2], points[3]))

      expect(MotionReference.bezier.x.map { curve.progress(at: $0) }, near: row.y, within: computed)
      let spelled = TimingCurve.bezier(points[0], points[1], points[2], points[3])
      expect(MotionReference.bezier.x.map { spelled.progress(at: $0) }, near: row.y, within: computed)
    }
  }

  @Test func `a spring curve passes through the reference values`() {
    for path in MotionReference.durationSprings.paths {
      let curve = TimingCurve.spring(
        duration: path.duration, dampingRatio: path.dampingRatio, initialVelocity: path.initialVelocity)
      let fractions = path.t.dropLast().map { $0 / path.duration }

      expect(fractions.map { curve.progress(at: $0) }, near: path.x.dropLast(), within: computed)
      expect(
        fractions.map { curve.velocity(at: $0) / path.duration }, near: path.v.dropLast(), within: computed)
    }
  }

  @Test func `every curve is 0 before its start and 1 after its end`() {
    for curve in Self.curves {
      #expect([-0.5, 0, 1, 1.5].map { curve.progress(at: $0) } == [0, 0, 1, 1])
      #expect([-0.5, 1, 1.5].map { curve.velocity(at: $0) } == [0, 0, 0])
    }
  }

  @Test func `velocity is the derivative of progress`() {
    for curve in Self.curves {
      for fraction in stride(from: 0.05, through: 0.95, by: 0.05) {
        let difference = (curve.progress(at: fraction + 1e-6) - curve.progress(at: fraction - 1e-6)) / 2e-6

        expect(curve.velocity(at: fraction), near: difference, within: 1e-4)
      }
    }
  }

  @Test func `a spring determines its duration, other curves use the requested one`() {
    let physical = TimingCurve.spring(Spring(stiffness: 100, damping: 20), initialVelocity: 0)

    #expect(TimingCurve.easeInOut.duration(requested: 0.35) == 0.35)
    #expect(TimingCurve.linear.duration(requested: -1) == 0)
    #expect(TimingCurve.spring(duration: 0.4, dampingRatio: 0.8).duration(requested: 9) == 0.4)
    expect(physical.duration(requested: 9), near: MotionReference.durationSprings.criticalW / 10, within: computed)
  }
}
