/// What this room refuses.
public enum MotionError: Error, Hashable, Sendable {
  /// A keyframe's start or duration is not a fraction of the whole animation.
  case keyframeOutsideAnimation(start: Double, duration: Double)
  /// A transition was to be completed at a speed that leads nowhere.
  case completionSpeedNotPositive(Double)
}

extension MotionError: CustomStringConvertible {
  /// The error in words.
  public var description: String {
    switch self {
    case .keyframeOutsideAnimation(let start, let duration):
      "Could not place the keyframe at '\(start)' with duration '\(duration)': both must be fractions of the whole "
        + "animation, 0 to 1. Divide the seconds by the animation's duration."
    case .completionSpeedNotPositive(let speed):
      "Could not complete the transition at speed '\(speed)': a speed must be a number above 0. "
        + "Use 1 to go on as fast as the animation itself."
    }
  }
}
