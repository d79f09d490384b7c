extension TimingCurve {
  /// The seconds a spring takes, or nil for a curve that can run in any time.
  ///
  /// A duration spring takes its duration; any other ends when Core Animation's rule calls it settled.
  public var naturalDuration: Double? {
    switch self {
    case .spring(let spring, let velocity):
      spring.cutoff ?? spring.settlingDuration(.coreAnimation(initialVelocity: velocity))
    case .backwards(let curve): curve.naturalDuration
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
    case .backwards(let curve):
      if fraction == 0 { return (0, curve.state(at: 1, of: length).velocity) }
      let ahead = curve.state(at: 1 - fraction, of: length)
      return (1 - ahead.progress, ahead.velocity)
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
