/// What happens after a hand lets go of a transition: it runs to its end, or back to its start.
///
/// A hand that throws has a velocity; then let a response spring carry the fraction on instead:
/// `Tween(from: fraction, to: 1, spring: .smooth, velocity: velocity)`.
///
/// Source: UIKit, `UIPercentDrivenInteractiveTransition`, with the remaining time of a cancel counted from the start.
public struct PercentDrivenCompletion: Hashable, Sendable {
  /// Where a transition goes that was let go.
  public enum Ending: Hashable, Sendable {
    /// On to the end, fraction 1.
    case finish
    /// Back to the start, fraction 0.
    case cancel
  }

  /// Where it goes.
  public let ending: Ending

  /// The fraction complete at which it was let go, 0…1.
  public let percentComplete: Double

  /// Seconds from letting go to the end.
  ///
  /// Source: finish (1 − percent) · duration / speed; cancel percent · duration / speed.
  public let duration: Double

  /// How progress follows from time between letting go and the end.
  public let curve: TimingCurve

  /// Creates the rest of a transition.
  ///
  /// - Parameters:
  ///   - ending: Where it goes.
  ///   - percentComplete: The fraction complete at which it was let go; outside 0…1 the nearest end counts.
  ///   - duration: Seconds the whole transition takes.
  ///   - speed: How many times faster than the transition itself the rest is, above 0.
  ///   - curve: How progress follows from time; a spring is stretched to the time that is left.
  /// - Throws: ``MotionError/completionSpeedNotPositive(_:)``.
  public init(
    _ ending: Ending, from percentComplete: Double, duration: Double, speed: Double = 1,
    curve: TimingCurve = .easeInOut
  ) throws(MotionError) {
    guard speed > 0, speed.isFinite else { throw .completionSpeedNotPositive(speed) }
    let percent = percentComplete.limited(to: 0...1)
    self.ending = ending
    self.percentComplete = percent
    self.curve = curve
    switch ending {
    case .finish: self.duration = (1 - percent) * max(0, duration) / speed
    case .cancel: self.duration = percent * max(0, duration) / speed
    }
  }

  /// The fraction complete at the end: 1 or 0.
  public var target: Double { ending == .finish ? 1 : 0 }

  /// Returns the fraction complete at a moment.
  ///
  /// - Parameter elapsed: Seconds since the hand let go. Negative values count as 0.
  public func fractionComplete(at elapsed: Double) -> Double {
    if elapsed >= duration { return target }
    return curve.progress(at: elapsed / duration).between(percentComplete, target)
  }

  /// Returns the velocity at a moment, in fractions a second; 0 from the end on.
  ///
  /// - Parameter elapsed: Seconds since the hand let go.
  public func velocity(at elapsed: Double) -> Double {
    if elapsed >= duration { return 0 }
    return curve.velocity(at: elapsed / duration) * (target - percentComplete) / duration
  }
}
