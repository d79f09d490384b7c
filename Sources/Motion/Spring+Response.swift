extension Spring {
  /// Creates a spring from how long and how bouncy it feels.
  ///
  /// The duration is the response, the perceived length: the spring itself lasts a little longer, until it has
  /// settled. Law: `Spring(duration: d, bounce: b)` has response `d` and bounce `b`.
  ///
  /// - Parameters:
  ///   - duration: Perceived length in seconds, 0.001…100,000.
  ///   - bounce: −0.99…1. Above 0 the spring overshoots; 1 would last for ever.
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

  /// Creates a spring that has settled after a time: released at rest, it is within 1/1000 of its distance by then.
  ///
  /// Unlike ``init(duration:dampingRatio:initialVelocity:)`` it is not cut off there, so it may be thrown with any
  /// velocity. Law: its ``settlingDuration(_:)`` by Core Animation's rule, without velocity, is `settlingDuration`.
  ///
  /// - Parameters:
  ///   - settlingDuration: Seconds from release to rest, 0.001…100,000.
  ///   - dampingRatio: 0.01…100; below 1 the spring overshoots.
  ///
  /// Source: a spring's path in units of 1/ω depends on its damping ratio alone, so ω is the settling duration of the
  /// spring with ω = 1, divided by the seconds wanted.
  public init(settlingDuration: Double, dampingRatio: Double = 1) {
    let dampingRatio = dampingRatio.limited(to: 0.01...100)
    let unit = Spring(stiffness: 1, damping: 2 * dampingRatio)
    let angularFrequency =
      unit.settlingDuration(.coreAnimation(initialVelocity: 0)) / settlingDuration.limited(to: Self.durations)
    self.init(
      stiffness: angularFrequency * angularFrequency, damping: 2 * dampingRatio * angularFrequency)
  }

  /// A spring without bounce that feels half a second long; what most motion should use.
  ///
  /// Source: Apple, SwiftUI `Spring.smooth`.
  public static let smooth = Spring(duration: 0.5, bounce: 0)

  /// A spring with a hint of bounce.
  ///
  /// Source: Apple, SwiftUI `Spring.snappy`.
  public static let snappy = Spring(duration: 0.5, bounce: 0.15)

  /// A spring with a bounce that everyone sees.
  ///
  /// Source: Apple, SwiftUI `Spring.bouncy`.
  public static let bouncy = Spring(duration: 0.5, bounce: 0.3)

  static let durations = 0.001...100_000.0
}
