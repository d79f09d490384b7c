extension Spring {
  /// How to tell that a spring has settled: the rules of two frameworks, which differ.
  public enum SettlingRule: Hashable, Sendable {
    /// SwiftUI's rule, for a spring released at rest.
    case swiftUI
    /// Core Animation's rule, which UIKit uses too; the velocity at release is in whole distances a second.
    case coreAnimation(initialVelocity: Double)
  }

  /// Returns the seconds after which a framework calls this spring settled, for a move of distance 1.
  ///
  /// Law: after the time of Core Animation's rule the spring is never farther than 1/1000 of the distance from its
  /// target. The ``cutoff`` plays no part.
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
      // The exact time for a release at rest, then up to the next tenth; a hair is taken off so that a time that is a
      // tenth already stays one.
      let exact = settlingDuration(from: 0, to: 1, velocity: 0, tolerance: 1e-3)
      return (exact * 10 - 1e-9).rounded(.up) / 10
    }
  }

  /// Returns the seconds after which the spring stays within a tolerance of its target.
  ///
  /// At critical and stronger damping this is the last moment it is so far away; below, it is the moment the envelope
  /// of its swings is.
  ///
  /// - Parameters:
  ///   - start: Value at release.
  ///   - target: Value at rest.
  ///   - velocity: Velocity at release, in units of the value per second.
  ///   - tolerance: Distance from the target that counts as settled, above 0, in units of the value.
  /// - Returns: Seconds, 0 or more. The ``cutoff`` plays no part.
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

    // Without swings the path turns once at most, and from there it falls for good.
    let remaining = { (time: Double) in
      let basis = basis(at: time)
      return abs(displacement * basis.even + impulse * basis.odd) - tolerance
    }
    let spread = max(0, decay * decay - stiffness / mass).squareRoot()
    let turn = turn(pull: decay * velocity + stiffness / mass * displacement, velocity: velocity, spread: spread)
    if remaining(turn) > 0 {
      var reach = (decay + spread) * mass / stiffness
      while remaining(turn + reach) > 0 { reach *= 2 }
      return fallingRoot(from: turn, to: turn + reach, of: remaining)
    }
    return remaining(0) > 0 ? fallingRoot(from: 0, to: turn, of: remaining) : 0
  }

  /// When a path without swings turns: where tanh(s·t)/s = velocity/pull, or 0 if it never does.
  private func turn(pull: Double, velocity: Double, spread: Double) -> Double {
    let ratio = velocity / pull
    guard ratio > 0, spread * ratio < 1 else { return 0 }
    if isCritical { return ratio }
    return naturalLogarithm((1 + spread * ratio) / (1 - spread * ratio)) / (2 * spread)
  }

  /// The frameworks' formulas have a pole at critical damping, so near it a spring counts as critical.
  private var isCritical: Bool { abs(dampingRatio - 1) < 1e-9 }

  private var isUnderdamped: Bool { !isCritical && dampingRatio < 1 }
}
