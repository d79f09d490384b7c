/// A cubic Bézier curve from (0, 0) to (1, 1), read as a function of x.
///
/// Law: the curve of the mirrored control points is the curve run backwards:
/// `b.reversed.y(atX: x) == 1 - b.y(atX: 1 - x)`.
///
/// Source: W3C, CSS Easing Functions Level 1, `cubic-bezier()`.
public struct UnitBezier: Hashable, Sendable {
  /// The first control point's x, 0…1.
  public let x1: Double
  /// The first control point's y; outside 0…1 the curve overshoots.
  public let y1: Double
  /// The second control point's x, 0…1.
  public let x2: Double
  /// The second control point's y; outside 0…1 the curve overshoots.
  public let y2: Double

  /// Creates a curve from its two inner control points.
  ///
  /// The x of each is brought into 0…1, since beyond it the curve would turn back in time.
  public init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    self.x1 = x1.limited(to: 0...1)
    self.y1 = y1
    self.x2 = x2.limited(to: 0...1)
    self.y2 = y2
  }

  /// The curve run backwards.
  public var reversed: UnitBezier { UnitBezier(1 - x2, 1 - y2, 1 - x1, 1 - y1) }

  /// Returns the curve's y at an x, within 1e-12.
  ///
  /// - Parameter x: 0…1; values outside count as the nearest end.
  public func y(atX x: Double) -> Double {
    if x <= 0 { return 0 }
    if x >= 1 { return 1 }
    return Self.cubic(y1, y2, at: parameter(atX: x))
  }

  /// Returns the curve's slope dy/dx at an x.
  ///
  /// Where the curve is vertical, the mean slope over the nearest millionth: large, but a number.
  ///
  /// - Parameter x: 0…1; values outside count as the nearest end.
  public func slope(atX x: Double) -> Double {
    let x = x.limited(to: 0...1)
    return slope(atX: x, parameter: parameter(atX: x))
  }

  private func slope(atX x: Double, parameter: Double) -> Double {
    let run = Self.cubicSlope(x1, x2, at: parameter)
    if run > 1e-6 { return Self.cubicSlope(y1, y2, at: parameter) / run }
    let (before, after) = (max(0, x - 1e-6), min(1, x + 1e-6))
    return (y(atX: after) - y(atX: before)) / (after - before)
  }

  /// Returns y and slope at an x within 0…1, for the cost of one of them.
  func state(atX x: Double) -> (y: Double, slope: Double) {
    let parameter = parameter(atX: x)
    return (Self.cubic(y1, y2, at: parameter), slope(atX: x, parameter: parameter))
  }

  /// The curve's parameter at an x, by Newton's method kept between brackets, since x never falls with the parameter.
  private func parameter(atX x: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    var guess = x
    for _ in 0..<64 {
      let error = Self.cubic(x1, x2, at: guess) - x
      if abs(error) < 1e-15 { break }
      if error > 0 { high = guess } else { low = guess }
      let slope = Self.cubicSlope(x1, x2, at: guess)
      let next = guess - error / slope
      guess = next > low && next < high ? next : low + (high - low) / 2
    }
    return guess
  }

  /// One coordinate of the curve, 3·a·s(1 − s)² + 3·b·s²(1 − s) + s³, in Horner's form.
  private static func cubic(_ a: Double, _ b: Double, at s: Double) -> Double {
    ((3 * (a - b) + 1) * s + 3 * (b - 2 * a)) * s * s + 3 * a * s
  }

  private static func cubicSlope(_ a: Double, _ b: Double, at s: Double) -> Double {
    (3 * (3 * (a - b) + 1) * s + 6 * (b - 2 * a)) * s + 3 * a
  }
}
