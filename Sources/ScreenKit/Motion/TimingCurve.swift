/// The relation between the elapsed fraction of an animation's time and its progress.
///
/// ```swift
/// TimingCurve.easeInOut.progress(at: 0.25)          // 0.129…
/// TimingCurve.spring(duration: 0.28, bounce: 0)     // a push
/// ```
public enum TimingCurve: Hashable, Sendable {
  /// Progress equals the elapsed fraction.
  case linear
  /// Starts quickly and ends slowly, as the default curve of CSS transitions and Core Animation.
  case ease
  /// Starts slowly.
  case easeIn
  /// Ends slowly.
  case easeOut
  /// Starts and ends slowly, as the default curve of UIKit.
  case easeInOut
  /// A cubic Bézier curve through (0, 0), (x1, y1), (x2, y2) and (1, 1). x1 and x2 are within 0…1.
  case bezier(Double, Double, Double, Double)
  /// A spring that is released with a velocity in total distances per second. It determines its own duration.
  case spring(Spring, initialVelocity: Double)
}

extension TimingCurve {
  /// Returns a spring that ends exactly after its duration, as in UIKit.
  ///
  /// - Parameters: See ``Spring/init(duration:dampingRatio:initialVelocity:)``.
  public static func spring(duration: Double, dampingRatio: Double, initialVelocity: Double = 0) -> TimingCurve {
    let spring = Spring(duration: duration, dampingRatio: dampingRatio, initialVelocity: initialVelocity)
    return .spring(spring, initialVelocity: initialVelocity)
  }

  /// Returns a spring with a perceived duration that is released at rest.
  ///
  /// - Parameters: See ``Spring/init(duration:bounce:)``.
  public static func spring(duration: Double, bounce: Double) -> TimingCurve {
    .spring(Spring(duration: duration, bounce: bounce), initialVelocity: 0)
  }

  /// The Bézier curve, or `nil` for a spring.
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

  /// The duration of a spring in seconds, or `nil` for a curve that can have any duration.
  ///
  /// A spring with a fixed duration ends after that duration. Any other spring ends when it has settled according to
  /// Core Animation's rule.
  public var naturalDuration: Double? {
    switch self {
    case .spring(let spring, let velocity):
      spring.cutoff ?? spring.settlingDuration(.coreAnimation(initialVelocity: velocity))
    default: nil
    }
  }

  /// Returns the duration of an animation with this curve in seconds.
  ///
  /// Springs determine their own duration, as in UIKit. All other curves use the requested one.
  ///
  /// - Parameter requested: Seconds. Negative values count as 0.
  public func duration(requested: Double) -> Double {
    naturalDuration ?? max(0, requested)
  }

  /// Returns the progress of an animation.
  ///
  /// Laws: 0 at and before fraction 0, exactly 1 at and after fraction 1. In between, springs and Bézier curves with a
  /// y outside 0…1 may exceed 0…1.
  ///
  /// - Parameter fraction: The elapsed fraction of the total duration.
  public func progress(at fraction: Double) -> Double {
    state(at: fraction, of: naturalDuration).progress
  }

  /// Returns the velocity of an animation.
  ///
  /// - Parameter fraction: The elapsed fraction of the total duration.
  /// - Returns: The velocity in total distances per total duration. 0 before the start and from the end on.
  public func velocity(at fraction: Double) -> Double {
    state(at: fraction, of: naturalDuration).velocity
  }

  /// Returns the progress, and the velocity per total duration.
  ///
  /// - Parameters:
  ///   - fraction: The elapsed fraction of the total duration.
  ///   - length: The natural duration of the curve, passed by the caller because it is costly to compute.
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

/// A cubic Bézier curve from (0, 0) to (1, 1), as a function of x.
///
/// Source: W3C, CSS Easing Functions Level 1, `cubic-bezier()`.
public struct UnitBezier: Hashable, Sendable {
  /// The x of the first control point, 0…1.
  public let x1: Double
  /// The y of the first control point. Outside 0…1 the curve overshoots.
  public let y1: Double
  /// The x of the second control point, 0…1.
  public let x2: Double
  /// The y of the second control point. Outside 0…1 the curve overshoots.
  public let y2: Double

  /// Creates a curve from its two inner control points.
  ///
  /// Both x are limited to 0…1, because otherwise the curve would not be a function of x.
  public init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    self.x1 = x1.limited(to: 0...1)
    self.y1 = y1
    self.x2 = x2.limited(to: 0...1)
    self.y2 = y2
  }

  /// Returns the curve's y at an x, with an error of at most 1e-12.
  ///
  /// - Parameter x: Limited to 0…1.
  public func y(atX x: Double) -> Double {
    if x <= 0 { return 0 }
    if x >= 1 { return 1 }
    return Self.cubic(y1, y2, at: parameter(atX: x))
  }

  /// Returns the slope dy/dx at an x.
  ///
  /// If the curve is vertical there, returns the average slope over the nearest millionth, which is large but finite.
  ///
  /// - Parameter x: Limited to 0…1.
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

  /// Returns y and slope at an x within 0…1. Cheaper than computing them separately.
  func state(atX x: Double) -> (y: Double, slope: Double) {
    let parameter = parameter(atX: x)
    return (Self.cubic(y1, y2, at: parameter), slope(atX: x, parameter: parameter))
  }

  /// Returns the curve's parameter at an x. Newton's method with bisection as a fallback converges, because x never
  /// decreases with the parameter.
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
