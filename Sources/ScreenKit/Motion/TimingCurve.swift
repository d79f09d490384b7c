/// How the progress of an animation follows from the fraction of its time that has passed.
///
/// ```swift
/// TimingCurve.easeInOut.progress(at: 0.25)          // 0.129…
/// TimingCurve.spring(duration: 0.28, bounce: 0)     // a push
/// ```
public enum TimingCurve: Hashable, Sendable {
  /// Progress is the fraction.
  case linear
  /// Starts quickly, ends slowly; the curve of the web's transitions and Core Animation's default.
  case ease
  /// Starts slowly.
  case easeIn
  /// Ends slowly.
  case easeOut
  /// Starts and ends slowly; UIKit's default.
  case easeInOut
  /// A cubic Bézier curve through (0, 0), (x1, y1), (x2, y2) and (1, 1); both x within 0…1.
  case bezier(Double, Double, Double, Double)
  /// A spring, released with a velocity in whole distances a second. It takes the time it needs, whatever it is given.
  case spring(Spring, initialVelocity: Double)
}

extension TimingCurve {
  /// A spring of UIKit's duration form, over at its duration, exactly.
  ///
  /// - Parameters: See ``Spring/init(duration:dampingRatio:initialVelocity:)``.
  public static func spring(duration: Double, dampingRatio: Double, initialVelocity: Double = 0) -> TimingCurve {
    let spring = Spring(duration: duration, dampingRatio: dampingRatio, initialVelocity: initialVelocity)
    return .spring(spring, initialVelocity: initialVelocity)
  }

  /// A spring of the response form, released at rest.
  ///
  /// - Parameters: See ``Spring/init(duration:bounce:)``.
  public static func spring(duration: Double, bounce: Double) -> TimingCurve {
    .spring(Spring(duration: duration, bounce: bounce), initialVelocity: 0)
  }

  /// The Bézier curve that this curve is, or nil for springs.
  ///
  /// Source: W3C, CSS Easing Functions Level 1, the keywords; Core Animation's curves of the same names have the same
  /// control points.
  public var unitBezier: UnitBezier? {
    switch self {
    case .linear: UnitBezier(0, 0, 1, 1)
    case .ease: UnitBezier(0.25, 0.1, 0.25, 1)
    case .easeIn: UnitBezier(0.42, 0, 1, 1)
    case .easeOut: UnitBezier(0, 0, 0.58, 1)
    case .easeInOut: UnitBezier(0.42, 0, 0.58, 1)
    case .bezier(let x1, let y1, let x2, let y2): UnitBezier(x1, y1, x2, y2)
    case .spring: nil
    }
  }

  /// The seconds a spring takes, or nil for a curve that can run in any time.
  ///
  /// A duration spring takes its duration; any other ends when Core Animation's rule calls it settled.
  public var naturalDuration: Double? {
    switch self {
    case .spring(let spring, let velocity):
      spring.cutoff ?? spring.settlingDuration(.coreAnimation(initialVelocity: velocity))
    default: nil
    }
  }

  /// Returns the seconds an animation with this curve takes when it is asked to take some other time.
  ///
  /// Springs keep their own time, as they do in UIKit.
  ///
  /// - Parameter requested: Seconds. Negative values count as 0.
  public func duration(requested: Double) -> Double {
    naturalDuration ?? max(0, requested)
  }

  /// Returns how far an animation has come when a fraction of its time has passed.
  ///
  /// Laws: 0 at and before 0, exactly 1 at and after 1. Between them a spring, and a Bézier with a y outside 0…1, may
  /// go beyond both.
  ///
  /// - Parameter fraction: Time passed, as a fraction of the whole duration.
  public func progress(at fraction: Double) -> Double {
    state(at: fraction, of: naturalDuration).progress
  }

  /// Returns how fast an animation moves when a fraction of its time has passed.
  ///
  /// - Parameter fraction: Time passed, as a fraction of the whole duration.
  /// - Returns: Velocity in whole distances per whole duration; 0 before the start and from the end on.
  public func velocity(at fraction: Double) -> Double {
    state(at: fraction, of: naturalDuration).velocity
  }

  /// Progress, and velocity per whole duration; `length` is the curve's natural duration, which costs a little to find.
  func state(at fraction: Double, of length: Double?) -> (progress: Double, velocity: Double) {
    if fraction >= 1 { return (1, 0) }
    guard fraction >= 0 else { return (0, 0) }
    switch self {
    case .spring(let spring, let velocity):
      let length = length ?? 0
      if fraction == 0 { return (0, velocity * length) }
      let moving = spring.value(from: 0, to: 1, velocity: velocity, at: fraction * length)
      return (moving.value, moving.velocity * length)
    case .linear:
      return (fraction, 1)
    default:
      guard let bezier = unitBezier else { return (fraction, 1) }
      if fraction == 0 { return (0, bezier.slope(atX: 0)) }
      let state = bezier.state(atX: fraction)
      return (state.y, state.slope)
    }
  }
}

/// A cubic Bézier curve from (0, 0) to (1, 1), read as a function of x.
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
