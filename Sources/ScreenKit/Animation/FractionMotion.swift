import Motion

/// How the fraction of an animation runs from one value to another, in closed form.
struct FractionMotion {
  enum Path {
    case curve(TimingCurve)
    /// Released with a velocity in fractions a second.
    case spring(Spring, velocity: Double)
  }

  /// When it starts, in the stage's seconds.
  var start: Double
  var from: Double
  var to: Double
  /// Seconds from start to end, 0 or more.
  var duration: Double
  var path: Path

  var end: Double { start + duration }

  func fraction(at time: Double) -> Double {
    let elapsed = time - start
    if elapsed <= 0 && duration > 0 { return from }
    if elapsed >= duration { return to }
    switch path {
    case .curve(let curve):
      return from + (to - from) * curve.progress(at: elapsed / duration)
    case .spring(let spring, let velocity):
      return spring.value(from: from, to: to, velocity: velocity, at: elapsed).value
    }
  }

  /// Fractions a second.
  func velocity(at time: Double) -> Double {
    let elapsed = time - start
    if elapsed < 0 || elapsed >= duration { return 0 }
    switch path {
    case .curve(let curve):
      return (to - from) * curve.velocity(at: elapsed / duration) / duration
    case .spring(let spring, let velocity):
      return spring.value(from: from, to: to, velocity: velocity, at: elapsed).velocity
    }
  }

  /// A run along a curve; springs keep their own time.
  static func along(
    _ curve: TimingCurve, from: Double, to: Double, start: Double, duration: Double
  ) -> FractionMotion {
    FractionMotion(
      start: start, from: from, to: to, duration: curve.duration(requested: duration), path: .curve(curve))
  }

  /// A throw: a spring that takes over a velocity and goes on until less than a thousandth is left.
  static func thrown(
    _ spring: Spring, from: Double, to: Double, velocity: Double, start: Double
  ) -> FractionMotion {
    let duration = spring.settlingDuration(from: from, to: to, velocity: velocity, tolerance: 1e-3)
    return FractionMotion(
      start: start, from: from, to: to, duration: duration, path: .spring(spring, velocity: velocity))
  }

  /// A way to an end that keeps a velocity and never runs past that end: a critically damped response spring, made
  /// stiffer where the velocity asks for it.
  static func settled(
    from: Double, to: Double, velocity: Double, start: Double, within duration: Double
  ) -> FractionMotion {
    let distance = to - from
    guard abs(distance) > 1e-9 else {
      return FractionMotion(start: start, from: from, to: to, duration: 0, path: .curve(.linear))
    }
    // A critically damped spring overshoots when it is released faster than ω times the distance.
    let calm = Spring(settlingDuration: max(0.02, duration))
    let frequency = max(calm.angularFrequency, velocity / distance)
    let spring = Spring(duration: 2 * .pi / frequency, bounce: 0)
    return thrown(spring, from: from, to: to, velocity: velocity, start: start)
  }
}
