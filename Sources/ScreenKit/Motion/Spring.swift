/// A damped spring, the motion of an animation that can start with a velocity.
///
/// A spring is a value without a start time. ``value(from:to:velocity:at:)`` returns its state at a time since its
/// release. There are three ways to describe a spring, as in UIKit and SwiftUI:
///
/// ```swift
/// Spring(mass: 1, stiffness: 100, damping: 10)   // physical
/// Spring(duration: 0.5, bounce: 0.3)             // response: how it feels; lasts until it has settled
/// Spring(duration: 0.4, dampingRatio: 0.8)       // UIKit's duration form: over at 0.4 s, exactly
/// ```
public struct Spring: Hashable, Sendable {
  /// The mass at the end of the spring, in units of mass, greater than 0.
  public let mass: Double

  /// The spring constant, in units of mass per second squared, greater than 0.
  public let stiffness: Double

  /// The damping coefficient, in units of mass per second, greater than 0.
  public let damping: Double

  /// Seconds after release at which the spring is cut off and is exactly at its target. `nil` for a spring that
  /// continues until it has settled.
  ///
  /// Only springs that were created with ``init(duration:dampingRatio:initialVelocity:)`` have a cutoff.
  public let cutoff: Double?

  /// Creates a spring from its physical constants, which are limited to 1e-12…1e12.
  ///
  /// - Parameters:
  ///   - mass: The mass at the end of the spring, greater than 0.
  ///   - stiffness: The spring constant, greater than 0.
  ///   - damping: The damping coefficient, greater than 0.
  public init(mass: Double = 1, stiffness: Double, damping: Double) {
    self.init(mass: mass, stiffness: stiffness, damping: damping, cutoff: nil)
  }

  init(mass: Double, stiffness: Double, damping: Double, cutoff: Double?) {
    self.mass = mass.limited(to: Self.constants)
    self.stiffness = stiffness.limited(to: Self.constants)
    self.damping = damping.limited(to: Self.constants)
    self.cutoff = cutoff
  }

  /// Wide enough for any visible motion, and narrow enough that no product of three constants overflows.
  static let constants = 1e-12...1e12
}

extension Spring {
  /// The angular frequency of the undamped spring, in radians per second.
  ///
  /// Source: the harmonic oscillator, ω = √(k/m).
  public var angularFrequency: Double { (stiffness / mass).squareRoot() }

  /// The damping ratio: below 1 the spring overshoots and returns, at 1 it arrives as fast as possible without
  /// overshooting, above 1 it arrives more slowly.
  ///
  /// Source: the damped harmonic oscillator, ζ = c / (2√(k·m)).
  public var dampingRatio: Double { damping / (2 * (stiffness * mass).squareRoot()) }

  /// The duration of one undamped oscillation in seconds. It is the `duration` of ``init(duration:bounce:)``.
  ///
  /// Source: Apple, SwiftUI `Spring.response`, 2π/ω.
  public var response: Double { 2 * .pi / angularFrequency }

  /// The bounce of the spring: above 0 it overshoots, at 0 it is critically damped, below 0 it is overdamped.
  ///
  /// Source: Apple, SwiftUI `Spring.bounce`: 1 − ζ up to critical damping, 1/ζ − 1 beyond it.
  public var bounce: Double { dampingRatio <= 1 ? 1 - dampingRatio : 1 / dampingRatio - 1 }

  /// Creates a spring that ends exactly after a duration, as in UIKit.
  ///
  /// The stiffness is chosen so that the spring has nearly settled after the duration. Then it is cut off and is at its
  /// target. Do not pass the velocity of a gesture, because it would change the stiffness; use
  /// ``init(duration:bounce:)`` instead.
  ///
  /// - Parameters:
  ///   - duration: Seconds from release to rest. At 0 or less, the spring is at its target immediately.
  ///   - dampingRatio: 0.01…1. Values above 1 count as 1, as in UIKit.
  ///   - initialVelocity: The velocity at release, in total distances per second. It influences the stiffness. Pass the
  ///     same velocity when asking for a value.
  ///
  /// Source: measurements of `UIView.animate(withDuration:usingSpringWithDamping:initialSpringVelocity:)`: mass 1,
  /// k = (W/d)², c = 2ζW/d, where W solves the envelope equation (see `EnvelopeEquation`).
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

  /// Creates a spring from its perceived duration and its bounce.
  ///
  /// The perceived duration is the response. The spring takes a little longer to settle. Law: `Spring(duration: d,
  /// bounce: b)` has response `d` and bounce `b`.
  ///
  /// - Parameters:
  ///   - duration: The perceived duration in seconds, 0.001…100,000.
  ///   - bounce: −0.99…1. Above 0 the spring overshoots. At 1 it never settles.
  ///
  /// Source: Apple, SwiftUI `Spring(duration:bounce:)`: mass 1, ω = 2π/duration, k = ω², c = 2ζω, with ζ = 1 − bounce,
  /// or 1/(1 + bounce) for a negative bounce.
  public init(duration: Double = 0.5, bounce: Double = 0) {
    let bounce = bounce.limited(to: -0.99...1)
    let angularFrequency = 2 * .pi / duration.limited(to: Self.durations)
    let dampingRatio = bounce >= 0 ? 1 - bounce : 1 / (1 + bounce)
    self.init(
      mass: 1, stiffness: angularFrequency * angularFrequency, damping: 2 * dampingRatio * angularFrequency)
  }

  /// Creates a spring that settles in a given time: released at rest, only 1/1000 of its distance remains then.
  ///
  /// Unlike a spring of ``init(duration:dampingRatio:initialVelocity:)`` it is not cut off, so it can start with any
  /// velocity. Law: its ``settlingDuration(_:)`` according to Core Animation's rule, without velocity, is
  /// `settlingDuration`.
  ///
  /// - Parameters:
  ///   - settlingDuration: Seconds from release to rest, 0.001…100,000.
  ///   - dampingRatio: 0.01…100. Below 1 the spring overshoots.
  ///
  /// Source: a spring's path in units of 1/ω depends on its damping ratio alone, so ω is the settling duration of the
  /// spring with ω = 1, divided by the required seconds.
  public init(settlingDuration: Double, dampingRatio: Double = 1) {
    let dampingRatio = dampingRatio.limited(to: 0.01...100)
    let unit = Spring(stiffness: 1, damping: 2 * dampingRatio)
    let angularFrequency =
      unit.settlingDuration(.coreAnimation(initialVelocity: 0)) / settlingDuration.limited(to: Self.durations)
    self.init(
      stiffness: angularFrequency * angularFrequency, damping: 2 * dampingRatio * angularFrequency)
  }

  /// A spring without bounce and with a perceived duration of half a second, suitable for most animations.
  ///
  /// Source: Apple, SwiftUI `Spring.smooth`.
  public static let smooth = Spring(duration: 0.5, bounce: 0)

  static let durations = 0.001...100_000.0

  /// Returns the value and the velocity at a time.
  ///
  /// The result has a closed form in the elapsed time, so it does not depend on the frame rate. Laws: at 0 seconds it
  /// is `start` and `velocity`; a spring that is released with the value and velocity of any time continues on the same
  /// path.
  ///
  /// - Parameters:
  ///   - start: The value at release.
  ///   - target: The value at rest.
  ///   - velocity: The velocity at release, in units of the value per second.
  ///   - elapsed: Seconds since release. Negative values count as 0.
  /// - Returns: The value, and its velocity in units per second. From ``cutoff`` on: the target and 0.
  ///
  /// Source: the damped harmonic oscillator m·y″ + c·y′ + k·y = 0 for the displacement y from the target; see
  /// Juckett, "Damped Springs", for the three regimes.
  public func value(
    from start: Double, to target: Double, velocity: Double = 0, at elapsed: Double
  ) -> (value: Double, velocity: Double) {
    if let cutoff, elapsed >= cutoff { return (target, 0) }
    guard elapsed > 0 else { return (start, velocity) }

    let displacement = start - target
    let decay = damping / (2 * mass)
    let basis = basis(at: elapsed)
    let pull = decay * velocity + stiffness / mass * displacement
    return (
      target + displacement * basis.even + (velocity + decay * displacement) * basis.odd,
      velocity * basis.even - pull * basis.odd
    )
  }

  /// Returns the two basis functions of every path of this spring, including the decay: `even` starts at 1, `odd`
  /// starts at 0 with slope 1.
  ///
  /// The three damping regimes join continuously, so no threshold for critical damping is needed.
  func basis(at elapsed: Double) -> (even: Double, odd: Double) {
    let decay = damping / (2 * mass)
    let discriminant = decay * decay - stiffness / mass
    if discriminant < 0 {
      let frequency = (-discriminant).squareRoot()
      let envelope = exponential(-decay * elapsed)
      return (envelope * cosine(frequency * elapsed), envelope * sine(frequency * elapsed) / frequency)
    }
    if discriminant > 0 {
      // The slow root is computed as k/m divided by the fast root, because decay − spread would lose digits.
      let spread = discriminant.squareRoot()
      let slow = exponential(-stiffness / mass / (decay + spread) * elapsed)
      let ratio = exponentialMinusOne(-2 * spread * elapsed)
      return (slow * (2 + ratio) / 2, slow * -ratio / (2 * spread))
    }
    let envelope = exponential(-decay * elapsed)
    return (envelope, envelope * elapsed)
  }

  /// The rule by which a framework considers a spring settled.
  public enum SettlingRule: Hashable, Sendable {
    /// The rule of SwiftUI, for a spring that is released at rest.
    case swiftUI
    /// The rule of Core Animation and UIKit. The velocity at release is in total distances per second.
    case coreAnimation(initialVelocity: Double)
  }

  /// Returns the seconds after which a framework considers the spring settled, for a distance of 1.
  ///
  /// Law: after the time according to Core Animation's rule, the spring is never farther than 1/1000 of the distance
  /// from its target. The ``cutoff`` is ignored.
  ///
  /// Source: SwiftUI, fitted to measurements on iOS 27: ln((1 + ζω)/0.001)/(ζω) below critical damping; from it on, the
  /// first multiple of 0.1 s at which less than 1/1000 is left. Core Animation: see
  /// ``settlingDuration(from:to:velocity:tolerance:)`` with a tolerance of 1/1000.
  public func settlingDuration(_ rule: SettlingRule) -> Double {
    switch rule {
    case .coreAnimation(let velocity):
      return settlingDuration(from: 0, to: 1, velocity: velocity, tolerance: 1e-3)
    case .swiftUI where isUnderdamped:
      let decay = damping / (2 * mass)
      return naturalLogarithm((1 + decay) / 1e-3) / decay
    case .swiftUI:
      // Rounds the exact time after a release at rest up to tenths. A tiny amount is subtracted so that an exact tenth
      // is not rounded up.
      let exact = settlingDuration(from: 0, to: 1, velocity: 0, tolerance: 1e-3)
      return (exact * 10 - 1e-9).rounded(.up) / 10
    }
  }

  /// Returns the seconds after which the spring stays within a tolerance of its target.
  ///
  /// With critical or stronger damping, this is the last time at which the spring is at that distance. With weaker
  /// damping, it is the time at which the envelope of the oscillation is at that distance.
  ///
  /// - Parameters:
  ///   - start: The value at release.
  ///   - target: The value at rest.
  ///   - velocity: The velocity at release, in units of the value per second.
  ///   - tolerance: The distance from the target that counts as settled, greater than 0, in units of the value.
  /// - Returns: Seconds, 0 or more. The ``cutoff`` is ignored.
  ///
  /// Source: Core Animation as measured on iOS 27: ln((1 + |B|)/0.001)/(ζω) with B = (v − ζω)/ω_d below critical
  /// damping, the last root of |−1 + (v − ω)T|·e^(−ωT) = 0.001 at it, here for any distance and tolerance; beyond
  /// critical damping the last root on the oscillator's own path.
  public func settlingDuration(
    from start: Double, to target: Double, velocity: Double = 0, tolerance: Double
  ) -> Double {
    let tolerance = max(tolerance, .leastNormalMagnitude)
    let displacement = start - target
    let decay = damping / (2 * mass)
    let impulse = velocity + decay * displacement
    if isUnderdamped {
      let frequency = (stiffness / mass - decay * decay).squareRoot()
      let envelope = abs(displacement) + abs(impulse) / frequency
      return max(0, naturalLogarithm(envelope / tolerance) / decay)
    }

    // Without oscillation, the path has at most one turning point, after which the distance decreases.
    let remaining = { (time: Double) in
      let basis = basis(at: time)
      return abs(displacement * basis.even + impulse * basis.odd) - tolerance
    }
    let spread = max(0, decay * decay - stiffness / mass).squareRoot()
    let turn = turningTime(pull: decay * velocity + stiffness / mass * displacement, velocity: velocity, spread: spread)
    if remaining(turn) > 0 {
      var reach = (decay + spread) * mass / stiffness
      while remaining(turn + reach) > 0 { reach *= 2 }
      return fallingRoot(from: turn, to: turn + reach, of: remaining)
    }
    return remaining(0) > 0 ? fallingRoot(from: 0, to: turn, of: remaining) : 0
  }

  /// The time at which a path without oscillation turns, where tanh(s·t)/s = velocity/pull, or 0 if it never turns.
  private func turningTime(pull: Double, velocity: Double, spread: Double) -> Double {
    let ratio = velocity / pull
    guard ratio > 0, spread * ratio < 1 else { return 0 }
    if isCritical { return ratio }
    return naturalLogarithm((1 + spread * ratio) / (1 - spread * ratio)) / (2 * spread)
  }

  /// Near critical damping, a spring counts as critically damped, because the frameworks' formulas have a pole there.
  private var isCritical: Bool { abs(dampingRatio - 1) < 1e-9 }

  private var isUnderdamped: Bool { !isCritical && dampingRatio < 1 }
}

/// The equation for the stiffness of a spring with a fixed duration: the sine term of the displacement reaches 1/1000
/// at its end.
///
/// All quantities are in units of the duration: the unknown is W = ω·d, the velocity is u = v·d.
///
/// Source: UIKit as measured on iOS 27 (9,600 calls): |(u/W − ζ)/√(1 − ζ²)|·e^(−ζW) = 1/1000 below critical damping,
/// |u − W − 1|·e^(−W) = 1/1000 at it. UIKit leaves the cosine part out, so a spring may still be at a small distance
/// from its target when it is cut off.
struct EnvelopeEquation {
  let dampingRatio: Double
  /// The initial velocity in total distances per duration.
  let velocity: Double

  private static let remainder = 1e-3

  private var isCritical: Bool { dampingRatio >= 1 }

  /// Returns the root that UIKit uses.
  ///
  /// The equation can have three roots. UIKit's root is the one that Newton's method finds from W = 5 in twelve steps,
  /// where a step to 0 or below is replaced by halving. If these steps find no root, the last root is returned.
  func root() -> Double {
    if velocity == 0, !isCritical { return closedRoot }
    var guess = 5.0
    for _ in 0..<12 {
      let slope = slope(at: guess)
      guard slope != 0 else { break }
      let next = guess - excess(at: guess) / slope
      guess = next > 0 ? next : guess / 2
    }
    let met = guess.isFinite && guess <= 1e4 && abs(excess(at: guess)) <= 0.1 * Self.remainder
    return met ? guess : lastRoot
  }

  /// The root for velocity 0 below critical damping, where the equation can be inverted.
  private var closedRoot: Double {
    naturalLogarithm(dampingRatio / (Self.remainder * complement)) / dampingRatio
  }

  /// √(1 − ζ²).
  private var complement: Double { (1 - dampingRatio * dampingRatio).squareRoot() }

  /// The signed amplitude at W, without the decay.
  private func amplitude(at w: Double) -> Double {
    isCritical ? velocity - w - 1 : (velocity / w - dampingRatio) / complement
  }

  private func amplitudeSlope(at w: Double) -> Double {
    isCritical ? -1 : -velocity / (w * w) / complement
  }

  private func excess(at w: Double) -> Double {
    abs(amplitude(at: w)) * exponential(-dampingRatio * w) - Self.remainder
  }

  private func slope(at w: Double) -> Double {
    let amplitude = amplitude(at: w)
    let growth = amplitude >= 0 ? amplitudeSlope(at: w) : -amplitudeSlope(at: w)
    return (growth - dampingRatio * abs(amplitude)) * exponential(-dampingRatio * w)
  }

  /// The largest root. After the amplitude's zero there is one more maximum. If that is high enough, the last root is
  /// after it, otherwise before the zero.
  private var lastRoot: Double {
    let humpTop: Double
    let zero: Double
    if isCritical {
      humpTop = max(velocity, 0)
      zero = velocity - 1
    } else {
      let u = max(velocity, 0)
      humpTop = (u + (u * u + 4 * u).squareRoot()) / (2 * dampingRatio)
      zero = u / dampingRatio
    }
    if excess(at: max(humpTop, .leastNonzeroMagnitude)) > 0 {
      return fallingRoot(from: humpTop, to: humpTop + 1e4) { excess(at: $0) }
    }
    return fallingRoot(from: 0, to: zero) { excess(at: $0) }
  }
}

/// Returns the root of a function that falls through 0 once in an interval, to the last digit.
///
/// Bisection. It usually stops when there is no double between the bounds, and after 200 halvings at the latest.
func fallingRoot(from low: Double, to high: Double, of function: (Double) -> Double) -> Double {
  var (low, high) = (low, high)
  for _ in 0..<200 {
    let middle = low + (high - low) / 2
    if middle <= low || middle >= high { break }
    if function(middle) > 0 { low = middle } else { high = middle }
  }
  return low + (high - low) / 2
}
