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

/// Siblings that start one after another, evenly, and are all done when the whole animation is.
///
/// Law: the first starts at 0 and the last ends at 1.
public struct Stagger: Hashable, Sendable {
  /// How many siblings there are, 1 or more.
  public let count: Int

  /// The part of the whole that each of them takes, 0…1; at 1 all move together.
  public let share: Double

  /// Creates a stagger.
  ///
  /// - Parameters:
  ///   - count: How many siblings there are; less than 1 counts as 1.
  ///   - share: The part of the whole that each takes, 0…1. Their starts share out the rest.
  public init(count: Int, share: Double) {
    self.count = max(1, count)
    self.share = share.limited(to: 0...1)
  }

  /// Returns the part of the whole in which one sibling moves.
  ///
  /// - Parameter index: The sibling, from 0; beyond the ends the nearest counts.
  public func interval(of index: Int) -> RelativeInterval {
    guard count > 1 else { return RelativeInterval(within: 0, duration: 1) }
    let place = Double(min(max(0, index), count - 1)) / Double(count - 1)
    return RelativeInterval(within: place.between(0, 1 - share), duration: share)
  }
}
