extension Spring {
  /// Creates a spring in UIKit's duration form: over at its duration, exactly.
  ///
  /// Its stiffness is chosen so that the spring has all but settled when its time is up; then it is cut off and stands
  /// at its target. A hand's velocity does not belong here, since the stiffness would change with it: throw with
  /// ``init(duration:bounce:)``.
  ///
  /// - Parameters:
  ///   - duration: Seconds from release to rest. At 0 or less the spring is at its target at once.
  ///   - dampingRatio: 0.01…1; values above 1 count as 1, as they do in UIKit.
  ///   - initialVelocity: Velocity the spring will be released with, in whole distances a second. It takes part in the
  ///     choice of the stiffness; pass the same velocity when asking for a value.
  ///
  /// Source: what `UIView.animate(withDuration:usingSpringWithDamping:initialSpringVelocity:)` was measured to build:
  /// mass 1, k = (W/d)², c = 2ζW/d, where W solves the envelope equation (see `EnvelopeEquation`).
  public init(duration: Double, dampingRatio: Double, initialVelocity: Double = 0) {
    let dampingRatio = dampingRatio.limited(to: 0.01...1)
    let length = duration.limited(to: Self.durations)
    let velocity = initialVelocity.limited(to: -1e6...1e6)
    let equation = EnvelopeEquation(dampingRatio: dampingRatio, velocity: velocity * length)
    let angularFrequency = equation.root() / length
    self.init(
      mass: 1, stiffness: angularFrequency * angularFrequency, damping: 2 * dampingRatio * angularFrequency,
      cutoff: duration.limited(to: 0...Self.durations.upperBound))
  }
}
