import ScreenKit
import TestSupport
import Testing

struct UnitBezierTests {
  private static func curves(_ count: Int, seed: UInt64) -> [UnitBezier] {
    var random = SplitMix64(seed: seed)
    let corners = [UnitBezier(0, 1, 1, 0), UnitBezier(1, 0, 0, 1), UnitBezier(0, 0, 0, 0), UnitBezier(1, 1, 1, 1)]
    return corners
      + (0..<count).map { _ in
        UnitBezier(
          .random(in: 0...1, using: &random), .random(in: -1...2, using: &random), .random(in: 0...1, using: &random),
          .random(in: -1...2, using: &random))
      }
  }

  /// Returns a point of the curve by de Casteljau's construction.
  private static func point(of curve: UnitBezier, at s: Double) -> (x: Double, y: Double) {
    let mix = { (a: Double, b: Double) in a + (b - a) * s }
    let point = { (p1: Double, p2: Double) in
      let (a, b, c) = (mix(0, p1), mix(p1, p2), mix(p2, 1))
      return mix(mix(a, b), mix(b, c))
    }
    return (point(curve.x1, curve.x2), point(curve.y1, curve.y2))
  }

  @Test func `each point of a curve is found by its x coordinate`() {
    for curve in Self.curves(500, seed: 21) {
      for step in 0...100 {
        let point = Self.point(of: curve, at: Double(step) / 100)

        // If the curve is vertical, rounding in x changes y. The point that was found must then lie on the curve in x.
        let steep = abs(curve.slope(atX: point.x))
        expect(curve.y(atX: point.x), near: point.y, within: max(1e-9, steep * 1e-12) + (steep > 1e3 ? 1e-2 : 0))
      }
    }
  }

  @Test func `a curve is 0 before its start and 1 after its end`() {
    for curve in Self.curves(100, seed: 22) {
      #expect([-1, 0, 1, 2].map { curve.y(atX: $0) } == [0, 0, 1, 1])
    }
  }

  @Test func `the slope is the derivative of the curve`() {
    for curve in Self.curves(300, seed: 23) {
      for x in stride(from: 0.05, through: 0.95, by: 0.05) {
        let slope = curve.slope(atX: x)
        guard abs(slope) < 20 else { continue }

        let difference = (curve.y(atX: x + 1e-6) - curve.y(atX: x - 1e-6)) / 2e-6
        expect(slope, near: difference, within: 1e-2)
      }
      #expect(curve.slope(atX: 0).isFinite && curve.slope(atX: 1).isFinite)
    }
  }

  @Test func `x coordinates of control points are limited to 0…1`() {
    #expect(UnitBezier(-1, 3, 2, -3) == UnitBezier(0, 3, 1, -3))
    #expect(UnitBezier(.nan, 0, .nan, 1) == UnitBezier(0, 0, 0, 1))
  }
}
