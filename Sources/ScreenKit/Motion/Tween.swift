/// One value between a start and a target, as a function of the moment.
///
/// A tween knows when it began, so everything that moves on one timeline is asked with the same moment. Before it
/// begins it holds its start; from its end on it is exactly at its target.
public struct Tween: Hashable, Sendable {
  /// Value before and at ``begin``.
  public let start: Double

  /// Value from ``end`` on.
  public let target: Double

  /// The moment of the start, in seconds on the caller's timeline.
  public let begin: Double

  /// Seconds from the start to the target, 0 or more.
  public let duration: Double

  private let shape: Shape

  private enum Shape: Hashable, Sendable {
    case curve(TimingCurve, naturalDuration: Double?)
    case spring(Spring, velocity: Double)
  }

  /// Creates a tween along a timing curve.
  ///
  /// - Parameters:
  ///   - start: Value at the start.
  ///   - target: Value at the end.
  ///   - curve: How progress follows from time. A spring is released with its velocity in distances a second.
  ///   - duration: Seconds; a spring keeps its own time. At 0 or less the value is at its target from `begin` on.
  ///   - begin: Moment of the start, in seconds on the caller's timeline.
  public init(from start: Double, to target: Double, curve: TimingCurve, duration: Double, begin: Double = 0) {
    let natural = curve.naturalDuration
    self.start = start
    self.target = target
    self.begin = begin
    self.duration = natural ?? max(0, duration)
    if case .spring(let spring, let velocity) = curve {
      shape = .spring(spring, velocity: velocity * (target - start))
    } else {
      shape = .curve(curve, naturalDuration: natural)
    }
  }

  /// Creates a tween along a spring that is released with a velocity of the value itself, also over no distance at all.
  ///
  /// - Parameters:
  ///   - start: Value at the start.
  ///   - target: Value at the end.
  ///   - spring: The spring that pulls.
  ///   - velocity: Velocity at release, in units of the value per second.
  ///   - begin: Moment of release, in seconds on the caller's timeline.
  ///   - tolerance: Distance from the target that counts as settled, in units of the value; by default 1/1000 of the
  ///     larger of the distance and how far the velocity could carry (velocity/ω).
  public init(
    from start: Double, to target: Double, spring: Spring, velocity: Double, begin: Double = 0,
    tolerance: Double? = nil
  ) {
    let scale = max(abs(target - start), abs(velocity) / spring.angularFrequency)
    self.start = start
    self.target = target
    self.begin = begin
    self.duration =
      spring.cutoff
      ?? spring.settlingDuration(from: start, to: target, velocity: velocity, tolerance: tolerance ?? scale / 1000)
    shape = .spring(spring, velocity: velocity)
  }

  /// The moment from which on the value is exactly at its target.
  public var end: Double { begin + duration }

  /// Returns the value at a moment, and its velocity in units per second.
  ///
  /// The velocity is 0 before ``begin`` and from ``end`` on.
  public func state(at moment: Double) -> (value: Double, velocity: Double) {
    if moment >= end { return (target, 0) }
    let elapsed = moment - begin
    guard elapsed >= 0 else { return (start, 0) }
    switch shape {
    case .spring(let spring, let velocity):
      return spring.value(from: start, to: target, velocity: velocity, at: elapsed)
    case .curve(let curve, let natural):
      let moving = curve.state(at: elapsed / duration, of: natural)
      return (moving.progress.between(start, target), moving.velocity * (target - start) / duration)
    }
  }

  /// Returns the value at a moment.
  public func value(at moment: Double) -> Double { state(at: moment).value }

  /// Returns the velocity at a moment, in units of the value per second.
  public func velocity(at moment: Double) -> Double { state(at: moment).velocity }
}
