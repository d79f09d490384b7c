import Motion
import Testing

struct TimingCurveTests {
  @Test func `the five named curves pass through the reference values`() {
    for row in BezierReference.curves {
      let points = row.controlPoints
      #expect(row.curve.unitBezier == UnitBezier(points[0], points[1], points[2], points[3]))

      expect(BezierReference.x.map { row.curve.progress(at: $0) }, near: row.y, within: computed)
      let spelled = TimingCurve.bezier(points[0], points[1], points[2], points[3])
      expect(BezierReference.x.map { spelled.progress(at: $0) }, near: row.y, within: computed)
    }
  }
}
