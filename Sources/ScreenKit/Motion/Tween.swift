/// A value that changes from a start to a target, as a function of time.
///
/// A tween has a start time, so all tweens of a timeline can be evaluated at the same time. It has its start value
/// before the start, and exactly its target value from the end on.
public struct Tween: Hashable, Sendable {
  /// The value before and at ``begin``.
  public let start: Double

  /// The value from ``end`` on.
  public let target: Double

  /// The start time, in seconds on the caller's timeline.
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
  ///   - start: The value at the start.
  ///   - target: The value at the end.
  ///   - curve: The timing curve. The velocity of a spring is in total distances per second.
  ///   - duration: Seconds. A spring determines its own duration. At 0 or less, the value is the target from `begin`
  ///     on.
  ///   - begin: The start time, in seconds on the caller's timeline.
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

  /// Creates a tween along a spring that is released with a velocity. Start and target may be equal.
  ///
  /// - Parameters:
  ///   - start: The value at the start.
  ///   - target: The value at the end.
  ///   - spring: The spring.
  ///   - velocity: The velocity at release, in units of the value per second.
  ///   - begin: The time of release, in seconds on the caller's timeline.
  ///   - tolerance: The distance from the target that counts as settled, in units of the value. By default 1/1000 of
  ///     the distance, or of velocity/ω if that is larger.
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

  /// The end time, at and after which the value is exactly the target.
  public var end: Double { begin + duration }

  /// Returns the value and its velocity in units per second at a time.
  ///
  /// The velocity is 0 before ``begin`` and from ``end`` on.
  public func state(at time: Double) -> (value: Double, velocity: Double) {
    if time >= end { return (target, 0) }
    let elapsed = time - begin
    guard elapsed >= 0 else { return (start, 0) }
    switch shape {
    case .spring(let spring, let velocity):
      return spring.value(from: start, to: target, velocity: velocity, at: elapsed)
    case .curve(let curve, let natural):
      let moving = curve.state(at: elapsed / duration, of: natural)
      return (moving.progress.interpolated(start, target), moving.velocity * (target - start) / duration)
    }
  }

  /// Returns the value at a time.
  public func value(at time: Double) -> Double { state(at: time).value }

  /// Returns the velocity at a time, in units of the value per second.
  public func velocity(at time: Double) -> Double { state(at: time).velocity }
}
