public import Motion

/// A part of a keyframe animation.
public struct Keyframe {
  /// When it begins, as a fraction of the whole duration, 0…1.
  public var start: Double
  /// How long it takes, as a fraction of the whole duration, 0…1.
  public var duration: Double
  /// Changes to layers; they go from the value that the keyframes before have left.
  public var changes: @MainActor () -> Void

  /// Makes a keyframe.
  public init(start: Double, duration: Double, changes: @escaping @MainActor () -> Void) {
    self.start = start
    self.duration = duration
    self.changes = changes
  }
}

/// Animates in parts, each with a start and a length relative to the whole.
///
/// A part that lies outside the whole is cut off at its ends, and reported.
///
/// - Parameters:
///   - duration: Seconds for all of it.
///   - delay: Seconds before the first motion.
///   - curve: How the whole goes; linear, so that the parts begin when they say.
///   - frames: The parts, in the order in which their changes build on each other.
///   - completion: Called once, when the whole duration has passed.
/// - Returns: The animator, to pause, scrub or reverse it.
@discardableResult
@MainActor public func animateKeyframes(
  duration: Double, delay: Double = 0, curve: TimingCurve = .linear, _ frames: [Keyframe],
  completion: (@MainActor (_ finished: Bool) -> Void)? = nil
) -> Animator {
  let animator = Animator(duration: duration > 0 ? duration : 0, curve: duration > 0 ? curve : .linear)
  if let completion { animator.addCompletion(completion) }
  for frame in frames {
    let start = max(0, min(1, frame.start))
    let end = max(start, min(1, frame.start + frame.duration))
    let isWithin = frame.start >= 0 && frame.duration >= 0 && frame.start + frame.duration <= 1 + 1e-9
    let length = isWithin ? min(1 - start, frame.duration) : end - start
    if !isWithin {
      ScreenIssue.keyframeOutsideAnimation(start: frame.start, duration: frame.duration).report(on: nil)
    }
    animator.addAnimations(from: start, length: length, frame.changes)
  }
  animator.start(afterDelay: delay)
  return animator
}
