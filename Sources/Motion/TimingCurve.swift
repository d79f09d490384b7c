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
  /// Another curve, run from its end to its start.
  indirect case backwards(TimingCurve)
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
    case .backwards(let curve): curve.unitBezier?.reversed
    }
  }

  /// Returns the curve run from its end to its start.
  ///
  /// Laws: `c.reversed().progress(at: f) == 1 - c.progress(at: 1 - f)`, and twice reversed is the curve itself.
  public func reversed() -> TimingCurve {
    switch self {
    case .linear, .easeInOut: self
    case .easeIn: .easeOut
    case .easeOut: .easeIn
    case .backwards(let curve): curve
    case .ease, .bezier, .spring: .backwards(self)
    }
  }
}
