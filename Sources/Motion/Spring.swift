/// A damped spring: the shape of a motion that carries velocity.
///
/// A spring is a value and knows no time of its own; ask it where it is with ``value(from:to:velocity:at:)``. There are
/// three ways to describe one, after the three that UIKit and SwiftUI offer:
///
/// ```swift
/// Spring(mass: 1, stiffness: 100, damping: 10)   // physical
/// Spring(duration: 0.5, bounce: 0.3)             // response: how it feels; lasts until it has settled
/// Spring(duration: 0.4, dampingRatio: 0.8)       // UIKit's duration form: over at 0.4 s, exactly
/// ```
public struct Spring: Hashable, Sendable {
  /// The mass on the end of the spring, in units of mass, above 0.
  public let mass: Double

  /// The spring constant, in units of mass per second squared, above 0.
  public let stiffness: Double

  /// The damping coefficient, in units of mass per second, above 0.
  public let damping: Double

  /// Seconds after release at which the spring is cut off and stands exactly at its target; nil for a spring that goes
  /// on until it has settled.
  ///
  /// Only springs of UIKit's duration form have one.
  public let cutoff: Double?

  /// Creates a spring from its physical constants.
  ///
  /// Constants outside 1e-12…1e12 are brought to the nearest end of that range.
  ///
  /// - Parameters:
  ///   - mass: Mass on the end of the spring, above 0.
  ///   - stiffness: Spring constant, above 0.
  ///   - damping: Damping coefficient, above 0.
  public init(mass: Double = 1, stiffness: Double, damping: Double) {
    self.init(mass: mass, stiffness: stiffness, damping: damping, cutoff: nil)
  }

  init(mass: Double, stiffness: Double, damping: Double, cutoff: Double?) {
    self.mass = mass.limited(to: Self.constants)
    self.stiffness = stiffness.limited(to: Self.constants)
    self.damping = damping.limited(to: Self.constants)
    self.cutoff = cutoff
  }

  /// Wide enough for anything that can be seen, narrow enough that no product of three overflows.
  static let constants = 1e-12...1e12
}

extension Spring {
  /// The angular frequency the spring would have without damping, in radians per second.
  ///
  /// Source: the harmonic oscillator, ω = √(k/m).
  public var angularFrequency: Double { (stiffness / mass).squareRoot() }

  /// How strongly the spring is damped: below 1 it overshoots and comes back, at 1 it arrives as fast as it can without
  /// overshooting, above 1 it arrives slowly.
  ///
  /// Source: the damped harmonic oscillator, ζ = c / (2√(k·m)).
  public var dampingRatio: Double { damping / (2 * (stiffness * mass).squareRoot()) }

  /// The seconds one oscillation would take without damping; the `duration` of the response form.
  ///
  /// Source: Apple, SwiftUI `Spring.response`, 2π/ω.
  public var response: Double { 2 * .pi / angularFrequency }

  /// How bouncy the spring is: above 0 it overshoots, at 0 it is critically damped, below 0 it is overdamped.
  ///
  /// Source: Apple, SwiftUI `Spring.bounce`: 1 − ζ up to critical damping, 1/ζ − 1 beyond it.
  public var bounce: Double { dampingRatio <= 1 ? 1 - dampingRatio : 1 / dampingRatio - 1 }
}
