/// Where something would come to rest if a hand let go of it now.
///
/// A flick should be judged by where it leads, not by where the finger was: project, then take the nearest place.
///
/// ```swift
/// let finish = MomentumProjection.normal.target(from: fraction, velocity: velocity, among: [0, 1]) == 1
/// ```
///
/// Source: Apple, "Designing Fluid Interfaces" (WWDC 2018, session 803): v/1000 · r/(1 − r).
public struct MomentumProjection: Hashable, Sendable {
  /// The part of the velocity that is left after a millisecond, 0…0.9999.
  public let decelerationRate: Double

  /// Creates a projection.
  ///
  /// - Parameter decelerationRate: The part of the velocity that is left after a millisecond, 0…0.9999.
  public init(decelerationRate: Double) {
    self.decelerationRate = decelerationRate.limited(to: 0...0.9999)
  }

  /// The deceleration of ordinary scrolling.
  ///
  /// Source: Apple, `UIScrollView.DecelerationRate.normal`, 0.998.
  public static let normal = MomentumProjection(decelerationRate: 0.998)

  /// The deceleration of paging and of small controls.
  ///
  /// Source: Apple, `UIScrollView.DecelerationRate.fast`, 0.99.
  public static let fast = MomentumProjection(decelerationRate: 0.99)

  /// Returns how far a velocity carries.
  ///
  /// - Parameter velocity: Units per second, either way.
  public func distance(velocity: Double) -> Double {
    velocity / 1000 * decelerationRate / (1 - decelerationRate)
  }

  /// Returns where something is while it comes to rest.
  ///
  /// Laws: at 0 it is at `position`; in the end it is ``distance(velocity:)`` away.
  ///
  /// - Parameters:
  ///   - position: Where it was let go.
  ///   - velocity: Velocity then, in units per second.
  ///   - elapsed: Seconds since. Negative values count as 0.
  ///
  /// Source: the sum of the velocities of the milliseconds so far, a geometric series: what is left after t is r^(1000t).
  public func position(from position: Double, velocity: Double, at elapsed: Double) -> Double {
    guard elapsed > 0 else { return position }
    let left = exponential(1000 * elapsed * naturalLogarithm(decelerationRate))
    return position + distance(velocity: velocity) * (1 - left)
  }

  /// Returns the place nearest to where something would come to rest, the first one of two that are equally near; nil
  /// without places.
  ///
  /// - Parameters:
  ///   - position: Where it was let go.
  ///   - velocity: Velocity then, in units per second.
  ///   - places: Where it may rest.
  public func target(from position: Double, velocity: Double, among places: [Double]) -> Double? {
    let rest = position + distance(velocity: velocity)
    return places.min { abs($0 - rest) < abs($1 - rest) }
  }
}
