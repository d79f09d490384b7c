/// The rest of an interactive transition after its gesture has ended: it continues to its end, or returns to its start.
///
/// If the gesture ends with a velocity, use a response spring instead: `Tween(from: fraction, to: 1, spring: .smooth,
/// velocity: velocity)`.
///
/// Source: UIKit, `UIPercentDrivenInteractiveTransition`, with the remaining time of a cancel counted from the start.
public struct PercentDrivenCompletion: Hashable, Sendable {
  /// The direction of the rest.
  public enum Ending: Hashable, Sendable {
    /// To the end, fraction 1.
    case finish
    /// To the start, fraction 0.
    case cancel
  }

  /// The direction of the rest.
  public let ending: Ending

  /// The fraction at which the gesture ended, 0…1.
  public let percentComplete: Double

  /// Seconds from the end of the gesture to the end of the transition.
  ///
  /// Source: finish (1 − percent) · duration / speed; cancel percent · duration / speed.
  public let duration: Double

  /// The timing curve between the end of the gesture and the end of the transition.
  public let curve: TimingCurve

  /// Creates the rest of a transition.
  ///
  /// - Parameters:
  ///   - ending: The direction of the rest.
  ///   - percentComplete: The fraction at which the gesture ended, limited to 0…1.
  ///   - duration: The duration of the whole transition in seconds.
  ///   - speed: The speed of the rest relative to the transition, greater than 0.
  ///   - curve: The timing curve. A spring is stretched to the remaining time.
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

  /// The fraction at the end: 1 or 0.
  public var target: Double { ending == .finish ? 1 : 0 }

  /// Returns the fraction at a time.
  ///
  /// - Parameter elapsed: Seconds since the end of the gesture. Negative values count as 0.
  public func fractionComplete(at elapsed: Double) -> Double {
    if elapsed >= duration { return target }
    return curve.progress(at: elapsed / duration).interpolated(percentComplete, target)
  }

  /// Returns the velocity at a time, in fractions per second. 0 from the end on.
  ///
  /// - Parameter elapsed: Seconds since the end of the gesture.
  public func velocity(at elapsed: Double) -> Double {
    if elapsed >= duration { return 0 }
    return curve.velocity(at: elapsed / duration) * (target - percentComplete) / duration
  }
}
