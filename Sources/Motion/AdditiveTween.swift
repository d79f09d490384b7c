/// A value that may be sent to a new target while it still moves: every journey runs to its own end, and what is seen is
/// their sum.
///
/// The model value is the last target at once; each journey adds what is left of its own way. Each is over at its own
/// end, so a spring that is cut off still steps onto its target there, as it would alone.
///
/// Source: UIKit as measured on iOS 27: a second animation of a moving position is added to the first, which is left as
/// it is; a target that is already the model value adds nothing.
public struct AdditiveTween: Hashable, Sendable {
  /// The value when all journeys are over, and the start of the next one.
  public private(set) var target: Double

  /// The journeys that were not over at the last change of target, the oldest first.
  public private(set) var tweens: [Tween] = []

  /// Creates a value at rest.
  public init(_ value: Double) {
    target = value
  }

  /// Sends the value to another target.
  ///
  /// - Parameters:
  ///   - target: The new target. The value the last one had changes nothing.
  ///   - curve: How progress follows from time.
  ///   - duration: Seconds; a spring keeps its own time.
  ///   - moment: The moment of the change, in seconds on the caller's timeline. Journeys that are over by then are let
  ///     go, so moments before it can no longer be asked for.
  public mutating func retarget(to target: Double, curve: TimingCurve, duration: Double, at moment: Double) {
    tweens.removeAll { $0.end <= moment }
    guard target != self.target else { return }
    tweens.append(Tween(from: self.target, to: target, curve: curve, duration: duration, begin: moment))
    self.target = target
  }

  /// The moment from which on the value is exactly at its target; nil when it has never moved.
  public var end: Double? { tweens.map(\.end).max() }

  /// Returns the value at a moment, and its velocity in units per second.
  public func state(at moment: Double) -> (value: Double, velocity: Double) {
    tweens.reduce((target, 0)) { sum, tween in
      let part = tween.state(at: moment)
      return (sum.0 + (part.value - tween.target), sum.1 + part.velocity)
    }
  }

  /// Returns the value at a moment.
  public func value(at moment: Double) -> Double { state(at: moment).value }

  /// Returns the velocity at a moment, in units of the value per second.
  public func velocity(at moment: Double) -> Double { state(at: moment).velocity }
}
