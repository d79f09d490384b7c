/// A value that visits several targets in the course of one animation.
///
/// Each keyframe starts from the value the earlier ones left; between keyframes the value rests. A keyframe that starts
/// while an earlier one still runs takes over from where that one is.
///
/// ```swift
/// let hop = try Keyframes(from: 0, [
///   Keyframes.Frame(start: 0, duration: 0.5, to: 3, curve: .easeOut),
///   Keyframes.Frame(start: 0.5, duration: 0.5, to: 0, curve: .easeIn),
/// ])
/// ```
///
/// Source: UIKit, `UIView.animateKeyframes` with the linear calculation mode.
public struct Keyframes: Hashable, Sendable {
  /// A part of the animation in which the value goes to one target.
  public struct Frame: Hashable, Sendable {
    /// The part of the animation it takes.
    public let interval: RelativeInterval
    /// The value at its end.
    public let target: Double
    /// How progress follows from time within it.
    public let curve: TimingCurve

    /// Creates a keyframe.
    ///
    /// - Parameters:
    ///   - start: Fraction of the whole animation at which it starts, 0…1.
    ///   - duration: Fraction of the whole animation that it takes, 0…1.
    ///   - target: The value at its end.
    ///   - curve: How progress follows from time within it. A spring is stretched to the keyframe's length.
    /// - Throws: ``MotionError/keyframeOutsideAnimation(start:duration:)``.
    public init(
      start: Double, duration: Double, to target: Double, curve: TimingCurve = .linear
    ) throws(MotionError) {
      interval = try RelativeInterval(start: start, duration: duration)
      self.target = target
      self.curve = curve
    }
  }

  /// The value before the first keyframe.
  public let initialValue: Double

  /// The keyframes in the order of their starts; of those that start together, the one given last counts.
  public let frames: [Frame]

  /// The value at the start of each keyframe.
  private let starts: [Double]

  /// Creates a visit to several targets.
  ///
  /// - Parameters:
  ///   - initialValue: The value before the first keyframe.
  ///   - frames: The keyframes, in any order.
  public init(from initialValue: Double, _ frames: [Frame]) {
    let ordered = frames.enumerated().sorted {
      ($0.element.interval.start, $0.offset) < ($1.element.interval.start, $1.offset)
    }
    .map(\.element)
    var starts: [Double] = []
    for (index, frame) in ordered.enumerated() {
      let value =
        index == 0
        ? initialValue : Self.value(of: ordered[index - 1], from: starts[index - 1], at: frame.interval.start)
      starts.append(value)
    }
    self.initialValue = initialValue
    self.frames = ordered
    self.starts = starts
  }

  /// Returns the value when a fraction of the whole animation has passed.
  ///
  /// - Parameter fraction: Time passed, as a fraction of the whole duration; outside 0…1 the nearest end counts.
  public func value(at fraction: Double) -> Double {
    let fraction = fraction.limited(to: 0...1)
    guard let index = frames.lastIndex(where: { $0.interval.start <= fraction }) else { return initialValue }
    return Self.value(of: frames[index], from: starts[index], at: fraction)
  }

  private static func value(of frame: Frame, from start: Double, at fraction: Double) -> Double {
    frame.curve.progress(at: frame.interval.fraction(of: fraction)).between(start, frame.target)
  }
}
