/// A part of an animation, in fractions of its whole duration.
public struct RelativeInterval: Hashable, Sendable {
  /// Where the part starts, 0…1.
  public let start: Double

  /// How long the part is, 0…1; never beyond the end of the whole.
  public let duration: Double

  /// Creates a part of an animation.
  ///
  /// - Parameters:
  ///   - start: Fraction of the whole at which the part starts, 0…1.
  ///   - duration: Fraction of the whole that the part takes, 0…1. A part that would outlast the whole ends with it.
  /// - Throws: ``MotionError/keyframeOutsideAnimation(start:duration:)``.
  public init(start: Double, duration: Double) throws(MotionError) {
    guard (0...1).contains(start), (0...1).contains(duration) else {
      throw .keyframeOutsideAnimation(start: start, duration: duration)
    }
    self.init(within: start, duration: duration)
  }

  /// For numbers known to be fractions.
  init(within start: Double, duration: Double) {
    self.start = start
    self.duration = min(duration, 1 - start)
  }

  /// Where the part ends, 0…1.
  public var end: Double { min(1, start + duration) }

  /// Returns how much of the part has passed when a fraction of the whole has: 0 before it, 1 after it.
  ///
  /// A part of no length is over where it starts.
  public func fraction(of whole: Double) -> Double {
    if whole >= end { return 1 }
    return whole > start ? (whole - start) / duration : 0
  }

  /// Returns when the part starts and ends, in seconds.
  ///
  /// - Parameters:
  ///   - duration: Seconds the whole animation takes.
  ///   - delay: Seconds before it starts.
  ///
  /// Source: UIKit, `UIView.addKeyframe(withRelativeStartTime:relativeDuration:)`: delay + start · duration.
  public func seconds(duration: Double, delay: Double = 0) -> (start: Double, end: Double) {
    (delay + start * duration, delay + end * duration)
  }
}
