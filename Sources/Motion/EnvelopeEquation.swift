/// The equation that gives a duration spring its stiffness: when does the sine part of the displacement reach 1/1000?
///
/// Everything is measured in durations: the unknown is W = ω·d, the velocity is u = v·d.
///
/// Source: UIKit as measured on iOS 27 (9,600 calls): |(u/W − ζ)/√(1 − ζ²)|·e^(−ζW) = 1/1000 below critical damping,
/// |u − W − 1|·e^(−W) = 1/1000 at it. UIKit leaves the cosine part out, so a spring may still be a little way off its
/// target when it is cut.
struct EnvelopeEquation {
  let dampingRatio: Double
  /// Initial velocity in distances per duration.
  let velocity: Double

  private static let remainder = 1e-3

  private var isCritical: Bool { dampingRatio >= 1 }

  /// Returns the root that UIKit takes.
  ///
  /// The equation can have three. UIKit's choice is the one that Newton's method meets from W = 5 in twelve steps, with
  /// a step to 0 or below replaced by a halving; where those steps meet no root, ours is the last one.
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

  /// The root without velocity below critical damping, where the equation has an inverse.
  private var closedRoot: Double {
    naturalLogarithm(dampingRatio / (Self.remainder * complement)) / dampingRatio
  }

  /// √(1 − ζ²).
  private var complement: Double { (1 - dampingRatio * dampingRatio).squareRoot() }

  /// The amplitude at W, with its sign, before the decay.
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

  /// The largest root. Past the amplitude's zero there is one more hump; the last root lies on its far side if the hump
  /// is high enough, and before the zero if it is not.
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

/// Returns where a function that falls through 0 once between two places does so, to the last digit.
///
/// Source: bisection; 200 halvings outlast every pair of doubles that is not at its end sooner.
func fallingRoot(from low: Double, to high: Double, of function: (Double) -> Double) -> Double {
  var (low, high) = (low, high)
  for _ in 0..<200 {
    let middle = low + (high - low) / 2
    if middle <= low || middle >= high { break }
    if function(middle) > 0 { low = middle } else { high = middle }
  }
  return low + (high - low) / 2
}
